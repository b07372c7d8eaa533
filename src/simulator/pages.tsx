/** HTML pages with the received messages, records and invoices. */
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
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
import { type MessageKey, messageIn } from './page-messages.ts'
import type { QrResult } from './qr.ts'
import { recordText } from './record-xml.ts'
import type { Environment } from './types.ts'
import { altaOf } from './verifactu-record.ts'

/** Rows of a table on one page. */
const PAGE_ROWS = 100

/** The style sheet of the pages, next to the built program. Run from source, pages have no style. */
const STYLE_FILE = fileURLToPath(new URL('../pages/document-style.css', import.meta.url))

export const style = (): string => (existsSync(STYLE_FILE) ? readFileSync(STYLE_FILE, 'utf8') : '')

export interface PageSettings {
  readonly locale: Locale
  /** Path and query of the page, without the language. */
  readonly here: string
}

type Cell = ComponentChildren

const joined = (path: string, locale: Locale): string =>
  `${path}${path.includes('?') ? '&' : '?'}lang=${locale}`

/** Returns the helpers of a page, in its language. */
function partsOf({ locale }: PageSettings) {
  const text = messageIn(locale)
  const link = (path: string, text: Cell) => <a href={joined(path, locale)}>{text}</a>
  const table = (columns: readonly MessageKey[], rows: readonly (readonly Cell[])[]) => (
    <div class="wide">
      <Table columns={columns.map((column) => ({ label: text(column) }))} rows={rows} />
    </div>
  )
  return { text, link, table }
}

const code = (text: string) => <code>{text}</code>

const State = ({ of }: { readonly of: string }) => <span class={toneOf(of)}>{of}</span>

const when = (instant: number): string => spanishTimestamp(instant).slice(0, 19).replace('T', ' ')

