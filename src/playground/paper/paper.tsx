/** The invoice as it would be printed. A preview: nothing here has been registered. */
import { memo } from 'preact/compat'
import { useMemo } from 'preact/hooks'
import type { Line } from '../../invoice/index.ts'
import type { Assessment } from '../assess/assess.ts'
import { choicesOf } from '../words/catalog-names.ts'
import { amount, day, plain } from '../words/format.ts'
import { labelOf } from '../words/labels.ts'
import { useWords } from '../words/ui.ts'
import { PaperFoot } from './foot.tsx'
import { PartyBlock, taxOf } from './parts.tsx'
import { type Qr, qrOf } from './qr.ts'
import { PaperTotals } from './totals.tsx'

interface PaperProps {
  readonly assessment: Assessment
}

const QrBlock = memo(function QrBlock({ qr }: { readonly qr: Qr }) {
  const { words } = useWords()
  return (
    <figure class="paper-qr">
      <figcaption>{qr.above}</figcaption>
      <img src={`data:image/svg+xml,${encodeURIComponent(qr.svg)}`} alt={words.qrAlt} data-url={qr.url} />
      <figcaption>{qr.below}</figcaption>
    </figure>
  )
})

const PaperLine = memo(function PaperLine({ line }: { readonly line: Line }) {
  const { locale } = useWords()
  const withTax = line.unit_price_with_tax !== undefined
  const price = line.unit_price_with_tax ?? line.unit_price_without_tax ?? 0
  const charged = withTax ? line.gross_amount_with_tax : line.gross_amount_without_tax
  return (
    <tr>
      <td class="paper-what">{line.item_description}</td>
      <td>{plain(line.quantity, locale)}</td>
      <td>{Math.abs(price * 100) % 1 > 1e-9 ? plain(price, locale) : amount(price, locale)}</td>
      <td>{line.discount_rate === undefined ? '' : `${plain(line.discount_rate, locale)} %`}</td>
      <td>{taxOf(line, locale)}</td>
      <td>{charged === undefined ? '' : amount(charged, locale)}</td>
    </tr>
  )
})

export const Paper = memo(function Paper({ assessment }: PaperProps) {
  const { locale, words } = useWords()
  const { data, valid, operation } = assessment
  const code = useMemo(() => qrOf(assessment, locale), [assessment, locale])
  if (!data) return <p class="note">{words.paperEmpty}</p>
  const { invoice } = data
  const { header, issue_data: issue, lines } = invoice
  const types = choicesOf('invoice_type_code', { locale, group: 'IVA', date: '', received: false })
  const kind = types.find(({ value }) => value === header.invoice_type_code)?.name
  const title = header.invoice_type_code === '01' ? words.invoice : (kind ?? words.invoice)
  const withTax = lines.some((line) => line.unit_price_with_tax !== undefined)
  const stamp = valid ? (operation === 'draft' ? words.paperDraft : '') : words.paperWrong
  const facts = [
    ['invoice_number', header.invoice_number ?? words.numberless],
    ['invoice_series_code', header.invoice_series_code],
    ['issue_date', day(issue.issue_date)],
    ['operation_date', issue.operation_date === issue.issue_date ? '' : day(issue.operation_date)],
  ] as const
  return (
    <>
      <p class="note preview-note">
        {words.previewNote} {'reason' in code ? code.reason : null}
      </p>
      <article class="paper" aria-label={words.paper}>
        {stamp ? <p class="paper-stamp">{stamp}</p> : null}
        <header class="paper-head">
          <div>
            <h2 class="paper-title">{title}</h2>
            <dl class="paper-facts">
              {facts.map(([name, value]) =>
                value ? (
                  <div key={name}>
                    <dt>{labelOf(name, locale)}</dt>
                    <dd>{value}</dd>
                  </div>
                ) : null,
              )}
            </dl>
          </div>
          {'qr' in code ? <QrBlock qr={code.qr} /> : null}
        </header>
        <div class="paper-parties">
          <PartyBlock title={words.from2} party={invoice.supplier} />
          {invoice.customer ? <PartyBlock title={words.billTo} party={invoice.customer} /> : null}
        </div>
        {header.corrective ? (
          <p class="paper-corrects">
            {words.corrects} {header.corrective.invoice_number} ({day(header.corrective.invoice_issue_date)})
            {header.corrective.reason_description ? `. ${header.corrective.reason_description}` : ''}
          </p>
        ) : null}
        {issue.invoice_description ? <p class="paper-about">{issue.invoice_description}</p> : null}
        <table class="paper-lines">
          <thead>
            <tr>
              <th scope="col">{words.description}</th>
              <th scope="col">{words.quantity}</th>
              <th scope="col">
                {labelOf(withTax ? 'unit_price_with_tax' : 'unit_price_without_tax', locale)}
              </th>
              <th scope="col">{words.discount}</th>
              <th scope="col">{data.invoice.issue_data.tax_group_code ?? 'IVA'}</th>
              <th scope="col">{words.amount}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, index) => (
              <PaperLine key={index} line={line} />
            ))}
          </tbody>
        </table>
        <PaperTotals invoice={invoice} />
        <PaperFoot invoice={invoice} />
        <p class="paper-made">{words.previewNote}</p>
      </article>
    </>
  )
})
