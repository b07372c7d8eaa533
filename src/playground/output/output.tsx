/** What comes out of the invoice: itself completed, its records, hash and code. Each to be copied or saved. */
import { useMemo, useState } from 'preact/hooks'
import type { ValidationItem } from '../../api/index.ts'
import { valueAt } from '../../invoice/index.ts'
import { systemOf } from '../company/company.ts'
import { fileName } from '../interchange/save.ts'
import { qrOf } from '../paper/qr.ts'
import { CodeLink } from '../parts/code-link.tsx'
import { SeverityIcon } from '../parts/icons.tsx'
import { panelId, Tabs, tabId } from '../parts/tabs.tsx'
import { day } from '../words/format.ts'
import { placeIn, sentenceIn } from '../words/in-words.ts'
import { useWords } from '../words/ui.ts'
import { Panel } from './panel.tsx'
import type { OutputProps } from './props.ts'
import { invoiceJson, momentFor, type Obstacle, obstacleOf, siiOf, verifactuOf } from './records.ts'
import { outputWords } from './words.ts'

const JSON_TYPE = 'application/json'
const XML_TYPE = 'application/xml'

const KINDS = ['invoice', 'record', 'xml', 'code', 'sii'] as const
type Kind = (typeof KINDS)[number]

const idOf = (kind: Kind) => `output-${kind}` as const

/** Why there is no record, and the one click that makes a draft an invoice. */
function NoRecord({ obstacle, ...props }: OutputProps & { readonly obstacle: Obstacle }) {
  const { assessment, settings, onChange } = props
  const own = outputWords(useWords().locale)
  const series = valueAt(assessment.document, '/invoice/header/invoice_series_code')
  const given = valueAt(assessment.document, '/invoice/header/invoice_number')
  const number = typeof given === 'string' ? given : `${typeof series === 'string' ? `${series}-` : ''}1`
  const { today } = settings
  const issue = () =>
    onChange([
      ['/invoice/header/invoice_number', number],
      ['/invoice/issue_data/issue_date', today],
    ])
  return (
    <div class="note">
      <p>{own[obstacle]}</p>
      {obstacle === 'needsNumber' && settings.operation !== 'draft' ? (
        <p>
          <button type="button" class="primary" onClick={issue}>
            {own.issueIt(number, day(today))}
          </button>
        </p>
      ) : null}
    </div>
  )
}

