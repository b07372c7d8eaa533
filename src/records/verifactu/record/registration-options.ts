/** Options of `registrationRecord`: facts that the invoice does not state. */

import { OptionError } from '#core/invoice/index.ts'
import { checkMembers, type OptionKind } from '../../fiscal/check-options.ts'
import type { Persona } from '../model/verifactu-record-types.ts'
import { RECORD_OPTIONS, type RecordOptions } from './record.ts'

/** Identity of an invoice that this invoice corrects or replaces; dates `YYYY-MM-DD`. */
export interface InvoiceReference {
  readonly invoice_number: string
  readonly issue_date: string
  /** NIF of the referenced invoice's issuer, if that is not the issuer of this invoice. */
  readonly issuer_tax_id?: string
}

/** Base at cost (`BaseImponibleACoste`) of an invoice at one rate. */
export interface CostBase {
  /** Percentage, as in `taxes_outputs`. */
  readonly tax_rate: number
  /** Euros. */
  readonly amount: number
}

export interface RegistrationOptions extends RecordOptions {
  /**
   * Marks the record as correction of an earlier record of the same invoice. `none`: the authority has the earlier
   * record; `rejected`: the authority rejected a correction of that record; `never_registered`: the authority has no
   * record of the invoice.
   */
  readonly correction?: 'none' | 'rejected' | 'never_registered'
  /** Simplified invoices that this full invoice replaces (type F3). */
  readonly replaces?: readonly InvoiceReference[]
  /** Further corrected invoices, besides the corrected invoice that the document names. */
  readonly corrects?: readonly InvoiceReference[]
  /** Surcharge of the corrected invoice, in euros, in a correction by substitution. */
  readonly corrected_surcharge_amount?: number
  /**
   * Base at cost of each rate under regime key 06, a VAT group at its advanced level (art. 163 octies.Uno Ley 37/1992).
   * The invoice's tax must be the rate applied to this base, with a tolerance of 10 euros (validations of the AEAT,
   * 1144).
   */
  readonly cost_bases?: readonly CostBase[]
  /** The third party that issued the invoice in the issuer's name. */
  readonly third_party?: Persona
  /** True if the recipient's NIF is known not to be in the census (IDType 07). */
  readonly recipient_not_in_census?: boolean
  /** True for a full invoice without the recipient's identity (art. 6.1.d RD 1619/2012). */
  readonly without_recipient?: boolean
  /**
   * True for a corrective invoice that lowers the base for coupons or discounts when only the original invoice is
   * issued.
   */
  readonly coupon?: boolean
  /** Registration number of an authorisation concerning invoicing (`NumRegistroAcuerdoFacturacion`). */
  readonly invoicing_agreement?: string
  /** Identifier of a resolution of non-application, art. 5 RD 1007/2023 (`IdAcuerdoSistemaInformatico`). */
  readonly system_agreement?: string
}

/**
 * Checks the bases at cost. Throws an `OptionError` if the rate or the amount is missing, and a `TypeError` if either
 * has the wrong type.
 */
export function checkCostBases(list: readonly CostBase[] = []): void {
  for (const [index, base] of list.entries()) {
    const name = `cost_bases[${index}]`
    checkMembers(base, { tax_rate: 'number', amount: 'number' }, name)
    if (base.tax_rate === undefined || base.amount === undefined)
      throw new OptionError({
        en: `${name} needs tax_rate and amount`,
        es: `${name} necesita tax_rate y amount`,
      })
  }
}

/** Types of the options of `registrationRecord`. */
export const REGISTRATION_OPTIONS = {
  ...RECORD_OPTIONS,
  correction: ['none', 'rejected', 'never_registered'],
  replaces: 'list',
  corrects: 'list',
  corrected_surcharge_amount: 'number',
  cost_bases: 'list',
  third_party: 'object',
  recipient_not_in_census: 'boolean',
  without_recipient: 'boolean',
  coupon: 'boolean',
  invoicing_agreement: 'text',
  system_agreement: 'text',
} as const satisfies Readonly<Record<string, OptionKind>>
