/** One line of the invoice. */
import { memo } from 'preact/compat'
import { valueAt } from '#core/invoice/pointer.ts'
import type { Problem } from '../assess/assess-problems.ts'
import { moneyText } from '../messages/message-format.ts'
import { useMessages } from '../messages/ui.ts'
import { SeverityIcon } from '../parts/playground-parts.tsx'
import { RemoveButton, SectionProblems } from './field.tsx'
import { type FieldSpec, Fields, type FormContext, problemMap } from './form-inputs.tsx'

interface LineProps extends FormContext {
  readonly line: unknown
  readonly index: number
  /** Problems of the line and its members. */
  readonly problems: readonly Problem[]
  readonly amount: number | undefined
  readonly withTax: boolean
  readonly isOnlyLine: boolean
}

const hasMember = (line: unknown, name: string): boolean => valueAt(line, `/${name}`) !== undefined
const isTreated = (line: unknown, treatment: string): boolean =>
  valueAt(line, '/tax_treatment_code') === treatment

/** Fields in the collapsible part of a line. `isShown` returns whether the line needs the field. */
const FOLDED: readonly (FieldSpec & { readonly isShown?: (line: unknown) => boolean })[] = [
  { name: 'tax_treatment_code', kind: 'choice' },
  {
    name: 'exemption_reason_code',
    kind: 'choice',
    isShown: (line) => isTreated(line, 'TAXABLE_EXEMPT') || hasMember(line, 'exemption_reason_code'),
  },
  {
    name: 'non_taxable_reason',
    kind: 'choice',
    isShown: (line) => isTreated(line, 'NON_TAXABLE') || hasMember(line, 'non_taxable_reason'),
  },
  { name: 'tax_regime_key', kind: 'choice' },
  { name: 'tax_withheld_rate', kind: 'choice' },
  { name: 'unit_of_measure', kind: 'choice' },
  { name: 'charge_rate', kind: 'number', isShown: (line) => hasMember(line, 'charge_rate') },
  { name: 'purchase_price_incl', kind: 'number', isShown: (line) => hasMember(line, 'purchase_price_incl') },
]

export const LineFields = memo(function LineFields(props: LineProps) {
  const { line, index, problems, amount, withTax, isOnlyLine, change, choices } = props
  const { locale, messages } = useMessages()
  const base = `/invoice/lines/${index}`
  const isWithTax =
    hasMember(line, 'unit_price_with_tax') || (withTax && !hasMember(line, 'unit_price_without_tax'))
  const folded = problems.filter(({ path }) => FOLDED.some(({ name }) => path === `${base}/${name}`))
  const place = { base, node: line, problems: problemMap(problems), change, choices }
  return (
    <fieldset class="line-card">
      <legend>{messages.lineTitle(index + 1)}</legend>
      <SectionProblems problems={problems.filter(({ path }) => path === base)} />
      <Fields
        {...place}
        class="fields-line"
        of={[
          { name: 'item_description', size: 'wide', required: true },
          { name: 'quantity', kind: 'number', size: 'small' },
          { name: `unit_price_${isWithTax ? 'with' : 'without'}_tax`, kind: 'number' },
          { name: 'discount_rate', kind: 'number', size: 'small' },
          { name: 'tax_output_rate', kind: 'choice' },
        ]}
      />
      <div class="line-foot">
        <details>
          <summary>
            {messages.lineMore}
            {folded[0] ? (
              <span class="summary-mark">
                <SeverityIcon severity={folded[0].severity} />
                <span aria-hidden="true">{folded.length}</span>
                <span class="visually-hidden">{messages.seeMore(folded.length)}</span>
              </span>
            ) : null}
          </summary>
          <Fields {...place} of={FOLDED.map((spec) => (spec.isShown?.(line) === false ? null : spec))} />
        </details>
        <span class="line-amount number">
          {amount === undefined ? messages.empty : moneyText(amount, locale)}
        </span>
        <RemoveButton
          name={messages.removeLine(index + 1)}
          disabled={isOnlyLine}
          onClick={() => change([[base, undefined]])}
        />
      </div>
    </fieldset>
  )
})
