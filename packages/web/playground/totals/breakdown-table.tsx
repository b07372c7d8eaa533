/** The tax breakdown: one row for each entry of `taxes_outputs`. */
import { memo } from 'preact/compat'
import { required } from '#core/errors/index.ts'
import type { TaxOutput } from '#core/invoice/index.ts'
import { choicesOf } from '../messages/catalog-names.ts'
import { plainNumberText } from '../messages/message-format.ts'
import { useMessages } from '../messages/ui.ts'
import { AmountButton, type Disclosure, Explanation, explanationId } from './amount-row.tsx'
import type { Explanations } from './explanations.ts'

interface BreakdownProps extends Disclosure {
  readonly entries: readonly TaxOutput[]
  readonly explanations: Explanations
}

const AMOUNTS = [
  'taxable_base',
  'tax_amount',
  'equivalence_surcharge_amount',
  'consumption_tax_amount',
] as const

/** Returns the name of a tax treatment. */
export function treatmentName(code: string | undefined, locale: 'en' | 'es'): string {
  const choices = choicesOf('tax_treatment_code', { locale, group: 'IVA', date: '', received: false })
  return choices.find(({ value }) => value === code)?.name ?? code ?? ''
}

/** Returns the tax rate of an entry (one-stop shop: that of the member state of consumption); undefined if untaxed. */
export const rateOf = (entry: TaxOutput): number | undefined =>
  entry.consumption_tax_rate ?? (entry.tax_treatment_code === 'NON_TAXABLE' ? undefined : entry.tax_rate)

export const Breakdown = memo(function Breakdown({ entries, explanations, ...opening }: BreakdownProps) {
  const { locale, messages } = useMessages()
  if (entries.length === 0) return null
  const names = [messages.base, messages.tax, messages.surcharge, messages.foreign]
  const used = AMOUNTS.map((name, index) => ({ name, label: required(names[index]) })).filter(
    ({ name }, index) => index < 2 || entries.some((entry) => entry[name] !== undefined),
  )
  return (
    <section class="block" aria-labelledby="breakdown-title">
      <h2 id="breakdown-title">{messages.breakdown}</h2>
      <div class="table-scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">{messages.treatment}</th>
              <th scope="col" class="number">
                {messages.rate}
              </th>
              {used.map(({ name, label }) => (
                <th scope="col" class="number" key={name}>
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {entries.map((entry, index) => {
              const at = (name: string) => `/invoice/taxes_outputs/${index}/${name}`
              const rate = rateOf(entry)
              const opened = used
                .map(({ name }) => explanations.byPath.get(at(name)))
                .find((row) => row && row.path === opening.open)
              const code =
                entry.exemption_reason_code ?? (entry.tax_regime_key === '01' ? '' : entry.tax_regime_key)
              return [
                <tr key={index}>
                  <th scope="row">
                    {treatmentName(entry.tax_treatment_code, locale)}
                    {code ? <span class="tag">{code}</span> : null}
                  </th>
                  <td class="number">{rate === undefined ? '—' : `${plainNumberText(rate, locale)} %`}</td>
                  {used.map(({ name, label }) => (
                    <td class="number" key={name}>
                      {entry[name] === undefined ? null : (
                        <AmountButton path={at(name)} name={label} value={entry[name]} {...opening} />
                      )}
                    </td>
                  ))}
                </tr>,
                opened ? (
                  <tr key={`${index}-why`}>
                    <td colSpan={2 + used.length} class="why">
                      <Explanation row={opened} id={explanationId(opened.path)} onInput={opening.onInput} />
                    </td>
                  </tr>
                ) : null,
              ]
            })}
          </tbody>
        </table>
      </div>
    </section>
  )
})
