/** Maps tax categories (UNTDID 5305, VATEX) to and from the treatments of json_1_1. */
import { exemptionReasonOf } from '#core/catalogs/index.ts'
import type { EnInvoice, Tax } from './en16931-model.ts'
import table from './tax-categories.json' with { type: 'json' }

export type TaxGroup = 'IVA' | 'IGIC' | 'IPSI'

/** The members of a json_1_1 line that correspond to a tax category. */
export interface Treatment {
  readonly tax_treatment_code:
    | 'TAXABLE_NON_EXEMPT'
    | 'TAXABLE_NON_EXEMPT_RC'
    | 'TAXABLE_EXEMPT'
    | 'NON_TAXABLE'
  readonly tax_output_rate?: number
  readonly exemption_reason_code?: string
  readonly exemption_reason_text?: string
  readonly non_taxable_reason?: string
}

const GROUPS: readonly TaxGroup[] = ['IVA', 'IGIC', 'IPSI']
const CODES = ['E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'] as const
const MAX_TEXT = 2500

interface Named {
  readonly group: TaxGroup
  readonly code: string
  readonly name: string
}

let names: readonly Named[] | undefined

/** Returns the reasons of the catalog with their names. The name is written if VATEX has no code for the reason. */
const namedReasons = (): readonly Named[] => {
  names ??= GROUPS.flatMap((group) =>
    CODES.flatMap((code) => {
      const name = exemptionReasonOf(group, code)?.name
      return name === undefined ? [] : { group, code, name }
    }),
  )
  return names
}

/** Separator between the name of a reason and further text. */
const SEPARATOR = ': '

interface Reason {
  readonly group?: TaxGroup
  readonly code: string
  readonly text?: string | undefined
}

/** If the text begins with the name of a reason, returns the reason and the rest of the text. */
function namedReason(text: string, wanted: TaxGroup | undefined): Reason | undefined {
  const found = namedReasons().filter(({ name }) => text === name || text.startsWith(`${name}${SEPARATOR}`))
  const best = found.find(({ group }) => group === wanted) ?? found[0]
  if (!best) return undefined
  const rest = text.slice(best.name.length + SEPARATOR.length)
  // Some reasons have the same name in all groups, so the name does not determine the group.
  const sure = found.length === 1 ? { group: best.group } : {}
  return { ...sure, code: best.code, text: rest || undefined }
}

const ARTICLES: readonly (readonly [RegExp, string])[] = table.articles.map(([pattern = '', code = '']) => [
  new RegExp(pattern, 'i'),
  code,
])

const vatexReason = (code: string): string | undefined =>
  table.vatex.find(([start]) => code === start || code.startsWith(`${start}-`))?.[1]

/**
 * VATEX codes that this project writes. They contain no more information than the reason, so no text is kept for them.
 */
const OWN_CODES: ReadonlySet<string> = new Set(
  Object.values(table.exempt).flatMap((row) => ('vatex' in row ? [row.vatex] : [])),
)

const lastReason = (group: TaxGroup): string => (group === 'IGIC' ? 'E8' : 'E6')

/** IVA exemption reasons implied by the category alone. */
const OF_CATEGORY: Readonly<Record<string, string>> = { G: 'E2', K: 'E5' }

/** Returns the IVA exemption reason that a VATEX code, or an article in the text, identifies. */
const ivaReason = (code = '', reason = ''): string | undefined =>
  vatexReason(code) ?? ARTICLES.find(([pattern]) => pattern.test(reason))?.[1]

/** Returns the exemption reason of an entry of category E or G. */
function exemptReason({ category, reason, reasonCode }: Tax, group: TaxGroup): Reason {
  const named = reason === undefined ? undefined : namedReason(reason, group)
  if (named) return named
  const code = reasonCode?.toUpperCase()
  const finer = code !== undefined && !OWN_CODES.has(code)
  const text = finer ? (reason === undefined ? code : `${code}${SEPARATOR}${reason}`) : reason
  const known = group === 'IVA' ? (OF_CATEGORY[category] ?? ivaReason(code, reason)) : undefined
  return { code: known ?? lastReason(group), text }
}

