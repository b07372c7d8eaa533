/** Invoices that an invoice corrects or replaces, as given by the caller. */
import { isDate } from '../invoice/index.ts'
import { checkMembers, isObject, type OptionKind } from './check-options.ts'
import type { RefuseShared } from './shared-codes.ts'

/** Identity of an invoice that is corrected or replaced. */
export interface InvoiceReference {
  readonly invoice_number: string
  /** Issue date, `YYYY-MM-DD`. */
  readonly issue_date: string
}

/** `checkReferences` checks the values. Unknown members throw, because they would be ignored. */
export const REFERENCE = { invoice_number: 'any', issue_date: 'any' } as const

const isNumber = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** Whether the value is a reference that a record can contain. */
export const isReference = (value: unknown): value is InvoiceReference =>
  isObject(value) && isNumber(value.invoice_number) && isDate(value.issue_date)

/**
 * Checks the references in `replaces` and `corrects`. They come from the data of documents, so an invalid number or
 * date is reported as an item. An unknown member is a programming error and throws.
 */
export function checkReferences(
  options: { readonly replaces?: readonly unknown[]; readonly corrects?: readonly unknown[] },
  members: Readonly<Record<string, OptionKind>>,
  refuse: RefuseShared,
): void {
  for (const option of ['replaces', 'corrects'] as const)
    options[option]?.forEach((reference, index) => {
      if (isObject(reference)) checkMembers(reference, members, `${option}[${index}]`)
      const { invoice_number: number, issue_date: day } = isObject(reference) ? reference : {}
      const path = `/${option}/${index}`
      if (!isNumber(number)) refuse('reference', `${path}/invoice_number`, { received: number ?? null })
      if (!isDate(day)) refuse('reference', `${path}/issue_date`, { received: day ?? null })
    })
}
