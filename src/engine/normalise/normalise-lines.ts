/** Normalises lines: numbering, units, treatment, reasons and regime key. All other fields are kept as sent. */
import { unitOf } from '#core/catalogs/index.ts'
import type { Customer, IssueData, Line, TaxOutput } from '#core/invoice/index.ts'
import {
  EXEMPT,
  hasConsumptionField,
  isMarginKey,
  NON_TAXABLE,
  REVERSE_CHARGE,
  TAXED,
} from '#core/invoice/terms.ts'
import type { NormalisationFacts, UsedFeatures } from './facts.ts'
import { roundDecimal, roundMembers } from './normalise-numbers.ts'
import { consumptionState } from './normalise-party.ts'

/** Data of the document that the normalisation of a line needs. */
export interface LineContext {
  readonly issued: boolean
  readonly issue: IssueData
  readonly customer: Customer | undefined
  readonly decimals: number
  readonly regimeKey: (line: Line) => string
  readonly consumption: TaxOutput | undefined
  readonly facts: NormalisationFacts
}

/** Names of rate fields that few lines have. */
const RARE_RATES = [
  'discount_rate',
  'charge_rate',
  'tax_withheld_rate',
  'consumption_tax_rate',
  'deduction_rate',
]
const RARE_AMOUNTS = ['discount_amount', 'charge_amount', 'consumption_tax_amount', 'purchase_price_incl']

/**
 * Whether the line has regime key 17 and its recipient is abroad or absent. Such a line is not subject to tax in Spain
 * (API specification, "Regime key rules").
 */
const isDistanceSale = (key: string, context: LineContext): boolean =>
  key === '17' &&
  context.issued &&
  context.issue.tax_group_code === 'IVA' &&
  (context.customer === undefined || context.customer.country_code !== 'ES')

/**
 * Returns the treatment of a line that states no treatment (calculation page, section 6). A positive Spanish rate
 * always means "taxable". If other fields contradict the rate, a rule reports the contradiction; the rate is kept.
 */
function deduceTreatment(line: Line, key: string, consumption: boolean, context: LineContext): string {
  if (line.reverse_charge === true) return REVERSE_CHARGE
  if (line.exemption_reason_code !== undefined || line.exemption_reason_text !== undefined) return EXEMPT
  if (line.non_taxable_reason !== undefined || consumption) return NON_TAXABLE
  const taxed = line.tax_output_rate !== undefined && line.tax_output_rate > 0
  if (!taxed && context.issue.is_tai === false && context.issue.tax_group_code === 'IVA') return NON_TAXABLE
  return !taxed && isDistanceSale(key, context) ? NON_TAXABLE : TAXED
}

/** The fields of the foreign tax that a line takes from the breakdown. */
export const CONSUMPTION = [
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_rate_type',
  'supply_type',
] as const

/** Returns a one-stop-shop line. If it states no foreign tax, adds the foreign tax of the breakdown entry. */
function withConsumption(sent: Line, entry: TaxOutput | undefined): Line {
  if (!entry || hasConsumptionField(sent)) return sent
  const line: Line = { ...sent }
  for (const name of CONSUMPTION)
    if (entry[name] !== undefined) (line as unknown as Record<string, unknown>)[name] = entry[name]
  return line
}

/** Returns the entry of the breakdown with foreign tax, if there is exactly one. */
export function consumptionEntry(entries: readonly TaxOutput[] | undefined): TaxOutput | undefined {
  const found = entries?.filter(
    (entry) => entry.consumption_country_code !== undefined || entry.consumption_tax_rate !== undefined,
  )
  return found?.length === 1 ? found[0] : undefined
}

/** Rounds quantity, price and rate, which every line has. */
function roundCommonNumbers(line: Line, sent: Line, facts: NormalisationFacts, index: number): void {
  line.quantity = roundDecimal(sent.quantity, facts, index, 'quantity')
  if (sent.unit_price_with_tax !== undefined) {
    facts.uses.withTax = true
    line.unit_price_with_tax = roundDecimal(sent.unit_price_with_tax, facts, index, 'unit_price_with_tax')
  } else {
    facts.uses.withoutTax = true
    line.unit_price_without_tax = roundDecimal(
      sent.unit_price_without_tax!,
      facts,
      index,
      'unit_price_without_tax',
    )
  }
  if (sent.tax_output_rate !== undefined)
    line.tax_output_rate = roundDecimal(sent.tax_output_rate, facts, index, 'tax_output_rate')
}

