/** One line of the invoice. */
import { memo } from 'preact/compat'
import { required } from '../../errors/index.ts'
import { valueAt } from '../../invoice/index.ts'
import type { Problem } from '../assess/problems.ts'
import { SeverityIcon } from '../parts/icons.tsx'
import { choicesOf } from '../words/catalog-names.ts'
import { money } from '../words/format.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'
import { SectionProblems } from './field.tsx'
import type { FormContext } from './form-context.ts'
import { NumberInput, SelectInput, TextInput } from './inputs.tsx'

interface LineProps extends FormContext {
  readonly line: unknown
  readonly index: number
  /** All of the line and its members. */
  readonly problems: readonly Problem[]
  readonly amount: number | undefined
  readonly withTax: boolean
  readonly alone: boolean
}

/** What is folded away; marked where something is wrong with it. */
const FOLDED = [
  'tax_treatment_code',
  'exemption_reason_code',
  'non_taxable_reason',
  'tax_regime_key',
  'tax_withheld_rate',
  'unit_of_measure',
  'charge_rate',
  'purchase_price_incl',
]

const same = (a: LineProps, b: LineProps): boolean =>
  a.line === b.line &&
  a.index === b.index &&
  a.amount === b.amount &&
  a.withTax === b.withTax &&
  a.alone === b.alone &&
  a.choices === b.choices &&
  a.change === b.change &&
  a.problems.length === b.problems.length &&
  a.problems.every((problem, at) => problem === b.problems[at])

export const LineFields = memo(function LineFields(props: LineProps) {
  const { line, index, problems, amount, withTax, alone, change, choices } = props
  const { locale, words } = useWords()
  const base = `/invoice/lines/${index}`
  const has = (name: string) => valueAt(line, `/${name}`) !== undefined
  const member = (name: string) => {
    const path = `${base}/${name}`
    const own = problems.filter((problem) => problem.path === path)
    return { label: labelOf(name, locale), path, value: valueAt(line, `/${name}`), problems: own, change }
  }
  const select = (name: string) => ({ ...member(name), choices: choicesOf(name, choices) })
  const price =
    has('unit_price_with_tax') || (withTax && !has('unit_price_without_tax'))
      ? 'unit_price_with_tax'
      : 'unit_price_without_tax'
  const treatment = valueAt(line, '/tax_treatment_code')
  const exempt = treatment === 'TAXABLE_EXEMPT' || has('exemption_reason_code')
  const outside = treatment === 'NON_TAXABLE' || has('non_taxable_reason')
  const folded = problems.filter(({ path }) => FOLDED.some((name) => path === `${base}/${name}`))
  return (
    <fieldset class="line-card">
      <legend>{words.lineTitle(index + 1)}</legend>
      <SectionProblems problems={problems.filter(({ path }) => path === base)} />
      <div class="fields fields-line">
        <TextInput {...member('item_description')} size="wide" keep />
        <NumberInput {...member('quantity')} size="small" />
        <NumberInput {...member(price)} />
        <NumberInput {...member('discount_rate')} size="small" />
        <SelectInput {...select('tax_output_rate')} />
      </div>
      <div class="line-foot">
        <details>
          <summary>
            {words.lineMore}
            {folded.length > 0 ? (
              <span class="summary-mark">
                <SeverityIcon severity={required(folded[0]).severity} />
                <span aria-hidden="true">{folded.length}</span>
                <span class="unseen">{words.seeMore(folded.length)}</span>
              </span>
            ) : null}
          </summary>
          <div class="fields">
            <SelectInput {...select('tax_treatment_code')} />
            {exempt ? <SelectInput {...select('exemption_reason_code')} /> : null}
            {outside ? <SelectInput {...select('non_taxable_reason')} /> : null}
            <SelectInput {...select('tax_regime_key')} />
            <SelectInput {...select('tax_withheld_rate')} />
            <SelectInput {...select('unit_of_measure')} />
            {has('charge_rate') ? <NumberInput {...member('charge_rate')} /> : null}
            {has('purchase_price_incl') ? <NumberInput {...member('purchase_price_incl')} /> : null}
          </div>
        </details>
        <span class="line-amount number">{amount === undefined ? words.empty : money(amount, locale)}</span>
        <button
          type="button"
          class="remove"
          disabled={alone}
          aria-label={words.removeLine(index + 1)}
          title={words.removeLine(index + 1)}
          onClick={() => change([[base, undefined]])}
        >
          ×
        </button>
      </div>
    </fieldset>
  )
}, same)
