/** An amount that expands to show its explanation, and an invoice line that expands to show its amounts. */
import { memo } from 'preact/compat'
import { required } from '#core/errors/index.ts'
import type { Line } from '#core/invoice/index.ts'
import { segmentsOf } from '#core/invoice/pointer.ts'
import type { ExplanationRow } from '#engine/index.ts'
import { labelOf } from '../messages/field-labels.ts'
import { labelledFormula } from '../messages/formula.ts'
import { amountText, decimalText, plainNumberText } from '../messages/message-format.ts'
import { useMessages } from '../messages/ui.ts'

export const explanationId = (path: string): string => `why${path.replace(/\W/g, '-')}`

/** The open explanation, and the actions of its links. */
export interface Disclosure {
  readonly open: string | null
  readonly onOpen: (path: string | null) => void
  readonly onInput: (path: string) => void
}

interface AmountButtonProps extends Disclosure {
  /** Undefined for amounts that were entered, which have no explanation. */
  readonly path: string | undefined
  readonly name: string
  readonly value: number
  readonly sign?: string
}

/** An amount; a button if it has an explanation. */
export function AmountButton({ path, name, value, open, onOpen, sign = '' }: AmountButtonProps) {
  const { locale, messages } = useMessages()
  const shown = `${sign}${amountText(value, locale)}`
  if (path === undefined) return <span class="number">{shown}</span>
  const isOpen = open === path
  return (
    <button
      type="button"
      class="amount number"
      aria-expanded={isOpen}
      aria-controls={isOpen ? explanationId(path) : undefined}
      aria-label={messages.explain(name, shown)}
      data-amount={path}
      onClick={() => onOpen(isOpen ? null : path)}
    >
      {shown}
    </button>
  )
}

interface AmountRowProps extends AmountButtonProps {
  /** The explanation of the amount; defined only while it is open. */
  readonly row: ExplanationRow | undefined
  readonly kind?: 'sum' | 'total' | 'part'
}

export function AmountRow({ kind = 'part', row, ...button }: AmountRowProps) {
  const { name, open, onInput } = button
  return (
    <li class={`amount-row amount-${kind}`}>
      <span class="amount-name">{name}</span>
      <AmountButton {...button} />
      {row && open === row.path ? (
        <Explanation row={row} id={explanationId(row.path)} onInput={onInput} />
      ) : null}
    </li>
  )
}

const FIRST_INPUTS = 40

/** Returns the label of a member with its list entry, such as `Line 2 · Quantity`. */
export function nameOfPath(path: string, locale: 'en' | 'es', lineTitle: (n: number) => string): string {
  const segments = segmentsOf(path)
  const name = labelOf(segments.at(-1) ?? '', locale)
  const index = segments.findLastIndex((segment) => /^\d+$/.test(segment))
  if (index < 0) return name
  const number = Number(segments[index]) + 1
  const list = required(segments[index - 1])
  return list === 'lines' ? `${lineTitle(number)} · ${name}` : `${labelOf(list, locale)} ${number} · ${name}`
}

const isPlain = (path: string): boolean => /quantity|rate|surcharge$|unit_price/.test(path)

interface ExplanationProps {
  readonly row: ExplanationRow
  readonly id: string
  readonly onInput: (path: string) => void
}

export function Explanation({ row, id, onInput }: ExplanationProps) {
  const { locale, messages } = useMessages()
  const { formula, exact, rounded, inputs, rule, line_by_line: byLine, remainder } = row
  const cents = byLine ? Math.round(byLine.difference * 100) : 0
  return (
    <div class="explanation" id={id}>
      <p class="explanation-formula">{labelledFormula(formula, locale)}</p>
      <p class="explanation-values">
        <span>
          {messages.exact} <b>{decimalText(exact, locale)}</b>
        </span>
        <span class="explanation-arrow" aria-hidden="true">
          →
        </span>
        <span>
          {messages.rounded} <b>{amountText(rounded, locale)}</b>
        </span>
      </p>
      {byLine ? (
        <p class={cents === 0 ? 'explanation-note' : 'explanation-cent'}>
          {cents === 0
            ? messages.sameByLine(amountText(byLine.value, locale))
            : messages.lineByLine(amountText(byLine.value, locale), messages.cents(cents))}
        </p>
      ) : null}
      {remainder ? (
        <p class="explanation-cent">
          {messages.remainder(
            messages.cents(Math.round(remainder.difference * 100)),
            amountText(remainder.total, locale),
          )}
        </p>
      ) : null}
      {inputs.length > 0 ? (
        <ul class="inputs" aria-label={messages.from}>
          {inputs.slice(0, FIRST_INPUTS).map(({ path, value }) => (
            <li key={path}>
              <button type="button" class="input-link" onClick={() => onInput(path)}>
                <span>{nameOfPath(path, locale, messages.lineTitle)}</span>
                <span class="number">
                  {isPlain(path) ? plainNumberText(value, locale) : amountText(value, locale)}
                </span>
              </button>
            </li>
          ))}
        </ul>
      ) : null}
      <p class="explanation-rule">{rule}</p>
    </div>
  )
}

interface LineAmountsProps extends Disclosure {
  readonly line: Line
  readonly index: number
  readonly rows: readonly ExplanationRow[]
  readonly unfolded: boolean
  readonly onUnfold: (index: number | null) => void
}

export const LineAmounts = memo(function LineAmounts(props: LineAmountsProps) {
  const { line, index, rows, unfolded, onUnfold, open, onOpen, onInput } = props
  const { locale, messages } = useMessages()
  const charged = line.gross_amount_without_tax ?? line.gross_amount_with_tax ?? 0
  return (
    <li class="line-amounts">
      <button
        type="button"
        class="line-unfold"
        aria-expanded={unfolded}
        onClick={() => onUnfold(unfolded ? null : index)}
      >
        <span class="line-index">{index + 1}</span>
        <span class="line-name">{line.item_description || messages.empty}</span>
        <span class="number">{amountText(charged, locale)}</span>
      </button>
      {unfolded ? (
        <ul class="amounts amounts-inner">
          {rows.map((row) => (
            <AmountRow
              key={row.path}
              row={row}
              path={row.path}
              name={labelOf(required(segmentsOf(row.path).at(-1)), locale)}
              value={row.rounded}
              open={open}
              onOpen={onOpen}
              onInput={onInput}
            />
          ))}
        </ul>
      ) : null}
    </li>
  )
})
