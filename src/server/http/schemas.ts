/** JSON Schemas of what comes and goes, by name: `components/schemas` of the OpenAPI document. */
import { invoiceSchemas, NOT_BLANK, STORABLE } from './invoice-schemas.ts'
import type { Schema } from './route.ts'
import { complianceSchemas } from './schemas-compliance.ts'
import { ISSUED_SCHEMAS } from './schemas-issued.ts'

export const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })

const nullable = (schema: Schema): Schema =>
  typeof schema.type === 'string' && !('enum' in schema)
    ? { ...schema, type: [schema.type, 'null'] }
    : { anyOf: [schema, { type: 'null' }] }
const text: Schema = { type: 'string' }
const storable: Schema = { type: 'string', pattern: STORABLE }
const flag: Schema = { type: 'boolean' }
const number: Schema = { type: 'number' }
const integer: Schema = { type: 'integer' }
const date: Schema = { type: 'string', format: 'date' }
const stamp: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{6}$',
  description: 'ISO 8601 in UTC, without a zone.',
}
const uuid: Schema = { type: 'string', format: 'uuid' }
const listOf = (items: Schema): Schema => ({ type: 'array', items })
const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values })

/** An object that has all of these members and no others. */
const object = (properties: Readonly<Record<string, Schema>>, optional: readonly string[] = []): Schema => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

const page = (item: string): Schema =>
  object({ items: listOf(ref(item)), total: integer, limit: integer, offset: integer })

export const shapes = {
  nullable,
  text,
  flag,
  number,
  integer,
  date,
  stamp,
  uuid,
  listOf,
  oneOf,
  object,
  page,
} as const

const STATUS = oneOf('draft', 'issued', 'sent', 'cancelled', 'queued', 'received')

/** A batch as the document has it: any JSON that can be stored. Each entry is judged, and refused, by itself. */
export const STORABLE_BATCH: Schema = {
  allOf: [ref('BatchRequest')],
  properties: { invoices: { items: ref('Json') } },
}

export const COMPONENTS: Readonly<Record<string, Schema>> = {
  ...invoiceSchemas,
  ...ISSUED_SCHEMAS,
  ...complianceSchemas(shapes, ref),
  Error: {
    type: 'object',
    required: ['detail'],
    additionalProperties: false,
    properties: {
      detail: {
        type: 'object',
        required: ['code', 'message', 'request_id'],
        properties: { code: text, message: text, request_id: text },
      },
    },
  },
  Json: {
    description: 'Any JSON without NUL in its texts.',
    anyOf: [
      { type: ['null', 'boolean', 'number'] },
      storable,
      { type: 'array', items: ref('Json') },
      { type: 'object', propertyNames: { pattern: STORABLE }, additionalProperties: ref('Json') },
    ],
  },
  Health: object({ status: { const: 'ok' } }),
  Company: object({
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
  }),
  CatalogEntry: { type: 'object', required: ['code', 'name'], properties: { code: text, name: text } },
  Corrections: object(
    {
      corrects: object({
        correction_type: nullable(oneOf('S', 'D')),
        reason_code: nullable(text),
        corrected_series: nullable(text),
        corrected_number: nullable(text),
        corrected_issue_date: nullable(date),
        match_status: oneOf('matched', 'not_found'),
        corrected_invoice_id: nullable(uuid),
      }),
      corrected_by: listOf(
        object({
          invoice_id: uuid,
          series: nullable(text),
          number: nullable(text),
          issue_date: nullable(date),
          correction_type: nullable(oneOf('S', 'D')),
        }),
      ),
    },
    ['corrects', 'corrected_by'],
  ),
  Fiscal: object({ qr_url: nullable(text), legend: nullable(text), status: text }),
  InvoiceSummary: object({
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
    corrections: nullable(ref('Corrections')),
    fiscal: {
      ...nullable(ref('Fiscal')),
      description: 'Of a single invoice that is issued, sent or cancelled; null in lists and of any other.',
    },
  }),
  InvoicePage: page('InvoiceSummary'),
  SaveResult: object({ success: flag, id: uuid, errors: listOf(ref('ValidationItem')) }),
  ValidateResult: {
    type: 'object',
    additionalProperties: false,
    required: ['is_valid', 'errors', 'data'],
    properties: {
      is_valid: flag,
      errors: listOf(ref('ValidationItem')),
      data: nullable({
        type: 'object',
        description: 'The normalised invoice; null when there are schema errors.',
      }),
      explanation: listOf({ type: 'object' }),
    },
  },
  SavedValidateResult: object({
    id: uuid,
    is_valid: flag,
    status: STATUS,
    errors: listOf(ref('ValidationItem')),
  }),
  AttachedDocument: object({
    public_id: uuid,
    doc_type: oneOf('pdf_render', 'xml_facturae', 'attachment'),
    file_name: text,
    content_type: text,
    metadata: nullable({ type: 'object' }),
    created_at: stamp,
  }),
  InvoiceEvent: object({
    event_type: text,
    event_code: text,
    occurred_at: stamp,
    actor: object({ user_id: nullable(text), api_key_id: nullable(text) }),
    from_status: nullable(text),
    to_status: nullable(text),
    details: { type: 'object' },
  }),
  BatchRequest: object(
    {
      invoices: {
        type: 'array',
        minItems: 1,
        items: { description: 'An invoice; each is judged by itself.' },
      },
      batch_id: nullable(storable),
      file_name: nullable(storable),
    },
    ['batch_id', 'file_name'],
  ),
  BatchResult: object({
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
        errors: listOf({ type: 'object', required: ['code', 'message'] }),
      }),
    ),
  }),
  IssueRequest: object({ invoice_number: { type: 'string', maxLength: 60, pattern: NOT_BLANK } }, [
    'invoice_number',
  ]),
}
