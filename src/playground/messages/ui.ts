/** What the page itself says. The engine brings the words of its messages. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Locale } from '../../api/index.ts'
import { count, messages } from '../../parts/locale.ts'

const MESSAGES = messages({
  tagline: ['Spanish invoices that add up', 'facturas que cuadran'],
  skip: ['Skip to the verdict', 'Ir al resultado'],
  language: ['Language', 'Idioma'],
  options: ['Example and options', 'Ejemplo y opciones'],
  example: ['Start from', 'Partir de'],
  exampleChoose: ['Choose an example…', 'Elija un ejemplo…'],
  exampleChanged: ['Changed: {0}', 'Modificado: {0}'],
  company: ['Company', 'Empresa'],
  companyNamed: ['Company: {0}', 'Empresa: {0}'],
  openFile: ['Open a file…', 'Abrir archivo…'],
  saveAs: ['Download…', 'Descargar…'],
  oneFile: ['Bring one file at a time.', 'Traiga los archivos de uno en uno.'],
  operation: ['Check it as', 'Comprobar como'],
  operations: {
    auto: ['Automatic ({0})', 'Automático ({0})'],
    draft: ['draft', 'borrador'],
    issue: ['to be issued', 'para emitir'],
    import: ['issued elsewhere', 'emitida en otro sitio'],
    received: ['received', 'recibida'],
  },
  today: ['Today', 'Hoy'],
  check: ['Compare the totals sent', 'Comparar los totales enviados'],
  share: ['Share', 'Compartir'],
  print: ['Print', 'Imprimir'],
  views: ['Ways to write the invoice', 'Formas de escribir la factura'],
  answers: ['What cuadra says', 'Lo que dice cuadra'],
  json: ['JSON', 'JSON'],
  form: ['Form', 'Formulario'],
  checks: ['Check', 'Resultado'],
  paper: ['Printed', 'Impresa'],
  output: ['Output', 'Salida'],
  loadingOutput: ['Making the records…', 'Haciendo los registros…'],
  source: ['Invoice', 'Factura'],
  editorName: [
    'Invoice as JSON. Tab indents; press Escape and then Tab to leave the editor.',
    'Factura en JSON. El tabulador sangra; pulse Escape y después Tab para salir del editor.',
  ],
  editorHint: [
    ['Ctrl+Space', 'suggests fields and values.', 'Esc', 'then', 'Tab', 'leaves the editor.'],
    ['Ctrl+Espacio', 'sugiere campos y valores.', 'Esc', 'y luego', 'Tab', 'sale del editor.'],
  ],
  begun: ['Not finished yet', 'Aún sin terminar'],
  hints: ['{0|field|fields} to fill in', '{0|campo|campos} por rellenar'],
  toFillIn: ['Still to fill in', 'Falta por rellenar'],
  checkNow: ['Check everything now', 'Comprobar todo ahora'],
  moreOnCode: ['More about this', 'Más sobre esto'],
  seeMore: ['{0|problem|problems} here', '{0|problema|problemas} aquí'],
  valid: ['It adds up', 'Cuadra'],
  notValid: ['It does not add up', 'No cuadra'],
  unreadable: ['Cannot be read yet', 'Aún no se puede leer'],
  errors: ['{0|error|errors}', '{0|error|errores}'],
  warnings: ['{0|warning|warnings}', '{0|aviso|avisos}'],
  none: ['No problems found', 'Sin problemas'],
  announce: ['{0}: {1}, {2}.', '{0}: {1}, {2}.'],
  total: ['Total', 'Total'],
  toPay: ['to pay', 'a pagar'],
  problems: ['Problems', 'Problemas'],
  error: ['Error', 'Error'],
  warning: ['Warning', 'Aviso'],
  line: ['line {0}', 'línea {0}'],
  column: ['column {0}', 'columna {0}'],
  outdated: [
    'The totals of the last text that could be read.',
    'Los totales del último texto que se pudo leer.',
  ],
  whole: ['the whole document', 'todo el documento'],
  missing: ['{0} is missing', 'falta {0}'],
  use: ['Use', 'Poner'],
  takeOut: ['Take it out', 'Quitarlo'],
  more: ['Show {0} more', 'Mostrar {0} más'],
  breakdown: ['Tax breakdown', 'Desglose de impuestos'],
  treatment: ['Treatment', 'Calificación'],
  rate: ['Rate', 'Tipo'],
  base: ['Base', 'Base'],
  tax: ['Tax', 'Cuota'],
  surcharge: ['Surcharge', 'Recargo'],
  foreign: ['Foreign tax', 'Impuesto extranjero'],
  withholding: ['Withholding', 'Retención'],
  totals: ['Totals', 'Totales'],
  linesTitle: ['Lines', 'Líneas'],
  explainHint: [
    'Choose any amount to see where it comes from.',
    'Elija cualquier importe para ver de dónde sale.',
  ],
  explain: ['{0}: {1}. Where does it come from?', '{0}: {1}. ¿De dónde sale?'],
  exact: ['Exactly', 'Exacto'],
  rounded: ['Rounded', 'Redondeado'],
  from: ['From', 'A partir de'],
  lineByLine: ['Rounding line by line would give {0}: {1}.', 'Redondeando línea a línea saldría {0}: {1}.'],
  sameByLine: [
    'Rounding line by line would give the same, {0}.',
    'Redondeando línea a línea saldría lo mismo, {0}.',
  ],
  remainder: ['{0}: the parts add up to {1}.', '{0}: las partes suman {1}.'],
  cents: [
    (n: number) => `${count(Math.abs(n), 'cent', 'cents')} ${n < 0 ? 'less' : 'more'}`,
    (n: number) => `${count(Math.abs(n), 'céntimo', 'céntimos')} ${n < 0 ? 'menos' : 'más'}`,
  ],
  noTotals: [
    'The totals appear as soon as the document has the shape of an invoice.',
    'Los totales aparecen en cuanto el documento tiene forma de factura.',
  ],
  writeTotals: [
    'Write the computed totals into the document',
    'Escribir los totales calculados en el documento',
  ],
  stale: [
    '{0|total sent differs|totals sent differ} from the computed ones.',
    '{0|total enviado difiere|totales enviados difieren} de lo calculado.',
  ],
  formBroken: [
    'The JSON has a fault, so the form cannot write to it.',
    'El JSON tiene un fallo y el formulario no puede escribir en él.',
  ],
  formBrokenGo: ['Go to the fault', 'Ir al fallo'],
  addLine: ['Add a line', 'Añadir una línea'],
  removeLine: ['Remove line {0}', 'Quitar la línea {0}'],
  lineTitle: ['Line {0}', 'Línea {0}'],
  prices: ['Prices', 'Los precios'],
  pricesWith: ['include tax', 'incluyen el impuesto'],
  pricesWithout: ['are without tax', 'son sin impuesto'],
  pricesMixed: ['some with, some without', 'unos con, otros sin'],
  lineMore: ['Treatment, withholding and more', 'Calificación, retención y más'],
  empty: ['—', '—'],
  notListed: ['not in the list', 'no está en la lista'],
  allLines: ['Withholding on every line', 'Retención en todas las líneas'],
  mixed: ['differs by line', 'distinta según la línea'],
  addPayment: ['Add an instalment', 'Añadir un vencimiento'],
  removePayment: ['Remove instalment {0}', 'Quitar el vencimiento {0}'],
  paymentTitle: ['Instalment {0}', 'Vencimiento {0}'],
  supplierRole: ['who sells and issues the invoice', 'quien vende y expide la factura'],
  customerRole: ['who buys and receives it', 'quien compra y la recibe'],
  natural: ['Natural person', 'Persona física'],
  legal: ['Company or entity', 'Empresa o entidad'],
  issued: ['Issued', 'Emitida'],
  receivedDirection: ['Received', 'Recibida'],
  substitution: [
    'By substitution: these are the right amounts',
    'Por sustitución: estos son los importes correctos',
  ],
  differences: ['By differences: these are what changes', 'Por diferencias: esto es lo que cambia'],
  invoice: ['Invoice', 'Factura'],
  previewNote: [
    'A preview, made in your browser. Nothing has been registered: the QR only means something once the invoice has been registered.',
    'Vista previa hecha en su navegador. No se ha registrado nada: el QR solo vale cuando exista el registro de facturación.',
  ],
  paperEmpty: [
    'The printed invoice appears here as soon as the document has the shape of an invoice.',
    'La factura impresa aparece aquí en cuanto el documento tiene forma de factura.',
  ],
  paperWrong: ['Not valid yet', 'Aún no es válida'],
  qrNeeds: {
    invalid: [
      'The QR appears when the invoice has no errors.',
      'El QR aparece cuando la factura no tiene errores.',
    ],
    received: [
      'The QR belongs to the invoices that one issues, not to received ones.',
      'El QR es de las facturas que uno emite, no de las recibidas.',
    ],
    draft: [
      'A draft has no QR: check it as “to be issued” or “issued elsewhere”.',
      'Un borrador no lleva QR: compruébela como «para emitir» o «emitida en otro sitio».',
    ],
    number: [
      'The QR appears when the invoice has a number and an issue date.',
      'El QR aparece cuando la factura tiene número y fecha de expedición.',
    ],
  },
  qrAlt: ['QR code of the tax agency for this invoice', 'Código QR tributario de esta factura'],
  corrects: ['Corrects invoice', 'Rectifica la factura'],
  shareTitle: ['Share this invoice', 'Compartir esta factura'],
  shareNote: [
    'The invoice is inside the part of the link after #, which browsers never send to a server. Whoever gets the link can read it.',
    'La factura va en la parte del enlace que sigue a #, que los navegadores nunca envían a un servidor. Quien reciba el enlace podrá leerla.',
  ],
  copy: ['Copy link', 'Copiar enlace'],
  copied: ['Copied', 'Copiado'],
  close: ['Close', 'Cerrar'],
  shareLong: [
    'The link has {0} characters. Some programs cut links that long.',
    'El enlace tiene {0} caracteres. Algunos programas cortan enlaces tan largos.',
  ],
  shareCompany: [
    'The link carries your company settings, too.',
    'El enlace lleva también los datos de su empresa.',
  ],
  shareTooLong: [
    'This invoice is too long for a link. Save it as a file instead.',
    'Esta factura es demasiado larga para un enlace. Guárdela como archivo.',
  ],
  download: ['Save as file', 'Guardar como archivo'],
  shareBroken: [
    'The link is damaged or cut off: the invoice in it cannot be read. Ask for it again.',
    'El enlace está dañado o cortado: no se puede leer la factura que lleva. Pídalo de nuevo.',
  ],
  shareHuge: [
    'The invoice in the link is too long to be opened here.',
    'La factura del enlace es demasiado larga para abrirla aquí.',
  ],
  dismiss: ['Dismiss', 'Descartar'],
  privacy: [
    'Nothing leaves your browser. Works offline.',
    'Nada sale de su navegador. Funciona sin conexión.',
  ],
  failure: [
    'Something went wrong here. Your text is safe: reload the page.',
    'Algo ha fallado aquí. Su texto está a salvo: recargue la página.',
  ],
})

export type UiMessages = (typeof MESSAGES)['en']

export const messagesOf = (locale: Locale): UiMessages => MESSAGES[locale]

export const LocaleContext = createContext<Locale>('es')

/** Language and words for a component. */
export function useMessages(): { readonly locale: Locale; readonly messages: UiMessages } {
  const locale = useContext(LocaleContext)
  return { locale, messages: MESSAGES[locale] }
}
