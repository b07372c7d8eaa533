/** Texts of the output tab, loaded with it. */
import { messages } from '../../parts/locale.ts'

export const outputMessages = messages({
  kinds: ['Output', 'Salida'],
  invoice: ['Invoice', 'Factura'],
  record: ['VeriFactu', 'VeriFactu'],
  xml: ['XML', 'XML'],
  code: ['Hash and QR', 'Huella y QR'],
  sii: ['SII', 'SII'],
  invoiceTitle: ['Completed invoice', 'Factura completada'],
  invoiceNote: [
    'Your invoice with every inferred and calculated field. The marked lines were added or changed.',
    'Su factura con todos los campos deducidos y calculados. Las líneas marcadas se han añadido o cambiado.',
  ],
  recordTitle: ['VeriFactu registration record', 'Registro de facturación de alta (VeriFactu)'],
  recordNote: [
    'The record as JSON, with its hash and the field names of the tax authority.',
    'El registro en JSON, con su huella y los nombres de campo de la Agencia Tributaria.',
  ],
  xmlTitle: ['Record as XML', 'Registro en XML'],
  xmlNote: [
    'Indented for reading. It is stored and sent as one line, with the same hash.',
    'Sangrado para leerlo. Se guarda y se envía en una sola línea; su huella es la misma.',
  ],
  hashTitle: ['Hash of the record', 'Huella del registro'],
  hashNote: [
    'SHA-256 of the eight values that the law requires. The next record links to it.',
    'SHA-256 de los ocho valores que exige la norma. El registro siguiente se encadena con ella.',
  ],
  qrTitle: ['QR code of the invoice', 'Código QR de la factura'],
  qrNote: [
    'It can be verified once the tax authority has the record.',
    'Se puede cotejar cuando el registro está en la Agencia Tributaria.',
  ],
  siiTitle: ['SII record', 'Registro del SII'],
  siiXmlTitle: ['SII message with this record', 'Mensaje del SII con este registro'],
  siiIssued: [
    'For the book of issued invoices of companies in the SII, which do not use VeriFactu.',
    'Para el libro de facturas expedidas de empresas en el SII, que no usan VeriFactu.',
  ],
  siiReceived: [
    'For the book of received invoices of companies in the SII.',
    'Para el libro de facturas recibidas de empresas en el SII.',
  ],
  copy: ['Copy', 'Copiar'],
  copied: ['Copied', 'Copiado'],
  copyOf: ['Copy: {0}', 'Copiar: {0}'],
  download: ['Download', 'Descargar'],
  downloadOf: ['Download: {0}', 'Descargar: {0}'],
  cut: [
    'Only the beginning is shown. Copy or download it to get all of it.',
    'Solo se muestra el principio. Cópielo o descárguelo para obtenerlo completo.',
  ],
  timestamp: ['Generated at {0}.', 'Generado el {0}.'],
  again: ['Regenerate', 'Generar de nuevo'],
  first: ['First record of its chain.', 'Primer registro de su cadena.'],
  linked: ['Linked to the record of {0}.', 'Encadenado con el registro de {0}.'],
  exampleSystem: [
    'It uses an example system. Enter yours under “Company”.',
    'Usa un sistema de ejemplo. Indique el suyo en «Empresa».',
  ],
  unsigned: [
    'Without VERI*FACTU, records are signed before they are stored. This one is unsigned: the page has no certificate.',
    'Sin VERI*FACTU, los registros se firman antes de conservarlos. Este está sin firmar: la página no tiene certificado.',
  ],
  notYet: ['The record cannot be generated:', 'El registro no se puede generar:'],
  invalid: [
    'The invoice has errors. Correct them first: see “Check”.',
    'La factura tiene errores. Corríjalos antes: vea «Comprobación».',
  ],
  unfinished: ['Some fields are empty: see “Check”.', 'Faltan campos por rellenar: vea «Comprobación».'],
  noData: [
    'The completed invoice appears once the document has the structure of an invoice.',
    'La factura completada aparece en cuanto el documento tiene la estructura de una factura.',
  ],
  needsNumber: [
    'A record requires an invoice number and an issue date.',
    'El registro exige número de factura y fecha de expedición.',
  ],
  asDraft: [
    'Drafts have no record. Under “Check as”, choose “to issue”.',
    'Los borradores no tienen registro. En «Comprobar como», elija «para expedir».',
  ],
  issueIt: ['Set number {0} and date {1}', 'Poner número {0} y fecha {1}'],
  received: [
    'VeriFactu covers issued invoices only. This one is received.',
    'VeriFactu solo se aplica a las facturas expedidas. Esta es recibida.',
  ],
})
