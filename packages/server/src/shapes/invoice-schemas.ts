/**
 * Converts the schemas of the canonical invoice to components. Every definition and every object gets a name, and the
 * document of each operation is a complete schema.
 */
import codes from '#schemas/codes.json'
import common from '#schemas/common.json'
import draft from '#schemas/draft.json'
import header from '#schemas/header.json'
import importSchema from '#schemas/import.json'
import input from '#schemas/input.json'
import invoice from '#schemas/invoice.json'
import issue from '#schemas/issue.json'
import issueData from '#schemas/issue-data.json'
import issued from '#schemas/issued.json'
import canonical from '#schemas/json_1_1.json'
import line from '#schemas/line.json'
import meta from '#schemas/meta.json'
import party from '#schemas/party.json'
import payment from '#schemas/payment.json'
import received from '#schemas/received.json'
import taxOutput from '#schemas/tax-output.json'
import taxWithheld from '#schemas/tax-withheld.json'
import totals from '#schemas/totals.json'
import validationItem from '#schemas/validation-item.json'
import { type Files, narrowed, type Schema, type Shape, shapeOf } from './merged.ts'

const inInvoice = (schema: Schema): Schema => ({ properties: { invoice: schema } })
const withTaxId = (party: string): Schema => ({ properties: { [party]: { required: ['tax_id'] } } })

/**
 * Members that an invoice must have to be stored, in addition to those that its schema requires. The engine's rules
 * report them if they are missing. They are added here so that the OpenAPI document states them.
 */
const STORAGE_REQUIREMENTS: Readonly<Record<string, Schema>> = {
  'import.json': inInvoice(withTaxId('supplier')),
  'received.json': inInvoice(withTaxId('supplier')),
}

const SOURCES: Files = {
  'common.json': common,
  'codes.json': codes,
  'draft.json': draft,
  'header.json': header,
  'import.json': importSchema,
  'input.json': input,
  'invoice.json': invoice,
  'issue.json': issue,
  'issue-data.json': issueData,
  'issued.json': issued,
  'json_1_1.json': canonical,
  'line.json': line,
  'meta.json': meta,
  'party.json': party,
  'payment.json': payment,
  'received.json': received,
  'tax-output.json': taxOutput,
  'tax-withheld.json': taxWithheld,
  'totals.json': totals,
  'validation-item.json': validationItem,
}

/** The schema files with the additional requirements. */
const FILES: Files = Object.fromEntries(
  Object.entries(SOURCES).map(([file, schema]) => {
    const by = STORAGE_REQUIREMENTS[file]
    return [file, by ? { ...schema, allOf: [...((schema.allOf as Schema[] | undefined) ?? []), by] } : schema]
  }),
)

/**
 * Schemas that become components. If parts of a schema differ from those of the first schema, `part` returns their
 * names: the header of the draft becomes `DraftHeader`.
 */
const COMPONENTS: readonly (readonly [file: string, name: string, part: (name: string) => string])[] = [
  ['json_1_1.json', 'CanonicalInvoice', (name) => name],
  ['validation-item.json', 'ValidationItem', (name) => name],
  ['input.json', 'InvoiceInput', (name) => `${name}Input`],
  ['issue.json', 'InvoiceToIssue', (name) => `Issued${name}`],
  ['draft.json', 'DraftInvoice', (name) => `Draft${name}`],
  ['import.json', 'ImportedInvoice', (name) => `Imported${name}`],
  ['received.json', 'ReceivedInvoice', (name) => `Received${name}`],
]

const components: Record<string, Schema> = {}

/** Returns a shape that accepts any `meta.direction`, or none, because the server sets it in received invoices. */
const withoutDirection = ({
  properties: { meta = { keywords: {} }, ...others } = {},
  ...shape
}: Shape): Shape => ({
  ...shape,
  properties: {
    meta: {
      ...meta,
      required: meta.required?.filter((name) => name !== 'direction') ?? [],
      properties: {
        ...meta.properties,
        direction: { description: 'Ignored: the server sets `received`.', keywords: {} },
      },
    },
    ...others,
  },
})

/** Returns the keyword that states whether an object accepts unknown members. Linters need it to check examples. */
const openness = ({ type, additionalProperties }: Schema): Schema =>
  [type].flat().includes('object') && additionalProperties === undefined ? { additionalProperties: true } : {}

/** Returns the schema of a shape, or a reference to it if it became a component. */
function written(shape: Shape, part: (name: string) => string): Schema {
  const { name, keywords, properties, required = [], items, conditions, description } = shape
  const schema = {
    ...(description === undefined ? {} : { description }),
    ...keywords,
    ...openness(keywords),
    ...(required.length > 0 ? { required } : {}),
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([member, one]) => [member, written(one, part)]),
          ),
        }
      : {}),
    // Some tools require `items` even if any value is allowed.
    ...(items ? { items: written(items, part) } : keywords.type === 'array' ? { items: {} } : {}),
    ...(conditions ? { allOf: conditions } : {}),
  }
  return name === undefined ? schema : reference(name, schema, part)
}

/** Names of the components that were created from a definition, by the name of the definition. */
const versions = new Map<string, readonly string[]>()

/** Adds a component and returns a reference to it. If only the description differs, the reference states it. */
function reference(name: string, schema: Schema, part: (name: string) => string): Schema {
  const { description, ...rest } = schema
  const text = JSON.stringify(rest)
  const isSame = (one: string) => {
    const { description: _, ...known } = components[one] ?? {}
    return JSON.stringify(known) === text
  }
  const known = versions.get(name) ?? []
  const found = known.find(isSame) ?? part(name)
  if (!(found in components)) {
    components[found] = schema
    versions.set(name, [...known, found])
  }
  const $ref = `#/components/schemas/${found}`
  return description === undefined || components[found]?.description === description
    ? { $ref }
    : { description, $ref }
}

/** Requires the recipient's tax id in received invoices, unless they are simplified. */
function withRecipient(): void {
  const { header, customer } = shapeOf(FILES, 'received.json').properties?.invoice?.properties ?? {}
  const block = components.ReceivedInvoiceBlock
  if (!header || !customer || !block)
    throw new Error('schemas: a received invoice has no header, or no customer')
  const simplified = { properties: { invoice_type_code: { keywords: { enum: ['02', '04'] } } }, keywords: {} }
  const identified = { required: ['tax_id'], keywords: {} }
  components.ReceivedInvoiceBlock = {
    ...block,
    allOf: [
      {
        anyOf: [
          { properties: { header: written(narrowed(header, simplified), () => 'SimplifiedHeader') } },
          {
            required: ['customer'],
            properties: { customer: written(narrowed(customer, identified), () => 'IdentifiedCustomer') },
          },
        ],
      },
    ],
  }
}

/**
 * Returns the components of the canonical invoice. They are built on the first call, which takes a tenth of a second.
 */
export function invoiceSchemas(): Readonly<Record<string, Schema>> {
  if (Object.keys(components).length > 0) return components
  for (const [file, name, part] of COMPONENTS) {
    const { name: _, ...shape } = shapeOf(FILES, file)
    components[name] = written(file === 'received.json' ? withoutDirection(shape) : shape, part)
  }
  withRecipient()
  return components
}