/** Why a record was refused, as the record says it. */
function Refused({ items, plain }: { readonly items: readonly ValidationItem[]; readonly plain: boolean }) {
  const { locale, words } = useWords()
  const own = outputWords(locale)
  return (
    <div class="note">
      <p>{own.notYet}</p>
      <ul class="found" aria-label={own.notYet}>
        {items.map(({ severity, code, path, message }, at) => (
          <li key={at}>
            <SeverityIcon severity={severity} />
            <span>
              <span class="unseen">{words[severity]}: </span>
              {plain ? sentenceIn(message, locale) : message}{' '}
              <span class="found-place">
                {plain && path.startsWith('/invoice') ? placeIn(path, locale) : null}
                {plain ? null : (
                  <>
                    <CodeLink code={code}>
                      <code>{code}</code>
                    </CodeLink>{' '}
                    <code>{path}</code>
                  </>
                )}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The moment, the place in the chain and the system: what the record has of its own. */
function Provenance(props: OutputProps & { readonly moment: string; readonly onAgain: () => void }) {
  const { settings, moment, onAgain } = props
  const own = outputWords(useWords().locale)
  const { previous_number: number, verifactu } = settings.company
  return (
    <p class="hint">
      {own.moment(moment)} {number ? own.linked(number) : own.first}{' '}
      {systemOf(settings.company).isExample ? own.exampleSystem : null}{' '}
      {verifactu === 'no' ? own.unsigned : null}{' '}
      <button type="button" class="plain" onClick={onAgain}>
        {own.again}
      </button>
    </p>
  )
}

function CodePanels({
  hash,
  name,
  ...props
}: OutputProps & { readonly hash: string; readonly name: string }) {
  const { assessment, settings } = props
  const { locale, words } = useWords()
  const own = outputWords(locale)
  const answer = useMemo(
    () => qrOf(assessment, locale, settings.company.verifactu !== 'no'),
    [assessment, locale, settings.company.verifactu],
  )
  return (
    <>
      <Panel
        title={own.hashTitle}
        note={own.hashNote}
        text={hash}
        file={`${name}-hash.txt`}
        type="text/plain"
        line
      />
      {'qr' in answer ? (
        <Panel
          title={own.qrTitle}
          note={own.qrNote}
          text={answer.qr.content}
          file={`${name}-qr.svg`}
          type="image/svg+xml"
          saved={answer.qr.svg}
          line
        >
          <img
            class="made-qr"
            src={`data:image/svg+xml,${encodeURIComponent(answer.qr.svg)}`}
            alt={words.qrAlt}
          />
        </Panel>
      ) : (
        <p class="note">{answer.reason}</p>
      )}
    </>
  )
}

function SiiPanels({ assessment, settings, plain, name }: OutputProps & { readonly name: string }) {
  const { locale } = useWords()
  const own = outputWords(locale)
  const received = assessment.operation === 'received'
  const made = useMemo(() => siiOf(assessment.data!, settings, received), [assessment, settings, received])
  if (!made.ok) return <Refused items={made.items} plain={plain} />
  const note = received ? own.siiReceived : own.siiIssued
  return (
    <>
      <Panel title={own.siiTitle} note={note} text={made.record} file={`${name}-sii.json`} type={JSON_TYPE} />
      {made.xml === null ? null : (
        <Panel title={own.siiXmlTitle} note="" text={made.xml} file={`${name}-sii.xml`} type={XML_TYPE} />
      )}
    </>
  )
}

/** Everything of VeriFactu: the record, its XML, its hash with the code. */
function RecordPanels({
  kind,
  name,
  ...props
}: OutputProps & { readonly kind: Kind; readonly name: string }) {
  const { assessment, settings, plain } = props
  const own = outputWords(useWords().locale)
  const [now, setNow] = useState(Date.now)
  const moment = momentFor(settings.today, now)
  const made = useMemo(
    () => verifactuOf(assessment.data!, settings, moment),
    [assessment.data, settings, moment],
  )
  if (assessment.operation === 'received') return <p class="note">{own.received}</p>
  if (!made.ok) return <Refused items={made.items} plain={plain} />
  const { record, xml, hash } = made
  return (
    <>
      {kind === 'record' ? (
        <Panel
          title={own.recordTitle}
          note={own.recordNote}
          text={record}
          file={`${name}-verifactu.json`}
          type={JSON_TYPE}
        />
      ) : kind === 'xml' ? (
        <Panel
          title={own.xmlTitle}
          note={own.xmlNote}
          text={xml}
          file={`${name}-verifactu.xml`}
          type={XML_TYPE}
        />
      ) : (
        <CodePanels {...props} hash={hash} name={name} />
      )}
      <Provenance {...props} moment={moment} onAgain={() => setNow(Date.now())} />
    </>
  )
}

function Content({ kind, ...props }: OutputProps & { readonly kind: Kind }) {
  const { assessment } = props
  const own = outputWords(useWords().locale)
  const obstacle = obstacleOf(assessment)
  const { data } = assessment
  const number = valueAt(data, '/invoice/header/invoice_number')
  const name = fileName(typeof number === 'string' ? number : '')
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
      />
    )
  if (kind === 'sii') return <SiiPanels {...props} name={name} />
  return <RecordPanels {...props} kind={kind} name={name} />
}

/** Which of them was looked at last, while the page is open. */
let last: Kind = 'invoice'

export function Output(props: OutputProps) {
  const own = outputWords(useWords().locale)
  const [kind, setKind] = useState<Kind>(last)
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
          {one === kind ? <Content {...props} kind={one} /> : null}
        </div>
      ))}
    </div>
  )
}
