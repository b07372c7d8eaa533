/** The invoices that the OpenAPI document declares are those that the engine's schema stage accepts. */
import { readFileSync } from 'node:fs'
import Ajv from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { isDate } from '#core/invoice/date.ts'
import { checkSchema } from '#core/invoice/index.ts'
import type { Document } from '#test/conformance/invoices.ts'
import { asReceived } from '../../src/service/received/validate-received.ts'
import { invoiceSchemas } from '../../src/shapes/invoice-schemas.ts'

type Schema = Record<string, any>
type Path = readonly (string | number)[]

const schemas: Readonly<Record<string, Schema>> = invoiceSchemas()
const ajv = new Ajv({ strict: false, formats: { date: isDate, uuid: true } })
ajv.addSchema({ $id: 'openapi', components: { schemas } })

const resolved = (schema: Schema): Schema =>
  schema.$ref
    ? { ...resolved(schemas[schema.$ref.split('/').at(-1)] ?? {}), ...schema, $ref: undefined }
    : schema

/** Returns a value that a schema accepts, with its required members. */
function sampleOf(node: Schema): unknown {
  const { type, enum: values, format, minimum = 0, required = [], properties = {}, items } = resolved(node)
  if (values) return values[0]
  if (type === 'object')
    return Object.fromEntries(required.map((name: string) => [name, sampleOf(properties[name])]))
  if (type === 'array') return [sampleOf(items)]
  if (type === 'string') return format === 'date' ? '2026-03-16' : 'ES'
  return type === 'boolean' ? true : Math.max(1, minimum)
}

/** Returns a copy with another value at a path; undefined removes it. */
function changed(document: Document, path: Path, value: unknown): Document {
  const [name, ...rest] = path
  if (name === undefined) return value
  const copy = Array.isArray(document) ? [...document] : { ...document }
  copy[name] = changed(copy[name], rest, value)
  if (copy[name] === undefined) delete copy[name]
  return copy
}

const VALUES = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e13,
  '5',
  '',
  ' ',
  ' x ',
  'a\u0007b',
  'a\nb',
  'zz',
  '2026-02-30',
  [],
  {},
  [null],
]

/** Documents in which one value breaks or meets a constraint of the schema at its path. */
function* changesOf(node: Schema, document: Document, path: Path = []): Generator<[string, Document]> {
  const { type, properties = {}, items, maxLength, maxItems, minimum, maximum } = resolved(node)
  const at = (value: unknown, name: string): [string, Document] => [
    `/${path.join('/')} ${name}`,
    changed(document, path, value),
  ]
  for (const value of VALUES) yield at(value, JSON.stringify(value))
  for (const length of maxLength === undefined ? [] : [maxLength, maxLength + 1])
    yield at('x'.repeat(length), `${length}`)
  for (const limit of [minimum, maximum].filter((one) => one !== undefined))
    for (const value of [limit, limit - 0.01, limit + 0.01]) yield at(value, `${value}`)
  const present = path.reduce((value, name) => value?.[name], document)
  if (type === 'object') {
    const host = changed(document, path, typeof present === 'object' ? present : sampleOf(node))
    yield [`/${path.join('/')} unknown`, changed(host, [...path, 'unknown'], 1)]
    for (const [name, part] of Object.entries<Schema>(properties))
      yield* changesOf(part, host, [...path, name])
  }
  if (type === 'array' && items) {
    const entry = present?.[0] ?? sampleOf(items)
    if (maxItems !== undefined && maxItems <= 1000) yield at(Array(maxItems + 1).fill(entry), 'too many')
    yield* changesOf(items, changed(document, path, [entry]), [...path, 0])
  }
}

const example = JSON.parse(
  readFileSync(new URL('../../../../examples/01-services-irpf.json', import.meta.url), 'utf8'),
)

const SUPPLIER_ID = '/invoice/supplier/tax_id undefined'
/** Per component, the operation, and changes of members that the server checks after the schema stage. */
const COMPONENTS = [
  ['DraftInvoice', 'draft', []],
  ['InvoiceToIssue', 'issue', []],
  ['ImportedInvoice', 'import', [SUPPLIER_ID]],
  [
    'ReceivedInvoice',
    'received',
    [SUPPLIER_ID, '/invoice/customer undefined', '/invoice/customer/tax_id undefined'],
  ],
] as const

it.each(COMPONENTS)(
  '%s of the OpenAPI document accepts what the engine accepts',
  (name, operation, known) => {
    const base = structuredClone(example)
    base.$schema = undefined
    if (operation !== 'draft') base.invoice.issue_data.issue_date = '2026-03-16'
    if (operation !== 'draft') base.invoice.header.invoice_number = 'F-1'
    const document = JSON.parse(JSON.stringify(base))
    const schema = { $ref: `#/components/schemas/${name}` }
    const accepts = ajv.compile({ $ref: `openapi${schema.$ref}` })
    const prepared = (one: unknown) => (operation === 'received' ? asReceived(one) : one)
    const isAccepted = (one: unknown) => checkSchema(prepared(one), operation).findings === undefined
    expect([accepts(document), isAccepted(document)]).toEqual([true, true])
    const changes = [...changesOf(schema, document)].filter(([, one]) => one !== undefined)
    const differences = changes.filter(([, one]) => accepts(one) !== isAccepted(one))
    expect(differences.map(([change]) => change)).toEqual(known)
  },
)
