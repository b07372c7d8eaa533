/** Pages for people: what was received, of whom, and with what result. */
import type { ComponentChildren } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { spanishTimestamp } from '../fiscal/timestamp.ts'
import type { Locale } from '../invoice/index.ts'
import { Facts, Table, toneOf } from '../parts/parts.tsx'
import { qrUrlOf } from '../verifactu/index.ts'
import { auditChains } from './chain.ts'
import type { InvoiceRow, RecordRow, SimulatorDatabase, SubmissionRow } from './database.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import type { ActiveFault } from './faults.ts'
import { messageIn, type Word } from './page-messages.ts'
import type { QrResult } from './qr.ts'
import { shownRecord } from './record-xml.ts'
import type { Environment } from './types.ts'
import { altaOf } from './verifactu-record.ts'

/** Messages and invoices that one page shows. */
const SHOWN = 100

export const STYLE = `:root { color-scheme: light dark; --line: #8884; --soft: #8882; --good: #1a7f37; --bad: #cf222e; --warn: #9a6700 }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --warn: #d29922 } }
* { box-sizing: border-box }
body { font: 16px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 76rem; padding: 1rem }
header { border-bottom: 1px solid var(--line); display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline }
header p { margin: 0 0 .5rem; flex: 1 1 20rem; opacity: .8 }
header strong { font-size: 1.2rem }
h1 { font-size: 1.5rem; margin: 1rem 0 .5rem }
h2 { font-size: 1.15rem; margin: 1.5rem 0 .5rem }
div.wide { overflow-x: auto }
table { border-collapse: collapse; width: 100% }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .6rem .3rem 0; text-align: left; vertical-align: top }
td.number, th.number { text-align: right }
code, pre { font: .85rem/1.45 ui-monospace, monospace }
td code { overflow-wrap: anywhere }
pre { background: var(--soft); overflow-x: auto; padding: .75rem; white-space: pre-wrap; overflow-wrap: anywhere }
.good { color: var(--good) } .bad { color: var(--bad) } .warn { color: var(--warn) }
dl > div { display: contents } dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem } dt { opacity: .75 } dd { margin: 0; overflow-wrap: anywhere }
input { font: inherit; width: 100%; max-width: 46rem; padding: .3rem }
button { font: inherit; padding: .3rem .8rem }
`

export interface PageSettings {
  readonly locale: Locale
  /** Path and query, without the language. */
  readonly here: string
}

type Cell = ComponentChildren