/** Whether the client sent a computed amount. */
const hasAmounts = (line: Line): boolean =>
  !Number.isNaN(line.total_cost_without_tax) ||
  !Number.isNaN(line.gross_amount_without_tax) ||
  !Number.isNaN(line.total_cost_with_tax) ||
  !Number.isNaN(line.gross_amount_with_tax) ||
  !Number.isNaN(line.tax_output_base) ||
  !Number.isNaN(line.tax_output_amount) ||
  line.tax_withheld_base !== undefined ||
  line.tax_withheld_amount !== undefined

/** Records the features that a line uses. Returns whether the line has numbers other than quantity, price and rate. */
function noteUses(sent: Line, key: string, consumption: boolean, uses: UsedFeatures): boolean {
  let rare = consumption
  if (consumption) uses.consumption = true
  if (
    sent.discount_rate !== undefined ||
    sent.discount_amount !== undefined ||
    sent.charge_rate !== undefined ||
    sent.charge_amount !== undefined
  ) {
    uses.adjustments = true
    rare = true
  }
  if (sent.tax_withheld_rate !== undefined) {
    uses.withholding = true
    rare = true
  }
  if (sent.purchase_price_incl !== undefined) {
    uses.purchasePrice = true
    rare = true
  }
  if (sent.deduction_rate !== undefined || sent.non_deductible_reason !== undefined) {
    uses.deduction = true
    rare = true
  }
  if (sent.line_item_period_end_date !== undefined) uses.periods = true
  if (key !== '01') {
    uses.keys = true
    if (key === '17') uses.oneStopShop = true
    else if (key === '07') uses.cashBasis = true
    else if (isMarginKey(key)) uses.margin = true
  }
  return rare
}

const namesTreatment = (sent: Line): boolean =>
  sent.reverse_charge !== undefined ||
  sent.exemption_reason_code !== undefined ||
  sent.exemption_reason_text !== undefined ||
  sent.non_taxable_reason !== undefined

/**
 * Returns the engine's copy of a line. The fields that every line has come first, in the order of the API specification
 * and with initial values; then the other fields sent. An amount that was not sent is NaN in the copy.
 */
const copyLine = (sent: Line): Line => ({
  sequence_number: 0,
  tax_treatment_code: '',
  tax_regime_key: '',
  total_cost_without_tax: NaN,
  gross_amount_without_tax: NaN,
  total_cost_with_tax: NaN,
  gross_amount_with_tax: NaN,
  tax_output_base: NaN,
  tax_output_amount: NaN,
  taxable: true,
  exempt: false,
  tax_category_code: '',
  tax_output_code: '',
  ...sent,
})

export function normaliseLine(original: Line, index: number, context: LineContext): Line {
  const { facts, decimals } = context
  const { uses } = facts
  const key = context.regimeKey(original)
  const sent = key === '17' ? withConsumption(original, context.consumption) : original
  const line = copyLine(sent)
  line.sequence_number = sent.sequence_number ?? index + 1
  line.tax_regime_key = key
  roundCommonNumbers(line, sent, facts, index)
  if (hasAmounts(line)) uses.lineAmounts = true
  const consumption = hasConsumptionField(sent)
  const rare = noteUses(sent, key, consumption, uses)
  if (sent.consumption_country_code !== undefined)
    line.consumption_country_code = consumptionState(sent.consumption_country_code)
  if (sent.unit_of_measure !== undefined) {
    uses.units = true
    line.unit_of_measure = unitOf(sent.unit_of_measure) ?? sent.unit_of_measure
  }
  const treatment = sent.tax_treatment_code ?? deduceTreatment(sent, key, consumption, context)
  line.tax_treatment_code = treatment
  if (treatment === NON_TAXABLE && sent.non_taxable_reason === undefined)
    line.non_taxable_reason = 'LOCATION_RULES'
  if (treatment !== TAXED || namesTreatment(sent)) uses.treatments = true
  if (rare) {
    const members = line as unknown as Record<string, unknown>
    roundMembers(members, RARE_RATES, null, facts, index)
    roundMembers(members, RARE_AMOUNTS, decimals, facts, index)
  }
  if (sent.invoice_currency) line.invoice_currency = { ...sent.invoice_currency }
  return line
}
