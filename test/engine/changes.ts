/** The changes made in golden documents and in their options: the mistakes of clients, and what they forget. */
import { type ValidationResult, validate } from '#engine/index.ts'
import { type Alternatives, type Changeable, equalTo, type Outcome } from '../changes.ts'
import { goldenInputs } from './golden-invoices.ts'

/** Other values of fields with a list of values: a plausible mistake, not nonsense. */
const VALUES: Readonly<Record<string, readonly unknown[]>> = {
  operation: ['import', 'received', 'issue'],
  totals: ['check', 'recalculate'],
  direction: ['issued', 'received'],
  person_type_code: ['F', 'J'],
  country_code: ['ES', 'FR', 'US'],
  consumption_country_code: ['ES', 'FR', 'US'],
  invoice_type_code: ['01', '02', '03', '05'],
  tax_group_code: ['IVA', 'IGIC', 'IPSI'],
  tax_regime_key: ['01', '02', '03', '07', '17'],
  tax_treatment_code: ['S1', 'S2', 'N1', 'N2', 'E1'],
  exemption_reason_code: ['E1', 'E2', 'E5'],
  non_taxable_reason: ['LOCATION_RULES', 'ARTICLES_7_14_OTHER'],
  tax_output_rate: [0, 4, 10, 21],
  tax_rate: [0, 4, 10, 21],
  tax_withheld_rate: [0, 15, 19],
  equivalence_surcharge: [0.5, 1.4, 5.2],
  post_code: ['28013', '35001'],
  issue_date: ['2012-08-31', '2026-03-16'],
  operation_date: ['2012-08-31', '2026-03-16'],
  invoice_currency_code: ['EUR', 'USD', 'JPY'],
  tax_id: ['B12345674', '12345678Z', 'FR40303265045', 'B00000000'],
}

function valuesOf(name: string, value: unknown): ReturnType<Alternatives['valuesOf']> {
  if (typeof value === 'boolean') return equalTo([!value])
  const values = equalTo(VALUES[name] ?? [])
  if (typeof value !== 'number') return values
  const next = (cents: number) => Number((value + cents / 100).toFixed(8))
  return [...values, ['+ 0.01', next(1)], ['+ 0.02', next(2)], ['negated', -value], ...equalTo([1e12])]
}

export const ALTERNATIVES: Alternatives = {
  valuesOf,
  additions: {
    options: {
      operation: ['import', 'received', 'issue'],
      totals: ['check', 'recalculate'],
      today: ['2026-03-16'],
      exchange_rate: [{ exchange_rate: 0.8, exchange_rate_date: '2026-03-13' }],
      company: [
        { tax_id: 'B12345674', default_tax_group: 'IVA', cash_basis: [{ start_date: '2024-01-01' }] },
      ],
    },
    header: {
      invoice_number: ['G-1'],
      corrective: [{ corrective_reason: '01', corrective_correction_type: '02' }],
    },
    issue_data: {
      issue_date: ['2012-08-31', '2026-03-16'],
      operation_date: ['2012-08-31', '2026-03-16'],
      is_tai: [false],
      tax_group_code: ['IGIC', 'IPSI'],
      invoice_currency: [
        { invoice_currency_code: 'USD', exchange_rate: 0.9, exchange_rate_date: '2026-03-16' },
        { invoice_currency_code: 'JPY' },
      ],
    },
    lines: {
      tax_treatment_code: ['S2', 'N1'],
      tax_regime_key: ['02', '03', '07', '17'],
      reverse_charge: [true],
      exemption_reason_code: ['E1', 'E5'],
      non_taxable_reason: ['LOCATION_RULES', 'ARTICLES_7_14_OTHER'],
      unit_of_measure: ['kg', 'brazas'],
      discount_amount: [1.005],
      tax_withheld_rate: [15],
      purchase_price_incl: [50],
      deduction_rate: [50],
      consumption_country_code: ['FR'],
      consumption_tax_rate: [20],
      total_cost_without_tax: [1],
      gross_amount_without_tax: [1],
      gross_amount_with_tax: [1],
      tax_output_amount: [1],
      tax_withheld_amount: [1],
    },
    taxes_outputs: {
      tax_regime_key: ['02', '17'],
      exemption_reason_code: ['E1'],
      equivalence_surcharge: [5.2],
      equivalence_surcharge_amount: [5.2],
    },
    totals: {
      general_discounts: [[{ discount_rate: 10 }, { discount_amount: 1 }]],
      general_surcharges: [[{ charge_rate: 10 }, { charge_amount: 1 }]],
      payments_on_account: [[{ payment_on_account_amount: 10 }]],
      reimbursable_expenses: [[{ reimbursable_expenses_amount: 10 }]],
      total_general_discounts: [10],
      total_payments_on_account: [10],
      total_reimbursable_expenses: [10],
      total_taxes_withheld: [10],
      total_executable_amount: [10],
      rounding_amount: [0.01],
    },
    invoice: {
      taxes_withheld: [[{ tax_rate: 15, taxable_base: 100, tax_amount: 15 }]],
      payment_details: [
        [{ installment_amount: 10 }],
        [{ installment_amount: 10 }, { installment_amount: 10, installment_due_date: '2026-04-30' }],
      ],
      legal_literals: [[{ legal_reference: 'Inversión del sujeto pasivo.' }]],
    },
  },
}

/** The result of a changed document; undefined if an option of it makes `validate` throw. */
export interface GoldenOutcome extends Outcome {
  readonly result: ValidationResult | undefined
}

/** Returns the golden documents, with the options that they are validated with. */
export const goldenChangeables = (): Changeable<GoldenOutcome>[] =>
  goldenInputs().map(({ name, input, options }) => ({
    name,
    document: { options, ...(input as object) },
    outcomeOf({ options: changed, ...document }) {
      try {
        const result = validate(document, changed)
        const codes = new Set<string>(result.errors.map(({ code }) => code))
        return { codes, isBlocked: result.data === null, result }
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        return { codes: new Set(['TypeError']), isBlocked: true, result: undefined }
      }
    },
  }))
