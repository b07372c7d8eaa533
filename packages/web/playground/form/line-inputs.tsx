/** The lines, and the settings that apply to all lines: prices with or without tax, and withholding. */
import { useRef } from 'preact/hooks'
import { valueAt } from '#core/invoice/pointer.ts'
import type { Assessment } from '../assess/assess.ts'
import type { Problem } from '../assess/assess-problems.ts'
import { reuseEqualParts } from '../assess/reuse.ts'
import type { Change } from '../document/edit-document.ts'
import { choicesOf } from '../messages/catalog-names.ts'
import { useMessages } from '../messages/ui.ts'
import { SelectOptions } from '../parts/playground-parts.tsx'
import { AddButton } from './field.tsx'
import type { FormContext } from './form-inputs.tsx'
import { LineFields } from './line.tsx'

interface LinesProps extends FormContext {
  readonly assessment: Assessment
}

const WITH = 'unit_price_with_tax'
const WITHOUT = 'unit_price_without_tax'

/** Returns the changes that move every price to the member for prices with tax or without tax. */
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

/** Returns the settings that all lines have in common; `mixed` for a setting that differs. */
function commonValues(lines: readonly unknown[]) {
  const withTax = lines.filter((line) => valueAt(line, `/${WITH}`) !== undefined).length
  const rates = new Set(lines.map((line) => valueAt(line, '/tax_withheld_rate')))
  return {
    anyWithTax: withTax > 0,
    mode: withTax === 0 ? WITHOUT : withTax === lines.length ? WITH : 'mixed',
    withheld: rates.size > 1 ? 'mixed' : String([...rates][0] ?? ''),
  }
}

/** Returns an empty line with the rates of the last line. */
function lineAfter(lines: readonly unknown[], mode: string) {
  const rate = valueAt(lines.at(-1), '/tax_output_rate') ?? 21
  const retained = valueAt(lines.at(-1), '/tax_withheld_rate')
  const line = {
    item_description: '',
    quantity: 1,
    [mode === WITH ? WITH : WITHOUT]: 0,
    tax_output_rate: rate,
  }
  return retained === undefined ? line : { ...line, tax_withheld_rate: retained }
}

interface AllLinesProps extends FormContext {
  readonly lines: readonly unknown[]
  readonly state: ReturnType<typeof commonValues>
}

function LineDefaults({ lines, state: { mode, withheld }, change, choices }: AllLinesProps) {
  const { messages } = useMessages()
  const withhold = (rate: string) =>
    change(
      lines.map((_, index) => [
        `/invoice/lines/${index}/tax_withheld_rate`,
        rate === '' ? undefined : Number(rate),
      ]),
    )
  return (
    <div class="fields fields-pair">
      <div class="field">
        <label for="prices">{messages.prices}</label>
        <select
          id="prices"
          value={mode}
          onChange={({ currentTarget: { value } }) => change(priceChanges(lines, value))}
        >
          <option value={WITHOUT}>{messages.pricesWithout}</option>
          <option value={WITH}>{messages.pricesWith}</option>
          {mode === 'mixed' ? <option value="mixed">{messages.pricesMixed}</option> : null}
        </select>
      </div>
      <div class="field">
        <label for="withheld">{messages.allLines}</label>
        <select id="withheld" value={withheld} onChange={({ currentTarget: { value } }) => withhold(value)}>
          <option value="">{messages.empty}</option>
          {withheld === 'mixed' ? <option value="mixed">{messages.mixed}</option> : null}
          <SelectOptions of={choicesOf('tax_withheld_rate', choices)} />
        </select>
      </div>
    </div>
  )
}

export function LinesFields({ assessment, change, choices }: LinesProps) {
  const { messages } = useMessages()
  const { document, problems, data } = assessment
  const found = valueAt(document, '/invoice/lines')
  const lines = Array.isArray(found) ? found : []
  const state = commonValues(lines)
  // A line is not rendered again while its problems stay the same.
  const own = useRef<readonly (readonly Problem[])[]>([])
  own.current = reuseEqualParts(
    own.current,
    lines.map((_, index) => problems.filter(({ path }) => `${path}/`.startsWith(`/invoice/lines/${index}/`))),
  )
  const add = () => change([[`/invoice/lines/${lines.length}`, lineAfter(lines, state.mode)]])
  return (
    <fieldset class="form-section">
      <legend>{messages.linesTitle}</legend>
      <LineDefaults lines={lines} state={state} change={change} choices={choices} />
      {lines.map((line, index) => {
        const computed = data?.invoice.lines[index]
        return (
          <LineFields
            key={index}
            line={line}
            index={index}
            problems={own.current[index] ?? []}
            amount={state.anyWithTax ? computed?.gross_amount_with_tax : computed?.gross_amount_without_tax}
            withTax={state.mode === WITH}
            isOnlyLine={lines.length === 1}
            change={change}
            choices={choices}
          />
        )
      })}
      <AddButton onClick={add}>+ {messages.addLine}</AddButton>
    </fieldset>
  )
}
