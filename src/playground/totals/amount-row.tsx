/** A named amount that unfolds into its explanation. */
import type { ExplanationRow } from '../../api/index.ts'
import { amount } from '../words/format.ts'
import { useWords } from '../words/ui.ts'
import { Explanation } from './explanation.tsx'

export const explanationId = (path: string): string => `why${path.replace(/\W/g, '-')}`

/** Which explanation is open, and what its links do. */
export interface Opening {
  readonly open: string | null
  readonly onOpen: (path: string | null) => void
  readonly onInput: (path: string) => void
}

interface AmountButtonProps extends Opening {
  /** Of an amount that is explained; an amount that somebody gave needs no reason. */
  readonly path: string | undefined
  readonly name: string
  readonly value: number
  readonly sign?: string
}

/** The amount itself; a button where the engine can say why. */
export function AmountButton({ path, name, value, open, onOpen, sign = '' }: AmountButtonProps) {
  const { locale, words } = useWords()
  const shown = `${sign}${amount(value, locale)}`
  if (path === undefined) return <span class="number">{shown}</span>
  const isOpen = open === path
  return (
    <button
      type="button"
      class="amount number"
      aria-expanded={isOpen}
      aria-controls={isOpen ? explanationId(path) : undefined}
      aria-label={words.explain(name, shown)}
      data-amount={path}
      onClick={() => onOpen(isOpen ? null : path)}
    >
      {shown}
    </button>
  )
}

interface AmountRowProps extends AmountButtonProps {
  /** Known where it is open. */
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
