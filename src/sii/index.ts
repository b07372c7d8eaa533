/**
 * The SII (Suministro Inmediato de Información): records of the VAT books, messages, answers and deadlines. Pure: no
 * clock, no network; sending with the certificate is the host's part.
 *
 * Source: arts. 62 to 69 bis RD 1624/1992; Orden HFP/417/2017; SII schemas, interface 1.1.
 */
export type { FaultReading } from '../xml/index.ts'
export {
  type Deadline,
  type DeadlineOptions,
  deadlineOf,
  deadlineOfInvoice,
  type InvoiceDeadlineOptions,
  SII_CAP_DAY,
  type SiiEvent,
} from './deadline.ts'
export { DEADLINE_RULES, type DeadlineRule } from './deadline-rules.ts'
export { type DeletionOptions, deletionRecord } from './deletion.ts'
export type { SiiInvoiceReference, SiiRecordOptions } from './document.ts'
export { effectOfError, SII_ERROR_CODES, type SiiErrorCode, type SiiErrorEffect } from './error-codes.ts'
export { type IssuedFields, type IssuedRecordOptions, issuedRecord } from './issued.ts'
export type { SiiResult } from './items.ts'
export {
  MAX_SII_RECORDS,
  type SiiHolder,
  type SiiMessage,
  type SiiMessageResult,
  type SiiRecord,
  type SubmissionInput,
  siiXml,
  submission,
} from './message.ts'
export { type ItemStatus, NEXT_STEPS, type NextStep, statusOf } from './next.ts'
export type { RecordIdentity } from './nodes.ts'
export {
  collectionRecord,
  forcedAccrualOf,
  meansOf,
  paymentRecord,
  type SiiPayment,
  type SiiPaymentOptions,
} from './payments.ts'
export { type SiiPageKey, type SiiQueryInput, siiQuery } from './query.ts'
export {
  type QueryResult,
  type QuerySummary,
  readQueryResponse,
  type StoredRecord,
} from './query-response.ts'
export { readSii, type SiiDocument } from './read.ts'
export { type ReceivedFields, type ReceivedRecordOptions, receivedRecord } from './received.ts'
export { type ResponseLine, type ResponseResult, type ResponseSummary, readResponse } from './response.ts'
export type * from './types.ts'
export { SII_CODES, type SiiCode } from './words.ts'
