/** The schemas of the canonical invoice as components: what was a file name becomes a place in the document. */

import codes from '../../../schemas/codes.json'
import common from '../../../schemas/common.json'
import draft from '../../../schemas/draft.json'
import header from '../../../schemas/header.json'
import importSchema from '../../../schemas/import.json'
import input from '../../../schemas/input.json'
import invoice from '../../../schemas/invoice.json'
import issue from '../../../schemas/issue.json'
import issueData from '../../../schemas/issue-data.json'
import issued from '../../../schemas/issued.json'
import canonical from '../../../schemas/json_1_1.json'
import line from '../../../schemas/line.json'
import meta from '../../../schemas/meta.json'
import party from '../../../schemas/party.json'
import payment from '../../../schemas/payment.json'
import received from '../../../schemas/received.json'
import taxOutput from '../../../schemas/tax-output.json'
import taxWithheld from '../../../schemas/tax-withheld.json'
import totals from '../../../schemas/totals.json'
import validationItem from '../../../schemas/validation-item.json'

type Schema = Readonly<Record<string, unknown>>

const FILES: Readonly<Record<string, readonly [name: string, schema: unknown]>> = {
  'common.json': ['Common', common],
  'codes.json': ['Codes', codes],
  'draft.json': ['DraftInvoice', draft],
  'header.json': ['Header', header],
  'import.json': ['ImportedInvoice', importSchema],
  'input.json': ['InvoiceInput', input],
  'invoice.json': ['Invoice', invoice],
  'issue.json': ['InvoiceToIssue', issue],
  'issue-data.json': ['IssueData', issueData],
  'issued.json': ['IssuedInvoice', issued],
  'json_1_1.json': ['CanonicalInvoice', canonical],
  'line.json': ['Line', line],
  'meta.json': ['Meta', meta],
  'party.json': ['Party', party],
  'payment.json': ['Payment', payment],
  'received.json': ['ReceivedInvoice', received],
  'tax-output.json': ['TaxOutput', taxOutput],
  'tax-withheld.json': ['TaxWithheld', taxWithheld],
  'totals.json': ['Totals', totals],
  'validation-item.json': ['ValidationItem', validationItem],
}

/** A field that is refused, written so that readers of the document show it: they take schemas for objects. */
const REFUSED = { not: {}, description: 'The service sets it: it must not be sent.' }

/** A text without NUL, which no store takes; and one in which something stands. */
export const STORABLE = '^[^\\u0000]*$'
export const NOT_BLANK = '^[^\\u0000]*[^\\u0000\\s][^\\u0000]*$'

/** What the engine's patterns of free texts become where a NUL is refused too. */
const WITHOUT_NUL: Readonly<Record<string, string>> = {
  '': STORABLE,
  '\\S': NOT_BLANK,
  '^$|\\S': `^$|${NOT_BLANK}`,
}

/** The pattern of a text whose values are free. */
function patternOf(schema: Readonly<Record<string, unknown>>): object {
  if (schema.type !== 'string' || ['enum', 'const', 'format'].some((name) => name in schema)) return {}
  const pattern = WITHOUT_NUL[String(schema.pattern ?? '')]
  return pattern === undefined ? {} : { pattern }
}

/** Schemas of members by their names. */
const properties = (members: object, own: string): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(members).map(([name, one]) => [name, one === false ? REFUSED : moved(one, own)]),
  )

/** A copy whose references lead to components. `own` is the component that references without a file mean. */
function moved(value: unknown, own: string): unknown {
  if (Array.isArray(value)) return value.map((one) => moved(one, own))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => name !== '$schema' && name !== '$id')
  const copied = Object.fromEntries(
    members.map(([name, one]) => {
      if (name === 'properties') return [name, properties(one as object, own)]
      if (name !== '$ref' || typeof one !== 'string') return [name, moved(one, own)]
      const [file = '', pointer = ''] = one.split('#')
      const target = file === '' ? own : FILES[file]?.[0]
      if (!target) throw new Error(`schemas: ${own} refers to ${one}, which is no component`)
      return [name, `#/components/schemas/${target}${pointer}`]
    }),
  )
  return { ...copied, ...patternOf(value as Record<string, unknown>) }
}

const inInvoice = (schema: Schema): Schema => ({ properties: { invoice: schema } })
const withTaxId = (party: string): Schema => ({ properties: { [party]: { required: ['tax_id'] } } })

/**
 * What a service that stores invoices asks for beside their shape. The engine reports it by rules, with words of their
 * own; who reads the document of the service is told beforehand.
 */
const STORED: Readonly<Record<string, Schema>> = {
  ImportedInvoice: inInvoice(withTaxId('supplier')),
  ReceivedInvoice: inInvoice({
    allOf: [
      withTaxId('supplier'),
      {
        // A simplified invoice does not name its recipient.
        if: { properties: { header: { properties: { invoice_type_code: { enum: ['02', '04'] } } } } },
        else: { required: ['customer'], ...withTaxId('customer') },
      },
    ],
  }),
}

/** A schema, and what is asked for beside it. */
const narrowed = (schema: Schema, by: Schema | undefined): Schema =>
  by === undefined ? schema : { ...schema, allOf: [...((schema.allOf as Schema[] | undefined) ?? []), by] }

const invoiceSchemas: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.values(FILES).map(([name, schema]) => [name, narrowed(moved(schema, name) as Schema, STORED[name])]),
)

export { invoiceSchemas }