const joined = (path: string, locale: Locale): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${locale}`

/** What every page is made with, in its language. */
function partsOf({ locale }: PageSettings) {
  const say = messageIn(locale)
  const link = (path: string, text: Cell) => <a href={joined(path, locale)}>{text}</a>
  const table = (columns: readonly Word[], rows: readonly (readonly Cell[])[]) => (
    <div class="wide">
      <Table columns={columns.map((column) => ({ label: say(column) }))} rows={rows} />
    </div>
  )
  return { say, link, table }
}

const code = (text: string) => <code>{text}</code>

const State = ({ of }: { readonly of: string }) => <span class={toneOf(of)}>{of}</span>

const when = (instant: number): string => spanishTimestamp(instant).slice(0, 19).replace('T', ' ')

function frame(settings: PageSettings, title: string, content: Cell): string {
  const { locale, here } = settings
  const { say, link } = partsOf(settings)
  const other = locale === 'es' ? 'en' : 'es'
  const page = (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header>
          <strong>{link('/', say('title'))}</strong>
          <p>{say('notice')}</p>
          <a href={joined(here, other)} lang={other} hreflang={other}>
            {other === 'en' ? 'English' : 'Español'}
          </a>
        </header>
        <main>
          <h1>{title}</h1>
          {content}
        </main>
      </body>
    </html>
  )
  return `<!doctype html>\n${renderToString(page)}\n`
}

const whose = (environment: Environment, taxpayer: string): string =>
  `/taxpayers/${environment}/${encodeURIComponent(taxpayer || '-')}`

export interface Front {
  readonly faults: readonly ActiveFault[]
  readonly serviceUrl: string
  readonly caFile: string
}

function faultText({ fault, struck }: ActiveFault, locale: Locale): string {
  const say = messageIn(locale)
  const times =
    fault.times === undefined
      ? `${say('struck')}, ${say('until_cleared')}`
      : `${say('times_left')} ${fault.times} ${say('struck')}`
  return `${FAULT_KINDS[fault.kind].messages[locale]}: ${struck} ${times}`
}

const QrForm = ({ locale }: Pick<PageSettings, 'locale'>) => (
  <form action="/qr" method="get">
    <input type="hidden" name="lang" value={locale} />
    <label for="url">{messageIn(locale)('qr_label')}</label>
    <br />
    <input id="url" name="url" type="url" required />{' '}
    <button type="submit">{messageIn(locale)('qr_button')}</button>
  </form>
)

export function frontPage(settings: PageSettings, database: SimulatorDatabase, front: Front): string {
  const { locale } = settings
  const { say, link, table } = partsOf(settings)
  const rows = database
    .taxpayers()
    .map(({ environment, taxpayer, name, messages, records, last }) => [
      say(environment),
      link(whose(environment, taxpayer), taxpayer || say('unidentified')),
      name,
      messages,
      records,
      when(last),
    ])
  const faults = front.faults.map((fault, at) => (
    <li key={at}>
      <code>{JSON.stringify(fault.fault)}</code> {faultText(fault, locale)}
    </li>
  ))
  return frame(
    settings,
    say('title'),
    <>
      <h2>{say('taxpayers')}</h2>
      {rows.length === 0 ? (
        <p>{say('nothing')}</p>
      ) : (
        table(['environment', 'issuer', 'name', 'messages', 'records', 'last'], rows)
      )}
      <h2>{say('faults')}</h2>
      {faults.length === 0 ? <p>{say('no_faults')}</p> : <ul>{faults}</ul>}
      <h2>{say('qr_title')}</h2>
      <QrForm locale={locale} />
      <h2>{say('addresses')}</h2>
      <Facts
        facts={[
          ['VeriFactu', code(`${front.serviceUrl}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`)],
          ['SII', code(`${front.serviceUrl}/wlpl/SSII-FACT/ws/fe/SiiFactFEV1SOAP`)],
          [say('certificate'), code(front.caFile)],
        ]}
      />
    </>,
  )
}

function messageTable(settings: PageSettings, rows: readonly SubmissionRow[]) {
  const { say, link, table } = partsOf(settings)
  return table(
    ['message', 'received', 'service', 'records', 'state', 'code', 'description'],
    rows.map((row) => [
      link(`/submissions/${row.id}`, row.id),
      when(row.received_at),
      row.root || row.service,
      row.records,
      <State key="state" of={row.state} />,
      row.csv === null ? row.code : ['CSV ', code(row.csv)],
      row.early === 1 ? <span class="warn">{say('early')}</span> : row.description,
    ]),
  )
}

function invoiceTable(settings: PageSettings, rows: readonly InvoiceRow[]) {
  const { link, table } = partsOf(settings)
  return table(
    ['invoice', 'date', 'book', 'period', 'state', 'code', 'record'],
    rows.map((row) => [
      row.number,
      row.issue_date,
      row.book || 'VeriFactu',
      row.period,
      <State key="state" of={row.state} />,
      row.code,
      link(`/records/${row.record}`, row.record),
    ]),
  )
}

export function taxpayerPage(
  settings: PageSettings,
  database: SimulatorDatabase,
  environment: Environment,
  taxpayer: string,
  before: number,
): string | null {
  const { say, link } = partsOf(settings)
  const known = database
    .taxpayers()
    .find((one) => one.environment === environment && one.taxpayer === taxpayer)
  if (!known) return null
  const messages = database.submissions(environment, taxpayer, { before, limit: SHOWN, isNewestFirst: true })
  const invoices = database.invoices(environment, taxpayer, { limit: SHOWN, isNewestFirst: true })
  const here = whose(environment, taxpayer)
  const oldest = messages[SHOWN - 1]
  return frame(
    settings,
    `${known.name || say('unidentified')} ${taxpayer}`.trim(),
    <>
      <p>
        {`${say('environment')}: ${say(environment)}. `}
        {link(`${here}/chain`, say('check_chain'))}
      </p>
      <h2>{say('messages')}</h2>
      {messageTable(settings, messages)}
      {oldest && <p>{link(`${here}?before=${oldest.id}`, say('older'))}</p>}
      <h2>{say('invoices')}</h2>
      {invoices.length === 0 ? <p>{say('nothing')}</p> : invoiceTable(settings, invoices)}
    </>,
  )
}

export function chainPage(
  settings: PageSettings,
  database: SimulatorDatabase,
  environment: Environment,
  taxpayer: string,
  now: number,
): string {
  const { say, link } = partsOf(settings)
  const report = auditChains(database, environment, taxpayer, { now, locale: settings.locale })
  return frame(
    settings,
    `${say('chain')} ${taxpayer}`,
    <>
      <p class={report.valid ? 'good' : 'bad'}>{say(report.valid ? 'chain_good' : 'chain_bad')}</p>
      <p>
        {`${say('records')}: ${report.records}. `}
        {link(whose(environment, taxpayer), taxpayer)}
      </p>
      <ul>
        {report.items.map(({ message, severity }, at) => (
          <li class={severity === 'error' ? 'bad' : 'warn'} key={at}>
            {message}
          </li>
        ))}
      </ul>
    </>,
  )
}

interface ResultProps {
  readonly of: RecordRow | SubmissionRow
}

/** A state with its code and what the authority says of it. */
const Result = ({ of: { state, code, description } }: ResultProps) => (
  <>
    <State of={state} /> {code} {description}
  </>
)

export function submissionPage(
  settings: PageSettings,
  database: SimulatorDatabase,
  id: number,
): string | null {
  const { say, link, table } = partsOf(settings)
  const row = database.submission(id)
  if (!row) return null
  const issuer = link(whose(row.environment, row.taxpayer), row.taxpayer || say('unidentified'))
  const records = database
    .recordsOfSubmission(id)
    .map((one) => [
      link(`/records/${one.id}`, one.id),
      one.operation,
      one.number,
      one.issue_date,
      <State key="state" of={one.state} />,
      one.code,
      one.description,
      code(one.hash?.slice(0, 16) ?? ''),
    ])
  return frame(
    settings,
    `${say('message')} ${id}`,
    <>
      <Facts
        facts={[
          [say('received'), when(row.received_at)],
          [say('issuer'), [issuer, ` ${row.taxpayer_name}`]],
          [say('presenter'), row.presenter],
          [say('service'), `${row.service} ${row.root}`],
          [say('state'), <Result key="state" of={row} />],
          ['CSV', row.csv ?? '–'],
          ...(row.wait === null ? [] : [['TiempoEsperaEnvio', row.wait] as const]),
          ...(row.early === 1 ? [['!', say('early'), 'warn'] as const] : []),
          [
            say('xml'),
            <a key="xml" href={`/submissions/${id}.xml`}>
              {say('as_received')}
            </a>,
          ],
        ]}
      />
      {records.length > 0 &&
        table(['record', 'operation', 'invoice', 'date', 'state', 'code', 'description', 'hash'], records)}
    </>,
  )
}

/** Where the QR code of a registration leads, here and at the authority. */
function qrAddress({ service, environment, value }: RecordRow): { url: string; here: string } | null {
  const alta = service === 'verifactu' ? altaOf(JSON.parse(value)) : undefined
  if (!alta) return null
  try {
    const url = qrUrlOf(alta, { environment })
    const { pathname, search } = new URL(url)
    return { url, here: `${environment === 'production' ? '/production' : ''}${pathname}${search}` }
  } catch {
    // What was refused may have values that no address can have.
    return null
  }
}

export function recordPage(settings: PageSettings, database: SimulatorDatabase, id: number): string | null {
  const { say, link } = partsOf(settings)
  const row = database.record(id)
  const submission = row && database.submission(row.submission)
  if (!submission) return null
  const qr = qrAddress(row)
  return frame(
    settings,
    `${say('record')} ${id}: ${row.operation} ${row.number}`,
    <>
      <Facts
        facts={[
          [say('issuer'), link(whose(row.environment, row.taxpayer), row.issuer)],
          [say('invoice'), `${row.number}, ${row.issue_date}`],
          [
            say('message'),
            [link(`/submissions/${row.submission}`, row.submission), ` ${when(submission.received_at)}`],
          ],
          [say('state'), <Result key="state" of={row} />],
          ['CSV', (row.state === 'Incorrecto' ? null : submission.csv) ?? '–'],
          ...(row.hash === null ? [] : [[say('hash'), code(row.hash)] as const]),
          ...(qr === null ? [] : [[say('qr'), link(qr.here, qr.url)] as const]),
        ]}
      />
      <h2>{say('xml')}</h2>
      <p>
        <a href={`/records/${id}.xml`}>{say('download')}</a>
      </p>
      <pre>{shownRecord(database, row).text}</pre>
    </>,
  )
}

const QR_MESSAGES = {
  found: ['qr_found', 'qr_found_text', 'good'],
  not_found: ['qr_not_found', 'qr_not_found_text', 'bad'],
  not_verifiable: ['qr_not_verifiable', 'qr_not_verifiable_text', 'warn'],
} as const

/** What the authority's page says of a QR code. */
export function qrPage(settings: PageSettings, result: QrResult): string {
  const { say, link } = partsOf(settings)
  if (result.kind === 'wrong')
    return frame(
      settings,
      say('qr_wrong'),
      <>
        <ul>
          {result.messages.map((message) => (
            <li class="bad" key={message}>
              {message}
            </li>
          ))}
        </ul>
        <p>{`${say('code')}: ${result.codes.join('.') || '–'}`}</p>
      </>,
    )
  const [title, text, tone] = QR_MESSAGES[result.kind]
  const { nif, numSerie, fecha, importe } = result.parts
  return frame(
    settings,
    say(title),
    <>
      <p class={tone}>{say(text)}</p>
      <Facts
        facts={[
          [say('issuer'), nif],
          [say('number'), numSerie],
          [say('date'), fecha],
          [say('total'), importe],
        ]}
      />
      {result.kind === 'found' && <p>{link(`/records/${result.invoice.record}`, say('record'))}</p>}
    </>,
  )
}

export function notFoundPage(settings: PageSettings): string {
  const { say, link } = partsOf(settings)
  return frame(settings, say('not_found'), <p>{link('/', say('back'))}</p>)
}

/** The answer for programs, as the authority gives it. */
export function qrJson(result: QrResult, locale: Locale): object {
  const say = messageIn(locale)
  if (result.kind === 'wrong')
    return { status: 'KO', codigo_error: result.codes.join('.') || '2001', mensaje: say('qr_wrong') }
  const resultado = { found: '00', not_found: '01', not_verifiable: '02' }[result.kind]
  return { status: 'OK', respuesta: { resultado, mensaje: say(QR_MESSAGES[result.kind][0]) } }
}
