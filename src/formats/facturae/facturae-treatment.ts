/**
 * Determines the treatment of lines without tax. Facturae has codes for two treatments; legal mentions identify the
 * rest.
 */
import { exemptionReasonCodes, exemptionReasonOf } from '#core/catalogs/index.ts'
import type { Line } from '#core/invoice/index.ts'
import { CASH_BASIS, EXEMPT, isMarginKey, NON_TAXABLE, REVERSE_CHARGE, TAXED } from '#core/invoice/terms.ts'
import { isUnderCashBasis } from '../model/index.ts'
import { showsMargin } from './facturae-amounts.ts'
import { EXEMPT_EVENT, NOT_SUBJECT_EVENT, type TaxGroupCode } from './facturae-codes.ts'
import type { Cursor } from './facturae-cursor.ts'

const CHARGED_TO_BUYER = /inversi[oó]n\s+del\s+sujeto\s+pasivo|reverse\s+charge|\bart(?:\.|[ií]culo)?\s*84\b/i
const NOT_SUBJECT = /\bno\s+sujet[ao]s?\b/i
const FREE_OF_TAX = /\bexent[ao]s?\b|\bexenci[oó]n\b|\barts?(?:\.|[ií]culos?)?\s*2[0-5]\b/i
const ARTICLE = /\barts?(?:\.|[ií]culos?)?\s*(\d+)/i
const WITHIN_UNION = /intracomunitari/i
const BY_PLACE = /localizaci[oó]n/i
const BY_ARTICLE = /\barts?(?:\.|[ií]culos?)?\s*(?:7|14)\b/i

/** Exemption reasons by article of Ley 37/1992. */
const REASONS: Readonly<Record<string, string>> = {
  '20': 'E1',
  '21': 'E2',
  '22': 'E3',
  '23': 'E4',
  '24': 'E4',
  '25': 'E5',
}
const OTHER_REASON = 'E6'

export interface Treatment {
  readonly tax_treatment_code: string
  readonly exemption_reason_code?: string
  readonly exemption_reason_text?: string
  readonly non_taxable_reason?: string
  readonly legal_literals?: { legal_reference: string }[]
}

/** Mentions that the writer adds if the invoice has none, and the reader drops. */
export const REVERSE_CHARGE_TEXT = 'Inversión del sujeto pasivo'
export const EXEMPT_TEXT = 'Operación exenta'
export const NOT_SUBJECT_TEXTS: Readonly<Record<string, string>> = {
  LOCATION_RULES: 'Operación no sujeta por reglas de localización',
  ARTICLES_7_14_OTHER: 'Operación no sujeta (arts. 7 y 14 Ley 37/1992)',
}

/**
 * Returns the exemption reason that a text names. Looks for the name and the law of each reason in the catalog, then
 * for an article of Ley 37/1992. Under IPSI, several reasons have the same law, and the name of one reason contains the
 * name of another.
 */
export function reasonOf(text: string, group: TaxGroupCode): string {
  const nameOf = (code: string) => exemptionReasonOf(group, code)?.name ?? ''
  const [longest] = exemptionReasonCodes(group)
    .filter((code) => text.includes(nameOf(code)))
    .sort((a, b) => nameOf(b).length - nameOf(a).length)
  if (longest !== undefined) return longest
  for (const code of exemptionReasonCodes(group)) {
    const law = exemptionReasonOf(group, code)?.law
    if (law && text.includes(law)) return code
  }
  const named = REASONS[ARTICLE.exec(text)?.[1] ?? ''] ?? (WITHIN_UNION.test(text) ? 'E5' : OTHER_REASON)
  return exemptionReasonOf(group, named) ? named : OTHER_REASON
}

const exempt = (text: string, group: TaxGroupCode): Treatment => ({
  tax_treatment_code: EXEMPT,
  exemption_reason_code: reasonOf(text, group),
  exemption_reason_text: text,
})

const notSubject = (text: string): Treatment => ({
  tax_treatment_code: NON_TAXABLE,
  non_taxable_reason:
    !BY_PLACE.test(text) && BY_ARTICLE.test(text) ? 'ARTICLES_7_14_OTHER' : 'LOCATION_RULES',
})

