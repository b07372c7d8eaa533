/** The corrected invoices and the correction type in a record: the same in both systems (art. 15 RD 1619/2012). */
import type { InvoiceBlock } from '../invoice/index.ts'
import { type Minor, percentOf, toMinor } from '../money/index.ts'
import { toImporte } from './literals.ts'
import { correctiveType, hasSurcharge } from './operation.ts'
import { correctedLater } from './operation-day.ts'
import { type InvoiceReference, idsOf } from './references.ts'
import type { RefuseShared } from './shared-codes.ts'

export { CORRECTION_MESSAGES } from './generated/texts/correction.ts'

/** Data about other invoices that the invoice itself lacks. */
export interface CorrectionOptions {
  readonly replaces?: readonly InvoiceReference[]
  readonly corrects?: readonly InvoiceReference[]
  readonly corrected_surcharge_amount?: number
}

/**
 * Refuses a correction of an invoice with a later date, a correction without its type (if `requiresType`), and a
 * substitution without the corrected amounts. Warns if a substitution with surcharge lacks the surcharge of the
 * corrected invoice, which may be 0.
 */
export function checkCorrection(
  block: InvoiceBlock,
  { corrects, corrected_surcharge_amount: surcharge }: CorrectionOptions,
  requiresType: boolean,
  refuse: RefuseShared,
  warn: RefuseShared,
): void {
  if (correctiveType(block) === undefined) return
  const later = correctedLater(block, corrects)
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
export interface Replaced {
  readonly number: string
  /** Absent if the correction does not state it. */
  readonly issueDate: string | undefined
}

/** Returns the invoice that this one replaces; undefined unless it is a correction by substitution. */
export function replacedBy(block: InvoiceBlock): Replaced | undefined {
  const { corrective } = block.header
  if (correctiveType(block) === undefined || corrective?.correction_type !== 'S') return undefined
  return { number: corrective.invoice_number?.trim() ?? '', issueDate: corrective.invoice_issue_date }
}

/** What a correction by substitution takes back of the invoice that it replaces. */
export interface TakenBack {
  readonly base: Minor
  readonly tax: Minor
}

/**
 * Returns the amounts that the correction states, as a book or record had them: without the tax of other member states
 * and, unless `isTaxRecorded`, without tax (a book of VAT has no IPSI).
 */
export function statedAmounts(block: InvoiceBlock, isTaxRecorded: boolean): TakenBack {
  const { corrected_taxable_base = 0, corrected_tax_amount = 0 } = block.header.corrective ?? {}
  const isForeign = block.taxes_outputs?.every((entry) => entry.consumption_country_code !== undefined)
  return {
    base: toMinor(corrected_taxable_base),
    tax: isTaxRecorded && !isForeign ? toMinor(corrected_tax_amount) : 0,
  }
}

/**
 * Returns how much the sum of `count` taxes may differ from base x rate: 1 % of the base, and at most 10 euros (AEAT
 * validations of October 2019), but at least the cents of rounding.
 */
export const taxTolerance = (base: Minor, count = 1): number =>
  Math.max(count, Math.min(Math.abs(base) / 100, 10_00))

/** Whether a tax may be of these rates, within the tolerance of the authority. */
export function isTaxOf({ base, tax }: TakenBack, rates: readonly number[]): boolean {
  const taxes = rates.map((rate) => percentOf(base, rate))
  const tolerance = taxTolerance(base)
  return tax >= Math.min(...taxes) - tolerance && tax <= Math.max(...taxes) + tolerance
}

/** Whether the corrected tax may be of the rates of this invoice. If not, the replaced invoice may have had another tax. */
export const fitsRates = (block: InvoiceBlock): boolean =>
  isTaxOf(
    statedAmounts(block, true),
    (block.taxes_outputs ?? []).map(({ tax_rate }) => tax_rate),
  )

/** Refuses options that a record of this type would silently ignore. */
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
 * Returns the corrected invoices and, for a substitution, the amounts that it takes back; empty for an invoice that
 * corrects no other invoice.
 */
export function correctionOf<Id>(
  block: InvoiceBlock,
  { corrects = [], corrected_surcharge_amount: surcharge }: CorrectionOptions,
  idOf: (reference: InvoiceReference) => Id,
  { base, tax }: TakenBack,
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
