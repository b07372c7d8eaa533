/** Finds the family of a code: the file of `rules/` that declares it. */
import { moduleOf } from '../source-module.mjs'

export const FAMILIES = [
  { file: 'schema', name: 'SCHEMA_RULES', title: 'Schema' },
  { file: 'parties', name: 'PARTY_RULES', title: 'Parties' },
  { file: 'header', name: 'HEADER_RULES', title: 'Header and issue data' },
  { file: 'lines', name: 'LINE_RULES', title: 'Lines' },
  { file: 'taxes', name: 'TAX_RULES', title: 'Taxes' },
  { file: 'breakdown', name: 'BREAKDOWN_RULES', title: 'Withholding, surcharge and the breakdown sent' },
  { file: 'regimes', name: 'REGIME_RULES', title: 'Regimes' },
  { file: 'one-stop-shop', name: 'ONE_STOP_SHOP_RULES', title: 'One-stop shop' },
  { file: 'consumption-tax', name: 'CONSUMPTION_TAX_RULES', title: 'Foreign tax of the one-stop shop' },
  { file: 'totals', name: 'TOTAL_RULES', title: 'Totals, payment and precision' },
  { file: 'advice', name: 'ADVICE_RULES', title: 'What an adviser would question' },
]

/** Returns `[{ title, file, codes }]`, in the order of the rules. */
export async function families() {
  const contents = FAMILIES.map(({ file, name }) => `export { ${name} } from './rules/${file}.ts'`).join('\n')
  const declared = await moduleOf(contents)
  return FAMILIES.map(({ file, name, title }) => ({
    title,
    file,
    codes: declared[name].map((rule) => rule.code),
  }))
}
