/** Shapes of requests and responses. Shapes of some areas are declared in separate files and exported again here. */
import { CODES, type Code } from '../errors/error-codes.ts'
import {
  anyObject,
  constant,
  date,
  flag,
  integer,
  listOf,
  nullable,
  number,
  object,
  oneOf,
  optional,
  page,
  requiredLine,
  type Static,
  shaped,
  singleLineText,
  stamp,
  text,
  uuid,
} from './builders.ts'
import {
  allComponents,
  CanonicalInvoice,
  component,
  componentOf,
  named,
  ValidationItem,
} from './components.ts'

export * from './schemas-changes.ts'
export * from './schemas-compliance.ts'
export { allComponents, CanonicalInvoice, named }

const STATUS = oneOf('draft', 'issued', 'sent', 'cancelled', 'queued', 'received')

const ErrorCode = componentOf('ErrorCode', {
  ...oneOf(...(Object.keys(CODES) as Code[])),
  description: 'Code for programs, which never changes. The responses that can have a code describe it.',
})

const ErrorDetail = componentOf('ErrorDetail', {
  type: 'object',
  description:
    'A refusal. Further members depend on the code, for example the received value and the allowed values.',
  required: ['code', 'message', 'request_id'],
  additionalProperties: true,
  properties: {
    code: ErrorCode,
    message: { ...text, description: 'Text for people, in the language of `Accept-Language`.' },
    request_id: { ...text, description: 'The same as `X-Request-Id`.' },
    doc_url: { ...text, description: 'Path of the page about the code, from the root of this server.' },
    errors: {
      ...listOf(named('ValidationItem')),
      description: 'All problems, if there are several. A path such as `?limit` is a query parameter.',
    },
  },
})

export const Refusal = componentOf('Error', {
  type: 'object',
  required: ['detail'],
  additionalProperties: false,
  properties: { detail: ErrorDetail },
})

/** PostgreSQL cannot store NUL. */
const STORABLE = '^[^\\u0000]*$'

export const Json = componentOf('Json', {
  description: 'Any JSON value without NUL in its strings.',
  pattern: STORABLE,
  items: named('Json'),
  propertyNames: { pattern: STORABLE },
  additionalProperties: named('Json'),
})

export const Health = component('Health', { status: constant('ok') })

export const Company = component('Company', {
  id: uuid,
  name: text,
  legal_name: text,
  tax_id: text,
  country: text,
  currency: text,
  contact_name: nullable(text),
  contact_email: nullable(text),
  contact_phone: nullable(text),
  address: object({
    line: nullable(text),
    post_code: nullable(text),
    town: nullable(text),
    province_code: nullable(text),
    province_id: nullable(integer),
  }),
  is_active: flag,
  person_type_code: oneOf('F', 'J'),
  default_tax_group: text,
  plan: text,
  features: listOf(text),
  fiscal_systems: object({ ticketbai_active: flag, verifactu_in_plan: flag, sii_in_plan: flag }),
})

export const CatalogEntry = componentOf('CatalogEntry', {
  type: 'object',
  required: ['code', 'name'],
  additionalProperties: true,
  properties: { code: text, name: text },
})

export const Corrections = component('Corrections', {
  corrects: optional(
    object({
      correction_type: nullable(oneOf('S', 'D')),
      reason_code: nullable(text),
      corrected_series: nullable(text),
      corrected_number: nullable(text),
      corrected_issue_date: nullable(date),
      match_status: oneOf('matched', 'not_found'),
      corrected_invoice_id: nullable(uuid),
    }),
  ),
  corrected_by: optional(
    listOf(
      object({
        invoice_id: uuid,
        series: nullable(text),
        number: nullable(text),
        issue_date: nullable(date),
        correction_type: nullable(oneOf('S', 'D')),
      }),
    ),
  ),
})

export const Fiscal = component('Fiscal', { qr_url: nullable(text), legend: nullable(text), status: text })

export const InvoiceSummary = component('InvoiceSummary', {
  id: uuid,
  direction: oneOf('issued', 'received'),
  status: STATUS,
  series: nullable(text),
  number: nullable(text),
  issue_date: nullable(date),
  external_id: nullable(text),
  supplier_tax_id: nullable(text),
  supplier_name: nullable(text),
  customer_tax_id: nullable(text),
  customer_name: nullable(text),
  currency: text,
  total_base: number,
  total_tax: number,
  total: number,
  created_at: stamp,
  updated_at: stamp,
  corrections: nullable(Corrections),
  fiscal: {
    ...nullable(Fiscal),
    description:
      'Fiscal data of an invoice that is issued, sent or cancelled. Null in lists and for other invoices.',
  },
})

