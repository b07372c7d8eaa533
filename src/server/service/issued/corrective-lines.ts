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

type Lines = CanonicalInvoice['invoice']['lines']

const rateOf = ({ tax_output_rate }: Lines[number]): number => tax_output_rate ?? 0

const USE_A_DRAFT = {
  en: 'create the draft with PUT /drafts, with header.corrective and, on each line, the tax fields and the tax_withheld_rate of the line that it corrects.',
  es: 'cree el borrador con PUT /drafts, con header.corrective y, en cada línea, los campos fiscales y el tax_withheld_rate de la línea que rectifica.',
}
const NAME_THE_RATE = {
  en: `The corrected invoice has several tax rates. Send a tax_output_rate of allowed. To correct a line at another rate, ${USE_A_DRAFT.en}`,
  es: `La factura rectificada tiene varios tipos impositivos. Envíe un tax_output_rate de allowed. Para rectificar una línea de otro tipo, ${USE_A_DRAFT.es}`,
}
const NAME_THE_TAXATION = {
  en: `The lines of the corrected invoice that this line may correct differ in regime key, exemption or other tax fields: ${USE_A_DRAFT.en}`,
  es: `Las líneas de la factura rectificada que esta línea puede rectificar difieren en la clave de régimen, la exención u otros campos fiscales: ${USE_A_DRAFT.es}`,
}
const NAME_THE_WITHHOLDING = {
  en: `The lines of the corrected invoice that this line may correct have several withholding rates: ${USE_A_DRAFT.en}`,
  es: `Las líneas de la factura rectificada que esta línea puede rectificar tienen varios tipos de retención: ${USE_A_DRAFT.es}`,
}

const STATE_THE_PURCHASE_PRICE = {
  en: 'Only the margin of these lines is taxed, and the request has no purchase price. Correct by substitution, or create the draft with PUT /drafts, with purchase_price_incl on each line (arts. 137 and 145 Ley 37/1992).',
  es: 'De estas líneas solo tributa el margen, y la petición no lleva el precio de compra. Rectifique por sustitución o cree el borrador con PUT /drafts, con purchase_price_incl en cada línea (arts. 137 y 145 Ley 37/1992).',
}

/** Whether only the margin of the lines is taxed. Without any purchase price, the whole price is. */
const isOnMargin = (lines: Lines): boolean =>
  lines.every(({ tax_regime_key: key }) => isMarginKey(key)) &&
  lines.some(({ purchase_price_incl: price }) => price !== undefined)

/** Returns the rates that determine how a line is taxed. */
const clearRates = (lines: Lines): readonly number[] =>
  [...new Set(lines.map(rateOf))].filter((rate) => {
    const same = lines.filter((line) => rateOf(line) === rate)
    return distinct(same, [...TAXATION, 'tax_withheld_rate']).length === 1 && !isOnMargin(same)
  })

/** Returns the taxation of a line. Throws `corrective_draft_invalid` if the corrected invoice is ambiguous. */
function taxationOf(lines: Lines, rate: number | undefined, index: number): Members {
  const path = `/lines/${index}`
  const atRate = rate === undefined ? lines : lines.filter((line) => rateOf(line) === rate)
  // The corrected invoice may not have this rate, because the correction may be of the rate itself.
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

const NAME_THE_SURCHARGE = {
  en: 'The corrected invoice does not determine the equivalence surcharge of each tax rate. Create the draft with PUT /drafts, with header.corrective and, in taxes_outputs, the equivalence_surcharge of each rate.',
  es: 'La factura rectificada no determina el recargo de equivalencia de cada tipo. Cree el borrador con PUT /drafts, con header.corrective y, en taxes_outputs, el equivalence_surcharge de cada tipo.',
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
    if (rates.length !== 1 || byAmount)
      throw cannotCorrect('equivalence_surcharge_ambiguous', NAME_THE_SURCHARGE)
    return { ...picked(entry, [...GROUP, 'taxable_base', 'tax_amount']), ...rates[0] }
  })
}
