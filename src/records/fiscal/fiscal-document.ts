/** The document that a record is built from: the result of `validate`, or its `data`. */
import type { CanonicalInvoice, ValidationItem } from '#core/invoice/index.ts'
import { isObject } from './check-options.ts'
import type { RefuseShared } from './shared-codes.ts'

/** The result of `validate`. Records are built only from invoices without errors. */
export interface Validated {
  readonly is_valid: boolean
  readonly errors: readonly ValidationItem[]
  readonly data: CanonicalInvoice | null
}

const isValidated = (value: unknown): value is Validated =>
  typeof value === 'object' && value !== null && 'is_valid' in value && 'errors' in value

/** Members that records need, with their types. Every document returned by the engine has them. */
const MEMBERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  totals: { invoice_total: 'number', total_tax_outputs: 'number', total_gross_amount_before_taxes: 'number' },
  taxes_outputs: { tax_rate: 'number', taxable_base: 'number', tax_amount: 'number' },
  lines: {},
  header: {},
  issue_data: {},
  supplier: { name: 'string' },
}

/** Returns the path of the first member that is missing in a block, or in an entry of a list. */
function missingIn(
  value: unknown,
  path: string,
  members: Readonly<Record<string, string>>,
): string | undefined {
  if (!isObject(value)) return path
  const name = Object.keys(members).find((member) => typeof value[member] !== members[member])
  return name && `${path}/${name}`
}

/** Returns a block with its path, or the entries of a list with their paths. */
function placesOf(name: string, value: unknown): readonly (readonly [path: string, value: unknown])[] {
  const path = `/invoice/${name}`
  const isList = name === 'taxes_outputs' || name === 'lines'
  if (!isList || !Array.isArray(value)) return [[path, isList ? undefined : value]]
  return value.map((entry, index) => [`${path}/${index}`, entry])
}

/** Returns the path of the first member in `MEMBERS` that a document lacks. */
export function missingOf(document: unknown): string | undefined {
  const block = isObject(document) && isObject(document.invoice) ? document.invoice : {}
  const { customer } = block
  const blocks = customer === undefined ? MEMBERS : { ...MEMBERS, customer: MEMBERS.supplier! }
  for (const [name, members] of Object.entries(blocks))
    for (const [path, value] of placesOf(name, block[name])) {
      const missing = missingIn(value, path, members)
      if (missing !== undefined) return missing
    }
  return isObject((document as { meta?: unknown }).meta) ? undefined : '/meta'
}

/** Returns the document; null if it has errors or does not come from the engine. */
export function documentOf(
  answer: CanonicalInvoice | Validated,
  refuse: RefuseShared<'invalid_invoice' | 'not_normalised'>,
): CanonicalInvoice | null {
  if (isValidated(answer)) {
    const errors = answer.errors.filter((item) => item.severity === 'error')
    if (!answer.data || errors.length > 0) {
      const first = errors[0] ? `${errors[0].code} ${errors[0].path}` : 'schema'
      refuse('invalid_invoice', '', { count: errors.length, first })
      return null
    }
  }
  const document = isValidated(answer) ? answer.data! : answer
  const missing = missingOf(document)
  if (missing === undefined) return document
  refuse('not_normalised', missing)
  return null
}
