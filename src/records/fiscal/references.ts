/** References to the invoices that an invoice corrects or replaces, passed by the caller. */

import { isDate } from '#core/invoice/date.ts'
import type { InvoiceBlock } from '#core/invoice/index.ts'
import { checkMembers, isObject, type OptionKind } from './check-options.ts'
import type { RefuseShared } from './shared-codes.ts'

/** Identity of an invoice that is corrected or replaced. */
export interface InvoiceReference {
  readonly invoice_number: string
  /** Issue date, `YYYY-MM-DD`. */
  readonly issue_date: string
}

/**
 * The members that a reference may have. Other members throw an error, because they would have no effect.
 * `checkReferences` checks the values.
 */
export const REFERENCE = { invoice_number: 'any', issue_date: 'any' } as const

const isNumber = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Whether the value is a reference that a record can contain. */
export const isReference = (value: unknown): value is InvoiceReference =>
  isObject(value) && isNumber(value.invoice_number) && isDate(value.issue_date)

/** Returns the ids of the referenced invoices as a record states them, without repetitions. */
export function idsOf<Id>(references: readonly unknown[], idOf: (reference: InvoiceReference) => Id): Id[] {
  const ids = references.filter(isReference).map((reference) => idOf(reference))
  return [...new Map(ids.map((id) => [JSON.stringify(id), id])).values()]
}

/** Whether a reference names the invoice itself or, in `replaces`, a later invoice. */
function isNotEarlier(
  { supplier, header, issue_data: { issue_date: own = '9999' } }: InvoiceBlock,
  { invoice_number, issue_date, ...issuer }: InvoiceReference & { readonly issuer_tax_id?: string },
  option: 'replaces' | 'corrects',
): boolean {
  if (issue_date !== own) return option === 'replaces' && issue_date > own
  // An invoice of another issuer may have the same number.
  const { issuer_tax_id = supplier.tax_id } = issuer
  return invoice_number.trim() === header.invoice_number?.trim() && issuer_tax_id === supplier.tax_id
}

/**
 * Checks the references in `replaces` and `corrects`. They come from the data of documents, so an invalid number or
 * date is reported as an item. So is a reference to the invoice itself or, in `replaces`, to a later invoice. An
 * unknown member is a programming error and throws.
 */
export function checkReferences(
  block: InvoiceBlock,
  options: { readonly replaces?: readonly unknown[]; readonly corrects?: readonly unknown[] },
  members: Readonly<Record<string, OptionKind>>,
  refuse: RefuseShared,
): void {
  const check = (reference: unknown, option: 'replaces' | 'corrects', index: number) => {
    if (isObject(reference)) checkMembers(reference, members, `${option}[${index}]`)
    const { invoice_number: number, issue_date: day } = isObject(reference) ? reference : {}
    const path = `/${option}/${index}`
    if (!isNumber(number)) refuse('reference', `${path}/invoice_number`, { received: number ?? null })
    if (!isDate(day)) refuse('reference', `${path}/issue_date`, { received: day ?? null })
    if (isReference(reference) && isNotEarlier(block, reference, option)) {
      const extra = { received: number, issue_date: day, expected: block.issue_data.issue_date }
      refuse('reference_not_earlier', path, extra)
    }
  }
  for (const option of ['replaces', 'corrects'] as const)
    for (const [index, reference] of (options[option] ?? []).entries()) check(reference, option, index)
}