/**
 * Matches the articles on operations that are not subject to tax by their nature. All others are not subject because of
 * the place of supply.
 */
const BY_NATURE = /\bart(?:s?\.|[íi]culos?)\s*(?:7|14)\b/i

/** Returns the note that names the tax of a document whose categories do not imply it. */
export const taxGroupText = (group: TaxGroup): string => `Impuesto: ${group}`

/**
 * Returns the tax groups of a document, from categories L and M; otherwise from the note that this project writes and
 * from the names of exemption reasons.
 */
export function taxGroupsOf({ lines, allowances, taxes, notes }: EnInvoice): TaxGroup[] {
  const found = new Set<TaxGroup>()
  const categories = new Set([...lines, ...allowances, ...taxes].map(({ category }) => category))
  if (categories.has('L')) found.add('IGIC')
  if (categories.has('M')) found.add('IPSI')
  if (categories.has('S') || categories.has('Z')) found.add('IVA')
  if (found.size > 0) return [...found]
  const noted = GROUPS.filter((group) => notes.some(({ text }) => text === taxGroupText(group)))
  const named = taxes.map(({ reason }) => (reason === undefined ? undefined : namedReason(reason, undefined)))
  const groups = noted.length > 0 ? noted : named.flatMap((one) => one?.group ?? [])
  return groups.length > 0 ? [...new Set(groups)] : ['IVA']
}

/**
 * Returns the treatment of a breakdown entry. Category K of a foreign supplier is reverse charge for the Spanish buyer,
 * like AE.
 */
export function treatmentOfTax(tax: Tax, group: TaxGroup, isForeign: boolean): Treatment | undefined {
  switch (tax.category) {
    case 'S':
    case 'L':
    case 'M':
    case 'Z':
      return { tax_treatment_code: 'TAXABLE_NON_EXEMPT', tax_output_rate: tax.rate ?? 0 }
    case 'AE':
      return { tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' }
    case 'K':
      if (isForeign) return { tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC' }
      return exempt(exemptReason(tax, group))
    case 'E':
    case 'G':
      return exempt(exemptReason(tax, group))
    case 'O': {
      const reason = BY_NATURE.test(tax.reason ?? '') ? 'ARTICLES_7_14_OTHER' : 'LOCATION_RULES'
      return { tax_treatment_code: 'NON_TAXABLE', non_taxable_reason: reason }
    }
    default:
      return undefined
  }
}

const exempt = ({ code, text }: Reason): Treatment => ({
  tax_treatment_code: 'TAXABLE_EXEMPT',
  exemption_reason_code: code,
  ...(text === undefined ? {} : { exemption_reason_text: text.slice(0, MAX_TEXT) }),
})

/** Matches the text of a reason that begins with a code of VATEX. */
const VATEX_TEXT = /^(VATEX-[A-Z0-9-]+)(?:: ([\s\S]*))?$/

export interface Exemption {
  readonly category: string
  readonly reasonCode?: string | undefined
  readonly reason?: string | undefined
}

/** Returns the category of an exemption, with its code or its name and any further text. */
export function exemptionOf(group: TaxGroup, code: string, text: string | undefined): Exemption {
  const name = exemptionReasonOf(group, code)?.name ?? ''
  const row =
    group === 'IVA'
      ? (table.exempt as Record<string, Omit<Exemption, 'reason'> & { vatex?: string }>)[code]
      : undefined
  const [, finer, rest] = VATEX_TEXT.exec(text ?? '') ?? []
  const category = row?.category ?? 'E'
  if (group === 'IVA' && finer !== undefined) return { category, reasonCode: finer, reason: rest }
  if (row?.vatex !== undefined) return { category, reasonCode: row.vatex, reason: text ?? name }
  return { category, reason: text === undefined ? name : `${name}${SEPARATOR}${text}` }
}
