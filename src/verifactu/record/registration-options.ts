/** What the caller of `registrationRecord` knows and the invoice does not say. */
import type { OptionKind } from '../../fiscal/check-options.ts'
import type { Persona } from '../model/types.ts'
import { RECORD_OPTIONS, type RecordOptions } from './record.ts'

/** Identity of an invoice that this one corrects or replaces; dates `YYYY-MM-DD`. */
export interface InvoiceReference {
  readonly invoice_number: string
  readonly issue_date: string
  /** NIF of its issuer, where it is not this invoice's. */
  readonly issuer_tax_id?: string
}

export interface RegistrationOptions extends RecordOptions {
  /**
   * A record that corrects an earlier one of the same invoice. `none`: the earlier one is at the authority;
   * `rejected`: a correction of it was rejected; `never_registered`: the authority has no record of the invoice.
   */
  readonly correction?: 'none' | 'rejected' | 'never_registered'
  /** Simplified invoices that this full invoice replaces: makes it F3. */
  readonly replaces?: readonly InvoiceReference[]
  /** Further corrected invoices, besides the one that the invoice names. */
  readonly corrects?: readonly InvoiceReference[]
  /** Surcharge of the corrected invoice, in euros, in a correction by substitution. */
  readonly corrected_surcharge_amount?: number
  /** The third party that issued the invoice in the issuer's name. */
  readonly third_party?: Persona
  /** True where the recipient's NIF is known not to be in the census (IDType 07). */
  readonly recipient_not_in_census?: boolean
  /** A full invoice without the recipient's identity, art. 6.1.d RD 1619/2012. */
  readonly without_recipient?: boolean
  /** A corrective for a coupon or discount where only the original is issued. */
  readonly coupon?: boolean
  /** Number of an authorisation of special invoicing, and of a resolution of non-application. */
  readonly invoicing_agreement?: string
  readonly system_agreement?: string
}

/** Kinds of these options. */
export const REGISTRATION_OPTIONS = {
  ...RECORD_OPTIONS,
  correction: ['none', 'rejected', 'never_registered'],
  replaces: 'list',
  corrects: 'list',
  corrected_surcharge_amount: 'number',
  third_party: 'object',
  recipient_not_in_census: 'boolean',
  without_recipient: 'boolean',
  coupon: 'boolean',
  invoicing_agreement: 'text',
  system_agreement: 'text',
} as const satisfies Readonly<Record<string, OptionKind>>
