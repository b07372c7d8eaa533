/** The output of an invoice: the completed invoice, its records, hash and QR code. */
import { useState } from 'preact/hooks'
import { valueAt } from '#core/invoice/pointer.ts'
import { safeFileName } from '../interchange/save-file.ts'
import { useMessages } from '../messages/ui.ts'
import { panelId, Tabs, tabId } from '../parts/tabs.tsx'
import { outputMessages } from './output-messages.ts'
import { invoiceJson, obstacleOf } from './output-records.ts'
import { JSON_TYPE, Panel, RecordPanels, type RecordTimestamp, SiiPanels } from './panels.tsx'
import type { OutputProps } from './props.ts'
import { NoRecord } from './reasons.tsx'

const KINDS = ['invoice', 'record', 'xml', 'code', 'sii'] as const
type Kind = (typeof KINDS)[number]

const idOf = (kind: Kind) => `output-${kind}` as const

function Content({
  kind,
  time,
  ...props
}: OutputProps & { readonly kind: Kind; readonly time: RecordTimestamp }) {
  const { assessment } = props
  const own = outputMessages[useMessages().locale]
  const obstacle = obstacleOf(assessment)
  const { data } = assessment
  const number = valueAt(data, '/invoice/header/invoice_number')
  const name = safeFileName(typeof number === 'string' ? number : '')
  if (kind !== 'invoice' && obstacle) return <NoRecord obstacle={obstacle} {...props} />
  if (!data || !assessment.readable) return <p class="note">{own.noData}</p>
  if (kind === 'invoice')
    return (
      <Panel
        title={own.invoiceTitle}
        note={own.invoiceNote}
        text={invoiceJson(data)}
        file={`${name}.json`}
        type={JSON_TYPE}
        compared={{ value: data, given: assessment.document }}
      />
    )
  if (kind === 'sii') return <SiiPanels {...props} name={name} />
  return <RecordPanels {...props} kind={kind} name={name} time={time} />
}

/** The last tab that was opened. It is kept until the page is closed. */
let last: Kind = 'invoice'

export function Output(props: OutputProps) {
  const own = outputMessages[useMessages().locale]
  const [kind, setKind] = useState<Kind>(last)
  const [now, setNow] = useState(Date.now)
  const time = { now, take: () => setNow(Date.now()) }
  const choose = (id: string) => {
    last = KINDS.find((one) => idOf(one) === id) ?? last
    setKind(last)
  }
  return (
    <div class="output">
      <Tabs
        name={own.kinds}
        tabs={KINDS.map((one) => ({ id: idOf(one), label: own[one] }))}
        chosen={idOf(kind)}
        onChoose={choose}
        inner
      />
      {KINDS.map((one) => (
        <div
          key={one}
          id={panelId(idOf(one))}
          role="tabpanel"
          aria-labelledby={tabId(idOf(one))}
          hidden={one !== kind}
        >
          {one === kind ? <Content {...props} kind={one} time={time} /> : null}
        </div>
      ))}
    </div>
  )
}
