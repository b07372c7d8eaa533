/**
 * The SII (Suministro Inmediato de Información): records of the VAT books, messages, responses and deadlines. Pure: no
 * clock, no network. The host sends the messages with its certificate.
 *
 * Source: arts. 62 to 69 bis RD 1624/1992; Orden HFP/417/2017; SII schemas, interface 1.1.
 */

export type { FaultReading } from '#core/xml/index.ts'
export type { Validated } from '../fiscal/fiscal-document.ts'
export type { SiiStep as NextStep } from '../fiscal/next-step.ts'
export type { InvoiceReference as SiiInvoiceReference } from '../fiscal/references.ts'
export type { XmlItemCode } from '../fiscal/xml-problems.ts'
export {
  type Deadline,
  type DeadlineOptions,
  deadlineOf,
  deadlineOfInvoice,
  type InvoiceDeadlineOptions,
  SII_CAP_DAY,
  type SiiEvent,
} from './deadline/deadline.ts'
export { DEADLINE_RULES, type DeadlineRule } from './deadline/deadline-rules.ts'
export type { ResponseItem, SiiItem, SiiResult } from './model/sii-items.ts'
export { SII_CODES, type SiiCode } from './model/sii-record-messages.ts'
export type * from './model/sii-record-types.ts'
export { type DeletionOptions, deletionRecord } from './record/deletion.ts'
export { type IssuedFields, type IssuedRecordOptions, issuedRecord } from './record/issued-record.ts'
export {
  collectionRecord,
  forcedAccrualOf,
  meansOf,
  paymentRecord,
  type SiiPayment,
  type SiiPaymentOptions,
} from './record/payments-record.ts'
export { type ReceivedFields, type ReceivedRecordOptions, receivedRecord } from './record/received-record.ts'
export type { SiiRecordOptions } from './record/sii-document.ts'
export {
  MAX_SII_RECORDS,
  type SiiHolder,
  type SiiMessage,
  type SiiMessageResult,
  type SiiRecord,
  type SubmissionInput,
  siiXml,
  submission,
} from './record/sii-message.ts'
export { paymentsQuery, type SiiPaymentsQueryInput } from './response/payments-query.ts'
export {
  type PaymentsResult,
  type PaymentsSummary,
  readPaymentsResponse,
  type StoredPayment,
} from './response/payments-response.ts'
export {
  type QueryResult,
  type QuerySummary,
  readQueryResponse,
  type StoredRecord,
} from './response/query-response.ts'
export { type SiiPageKey, type SiiQueryInput, siiQuery } from './response/query-sii.ts'
export { readSii, type SiiDocument, XML_CODES } from './response/read-sii.ts'
export {
  type ResponseLine,
  type ResponseResult,
  type ResponseSummary,
  readResponse,
} from './response/read-sii-response.ts'
export type { SiiParty } from './response/response-party.ts'
export type { RecordIdentity } from './response/response-values.ts'
export {
  effectOfError,
  SII_ERROR_CODES,
  type SiiErrorCode,
  type SiiErrorEffect,
} from './response/sii-error-codes.ts'
export { type ItemStatus, NEXT_STEPS, statusOf } from './response/sii-next-step.ts'
