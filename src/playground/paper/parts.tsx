/** Parts of the printed invoice: what the view says, in its place. */
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

export function FactList({ facts }: Pick<FactsView, 'facts'>) {
  return (
    <dl class="paper-facts">
      {facts.map(({ label, value }, index) => (
        <div key={index}>
          <dt>{label.text}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

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

export function TableHead({ columns }: { readonly columns: readonly ColumnView[] }) {
  return (
    <thead>
      <tr>
        {columns.map(({ key, label, align }) => (
          <th scope="col" class={align} data-key={key} key={key}>
            {label.text}
          </th>
        ))}
      </tr>
    </thead>
  )
}
