/** All lines, and what is said of all of them at once: prices with or without tax, the withholding. */

import { valueAt } from '../../invoice/index.ts'
import type { Assessment } from '../assess/assess.ts'
import type { Change } from '../document/edit.ts'
import { choicesOf } from '../words/catalog-names.ts'
import { useWords } from '../words/ui.ts'
import type { FormContext } from './form-context.ts'
import { LineFields } from './line.tsx'

interface LinesProps extends FormContext {
  readonly assessment: Assessment
}

const WITH = 'unit_price_with_tax'
const WITHOUT = 'unit_price_without_tax'

/** Moves the price of every line to the other member. */
const priceChanges = (lines: readonly unknown[], to: string): Change[] =>
  lines.flatMap((line, index): Change[] => {
    const from = to === WITH ? WITHOUT : WITH
    const value = valueAt(line, `/${from}`)
    const at = `/invoice/lines/${index}`
    return value === undefined
      ? []
      : [
          [`${at}/${from}`, undefined],
          [`${at}/${to}`, value],
        ]
  })

export function LinesFields({ assessment, change, choices }: LinesProps) {
  const { words } = useWords()
  const { document, problems, data } = assessment
  const found = valueAt(document, '/invoice/lines')
  const lines = Array.isArray(found) ? found : []
  const withTax = lines.filter((line) => valueAt(line, `/${WITH}`) !== undefined).length
  const mode = withTax === 0 ? WITHOUT : withTax === lines.length ? WITH : 'mixed'
  const rates = new Set(lines.map((line) => valueAt(line, '/tax_withheld_rate')))
  const withheld = rates.size > 1 ? 'mixed' : String([...rates][0] ?? '')
  const add = () => {
    const rate = valueAt(lines.at(-1), '/tax_output_rate') ?? 21
    const retained = valueAt(lines.at(-1), '/tax_withheld_rate')
    const line = {
      item_description: '',
      quantity: 1,
      [mode === WITH ? WITH : WITHOUT]: 0,
      tax_output_rate: rate,
    }
    const more = retained === undefined ? {} : { tax_withheld_rate: retained }
    change([[`/invoice/lines/${lines.length}`, { ...line, ...more }]])
  }
  return (
    <fieldset class="form-section">
      <legend>{words.linesTitle}</legend>
      <div class="fields fields-pair">
        <div class="field">
          <label for="prices">{words.prices}</label>
          <select
            id="prices"
            value={mode}
            onChange={({ currentTarget: { value } }) => change(priceChanges(lines, value))}
          >
            <option value={WITHOUT}>{words.pricesWithout}</option>
            <option value={WITH}>{words.pricesWith}</option>
            {mode === 'mixed' ? <option value="mixed">{words.pricesMixed}</option> : null}
          </select>
        </div>
        <div class="field">
          <label for="withheld">{words.allLines}</label>
          <select
            id="withheld"
            value={withheld}
            onChange={({ currentTarget: { value } }) =>
              change(
                lines.map((_, index) => [
                  `/invoice/lines/${index}/tax_withheld_rate`,
                  value === '' ? undefined : Number(value),
                ]),
              )
            }
          >
            <option value="">{words.empty}</option>
            {withheld === 'mixed' ? <option value="mixed">{words.mixed}</option> : null}
            {choicesOf('tax_withheld_rate', choices).map(({ value, name }) => (
              <option key={value} value={String(value)}>
                {name}
              </option>
            ))}
          </select>
        </div>
      </div>
      {lines.map((line, index) => {
        const base = `/invoice/lines/${index}`
        const computed = data?.invoice.lines[index]
        return (
          <LineFields
            key={index}
            line={line}
            index={index}
            problems={problems.filter(({ path }) => path === base || path.startsWith(`${base}/`))}
            amount={withTax > 0 ? computed?.gross_amount_with_tax : computed?.gross_amount_without_tax}
            withTax={mode === WITH}
            alone={lines.length === 1}
            change={change}
            choices={choices}
          />
        )
      })}
      <button type="button" class="add" onClick={add}>
        + {words.addLine}
      </button>
    </fieldset>
  )
}
