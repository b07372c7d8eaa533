/**
 * Reads an embedded CII invoice without lines. In the Factur-X profiles MINIMUM and BASIC WL, the XML has only header,
 * parties and totals, so it cannot be imported as an invoice.
 */

import { checkTaxId } from '#core/identifiers/index.ts'
import { isDate } from '#core/invoice/date.ts'
import { type Minor, percentOf, sum, toMinor } from '#core/money/index.ts'
import { decodeXml, readXml } from '#core/xml/index.ts'
import { ciiVocabulary, readCii } from '#formats/cii/index.ts'
import type { ReadingReport, Tree } from '#formats/model/index.ts'
import type { Entry } from '../candidates/amount-fields.ts'
import type { Figure } from '../candidates/figure-kinds.ts'
import { TRUST } from '../found.ts'
import type { Amounts, Treatment } from './settle-fields.ts'

export interface StatedXml {
  readonly number: string | undefined
  readonly date: string | undefined
  readonly supplierTaxId: string | undefined
  readonly supplierName: string | undefined
  readonly customerTaxId: string | undefined
  readonly base: Minor
  readonly tax: Minor
  readonly total: Minor
  /** One entry for each tax category; empty in the profile MINIMUM. */
  readonly taxes: readonly (Entry & { readonly category: string })[]
}

/** Type code of a credit note (UNTDID 1001). Its amounts have the opposite sign. */
const CREDIT_NOTE = '381'

/** A report that ignores the problems of the XML, because only valid values are used. */
const SILENT: ReadingReport = { refuse: () => undefined, warn: () => undefined }

const taxIdOf = (id: string | undefined): string | undefined => {
  const { valid, normalized } = checkTaxId(id)
  return valid ? normalized.replace(/^ES(?=.{9}$)/, '') : undefined
}

/** Returns the values of the XML; undefined if it is in another format, has lines, or states no total. */
export function readStatedCii(bytes: Uint8Array): StatedXml | undefined {
  const { text } = decodeXml(bytes)
  const { element } = text === null ? { element: null } : readXml(ciiVocabulary(), text)
  if (element?.name !== 'CrossIndustryInvoice') return undefined
  const invoice = readCii(element.value as Tree, SILENT)
  const { seller, buyer, totals, lines } = invoice
  const signed = (amount: number): Minor =>
    invoice.typeCode === CREDIT_NOTE ? -toMinor(amount) : toMinor(amount)
  if (lines.length > 0 || totals.total === 0) return undefined
  return {
    number: invoice.number || undefined,
    date: isDate(invoice.issueDate) ? invoice.issueDate : undefined,
    supplierTaxId: taxIdOf(seller.vatId ?? seller.taxId ?? seller.legalId?.value),
    supplierName: seller.name,
    customerTaxId: taxIdOf(buyer.vatId ?? buyer.legalId?.value),
    base: signed(totals.base),
    tax: signed(totals.tax ?? totals.total - totals.base),
    total: signed(totals.total),
    taxes: invoice.taxes.map(({ category, rate = 0, base, tax }) => ({
      category,
      rate,
      base: signed(base),
      tax: signed(tax),
    })),
  }
}

/** Treatments of the tax categories without tax (UNTDID 5305). */
const TREATMENTS: Readonly<Record<string, Treatment>> = {
  AE: { tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' },
  E: { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E6' },
  G: { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E2' },
  K: { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E5' },
  O: { tax_treatment_code: 'NON_TAXABLE' },
}

/** Returns the breakdown of the XML, else the printed one if its totals match, else that of the only possible rate. */
function entriesOf(
  stated: StatedXml,
  printed: Amounts | undefined,
  rates: readonly number[],
): readonly Entry[] {
  const { base, tax, total, taxes } = stated
  if (taxes.length > 0) return taxes.map(({ category: _, ...entry }) => entry)
  if (printed?.total === total && sum(printed.entries.map((entry) => entry.base)) === base)
    return printed.entries
  const [rate, ...others] = rates.filter((one) => percentOf(base, one) === tax)
  return rate !== undefined && others.length === 0 ? [{ rate, base, tax }] : []
}

/** Returns the amounts that the XML states, completed with amounts read from the printed document. */
export function statedAmounts(
  stated: StatedXml,
  printed: Amounts | undefined,
  figures: readonly Figure[],
  rates: readonly number[],
): Amounts {
  const { base, tax, total, taxes } = stated
  const entries = entriesOf(stated, printed, rates)
  const isDenied = figures.length > 0 && !figures.some(({ value }) => value === total)
  const isSame = printed?.total === total
  const untaxed = taxes.find(({ rate }) => rate === 0)
  const score = isDenied ? TRUST.found : TRUST.certain
  return {
    entries: entries.length > 0 ? entries : [{ rate: 0, base, tax }],
    untaxed: (untaxed && TREATMENTS[untaxed.category]) ?? printed?.untaxed,
    withheld: isSame ? printed.withheld : undefined,
    disbursements: isSame ? printed.disbursements : 0,
    advances: isSame ? printed.advances : 0,
    total,
    scores: {
      breakdown: taxes.length > 0 ? score : entries.length > 0 ? TRUST.agreed : 0,
      base: score,
      tax: score,
      total: score,
      withheld: isSame ? printed.scores.withheld : 0,
    },
    reasons: [
      ...(isDenied ? (['xml_contradicted'] as const) : []),
      ...(isSame ? printed.reasons.filter((reason) => reason !== 'amounts_unchecked') : []),
      ...(entries.length > 0 ? [] : (['amounts_unchecked'] as const)),
      'xml_partial',
    ],
  }
}
