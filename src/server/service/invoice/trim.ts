/**
 * Trims blanks around codes and references. Otherwise ` BL` and `BL` would be two series with the same numbers, and the
 * tax authority would see one invoice twice.
 */

/** The members of an object to trim, by name. A `needed` member that has only blanks is treated as missing. */
interface Members {
  readonly [name: string]: Wanted
}
type Wanted = 'code' | 'needed' | Members | readonly [Members]

const REFERENCES: Members = {
  receiver_transaction_reference: 'code',
  receiver_contract_reference: 'code',
  issuer_contract_reference: 'code',
  file_reference: 'code',
}
const PARTY: Members = {
  identifiers: [{ value: 'code', scheme_name: 'code' }],
  administrative_centres: [{ centre_code: 'code', role_type_code: 'code' }],
}

/** Codes and references that the client chooses. Codes of closed lists are not trimmed; blanks make them invalid. */
const OF_INVOICE: Members = {
  meta: {
    source_system: 'needed',
    external_ref: 'needed',
    batch_id: 'code',
    batch_item_id: 'code',
    original_format: 'code',
    original_document_id: 'code',
    recognition_status: 'code',
  },
  invoice: {
    supplier: PARTY,
    customer: PARTY,
    header: {
      invoice_series_code: 'needed',
      invoice_number: 'needed',
      references: REFERENCES,
      corrective: { invoice_number: 'needed', invoice_series_code: 'code' },
    },
    lines: [
      {
        article_code: 'code',
        references: { ...REFERENCES, delivery_notes: [{ number: 'code' }] },
        legal_literals: [{ code: 'code' }],
      },
    ],
    totals: { reimbursable_expenses: [{ invoice_number: 'code', invoice_series_code: 'code' }] },
    payment_details: [{ payment_reconciliation_reference: 'code' }],
    legal_literals: [{ code: 'code' }],
    additional_data: { related_invoice: { number: 'code', series: 'code' } },
  },
}

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Returns a text without blanks around it; undefined if a `needed` text has only blanks. Other blank texts stay. */
function trimmedText(text: string, kind: 'code' | 'needed'): string | undefined {
  const trimmed = text.trim()
  if (trimmed !== '') return trimmed
  return kind === 'needed' && text !== '' ? undefined : text
}

const isOfList = (wanted: Exclude<Wanted, string>): wanted is readonly [Members] => Array.isArray(wanted)

function trimmedMember(value: unknown, wanted: Wanted): unknown {
  if (typeof wanted === 'string') return typeof value === 'string' ? trimmedText(value, wanted) : value
  if (!isOfList(wanted)) return trimmed(value, wanted)
  if (!Array.isArray(value)) return value
  const [members] = wanted
  let copy: unknown[] | undefined
  for (let at = 0; at < value.length; at++) {
    const entry = trimmed(value[at], members)
    if (entry === value[at]) continue
    copy ??= [...value]
    copy[at] = entry
  }
  return copy ?? value
}

/** Returns the value itself if there is nothing to trim, so that most documents are not copied. */
function trimmed(value: unknown, members: Members): unknown {
  if (!isObject(value)) return value
  let copy: Record<string, unknown> | undefined
  for (const [name, wanted] of Object.entries(members)) {
    if (!Object.hasOwn(value, name)) continue
    const member = trimmedMember(value[name], wanted)
    if (member === value[name]) continue
    copy ??= { ...value }
    if (member === undefined) delete copy[name]
    else copy[name] = member
  }
  return copy ?? value
}

/** Trims the codes and references of a document. Members of a wrong type stay, so that the schema rejects them. */
export const trimmedDocument = (document: unknown): unknown => trimmed(document, OF_INVOICE)

/** Trims the members of a request with these names. */
export const trimmedRequest = <T extends object>(request: T, names: readonly (keyof T & string)[]): T =>
  trimmed(request, Object.fromEntries(names.map((name) => [name, 'code']))) as T
