/** Invoice type and recipient of an issued invoice, shared by VeriFactu and SII. */
import type { InvoiceBlock } from '#core/invoice/index.ts'
import { EXEMPT, REVERSE_CHARGE } from '#core/invoice/terms.ts'
import { correctiveType } from './fiscal-operation.ts'
import { type FiscalParty, fiscalParty } from './fiscal-party.ts'

export interface FiscalTypeOptions {
  /** Whether the recipient's NIF is known to be missing from the census. */
  readonly notInCensus: boolean
  /** Whether to build a full invoice without the recipient's identity, even if the invoice states it. */
  readonly withoutRecipient: boolean
  /** Whether the invoice replaces registered simplified invoices. */
  readonly replaces: boolean
}

export interface FiscalType {
  readonly type: 'F1' | 'F2' | 'F3' | 'R1' | 'R2' | 'R3' | 'R4' | 'R5'
  readonly recipient?: FiscalParty
  /** A simplified invoice that identifies its recipient (arts. 7.2 and 7.3 RD 1619/2012). */
  readonly qualified?: true
  /** A full invoice that need not identify its recipient (art. 6.1.d RD 1619/2012). */
  readonly anonymous?: true
}

const SIMPLIFIED = '02'
const SELF_INVOICE = '05'

/**
 * Whether the customer is a consumer abroad without tax id, in an operation for which the law requires no tax id. The
 * law requires a tax id for operations in Spain, exempt intra-Community supplies and reverse charge (art. 6.1.d RD
 * 1619/2012).
 */
const isConsumerAbroad = ({ customer, taxes_outputs: entries = [] }: InvoiceBlock): boolean =>
  customer !== undefined &&
  (customer.country_code ?? 'ES') !== 'ES' &&
  !customer.tax_id?.trim() &&
  customer.person_type_code !== 'J' &&
  !entries.some(
    (entry) =>
      entry.tax_treatment_code === REVERSE_CHARGE ||
      (entry.tax_treatment_code === EXEMPT && entry.exemption_reason_code === 'E5'),
  )

const mayBeAnonymous = (block: InvoiceBlock, withoutRecipient: boolean): boolean =>
  block.header.invoice_type_code !== SELF_INVOICE && (withoutRecipient || isConsumerAbroad(block))

/**
 * Returns type and recipient (mapping page, section 1), or undefined if the invoice does not identify a recipient that
 * it must identify.
 */
export function fiscalTypeOf(block: InvoiceBlock, options: FiscalTypeOptions): FiscalType | undefined {
  const { header, customer } = block
  const { notInCensus, withoutRecipient } = options
  const recipient = customer && !withoutRecipient ? fiscalParty(customer, { notInCensus }) : undefined
  const corrective = correctiveType(block)
  const simplified = header.invoice_type_code === SIMPLIFIED
  if (recipient) {
    if (corrective === 'R5') return { type: 'R5', recipient }
    if (simplified) return { type: 'F1', recipient, qualified: true }
    return { type: corrective ?? (options.replaces ? 'F3' : 'F1'), recipient }
  }
  if (corrective === 'R5') return { type: 'R5' }
  if (simplified) return { type: 'F2' }
  return mayBeAnonymous(block, withoutRecipient)
    ? { type: corrective ? 'R5' : 'F2', anonymous: true }
    : undefined
}
