/**
 * cuadra/verifactu: fiscal records of VeriFactu. Turns a validated invoice into what the tax authority receives:
 * record, hash, chain, QR and XML, and applies the authority's own checks. Pure: no clock, no network, no storage.
 */
export { CuadraError, type ErrorKind } from '#core/errors/index.ts'
export { type Violation, type WriteOptions, XmlWriteError } from '#core/xml/index.ts'
export type { Validated } from '../fiscal/fiscal-document.ts'
export type { VerifactuStep as NextStep } from '../fiscal/next-step.ts'
export { type SpanishZone, spanishTimestamp } from '../fiscal/timestamp.ts'
export type { XmlItemCode } from '../fiscal/xml-problems.ts'
export { CHAIN_CODES, type ChainCode } from './chain/chain-items.ts'
export { linkOf, type Previous } from './chain/chain-link.ts'
export { ChainAudit, type ChainOptions, type ChainReport, verifyChain } from './chain/verify-chain.ts'
export {
  type PageKey,
  type RecordsLine,
  type RecordsQueryInput,
  type RecordsResponse,
  readRecordsResponse,
  recordsQuery,
} from './message/query-verifactu.ts'
export {
  authorityCode,
  type ResponseLine,
  type ResponseSummary,
  readFaultResponse,
  readResponse,
  type StoredState,
  storedState,
} from './message/read-verifactu-response.ts'
export { RecordReader, type RecordReading } from './message/record-reader.ts'
export {
  queryXml,
  readVerifactu,
  recordXml,
  submissionXml,
  type VerifactuDocument,
  type VerifactuReading,
  XML_CODES,
} from './message/xml.ts'
export {
  DeclarationError,
  declarationText,
  type Installation,
  type ResponsibleDeclaration,
  systemBlock,
} from './model/declaration.ts'
export {
  HASH_FIELDS,
  hashOf,
  hashText,
  hashTextOf,
  portableSha256,
  recordHash,
  type Sha256,
} from './model/hash.ts'
export { RECORD_CODES, type RecordCode } from './model/record-items.ts'
export type {
  Cabecera,
  CheckCode,
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
} from './model/verifactu-record-types.ts'
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
} from './qr/index.ts'
export {
  type InvoiceQr,
  type InvoiceQrCode,
  type InvoiceQrOptions,
  type InvoiceQrResult,
  invoiceQr,
} from './qr/invoice-qr.ts'
export { type CancellationOptions, cancellationRecord } from './record/cancellation.ts'
export { EVENT_DATA, type EventOptions, eventRecord } from './record/event.ts'
export type { RecordItem, RecordOptions, RecordResult } from './record/record.ts'
export { registrationRecord } from './record/registration.ts'
export type { CostBase, InvoiceReference, RegistrationOptions } from './record/registration-options.ts'
export {
  type Marks,
  type NextOptions,
  RESPONSE_ROWS,
  type Refusal,
  type ResponseRow,
  type Step,
} from './record/verifactu-next-step.ts'
export { type CheckItem, type CheckOptions, checkQuery, checkRecord, checkSubmission } from './rules/check.ts'
export { AUTHORITY_CODES, type AuthorityCode, type OfflineRule, type OnlineCode } from './rules/index.ts'
