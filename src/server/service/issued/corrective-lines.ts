/**
 * Builds the lines of a corrective invoice by differences. The client sends description, quantity and price. The
 * taxation comes from the corrected invoice if it is unambiguous.
 */
import { type CanonicalInvoice, isMarginKey, type Text } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { DifferenceLine } from '../../shapes/schemas.ts'

type Members = Readonly<Record<string, unknown>>

/** Returns the error for a corrective draft that cannot be built. `reason` is for programs, `hint` for people. */
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

const rateOf = ({ tax_output_rate }: Members): number => Number(tax_output_rate ?? 0)

const NAME_THE_RATE = {
  en: 'The corrected invoice has several tax rates. Send tax_output_rate on each line, or create the draft with PUT /drafts.',
  es: 'La factura rectificada tiene varios tipos impositivos. Envíe tax_output_rate en cada línea o cree el borrador con PUT /drafts.',
}
const NAME_THE_TAXATION = {
  en: 'The lines of the corrected invoice at this tax rate differ in regime key, exemption or other tax fields. Create the draft with PUT /drafts, with these fields on each line.',
  es: 'Las líneas de la factura rectificada con este tipo difieren en la clave de régimen, la exención u otros campos fiscales. Cree el borrador con PUT /drafts, con esos campos en cada línea.',
}
const NAME_THE_WITHHOLDING = {
  en: 'The corrected invoice has several withholding rates. Create the draft with PUT /drafts.',
  es: 'La factura rectificada tiene varios tipos de retención. Cree el borrador con PUT /drafts.',
}

const STATE_THE_PURCHASE_PRICE = {
  en: 'Only the margin of these lines is taxed, and the request has no purchase price. Correct by substitution, or create the draft with PUT /drafts, with purchase_price_incl on each line (arts. 137 and 145 Ley 37/1992).',
  es: 'De estas líneas solo tributa el margen, y la petición no lleva el precio de compra. Rectifique por sustitución o cree el borrador con PUT /drafts, con purchase_price_incl en cada línea (arts. 137 y 145 Ley 37/1992).',
}

/** Whether only the margin of the lines is taxed. Without any purchase price, the whole price is. */
const isOnMargin = (lines: CanonicalInvoice['invoice']['lines']): boolean =>
  lines.every(({ tax_regime_key: key }) => isMarginKey(key)) &&
  lines.some(({ purchase_price_incl: price }) => price !== undefined)

/** Returns the taxation of a line. Throws `corrective_draft_invalid` if the corrected invoice is ambiguous. */
function taxationOf(
  lines: CanonicalInvoice['invoice']['lines'],
  rate: number | undefined,
  index: number,
): Members {
  const path = `/lines/${index}`
  const all = distinct(lines, TAXATION)
  const candidates = rate === undefined ? all : all.filter((one) => rateOf(one) === rate)
  if (candidates.length > 1) {
    const rates = [...new Set(candidates.map(rateOf))]
    throw rates.length > 1
      ? cannotCorrect('tax_rate_ambiguous', NAME_THE_RATE, { path, allowed: rates })
      : cannotCorrect('taxation_ambiguous', NAME_THE_TAXATION, { path })
  }
  const [only] = candidates
  const key = JSON.stringify(only)
  const same = only ? lines.filter((line) => JSON.stringify(picked(line, TAXATION)) === key) : lines
  if (isOnMargin(same)) throw cannotCorrect('margin_scheme', STATE_THE_PURCHASE_PRICE, { path })
  // The corrected invoice does not have this rate. The correction may be of the rate itself.
  if (!only)
    return {
      ...common(lines, ['tax_regime_key']),
      ...common(lines, ['tax_withheld_rate']),
      tax_output_rate: rate,
    }
  const withholdings = distinct(same, ['tax_withheld_rate'])
  if (withholdings.length > 1)
    throw cannotCorrect('withholding_ambiguous', NAME_THE_WITHHOLDING, {
      path,
      allowed: withholdings.map(({ tax_withheld_rate }) => tax_withheld_rate ?? null),
    })
  return { ...only, ...withholdings[0] }
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

const NAME_THE_SURCHARGE = {
  en: 'The corrected invoice has goods with and without equivalence surcharge at the same tax rate. Create the draft with PUT /drafts.',
  es: 'La factura rectificada tiene bienes con y sin recargo de equivalencia al mismo tipo. Cree el borrador con PUT /drafts.',
}

/**
 * Returns the breakdown with the equivalence surcharge of the corrected invoice (arts. 154-161 Ley 37/1992), because
 * lines have no surcharge. Returns undefined if the corrected invoice has none: the lines then determine the breakdown.
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
    if (rates.length > 1 || byAmount)
      throw cannotCorrect('equivalence_surcharge_ambiguous', NAME_THE_SURCHARGE)
    return { ...picked(entry, [...GROUP, 'taxable_base', 'tax_amount']), ...rates[0] }
  })
}
