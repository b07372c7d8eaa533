/**
 * Builds the lines of a corrective invoice by differences. The client sends description, quantity and price of each
 * line. Their taxation is copied from the corrected invoice if all its lines, or those with the requested rate, agree.
 */
import type { CanonicalInvoice, Text } from '#core/invoice/index.ts'
import { isMarginKey } from '#core/invoice/terms.ts'
import { ApiError } from '../../errors/api-error.ts'
import {
  NAME_THE_RATE,
  NAME_THE_SURCHARGE,
  NAME_THE_TAXATION,
  NAME_THE_WITHHOLDING,
  STATE_THE_PURCHASE_PRICE,
} from '../../generated/texts/corrections.ts'
import type { DifferenceLine } from '../../shapes/schemas.ts'

type Members = Readonly<Record<string, unknown>>

/** Returns the error for a corrective draft that cannot be built. Programs read `reason`, people read `hint`. */
export const cannotCorrect = (reason: string, hint: Text, extra: Members = {}): ApiError =>
  new ApiError('corrective_draft_invalid', { reason, hint, ...extra })

const TAXATION = [
  'tax_output_rate',
  'tax_treatment_code',
  'reverse_charge',
  'exemption_reason_code',
  'exemption_reason_text',
  'non_taxable_reason',
  'tax_regime_key',
  'tax_regime_description',
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_rate_type',
  'supply_type',
] as const

function picked(source: object, names: readonly string[]): Members {
  const members: Members = { ...source }
  return Object.fromEntries(
    names.flatMap((name) => (members[name] === undefined ? [] : [[name, members[name]]])),
  )
}

/** Returns the distinct values of some members of the lines, in order of first appearance. */
const distinct = (lines: readonly object[], names: readonly string[]): readonly Members[] => [
  ...new Map(
    lines.map((line) => {
      const values = picked(line, names)
      return [JSON.stringify(values), values]
    }),
  ).values(),
]

/** Returns the members if all lines have the same values; an empty object if any value differs. */
const common = (lines: readonly object[], names: readonly string[]): Members => {
  const [only = {}, ...others] = distinct(lines, names)
  return others.length === 0 ? only : {}
}

type Lines = CanonicalInvoice['invoice']['lines']

const rateOf = ({ tax_output_rate }: Lines[number]): number => tax_output_rate ?? 0

/** Whether only the margin of the lines is taxed. If no line states a purchase price, the whole price is taxed. */
const isOnMargin = (lines: Lines): boolean =>
  lines.every(({ tax_regime_key: key }) => isMarginKey(key)) &&
  lines.some(({ purchase_price_incl: price }) => price !== undefined)

/** Returns the tax rates that, if requested, determine the taxation of a line unambiguously. */
const clearRates = (lines: Lines): readonly number[] =>
  [...new Set(lines.map(rateOf))].filter((rate) => {
    const same = lines.filter((line) => rateOf(line) === rate)
    return distinct(same, [...TAXATION, 'tax_withheld_rate']).length === 1 && !isOnMargin(same)
  })

/** Returns the taxation of a line. Throws `corrective_draft_invalid` if it is ambiguous in the corrected invoice. */
function taxationOf(lines: Lines, rate: number | undefined, index: number): Members {
  const path = `/lines/${index}`
  const atRate = rate === undefined ? lines : lines.filter((line) => rateOf(line) === rate)
  // The corrected invoice may not have this rate, because the correction may change the rate itself.
  const isNew = atRate.length === 0
  const onPrice = lines.filter(({ tax_regime_key: key }) => !isMarginKey(key))
  const same = [atRate, onPrice, lines].find((some) => some.length > 0) ?? []
  const [taxation, ...others] = distinct(same, isNew ? ['tax_regime_key'] : TAXATION)
  if (others.length > 0) {
    const allowed = rate === undefined ? clearRates(lines) : []
    throw allowed.length > 0
      ? cannotCorrect('tax_rate_ambiguous', NAME_THE_RATE, { path, allowed })
      : cannotCorrect('taxation_ambiguous', NAME_THE_TAXATION, { path })
  }
  if (isOnMargin(same)) throw cannotCorrect('margin_scheme', STATE_THE_PURCHASE_PRICE, { path })
  const withholdings = distinct(same, ['tax_withheld_rate'])
  if (withholdings.length > 1)
    throw cannotCorrect('withholding_ambiguous', NAME_THE_WITHHOLDING, {
      path,
      allowed: withholdings.map(({ tax_withheld_rate }) => tax_withheld_rate ?? null),
    })
  return { ...taxation, ...withholdings[0], ...(isNew && { tax_output_rate: rate }) }
}

/** Returns the lines of the draft. Throws `corrective_draft_invalid`. */
export const differenceLines = (
  { invoice }: CanonicalInvoice,
  lines: readonly DifferenceLine[],
): readonly Members[] =>
  lines.map(({ description, quantity, unit_price_without_tax, tax_output_rate }, index) => ({
    item_description: description,
    ...common(invoice.lines, ['item_type']),
    quantity,
    unit_price_without_tax,
    ...taxationOf(invoice.lines, tax_output_rate ?? undefined, index),
  }))

const GROUP = ['tax_rate', ...TAXATION.slice(1), 'consumption_tax_amount'] as const

/**
 * Returns the tax breakdown with the equivalence surcharge of the corrected invoice (arts. 154-161 Ley 37/1992),
 * because lines cannot state a surcharge. Returns undefined if the corrected invoice has none; the breakdown is then
 * computed from the lines.
 */
export function withSurcharge(
  original: CanonicalInvoice,
  computed: CanonicalInvoice,
): readonly Members[] | undefined {
  const entries = original.invoice.taxes_outputs ?? []
  if (
    !entries.some(({ equivalence_surcharge: rate, equivalence_surcharge_amount: amount }) => rate || amount)
  )
    return undefined
  return (computed.invoice.taxes_outputs ?? []).map((entry) => {
    const same = entries.filter(
      ({ tax_rate, tax_regime_key, tax_treatment_code }) =>
        tax_rate === entry.tax_rate &&
        tax_regime_key === entry.tax_regime_key &&
        tax_treatment_code === entry.tax_treatment_code,
    )
    const rates = distinct(same, ['equivalence_surcharge'])
    const byAmount = same.some(
      ({ equivalence_surcharge: rate, equivalence_surcharge_amount: amount }) => amount && rate === undefined,
    )
    if (rates.length !== 1 || byAmount)
      throw cannotCorrect('equivalence_surcharge_ambiguous', NAME_THE_SURCHARGE)
    return { ...picked(entry, [...GROUP, 'taxable_base', 'tax_amount']), ...rates[0] }
  })
}