export const InvoicePage = componentOf('InvoicePage', page(InvoiceSummary))

export const SaveResult = component('SaveResult', { success: flag, id: uuid, errors: listOf(ValidationItem) })

export const ValidateResult = componentOf('ValidateResult', {
  type: 'object',
  additionalProperties: false,
  required: ['is_valid', 'errors', 'data'],
  properties: {
    is_valid: flag,
    errors: listOf(ValidationItem),
    data: {
      ...nullable(CanonicalInvoice),
      description:
        'The normalised invoice with all computed amounts; null if there are schema errors or it cannot be calculated.',
    },
    explanation: listOf(anyObject),
  },
})

export const RecognitionResult = component('RecognitionResult', {
  job_id: uuid,
  status: oneOf('recognized_ready', 'recognized_pending_review', 'recognized_rejected'),
  score: number,
  canonical_draft: {
    ...anyObject,
    description:
      'The proposal, with computed fields; empty if the document is not an invoice. Its `recognition` has a score for each field.',
  },
  warnings: listOf(ValidationItem),
})

export const SavedValidateResult = component('SavedValidateResult', {
  id: uuid,
  is_valid: flag,
  status: STATUS,
  errors: listOf(ValidationItem),
})

export const AttachedDocument = component('AttachedDocument', {
  public_id: uuid,
  doc_type: oneOf('pdf_render', 'xml_facturae', 'attachment'),
  file_name: text,
  content_type: text,
  metadata: nullable(anyObject),
  created_at: stamp,
})

export const InvoiceEvent = component('InvoiceEvent', {
  event_type: text,
  event_code: text,
  occurred_at: stamp,
  actor: object({ user_id: nullable(text), api_key_id: nullable(text) }),
  from_status: nullable(text),
  to_status: nullable(text),
  details: anyObject,
})

const InvoiceEvents = listOf(InvoiceEvent)
const InvoiceEventPage = page(InvoiceEvent)
export const InvoiceHistory = componentOf(
  'InvoiceHistory',
  shaped<Static<typeof InvoiceEvents> | Static<typeof InvoiceEventPage>>({
    anyOf: [InvoiceEvents, InvoiceEventPage],
  }),
)

export const BatchRequest = component('BatchRequest', {
  invoices: listOf({ description: 'An invoice. Each invoice is validated separately.' }, { minItems: 1 }),
  batch_id: optional(nullable(singleLineText)),
  file_name: optional(nullable(singleLineText)),
})

export const BatchResult = component('BatchResult', {
  batch_id: uuid,
  status: oneOf('completed', 'completed_with_errors', 'failed'),
  total: integer,
  accepted: integer,
  rejected: integer,
  items: listOf(
    object({
      index: integer,
      status: oneOf('accepted', 'rejected'),
      id: nullable(uuid),
      number: nullable(text),
      errors: listOf({
        ...anyObject,
        required: ['code', 'message'],
        properties: { code: text, message: text },
      }),
    }),
  ),
})

export const IssueRequest = component('IssueRequest', {
  invoice_number: optional(requiredLine(60)),
})

/**
 * Returns the schema of a batch. The OpenAPI document describes its entries as invoices, but the server accepts any
 * JSON that can be stored. Each entry is validated separately, and only invalid entries are rejected.
 */
const batchOf = (name: string, invoice: string) =>
  component(name, {
    invoices: listOf(
      {
        description: 'An invoice. Each invoice is validated separately.',
        anyOf: [named(invoice), Json],
      },
      { minItems: 1 },
    ),
    batch_id: optional(nullable(singleLineText)),
    file_name: optional(nullable(singleLineText)),
  })
export const DraftBatch = batchOf('DraftBatch', 'DraftInvoice')
export const ImportBatch = batchOf('ImportBatch', 'ImportedInvoice')

export type Company = Static<typeof Company>
export type InvoiceSummary = Static<typeof InvoiceSummary>
export type InvoicePage = Static<typeof InvoicePage>
export type SaveResult = Static<typeof SaveResult>
export type RecognitionResult = Static<typeof RecognitionResult>
export type SavedValidateResult = Static<typeof SavedValidateResult>
export type AttachedDocument = Static<typeof AttachedDocument>
export type InvoiceEvent = Static<typeof InvoiceEvent>
export type InvoiceHistory = Static<typeof InvoiceHistory>
export type BatchResult = Static<typeof BatchResult>
