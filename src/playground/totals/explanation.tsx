/** Why an amount is what it is: formula, exact value, what went in, what rounding line by line would give. */
import type { ExplanationRow } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import { segmentsOf } from '../../invoice/index.ts'
import { amount, decimalText, plain } from '../words/format.ts'
import { formulaIn, ruleIn } from '../words/formula.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'

const FIRST_INPUTS = 40

/** `Line 2 · Quantity`: the name of a member with the entry of the list that it is in. */
export function nameOfPath(path: string, locale: 'en' | 'es', lineTitle: (n: number) => string): string {
  const segments = segmentsOf(path)
  const name = labelOf(segments.at(-1) ?? '', locale)
  const index = segments.findLastIndex((segment) => /^\d+$/.test(segment))
  if (index < 0) return name
  const number = Number(segments[index]) + 1
  const list = required(segments[index - 1])
  return list === 'lines' ? `${lineTitle(number)} · ${name}` : `${labelOf(list, locale)} ${number} · ${name}`
}

const isPlain = (path: string): boolean => /quantity|rate|surcharge$|unit_price[a-z_]*$/.test(path)

interface ExplanationProps {
  readonly row: ExplanationRow
  readonly id: string
  readonly onInput: (path: string) => void
}

export function Explanation({ row, id, onInput }: ExplanationProps) {
  const { locale, words } = useWords()
  const { formula, exact, rounded, inputs, rule, line_by_line: byLine, remainder } = row
  const cents = byLine ? Math.round(byLine.difference * 100) : 0
  return (
    <div class="explanation" id={id}>
      <p class="explanation-formula">{formulaIn(formula, locale)}</p>
      <p class="explanation-values">
        <span>
          {words.exact} <b>{decimalText(exact, locale)}</b>
        </span>
        <span class="explanation-arrow" aria-hidden="true">
          →
        </span>
        <span>
          {words.rounded} <b>{amount(rounded, locale)}</b>
        </span>
      </p>
      {byLine ? (
        <p class={cents === 0 ? 'explanation-note' : 'explanation-cent'}>
          {cents === 0
            ? words.sameByLine(amount(byLine.value, locale))
            : words.lineByLine(amount(byLine.value, locale), words.cents(cents))}
        </p>
      ) : null}
      {remainder ? (
        <p class="explanation-cent">
          {words.remainder(
            words.cents(Math.round(remainder.difference * 100)),
            amount(remainder.total, locale),
          )}
        </p>
      ) : null}
      {inputs.length > 0 ? (
        <ul class="inputs" aria-label={words.from}>
          {inputs.slice(0, FIRST_INPUTS).map(({ path, value }) => (
            <li key={path}>
              <button type="button" class="input-link" onClick={() => onInput(path)}>
                <span>{nameOfPath(path, locale, words.lineTitle)}</span>
                <span class="number">{isPlain(path) ? plain(value, locale) : amount(value, locale)}</span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <p class="explanation-rule">{ruleIn(rule, locale)}</p>
    </div>
  )
}
