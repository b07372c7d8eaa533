/** Texts of the page. The messages of problems come from the engine. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { Locale } from '../../api/index.ts'
import { count, messages } from '../../parts/locale.ts'

const MESSAGES = messages({
  title: ['Spanish invoices that add up', 'facturas que cuadran'],
  tagline: [
    'Checks a Spanish invoice in your browser, and explains each problem and each cent.',
    'Comprueba una factura española en su navegador y explica cada problema y cada céntimo.',
  ],
  guides: ['Guides', 'Guías'],
  codes: ['Codes', 'Códigos'],
  skip: ['Skip to the result', 'Ir al resultado'],
  language: ['Language', 'Idioma'],
  options: ['Example and options', 'Ejemplo y opciones'],
  example: ['Example', 'Ejemplo'],
  exampleChoose: ['Choose an example…', 'Elija un ejemplo…'],
  exampleChanged: ['{0} (edited)', '{0} (modificado)'],
  company: ['Company', 'Empresa'],
  companyNamed: ['Company: {0}', 'Empresa: {0}'],
  openFile: ['Open a file…', 'Abrir un fichero…'],
  saveAs: ['Download…', 'Descargar…'],
  oneFile: ['Open one file at a time.', 'Abra los ficheros de uno en uno.'],
  operation: ['Check as', 'Comprobar como'],
  operations: {
    auto: ['Automatic ({0})', 'Automático ({0})'],
    draft: ['draft', 'borrador'],
    issue: ['to issue', 'para expedir'],
    import: ['issued elsewhere', 'expedida con otro programa'],
    received: ['received', 'recibida'],
  },
  today: ['Today', 'Hoy'],
  check: ['Compare the totals entered', 'Comparar los totales indicados'],
  share: ['Share', 'Compartir'],
  print: ['Print', 'Imprimir'],
  views: ['Edit as', 'Editar como'],
  results: ['Result', 'Resultado'],
  json: ['JSON', 'JSON'],
  form: ['Form', 'Formulario'],
  checks: ['Check', 'Comprobación'],
  paper: ['Preview', 'Vista previa'],
  output: ['Output', 'Salida'],
  loadingOutput: ['Generating the records…', 'Generando los registros…'],
  source: ['Invoice', 'Factura'],
  editorName: [
    'Invoice as JSON. Tab indents. To leave the editor, press Escape, then Tab.',
    'Factura en JSON. El tabulador sangra el texto. Para salir del editor, pulse Escape y después Tab.',
  ],
  editorHint: [
    ['Ctrl+Space', 'suggests fields and values.', 'Esc', 'then', 'Tab', 'leaves the editor.'],
    ['Ctrl+Espacio', 'sugiere campos y valores.', 'Esc', 'y luego', 'Tab', 'sale del editor.'],
  ],
  unfinished: ['Incomplete', 'Incompleta'],
  hints: ['{0|field|fields} to fill in', '{0|campo|campos} por rellenar'],
  toFillIn: ['Fields to fill in', 'Campos por rellenar'],
  checkNow: ['Check now', 'Comprobar ahora'],
  moreOnCode: ['Learn more', 'Más información'],
  seeMore: ['{0|problem|problems}', '{0|problema|problemas}'],
  valid: ['It adds up', 'Cuadra'],
  notValid: ['It does not add up', 'No cuadra'],
  unreadable: ['Invalid JSON', 'JSON no válido'],
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
  outdated: ['Totals of the last valid JSON.', 'Totales del último JSON válido.'],
  whole: ['the whole document', 'todo el documento'],
  missing: ['missing: {0}', 'falta {0}'],
  use: ['Use', 'Usar'],
  remove: ['Remove', 'Quitar'],
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
    'Select an amount to see how it is calculated.',
    'Elija un importe para ver cómo se calcula.',
  ],
  explain: ['{0}: {1}. Explain', '{0}: {1}. Ver el cálculo'],
  exact: ['Exact', 'Exacto'],
  rounded: ['Rounded', 'Redondeado'],
  from: ['From', 'A partir de'],
  lineByLine: ['Rounding line by line would give {0}: {1}.', 'Con redondeo línea a línea sería {0}: {1}.'],
  sameByLine: [
    'Rounding line by line would give the same: {0}.',
    'Con redondeo línea a línea sería lo mismo: {0}.',
  ],
  remainder: ['{0}: the parts add up to {1}.', '{0}: las partes suman {1}.'],
  cents: [
    (n: number) => `${count(Math.abs(n), 'cent', 'cents')} ${n < 0 ? 'less' : 'more'}`,
    (n: number) => `${count(Math.abs(n), 'céntimo', 'céntimos')} ${n < 0 ? 'menos' : 'más'}`,
  ],
  noTotals: [
    'Totals appear once the document has the structure of an invoice.',
    'Los totales aparecen en cuanto el documento tiene la estructura de una factura.',
  ],
  writeTotals: ['Update the totals in the document', 'Actualizar los totales del documento'],
  stale: [
    '{0|total differs|totals differ} from the calculated ones.',
    '{0|total no coincide|totales no coinciden} con lo calculado.',
  ],
  formBroken: [
    'The JSON has a syntax error. Correct it to use the form.',
    'El JSON tiene un error de sintaxis. Corríjalo para usar el formulario.',
  ],
  formBrokenGo: ['Go to the error', 'Ir al error'],
  addLine: ['Add a line', 'Añadir una línea'],
  removeLine: ['Remove line {0}', 'Quitar la línea {0}'],
  lineTitle: ['Line {0}', 'Línea {0}'],
  prices: ['Prices', 'Los precios'],
  pricesWith: ['include tax', 'incluyen el impuesto'],
  pricesWithout: ['exclude tax', 'no incluyen el impuesto'],
  pricesMixed: ['vary by line', 'según la línea'],
  lineMore: ['Treatment, withholding and more', 'Calificación, retención y más'],
  empty: ['—', '—'],
  notListed: ['not in the list', 'no está en la lista'],
  allLines: ['Withholding on every line', 'Retención en todas las líneas'],
  mixed: ['varies by line', 'según la línea'],
  addPayment: ['Add an instalment', 'Añadir un vencimiento'],
  removePayment: ['Remove instalment {0}', 'Quitar el vencimiento {0}'],
  paymentTitle: ['Instalment {0}', 'Vencimiento {0}'],
  supplierRole: ['sells and issues the invoice', 'vende y expide la factura'],
  customerRole: ['buys and receives it', 'compra y la recibe'],
  natural: ['Natural person', 'Persona física'],
  legal: ['Company or entity', 'Empresa o entidad'],
  issued: ['Issued', 'Emitida'],
  receivedDirection: ['Received', 'Recibida'],
  substitution: [
    'By substitution: enter the correct amounts',
    'Por sustitución: indique los importes correctos',
  ],
  differences: [
    'By differences: enter the increase or decrease',
    'Por diferencias: indique el aumento o la disminución',
  ],
  invoice: ['Invoice', 'Factura'],
  previewNote: [
    'Preview made in your browser. Nothing is registered: the QR can be verified only after the invoice is registered.',
    'Vista previa generada en su navegador. No se ha registrado nada: el QR solo se puede cotejar cuando exista el registro de facturación.',
  ],
  paperEmpty: [
    'The preview appears once the document has the structure of an invoice.',
    'La vista previa aparece en cuanto el documento tiene la estructura de una factura.',
  ],
  paperWrong: ['Not valid', 'No válida'],
  qrNeeds: {
    invalid: [
      'The QR appears once the invoice has no errors.',
      'El QR aparece cuando la factura no tiene errores.',
    ],
    received: ['Received invoices have no QR.', 'Las facturas recibidas no llevan QR.'],
    draft: [
      'A draft has no QR. Check it as “to issue” or “issued elsewhere”.',
      'Un borrador no lleva QR. Compruébelo como «para expedir» o «expedida con otro programa».',
    ],
    number: [
      'The QR appears once the invoice has a number and an issue date.',
      'El QR aparece cuando la factura tiene número y fecha de expedición.',
    ],
  },
  qrAlt: ['Tax QR code of this invoice', 'Código QR tributario de esta factura'],
  corrects: ['Corrects invoice', 'Rectifica la factura'],
  shareTitle: ['Share this invoice', 'Compartir esta factura'],
  shareNote: [
    'The link contains the invoice, after the #. Browsers never send that part to a server. Anyone with the link can read it.',
    'El enlace contiene la factura, detrás de #. Los navegadores nunca envían esa parte a un servidor. Cualquiera que tenga el enlace podrá leerla.',
  ],
  copy: ['Copy link', 'Copiar enlace'],
  copied: ['Copied', 'Copiado'],
  close: ['Close', 'Cerrar'],
  shareLong: [
    'The link has {0} characters. Some programs truncate links this long.',
    'El enlace tiene {0} caracteres. Algunos programas cortan enlaces tan largos.',
  ],
  shareCompany: ['Include my company settings', 'Incluir los datos de mi empresa'],
  shareTooLong: [
    'This invoice is too long for a link. Save it as a file.',
    'Esta factura es demasiado larga para un enlace. Guárdela como fichero.',
  ],
  download: ['Save as file', 'Guardar como fichero'],
  shareBroken: [
    'The link is damaged or incomplete. Ask for a new one.',
    'El enlace está dañado o incompleto. Pida uno nuevo.',
  ],
  shareHuge: [
    'The invoice in the link is too long to open here.',
    'La factura del enlace es demasiado larga para abrirla aquí.',
  ],
  dismiss: ['Dismiss', 'Cerrar'],
  privacy: [
    'Your data never leaves your browser. Works offline.',
    'Sus datos no salen del navegador. Funciona sin conexión.',
  ],
  failure: [
    'Unexpected error. Your text is saved: reload the page.',
    'Error inesperado. Su texto está guardado: recargue la página.',
  ],
})

export type UiMessages = (typeof MESSAGES)['en']

export const messagesOf = (locale: Locale): UiMessages => MESSAGES[locale]

export const LocaleContext = createContext<Locale>('es')

/** Returns the language and the texts, for a component. */
export function useMessages(): { readonly locale: Locale; readonly messages: UiMessages } {
  const locale = useContext(LocaleContext)
  return { locale, messages: MESSAGES[locale] }
}
