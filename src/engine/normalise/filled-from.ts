/** The fields that determine the values that the normalisation fills in. */

const LINE = '/invoice/lines/*'
const ENTRIES = '/invoice/taxes_outputs'

const ofLine = (...names: readonly string[]): readonly string[] => names.map((name) => `${LINE}/${name}`)

const CONSUMPTION = [
  'consumption_country_code',
  'consumption_tax_rate',
  'consumption_rate_type',
  'supply_type',
]

const TREATMENT = [
  ...ofLine('reverse_charge', 'exemption_reason_code', 'exemption_reason_text', 'non_taxable_reason'),
  ...ofLine('tax_output_rate', 'tax_regime_key', 'consumption_tax_amount', ...CONSUMPTION),
  ENTRIES,
  '/invoice/customer/country_code',
  ...['is_tai', 'tax_group_code'].map((name) => `/invoice/issue_data/${name}`),
  ...['country_code', 'company/address', 'person/address'].map((name) => `/invoice/supplier/${name}`),
]

/**
 * Fields that rules read and that the client may omit, each with the fields that its value then comes from; `*` is any
 * name or index.
 */
export const FILLED_FROM: Readonly<Record<string, readonly string[]>> = {
  '/invoice/*/company/address': ['/invoice/*/country_code'],
  '/invoice/*/person/address': ['/invoice/*/country_code'],
  [`${LINE}/tax_regime_key`]: [ENTRIES],
  [`${LINE}/tax_treatment_code`]: TREATMENT,
  [`${LINE}/non_taxable_reason`]: [...TREATMENT, `${LINE}/tax_treatment_code`],
  ...Object.fromEntries(ofLine(...CONSUMPTION).map((field) => [field, [`${LINE}/tax_regime_key`, ENTRIES]])),
}
