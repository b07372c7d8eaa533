/** Parts of the preview. */
import { encode } from 'uqr'
import type { ColumnView, FactsView, InvoiceView, PartyView, TextsView } from '#view/index.ts'
import { type Column, DefinitionList, Table } from '../../parts/page-parts.tsx'

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
  <DefinitionList class="paper-facts" facts={facts.map(({ label, value }) => [label.text, value])} />
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

/** Returns the columns of a table of the view. */
export const columnsOf = (columns: readonly ColumnView[]): readonly Column[] =>
  columns.map(({ key, label, align }) => ({ id: key, label: label.text, class: align }))

export function PaperSums({ breakdown, sums }: Pick<InvoiceView, 'breakdown' | 'sums'>) {
  return (
    <div class="paper-sums">
      {breakdown ? (
        <Table class="paper-breakdown" columns={columnsOf(breakdown.columns)} rows={breakdown.rows} />
      ) : (
        <div />
      )}
      <table class="paper-totals">
        <tbody>
          {sums.map(({ label, value, weight }, index) => (
            <tr class={`paper-${weight}`} key={index}>
              <th scope="row" class="start">
                {label.text}
              </th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export function PaperDetails({ details }: Pick<InvoiceView, 'details'>) {
  return (
    <>
      {details.map(({ label, facts }) => (
        <div key={label.text}>
          <p class="paper-small">{label.text}</p>
          <FactList facts={facts} />
        </div>
      ))}
    </>
  )
}

type Payment = NonNullable<InvoiceView['payment']>

export function PaperPayment({ label, terms, columns, instalments, transfers }: Payment) {
  const used = columns.filter(({ key }) => instalments.some((one) => one[key as keyof typeof one]))
  return (
    <div class="paper-payment">
      <div>
        <p class="paper-small">{label.text}</p>
        {terms ? <p>{terms}</p> : null}
        {used.length > 0 ? (
          <Table
            columns={columnsOf(used)}
            rows={instalments.map((one) => used.map(({ key }) => one[key as keyof typeof one]))}
          />
        ) : null}
      </div>
      {transfers.map((transfer) => (
        <figure class="paper-transfer" key={transfer.content}>
          <img
            src={`data:image/svg+xml,${encodeURIComponent(svgOf(transfer.content))}`}
            alt={transfer.content}
          />
          <figcaption>
            {transfer.above} · {transfer.below}
          </figcaption>
        </figure>
      ))}
    </div>
  )
}

const QUIET = 4

export function svgOf(content: string): string {
  const { data, size } = encode(content, { ecc: 'M', border: QUIET })
  const path = data
    .map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    .join('')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`
}