/** Returns the treatment that a text names, or null. */
function treatmentIn(text: string | undefined, group: TaxGroupCode): Treatment | null {
  if (text === undefined) return null
  if (CHARGED_TO_BUYER.test(text)) return { tax_treatment_code: REVERSE_CHARGE }
  if (NOT_SUBJECT.test(text)) return notSubject(text)
  return FREE_OF_TAX.test(text) ? exempt(text, group) : null
}

/** Returns the treatment that a line states, or null. */
function ownTreatment(line: Cursor, group: TaxGroupCode): Treatment | null {
  const event = line.block('SpecialTaxableEvent')
  const code = event?.text('SpecialTaxableEventCode')
  const reason = event?.text('SpecialTaxableEventReason')
  if (code === EXEMPT_EVENT) return exempt(reason ?? EXEMPT_TEXT, group)
  if (code === NOT_SUBJECT_EVENT) {
    const treatment = notSubject(reason ?? '')
    const known = reason === undefined || Object.values(NOT_SUBJECT_TEXTS).includes(reason)
    return known ? treatment : { ...treatment, legal_literals: [{ legal_reference: reason }] }
  }
  return treatmentIn(line.text('AdditionalLineItemInformation'), group)
}

const isUntaxed = (line: Cursor): boolean => line.list('TaxesOutputs', 'Tax')[0]?.number('TaxRate') === 0

/**
 * Returns the treatment of lines that state none, according to the mentions of the document. Skips mentions of a
 * treatment that a line states itself, because they refer only to that line.
 */
export function sharedTreatment(
  lines: readonly Cursor[],
  group: TaxGroupCode,
  literals: readonly string[],
): Treatment {
  const own = new Set(lines.filter(isUntaxed).map((line) => ownTreatment(line, group)?.tax_treatment_code))
  for (const literal of literals) {
    const found = treatmentIn(literal, group)
    if (found && !own.has(found.tax_treatment_code)) return found
  }
  return { tax_treatment_code: TAXED }
}

/** Whether a mention states reverse charge. */
export const mentionsReverseCharge = (literals: readonly string[]): boolean =>
  literals.some((text) => CHARGED_TO_BUYER.test(text))

/**
 * Returns the treatment of a line from its rate, its event and its information; `shared` if the line states no
 * treatment.
 */
export const treatmentOf = (line: Cursor, rate: number, group: TaxGroupCode, shared: Treatment): Treatment =>
  rate === 0 ? (ownTreatment(line, group) ?? shared) : { tax_treatment_code: TAXED }

/** Regimes whose mention the law requires, by key (art. 6.1 RD 1619/2012). */
const REGIMES: readonly (readonly [key: string, mention: RegExp])[] = [
  ['07', /criterio\s+de\s+caja/i],
  ['05', /agencias\s+de\s+viajes?/i],
  ['03', /bienes\s+usados|objetos\s+de\s+arte|antig[uü]edades/i],
]

/** Returns the key of the special regime that a mention names. */
export const regimeNamed = (text: string): string | undefined =>
  /r[eé]gimen/i.test(text) ? REGIMES.find(([, mention]) => mention.test(text))?.[0] : undefined

/** A line with the regime key of its tax type, and the amounts that show whether it has a margin. */
interface Stated {
  readonly line: { readonly tax_regime_key?: string | undefined } & Pick<
    Line,
    'tax_treatment_code' | 'exemption_reason_code'
  >
  readonly gross: number
  readonly base: number
}

/**
 * Returns the regime key of each line, from its tax type and from the mentions of the document. Under the margin scheme
 * the base is less than the price. If some lines show a margin, only these are under the scheme. If no line does, the
 * mention applies to all taxed lines.
 */
export function regimeKeysOf(lines: readonly Stated[], literals: readonly string[]): (string | undefined)[] {
  const named = literals.map(regimeNamed)
  const isTyped = lines.some(({ line }) => line.tax_regime_key !== undefined)
  const margin = named.find((key) => isMarginKey(key) && !(isTyped && key === '05'))
  const isOpen = ({ line }: Stated) => line.tax_treatment_code === TAXED && line.tax_regime_key === undefined
  const isShown = lines.some((one) => isOpen(one) && showsMargin(one))
  return lines.map((one) => {
    if (margin !== undefined && isOpen(one) && (!isShown || showsMargin(one))) return margin
    const isCash = named.includes(CASH_BASIS) && isUnderCashBasis(one.line)
    return one.line.tax_regime_key ?? (isCash ? CASH_BASIS : undefined)
  })
}
