/** What the output tab says. Loaded with it. */
import { messages } from '../../parts/locale.ts'

export const outputMessages = messages({
  kinds: ['What to see', 'Qué ver'],
  invoice: ['Invoice', 'Factura'],
  record: ['VeriFactu', 'VeriFactu'],
  xml: ['XML', 'XML'],
  code: ['Hash and QR', 'Huella y QR'],
  sii: ['SII', 'SII'],
  invoiceTitle: ['The invoice, completed', 'La factura completada'],
  invoiceNote: [
    'What was entered, with everything that is concluded and computed.',
    'Lo indicado, con todo lo que se deduce y se calcula.',
  ],
  recordTitle: ['VeriFactu registration record', 'Registro de facturación de alta (VeriFactu)'],
  recordNote: [
    'The record as data, with its hash, under the names of the tax agency.',
    'El registro como datos, con su huella y los nombres de la Agencia Tributaria.',
  ],
  xmlTitle: ['The record as XML', 'El registro en XML'],
  xmlNote: [
    'Indented to be read. Stored and sent it is one line; its hash is the same.',
    'Sangrado para leerlo. Se guarda y se envía en una sola línea; su huella es la misma.',
  ],
  hashTitle: ['Hash of the record', 'Huella del registro'],
  hashNote: [
    'SHA-256 of the eight values that the law names; the next record is linked to it.',
    'SHA-256 de los ocho valores que fija la norma; el registro siguiente se encadena con ella.',
  ],
  qrTitle: ['QR code of the invoice', 'Código QR de la factura'],
  qrNote: [
    'It leads to something only once the record is at the tax agency.',
    'Solo lleva a algo cuando el registro está en la Agencia Tributaria.',
  ],
  siiTitle: ['SII record', 'Registro del SII'],
  siiXmlTitle: ['SII message with this record', 'Mensaje del SII con este registro'],
  siiIssued: [
    'For the book of issued invoices, if the company is in the SII instead of VeriFactu.',
    'Para el libro de facturas expedidas, si la empresa está en el SII y no en VeriFactu.',
  ],
  siiReceived: [
    'For the book of received invoices, if the company is in the SII.',
    'Para el libro de facturas recibidas, si la empresa está en el SII.',
  ],
  copy: ['Copy', 'Copiar'],
  copied: ['Copied', 'Copiado'],
  copyOf: ['Copy: {0}', 'Copiar: {0}'],
  download: ['Download', 'Descargar'],
  downloadOf: ['Download: {0}', 'Descargar: {0}'],
  cut: [
    'Only the beginning is shown. Copy and download have all of it.',
    'Solo se muestra el principio. Al copiar y al descargar sale todo.',
  ],
  timestamp: ['Made as of {0}.', 'Generado el {0}.'],
  again: ['Take the time again', 'Tomar la hora de nuevo'],
  first: ['First record of its chain.', 'Primer registro de su cadena.'],
  linked: ['Linked to the record of {0}.', 'Encadenado con el registro de {0}.'],
  exampleSystem: [
    'The system in it is an example. Put in your own under “Company”.',
    'El sistema que figura en él es de ejemplo. Ponga el suyo en «Empresa».',
  ],
  unsigned: [
    'Without VERI*FACTU a record is signed with a certificate before it is kept. The page has none, so it is unsigned.',
    'Sin VERI*FACTU, el registro se firma con un certificado antes de guardarlo. La página no tiene ninguno: está sin firmar.',
  ],
  notYet: ['There is no record yet:', 'Todavía no hay registro:'],
  invalid: [
    'The invoice has errors. Mend them first: they are under “Check”.',
    'La factura tiene errores. Corríjalos antes: están en «Resultado».',
  ],
  unfinished: [
    'Something is still to be filled in: see “Check”.',
    'Aún falta algo por rellenar: véalo en «Resultado».',
  ],
  noData: [
    'The completed invoice appears here as soon as the document has the shape of an invoice.',
    'La factura completada aparece aquí en cuanto el documento tiene forma de factura.',
  ],
  needsNumber: [
    'A record is made of an issued invoice: it needs a number and an issue date.',
    'El registro se hace de una factura expedida: necesita número y fecha de expedición.',
  ],
  asDraft: [
    'A record is made of an issued invoice: under “Check it as” choose “to be issued”.',
    'El registro se hace de una factura expedida: en «Comprobar como» elija «para emitir».',
  ],
  issueIt: ['Number it {0}, dated {1}', 'Numerarla {0}, con fecha {1}'],
  received: [
    'VeriFactu is for the invoices that one issues. This one was received.',
    'VeriFactu es para las facturas que uno emite. Esta se ha recibido.',
  ],
})
