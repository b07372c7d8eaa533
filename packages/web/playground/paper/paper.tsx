/** The preview of the printed invoice, from the same view as the PDF of the server. */
import { memo } from 'preact/compat'
import { useMemo } from 'preact/hooks'
import { type InvoiceView, type LineView, viewOf } from '#view/index.ts'
import { TableHead } from '../../parts/page-parts.tsx'
import type { Assessment } from '../assess/assess.ts'
import { useMessages } from '../messages/ui.ts'
import {
  columnsOf,
  FactList,
  PaperDetails,
  PaperPayment,
  PaperSums,
  PartyBlock,
  TextBlock,
} from './paper-parts.tsx'
import { type Qr, qrOf } from './paper-qr.ts'

interface PaperProps {
  readonly assessment: Assessment
  /** Whether the system is VERI*FACTU, so that the QR leads to a verification of the invoice. */
  readonly verifiable: boolean
}

const QrBlock = memo(function QrBlock({ qr }: { readonly qr: Qr }) {
  const { messages } = useMessages()
  return (
    <figure class="paper-qr">
      <figcaption>{qr.above}</figcaption>
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr.svg)}`}
        alt={messages.qrAlt}
        data-url={qr.content}
      />
      <figcaption>{qr.below}</figcaption>
    </figure>
  )
})

const PaperLine = memo(
  function PaperLine({ line, columns }: LineProps) {
    return (
      <tr>
        {columns.map(({ key, align }) => (
          <td class={align} data-key={key} key={key}>
            {line.cells[key]}
            {key === 'description' ? line.notes.map((note) => <small key={note}>{note}</small>) : null}
          </td>
        ))}
      </tr>
    )
  },
  // The view is a new object after each edit, but most lines are unchanged.
  (before, after) => JSON.stringify(before) === JSON.stringify(after),
)

interface LineProps {
  readonly line: LineView
  readonly columns: InvoiceView['lines']['columns']
}

const statusOf = ({ valid, operation }: Assessment) =>
  !valid || operation === 'draft' ? 'draft' : operation === 'received' ? 'received' : 'issued'

export const InvoicePreview = memo(function Paper({ assessment, verifiable }: PaperProps) {
  const { locale, messages } = useMessages()
  const { data, valid, operation } = assessment
  const code = useMemo(() => qrOf(assessment, locale, verifiable), [assessment, locale, verifiable])
  const view = useMemo(() => {
    const direction = operation === 'received' ? 'received' : 'issued'
    return data && viewOf(data, { language: locale, direction, status: statusOf(assessment) })
  }, [assessment, data, locale, operation])
  if (!view) return <p class="note">{messages.paperEmpty}</p>
  const { lines, corrected, payment, mentions, notes } = view
  const stamp = valid ? view.watermark : messages.paperWrong
  return (
    <>
      <p class="note preview-note">
        {messages.previewNote} {'reason' in code ? code.reason : null}
      </p>
      <article class="paper" aria-label={messages.paper}>
        {stamp ? <p class="paper-stamp">{stamp}</p> : null}
        <header class="paper-head">
          <div>
            <h2 class="paper-title">
              {view.title.text} {view.number}
            </h2>
            <FactList facts={view.facts} />
          </div>
          {'qr' in code ? <QrBlock qr={code.qr} /> : null}
        </header>
        <div class="paper-parties">
          <PartyBlock {...view.supplier} />
          {view.customer ? <PartyBlock {...view.customer} /> : null}
        </div>
        {corrected ? (
          <div class="paper-about">
            <p class="paper-small">{corrected.label.text}</p>
            <FactList facts={corrected.facts} />
          </div>
        ) : null}
        {view.about ? <p class="paper-about">{view.about}</p> : null}
        <table class="paper-lines">
          <TableHead columns={columnsOf(lines.columns)} />
          <tbody>
            {lines.rows.map((line, index) => (
              <PaperLine key={index} line={line} columns={lines.columns} />
            ))}
          </tbody>
        </table>
        <PaperSums breakdown={view.breakdown} sums={view.sums} />
        <div class="paper-foot">
          <PaperDetails details={view.details} />
          {payment ? <PaperPayment {...payment} /> : null}
          {mentions ? <TextBlock {...mentions} /> : null}
          {notes ? <TextBlock {...notes} /> : null}
        </div>
        <p class="paper-imprint">{[...view.foot, messages.previewNote].join(' ')}</p>
      </article>
    </>
  )
})