function frame(settings: PageSettings, title: string, content: Cell): string {
  const { locale, here } = settings
  const { text } = partsOf(settings)
  const other = locale === 'es' ? 'en' : 'es'
  const page = (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title}</title>
        <link rel="stylesheet" href="/style.css" />
      </head>
      <body>
        <header class="top">
          <div class="top-inner">
            <a class="brand" href={joined('/', locale)}>
              cuadra
            </a>
            <p>{text('notice')}</p>
            <a href={joined(here, other)} lang={other} hreflang={other}>
              {other === 'en' ? 'English' : 'Español'}
            </a>
          </div>
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

const taxpayerPath = (environment: Environment, taxpayer: string): string =>
  `/taxpayers/${environment}/${encodeURIComponent(taxpayer || '-')}`

export interface FrontPageData {
  readonly faults: readonly ActiveFault[]
  readonly serviceUrl: string
  readonly caFile: string
}

function faultText({ fault, times_applied }: ActiveFault, locale: Locale): string {
  const text = messageIn(locale)
  const times =
    fault.times === undefined
      ? `${text('times')}, ${text('until_cleared')}`
      : `${text('times_left')} ${fault.times} ${text('times')}`
  return `${FAULT_KINDS[fault.kind].messages[locale]}: ${times_applied} ${times}`
}

const QrForm = ({ locale }: Pick<PageSettings, 'locale'>) => (
  <form action="/qr" method="get">
    <input type="hidden" name="lang" value={locale} />
    <label for="url">{messageIn(locale)('qr_label')}</label>
    <input id="url" name="url" type="url" required />
    <button type="submit" class="primary">
      {messageIn(locale)('qr_button')}
    </button>
  </form>
)

export function frontPage(settings: PageSettings, database: SimulatorDatabase, front: FrontPageData): string {
  const { locale } = settings
  const { text, link, table } = partsOf(settings)
  const rows = database
    .taxpayers()
    .map(({ environment, taxpayer, name, messages, records, last }) => [
      text(environment),
      link(taxpayerPath(environment, taxpayer), taxpayer || text('unidentified')),
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
    text('title'),
    <>
      <h2>{text('taxpayers')}</h2>
      {rows.length === 0 ? (
        <p>{text('nothing')}</p>
      ) : (
        table(['environment', 'issuer', 'name', 'messages', 'records', 'last'], rows)
      )}
      <h2>{text('faults')}</h2>
      {faults.length === 0 ? <p>{text('no_faults')}</p> : <ul>{faults}</ul>}
      <h2>{text('qr_title')}</h2>
      <QrForm locale={locale} />
      <h2>{text('addresses')}</h2>
      <Facts
        facts={[
          ['VeriFactu', code(`${front.serviceUrl}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`)],
          ['SII', code(`${front.serviceUrl}/wlpl/SSII-FACT/ws/fe/SiiFactFEV1SOAP`)],
          [text('certificate'), code(front.caFile)],
        ]}
      />
    </>,
  )
}

function messageTable(settings: PageSettings, rows: readonly SubmissionRow[]) {
  const { text, link, table } = partsOf(settings)
  return table(
    ['message', 'received', 'service', 'records', 'state', 'code', 'description'],
    rows.map((row) => [
      link(`/submissions/${row.id}`, row.id),
      when(row.received_at),
      row.root || row.service,
      row.records,
      <State key="state" of={row.state} />,
      row.csv === null ? row.code : ['CSV ', code(row.csv)],
      row.early === 1 ? <span class="warn">{text('early')}</span> : row.description,
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
  const { text, link } = partsOf(settings)
  const known = database
    .taxpayers()
    .find((one) => one.environment === environment && one.taxpayer === taxpayer)
  if (!known) return null
  const messages = database.submissions(environment, taxpayer, {
    before,
    limit: PAGE_ROWS,
    isNewestFirst: true,
  })
  const invoices = database.invoices(environment, taxpayer, { limit: PAGE_ROWS, isNewestFirst: true })
  const here = taxpayerPath(environment, taxpayer)
  const oldest = messages[PAGE_ROWS - 1]
  return frame(
    settings,
    `${known.name || text('unidentified')} ${taxpayer}`.trim(),
    <>
      <p>
        {`${text('environment')}: ${text(environment)}. `}
        {link(`${here}/chain`, text('check_chain'))}
      </p>
      <h2>{text('messages')}</h2>
      {messageTable(settings, messages)}
      {oldest && <p>{link(`${here}?before=${oldest.id}`, text('older'))}</p>}
      <h2>{text('invoices')}</h2>
      {invoices.length === 0 ? <p>{text('nothing')}</p> : invoiceTable(settings, invoices)}
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
  const { text, link } = partsOf(settings)
  const report = auditChains(database, environment, taxpayer, { now, locale: settings.locale })
  return frame(
    settings,
    `${text('chain')} ${taxpayer}`,
    <>
      <p class={report.valid ? 'good' : 'bad'}>{text(report.valid ? 'chain_good' : 'chain_bad')}</p>
      <p>
        {`${text('records')}: ${report.records}. `}
        {link(taxpayerPath(environment, taxpayer), taxpayer)}
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

/** A state with its code and description. */
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
  const { text, link, table } = partsOf(settings)
  const row = database.submission(id)
  if (!row) return null
  const issuer = link(taxpayerPath(row.environment, row.taxpayer), row.taxpayer || text('unidentified'))
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
    `${text('message')} ${id}`,
    <>
      <Facts
        facts={[
          [text('received'), when(row.received_at)],
          [text('issuer'), [issuer, ` ${row.taxpayer_name}`]],
          [text('presenter'), row.presenter],
          [text('service'), `${row.service} ${row.root}`],
          [text('state'), <Result key="state" of={row} />],
          ['CSV', row.csv ?? '–'],
          ...(row.wait === null ? [] : [['TiempoEsperaEnvio', row.wait] as const]),
          ...(row.early === 1 ? [['!', text('early'), 'warn'] as const] : []),
          [
            text('xml'),
            <a key="xml" href={`/submissions/${id}.xml`}>
              {text('as_received')}
            </a>,
          ],
        ]}
      />
      {records.length > 0 &&
        table(['record', 'operation', 'invoice', 'date', 'state', 'code', 'description', 'hash'], records)}
    </>,
  )
}

/** Returns the address in the QR code of a registration, and its path in the simulator. */
function qrAddress({ service, environment, value }: RecordRow): { url: string; here: string } | null {
  const alta = service === 'verifactu' ? altaOf(JSON.parse(value)) : undefined
  if (!alta) return null
  try {
    const url = qrUrlOf(alta, { environment })
    const { pathname, search } = new URL(url)
    return { url, here: `${environment === 'production' ? '/production' : ''}${pathname}${search}` }
  } catch {
    // Rejected records may have values that are invalid in an address.
    return null
  }
}

export function recordPage(settings: PageSettings, database: SimulatorDatabase, id: number): string | null {
  const { text, link } = partsOf(settings)
  const row = database.record(id)
  const submission = row && database.submission(row.submission)
  if (!submission) return null
  const qr = qrAddress(row)
  return frame(
    settings,
    `${text('record')} ${id}: ${row.operation} ${row.number}`,
    <>
      <Facts
        facts={[
          [text('issuer'), link(taxpayerPath(row.environment, row.taxpayer), row.issuer)],
          [text('invoice'), `${row.number}, ${row.issue_date}`],
          [
            text('message'),
            [link(`/submissions/${row.submission}`, row.submission), ` ${when(submission.received_at)}`],
          ],
          [text('state'), <Result key="state" of={row} />],
          ['CSV', (row.state === 'Incorrecto' ? null : submission.csv) ?? '–'],
          ...(row.hash === null ? [] : [[text('hash'), code(row.hash)] as const]),
          ...(qr === null ? [] : [[text('qr'), link(qr.here, qr.url)] as const]),
        ]}
      />
      <h2>{text('xml')}</h2>
      <p>
        <a href={`/records/${id}.xml`}>{text('download')}</a>
      </p>
      <pre>{recordText(database, row).text}</pre>
    </>,
  )
}

const QR_MESSAGES = {
  found: ['qr_found', 'qr_found_text', 'good'],
  not_found: ['qr_not_found', 'qr_not_found_text', 'bad'],
  not_verifiable: ['qr_not_verifiable', 'qr_not_verifiable_text', 'warn'],
} as const

/** The page for a QR code, like that of the authority. */
export function qrPage(settings: PageSettings, result: QrResult): string {
  const { text, link } = partsOf(settings)
  if (result.kind === 'wrong')
    return frame(
      settings,
      text('qr_wrong'),
      <>
        <ul>
          {result.messages.map((message) => (
            <li class="bad" key={message}>
              {message}
            </li>
          ))}
        </ul>
        <p>{`${text('code')}: ${result.codes.join('.') || '–'}`}</p>
      </>,
    )
  const [title, description, tone] = QR_MESSAGES[result.kind]
  const { nif, numSerie, fecha, importe } = result.parts
  return frame(
    settings,
    text(title),
    <>
      <p class={tone}>{text(description)}</p>
      <Facts
        facts={[
          [text('issuer'), nif],
          [text('number'), numSerie],
          [text('date'), fecha],
          [text('total'), importe],
        ]}
      />
      {result.kind === 'found' && <p>{link(`/records/${result.invoice.record}`, text('record'))}</p>}
    </>,
  )
}

export function notFoundPage(settings: PageSettings): string {
  const { text, link } = partsOf(settings)
  return frame(settings, text('not_found'), <p>{link('/', text('back'))}</p>)
}

/** Returns the JSON for a QR code, in the format of the authority. */
export function qrJson(result: QrResult, locale: Locale): object {
  const text = messageIn(locale)
  if (result.kind === 'wrong')
    return { status: 'KO', codigo_error: result.codes.join('.') || '2001', mensaje: text('qr_wrong') }
  const resultado = { found: '00', not_found: '01', not_verifiable: '02' }[result.kind]
  return { status: 'OK', respuesta: { resultado, mensaje: text(QR_MESSAGES[result.kind][0]) } }
}
