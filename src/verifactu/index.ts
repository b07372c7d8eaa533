/**
 * cuadra/verifactu: fiscal records of VeriFactu. From a validated invoice to what the tax authority receives: record,
 * hash, chain, QR, XML, and the authority's own checks. Pure: no clock, no network, no storage.
 */
export { type SpanishZone, spanishMoment } from '../fiscal/moment.ts'
export { type Violation, type WriteOptions, XmlWriteError } from '../xml/index.ts'
export { type CancellationOptions, cancellationRecord } from './cancellation.ts'
export { ChainAudit, type ChainOptions, type ChainReport, verifyChain } from './chain.ts'
export { CHAIN_CODES, type ChainCode } from './chain-items.ts'
export { type CheckOptions, checkQuery, checkRecord, checkSubmission } from './check.ts'
export {
  DeclarationError,
  declarationText,
  type Installation,
  type ResponsibleDeclaration,
  systemBlock,
} from './declaration.ts'
export { EVENT_DATA, type EventOptions, eventRecord } from './event.ts'
export {
  HASH_FIELDS,
  hashOf,
  hashText,
  hashTextOf,
  portableSha256,
  recordHash,
  type Sha256,
} from './hash.ts'
export type { Validated } from './issued-invoice.ts'
export { linkOf, type Previous } from './link.ts'
export {
  ANSWER_ROWS,
  type AnswerRow,
  type Marks,
  type NextOptions,
  type NextStep,
  type Refusal,
  type Step,
} from './next-step.ts'
export {
  legendsOf,
  parseQr,
  QR_LEGENDS,
  type QrEnvironment,
  QrError,
  type QrParse,
  type QrParts,
  type QrSvgOptions,
  qrMatrix,
  qrSvg,
  qrUrl,
  qrUrlOf,
} from './qr.ts'
export {
  type InvoiceQr,
  type InvoiceQrOptions,
  type InvoiceQrResult,
  invoiceQr,
} from './qr-invoice.ts'
export type { RecordOptions, RecordResult } from './record.ts'
export { RECORD_CODES, type RecordCode } from './record-items.ts'
export { registrationRecord } from './registration.ts'
export type { InvoiceReference, RegistrationOptions } from './registration-options.ts'
export {
  type Answer,
  type AnswerLine,
  authorityCode,
  readAnswer,
  readFaultAnswer,
  type StoredState,
  storedState,
} from './response.ts'
export { AUTHORITY_CODES, type AuthorityCode, type OfflineRule, type OnlineCode } from './rules/index.ts'
export type {
  Cabecera,
  Consulta,
  DatosPropiosEvento,
  DetalleDesglose,
  Envio,
  Evento,
  FiscalRecord,
  IDOtro,
  Persona,
  RecordKind,
  RegistroAlta,
  RegistroAnterior,
  RegistroAnulacion,
  RegistroEvento,
  Respuesta,
  RespuestaConsulta,
  RespuestaLinea,
  SistemaInformatico,
} from './types.ts'
export {
  queryXml,
  RecordReader,
  type RecordReading,
  readVerifactu,
  recordXml,
  submissionXml,
  type VerifactuDocument,
  type VerifactuReading,
  XML_CODES,
} from './xml.ts'
