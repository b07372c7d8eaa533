/** Texts of the pages, in both languages. */
import type { Locale, Text } from '../invoice/index.ts'

const MESSAGES = {
  title: { es: 'Simulador de la AEAT', en: 'AEAT simulator' },
  notice: {
    es: 'Esto no es la Agencia Tributaria. Nada sale de este equipo.',
    en: 'This is not the tax authority. Nothing leaves this machine.',
  },
  taxpayers: { es: 'Obligados tributarios', en: 'Taxpayers' },
  nothing: { es: 'Todavía no se ha recibido nada.', en: 'Nothing has been received yet.' },
  environment: { es: 'Entorno', en: 'Environment' },
  test: { es: 'pruebas', en: 'test' },
  production: { es: 'producción', en: 'production' },
  name: { es: 'Nombre o razón social', en: 'Name' },
  unidentified: { es: 'sin identificar', en: 'unidentified' },
  messages: { es: 'Mensajes', en: 'Messages' },
  records: { es: 'Registros', en: 'Records' },
  record: { es: 'Registro', en: 'Record' },
  last: { es: 'Último', en: 'Last' },
  faults: { es: 'Fallos activos', en: 'Active faults' },
  no_faults: {
    es: 'Ninguno: el servicio responde con normalidad.',
    en: 'None: the service responds normally.',
  },
  times: { es: 'veces', en: 'times' },
  times_left: { es: 'de', en: 'of' },
  until_cleared: { es: 'hasta que se retire', en: 'until it is cleared' },
  addresses: { es: 'Direcciones', en: 'Addresses' },
  certificate: { es: 'Certificado de confianza', en: 'Certificate to trust' },
  qr_title: { es: 'Comprobar un QR', en: 'Check a QR code' },
  qr_label: { es: 'Dirección del QR', en: 'Address in the QR code' },
  qr_button: { es: 'Comprobar', en: 'Check' },
  received: { es: 'Recibido', en: 'Received' },
  service: { es: 'Servicio', en: 'Service' },
  message: { es: 'Mensaje', en: 'Message' },
  state: { es: 'Estado', en: 'State' },
  presenter: { es: 'Presentador', en: 'Submitted by' },
  code: { es: 'Código', en: 'Code' },
  hash: { es: 'Huella', en: 'Hash' },
  invoice: { es: 'Factura', en: 'Invoice' },
  invoices: { es: 'Facturas', en: 'Invoices' },
  date: { es: 'Fecha', en: 'Date' },
  period: { es: 'Periodo', en: 'Period' },
  book: { es: 'Libro', en: 'Book' },
  operation: { es: 'Operación', en: 'Operation' },
  description: { es: 'Descripción', en: 'Description' },
  early: {
    es: 'antes de cumplirse el tiempo de espera',
    en: 'before the waiting time was over',
  },
  older: { es: 'Anteriores', en: 'Older' },
  chain: { es: 'Cadena', en: 'Chain' },
  check_chain: { es: 'Comprobar la cadena', en: 'Check the chain' },
  chain_good: { es: 'La cadena está íntegra.', en: 'The chain is intact.' },
  chain_bad: { es: 'La cadena tiene errores.', en: 'The chain has errors.' },
  xml: { es: 'XML', en: 'XML' },
  as_received: { es: 'Mensaje tal como se recibió', en: 'Message as received' },
  download: { es: 'Descargar el XML', en: 'Download the XML' },
  qr: { es: 'Cotejo del QR', en: 'QR check' },
  back: { es: 'Inicio', en: 'Home' },
  not_found: { es: 'Página no encontrada', en: 'Page not found' },
  qr_found: { es: 'Factura verificable', en: 'Verifiable invoice' },
  qr_found_text: {
    es: 'Los datos de la factura coinciden con los que constan en la Agencia Tributaria.',
    en: 'The invoice matches the data of the tax authority.',
  },
  qr_not_found: { es: 'Factura no encontrada', en: 'Invoice not found' },
  qr_not_found_text: {
    es: 'La factura no consta en la Agencia Tributaria con estos datos, o está anulada.',
    en: 'The tax authority has no invoice with this data, or it is cancelled.',
  },
  qr_not_verifiable: { es: 'Factura no verificable', en: 'Invoice not verifiable' },
  qr_not_verifiable_text: {
    es: 'La factura se expidió con un sistema que no remite sus registros (NO VERI*FACTU), por lo que no se puede cotejar.',
    en: 'The invoice was issued with a system that does not send its records (NO VERI*FACTU), so it cannot be verified.',
  },
  qr_wrong: { es: 'Los datos del QR no son correctos', en: 'Invalid data in the QR code' },
  issuer: { es: 'NIF del emisor', en: 'NIF of the issuer' },
  number: { es: 'Número de serie y factura', en: 'Series and number' },
  total: { es: 'Importe total', en: 'Total amount' },
} as const satisfies Readonly<Record<string, Text>>

export type MessageKey = keyof typeof MESSAGES

export const messageIn =
  (locale: Locale) =>
  (key: MessageKey): string =>
    MESSAGES[key][locale]
