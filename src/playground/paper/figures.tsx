/** What the printed invoice comes to: breakdown, sums, what they are made of, payment. */
import { Table } from '../../parts/parts.tsx'
import type { InvoiceView } from '../../view/index.ts'
import { svgOf } from './code.ts'
import { columnsOf, FactList } from './parts.tsx'

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

export function PaperPayment({ label, terms, columns, instalments, transfer }: Payment) {
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
      {transfer ? (
        <figure class="paper-transfer">
          <img
            src={`data:image/svg+xml,${encodeURIComponent(svgOf(transfer.content))}`}
            alt={transfer.content}
          />
          <figcaption>
            {transfer.above} · {transfer.below}
          </figcaption>
        </figure>
      ) : null}
    </div>
  )
}
