/** Each line with its amount; unfolded, every amount of the line with its reason. */
import { memo } from 'preact/compat'
import type { ExplanationRow } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import type { Line } from '../../invoice/index.ts'
import { segmentsOf } from '../../invoice/index.ts'
import { amount } from '../words/format.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'
import { AmountRow, type Opening } from './amount-row.tsx'

interface LineAmountsProps extends Opening {
  readonly line: Line
  readonly index: number
  readonly rows: readonly ExplanationRow[]
  readonly unfolded: boolean
  readonly onUnfold: (index: number | null) => void
}

export const LineAmounts = memo(function LineAmounts(props: LineAmountsProps) {
  const { line, index, rows, unfolded, onUnfold, open, onOpen, onInput } = props
  const { locale, words } = useWords()
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
        <span class="line-name">{line.item_description || words.empty}</span>
        <span class="number">{amount(charged, locale)}</span>
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
