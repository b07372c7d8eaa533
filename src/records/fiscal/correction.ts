/** Corrected invoices and correction type of a fiscal record, for VeriFactu and SII (art. 15 RD 1619/2012). */
import type { InvoiceBlock } from '#core/invoice/index.ts'
import { type Minor, percentOf, toMinor } from '#core/money/index.ts'
import { correctiveType, hasSurcharge } from './fiscal-operation.ts'
import { laterCorrectedDate } from './fiscal-operation-day.ts'
import { toImporte } from './literals.ts'
import { type InvoiceReference, idsOf } from './references.ts'
import type { RefuseShared } from './shared-codes.ts'

export { CORRECTION_MESSAGES } from './generated/texts/correction.ts'

/** Data about corrected invoices that the corrective invoice itself does not contain. */
export interface CorrectionOptions {
  readonly replaces?: readonly InvoiceReference[]
  readonly corrects?: readonly InvoiceReference[]
  readonly corrected_surcharge_amount?: number
}

/**
 * Refuses a correction dated before the corrected invoice, a correction without a correction type (if `requiresType`),
 * and a substitution without the corrected amounts. Warns about a substitution with equivalence surcharge that does not
 * state the surcharge of the corrected invoice (0 if it had none).
 */
export function checkCorrection(
  block: InvoiceBlock,
  { corrects, corrected_surcharge_amount: surcharge }: CorrectionOptions,
  requiresType: boolean,
  refuse: RefuseShared,
  warn: RefuseShared,
): void {
  if (correctiveType(block) === undefined) return
  const later = laterCorrectedDate(block, corrects)
  if (later) refuse('corrected_later', later.path, later)
  const path = '/invoice/header/corrective'
  const {
    correction_type: type,
    corrected_taxable_base,
    corrected_tax_amount,
  } = block.header.corrective ?? {}
  if (type === undefined && requiresType) refuse('correction', `${path}/correction_type`)
  if (type !== 'S') return
  if (corrected_taxable_base === undefined) refuse('correction', `${path}/corrected_taxable_base`)
  if (corrected_tax_amount === undefined) refuse('correction', `${path}/corrected_tax_amount`)
  if (surcharge === undefined && block.taxes_outputs?.some(hasSurcharge))
    warn('corrected_surcharge', '/corrected_surcharge_amount')
}

/** The invoice that a correction by substitution replaces. */
export interface ReplacedInvoice {
  readonly number: string
  /** Undefined if the correction does not state the date. */
  readonly issueDate: string | undefined
}

/** Returns the invoice that a correction by substitution replaces; undefined for any other invoice. */
export function replacedBy(block: InvoiceBlock): ReplacedInvoice | undefined {
  const { corrective } = block.header
  if (correctiveType(block) === undefined || corrective?.correction_type !== 'S') return undefined
  return { number: corrective.invoice_number?.trim() ?? '', issueDate: corrective.invoice_issue_date }
}

/** The amounts of the replaced invoice, which a correction by substitution reverses. */
export interface ReversedAmounts {
  readonly base: Minor
  readonly tax: Minor
}

/**
 * Returns the corrected amounts that the correction states, as a book or record contains them: without the tax of other
 * member states and, unless `isTaxRecorded`, without any tax (a VAT book has no IPSI).
 */
export function statedAmounts(block: InvoiceBlock, isTaxRecorded: boolean): ReversedAmounts {
  const { corrected_taxable_base = 0, corrected_tax_amount = 0 } = block.header.corrective ?? {}
  const isForeign = block.taxes_outputs?.every((entry) => entry.consumption_country_code !== undefined)
  return {
    base: toMinor(corrected_taxable_base),
    tax: isTaxRecorded && !isForeign ? toMinor(corrected_tax_amount) : 0,
  }
}

/**
 * Returns by how much the sum of `count` taxes may differ from base x rate: by 1 % of the base, but at most 10 euros
 * (AEAT validations of October 2019) and at least one cent of rounding per tax.
 */
export const taxTolerance = (base: Minor, count = 1): number =>
  Math.max(count, Math.min(Math.abs(base) / 100, 10_00))

/** Whether a tax can result from these rates, within the tolerance of the authority. */
export function isTaxAtRates({ base, tax }: ReversedAmounts, rates: readonly number[]): boolean {
  const taxes = rates.map((rate) => percentOf(base, rate))
  const tolerance = taxTolerance(base)
  return tax >= Math.min(...taxes) - tolerance && tax <= Math.max(...taxes) + tolerance
}

/**
 * Whether the corrected tax can result from the rates of this invoice. If not, the replaced invoice may have had
 * another tax.
 */
export const isCorrectedTaxAtRates = (block: InvoiceBlock): boolean =>
  isTaxAtRates(
    statedAmounts(block, true),
    (block.taxes_outputs ?? []).map(({ tax_rate }) => tax_rate),
  )

/** Refuses options that have no effect on a record of this type. */
export function refuseUnusedOptions(
  type: string,
  { header }: InvoiceBlock,
  { replaces = [], corrects = [], corrected_surcharge_amount: surcharge }: CorrectionOptions,
  refuse: RefuseShared,
): void {
  const isCorrective = type.startsWith('R')
  const refuseUnused = (option: keyof CorrectionOptions) => refuse('option', `/${option}`, { received: type })
  if (replaces.length > 0 && type !== 'F3') refuseUnused('replaces')
  if (corrects.length > 0 && !isCorrective) refuseUnused('corrects')
  if (surcharge !== undefined && !(isCorrective && header.corrective?.correction_type === 'S'))
    refuseUnused('corrected_surcharge_amount')
}

/**
 * Returns the members of a record about the corrected invoices and, for a substitution, the amounts that it reverses.
 * Returns an empty object for an invoice that is not corrective.
 */
export function correctionOf<Id>(
  block: InvoiceBlock,
  { corrects = [], corrected_surcharge_amount: surcharge }: CorrectionOptions,
  idOf: (reference: InvoiceReference) => Id,
  { base, tax }: ReversedAmounts,
) {
  if (correctiveType(block) === undefined) return {}
  const { invoice_number, invoice_issue_date, ...corrective } = block.header.corrective ?? {}
  const own = { invoice_number, issue_date: invoice_issue_date }
  const ids = idsOf([own, ...corrects], idOf)
  const references = ids.length > 0 ? { FacturasRectificadas: { IDFacturaRectificada: ids } } : {}
  if (corrective.correction_type !== 'S') return { TipoRectificativa: 'I' as const, ...references }
  return {
    TipoRectificativa: 'S' as const,
    ...references,
    ImporteRectificacion: {
      BaseRectificada: toImporte(base),
      CuotaRectificada: toImporte(tax),
      ...(surcharge === undefined ? {} : { CuotaRecargoRectificado: toImporte(toMinor(surcharge)) }),
    },
  }
}
