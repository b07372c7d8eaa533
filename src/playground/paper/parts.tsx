/** Parts of the printed invoice: what the view says, in its place. */
import { type Column, Facts } from '../../parts/parts.tsx'
import type { ColumnView, FactsView, PartyView, TextsView } from '../../view/index.ts'

export function PartyBlock({ role, name, lines }: PartyView) {
  return (
    <div class="paper-party">
      <p class="paper-small">{role.text}</p>
      <p class="paper-name">{name || '—'}</p>
      {lines.map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
  )
}

export const FactList = ({ facts }: Pick<FactsView, 'facts'>) => (
  <Facts class="paper-facts" facts={facts.map(({ label, value }) => [label.text, value])} />
)

export function TextBlock({ label, texts }: TextsView) {
  return (
    <div>
      <p class="paper-small">{label.text}</p>
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  )
}

/** The columns of a table as the view has them. */
export const columnsOf = (columns: readonly ColumnView[]): readonly Column[] =>
  columns.map(({ key, label, align }) => ({ id: key, label: label.text, class: align }))
