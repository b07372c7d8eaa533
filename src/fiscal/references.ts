/** Invoices that an invoice corrects or replaces, as the caller names them. */
import { isDate } from '../invoice/index.ts'
import { checkMembers, isObject, type OptionKind } from './check-options.ts'
import type { RefuseShared } from './shared-codes.ts'

/** Identity of an invoice that this one corrects or replaces. */
export interface InvoiceReference {
  readonly invoice_number: string
  /** `YYYY-MM-DD`. */
  readonly issue_date: string
}

/** Each value is refused in words of its own; a member by another name would be left out in silence. */
export const REFERENCE = { invoice_number: 'any', issue_date: 'any' } as const

const isNumber = (value: unknown): boolean => typeof value === 'string' && value.trim() !== ''

/** True for a reference that a record can carry. */
export const isReference = (value: unknown): value is InvoiceReference =>
  isObject(value) && isNumber(value.invoice_number) && isDate(value.issue_date)

/**
 * The references of both options. They are of a document that the program passes on, so a wrong number or day is an
 * item; a member that does not exist is the program's own mistake, and throws.
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
