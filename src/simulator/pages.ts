/** Pages for people: what was received, of whom, and what became of it. */
import { html } from 'hono/html'
import { spanishMoment } from '../fiscal/moment.ts'
import type { Locale } from '../invoice/index.ts'
import { type FiscalRecord, qrUrlOf } from '../verifactu/index.ts'
import { auditChains } from './chain.ts'
import type { InvoiceRow, RecordRow, SimulatorDatabase, SubmissionRow } from './database.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import type { ActiveFault } from './faults.ts'
import { type Word, wordIn } from './page-words.ts'
import type { QrResult } from './qr.ts'
import { shownRecord } from './record-xml.ts'
import type { Environment } from './types.ts'
import { altaOf } from './verifactu-record.ts'

type Html = ReturnType<typeof html>

/** Messages and invoices that one page shows. */
const SHOWN = 100

export const STYLE = `:root { color-scheme: light dark; --line: #8884; --soft: #8882; --good: #1a7f37; --bad: #cf222e; --mind: #9a6700 }
@media (prefers-color-scheme: dark) { :root { --good: #3fb950; --bad: #ff7b72; --mind: #d29922 } }
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
.good { color: var(--good) } .bad { color: var(--bad) } .mind { color: var(--mind) }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem } dt { opacity: .75 } dd { margin: 0; overflow-wrap: anywhere }
input { font: inherit; width: 100%; max-width: 46rem; padding: .3rem }
button { font: inherit; padding: .3rem .8rem }
`

export interface PageSettings {
  readonly locale: Locale
  /** Path and query, without the language. */
  readonly here: string
}

const COLOURS: Readonly<Record<string, string>> = {
  Correcto: 'good',
  Correcta: 'good',
  AceptadoConErrores: 'mind',
  AceptadaConErrores: 'mind',
  ParcialmenteCorrecto: 'mind',
  Incorrecto: 'bad',
  Fault: 'bad',
}

const coloured = (state: string): Html => html`<span class="${COLOURS[state] ?? ''}">${state}</span>`

const when = (instant: number): string => spanishMoment(instant).slice(0, 19).replace('T', ' ')

const frame = ({ locale, here }: PageSettings, title: string, content: Html): string => {
  const say = wordIn(locale)
  const other = locale === 'es' ? 'en' : 'es'
  const join = here.includes('?') ? '&' : '?'
  return String(html`<!doctype html>
<html lang="${locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
</head>
<body>
<header><strong><a href="/?lang=${locale}">${say('title')}</a></strong><p>${say('notice')}</p><a href="${here}${join}lang=${other}" lang="${other}" hreflang="${other}">${other === 'en' ? 'English' : 'Español'}</a></header>
<main>
<h1>${title}</h1>
${content}
</main>
</body>
</html>
`)
}

const cell = (value: unknown): Html => html`<td>${value}</td>`

function table(
  say: (word: Word) => string,
  columns: readonly Word[],
  rows: readonly (readonly unknown[])[],
): Html {
  return html`<div class="wide"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${say(column)}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map(cell)}</tr>
`,
  )}</tbody></table></div>`
}

const linked = (settings: PageSettings, path: string, text: unknown): Html =>
  html`<a href="${path}${path.includes('?') ? '&' : '?'}lang=${settings.locale}">${text}</a>`

const whose = (environment: Environment, taxpayer: string): string =>
  `/taxpayers/${environment}/${encodeURIComponent(taxpayer || '-')}`

export interface Front {
  readonly faults: readonly ActiveFault[]
  readonly serviceUrl: string
  readonly caFile: string
}

export function frontPage(settings: PageSettings, database: SimulatorDatabase, front: Front): string {
  const { locale } = settings
  const say = wordIn(locale)
  const taxpayers = database.taxpayers()
  return frame(
    settings,
    say('title'),
    html`<h2>${say('taxpayers')}</h2>
${
  taxpayers.length === 0
    ? html`<p>${say('nothing')}</p>`
    : table(
        say,
        ['environment', 'issuer', 'name', 'messages', 'records', 'last'],
        taxpayers.map(({ environment, taxpayer, name, messages, records, last }) => [
          say(environment),
          linked(settings, whose(environment, taxpayer), taxpayer || say('unidentified')),
          name,
          messages,
          records,
          when(last),
        ]),
      )
}
<h2>${say('faults')}</h2>
${
  front.faults.length === 0
    ? html`<p>${say('no_faults')}</p>`
    : html`<ul>${front.faults.map(
        ({ fault, struck }) =>
          html`<li><code>${JSON.stringify(fault)}</code> ${FAULT_KINDS[fault.kind].words[locale]}: ${struck} ${
            fault.times === undefined
              ? html`${say('struck')}, ${say('until_cleared')}`
              : html`${say('times_left')} ${fault.times} ${say('struck')}`
          }</li>`,
      )}</ul>`
}
<h2>${say('qr_title')}</h2>
<form action="/qr" method="get"><input type="hidden" name="lang" value="${locale}"><label for="url">${say('qr_label')}</label><br><input id="url" name="url" type="url" required> <button>${say('qr_button')}</button></form>
<h2>${say('addresses')}</h2>
<dl><dt>VeriFactu</dt><dd><code>${front.serviceUrl}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP</code></dd>
<dt>SII</dt><dd><code>${front.serviceUrl}/wlpl/SSII-FACT/ws/fe/SiiFactFEV1SOAP</code></dd>
<dt>${say('certificate')}</dt><dd><code>${front.caFile}</code></dd></dl>`,
  )
}

function messageTable(settings: PageSettings, rows: readonly SubmissionRow[]): Html {
  const say = wordIn(settings.locale)
  return table(
    say,
    ['message', 'received', 'service', 'records', 'state', 'code', 'description'],
    rows.map((row) => [
      linked(settings, `/submissions/${row.id}`, row.id),
      when(row.received_at),
      row.root || row.service,
      row.records,
      coloured(row.state),
      row.csv === null ? (row.code ?? '') : html`CSV <code>${row.csv}</code>`,
      row.early === 1 ? html`<span class="mind">${say('early')}</span>` : (row.description ?? ''),
    ]),
  )
}

const invoiceTable = (settings: PageSettings, rows: readonly InvoiceRow[]): Html =>
  table(
    wordIn(settings.locale),
    ['invoice', 'date', 'book', 'period', 'state', 'code', 'record'],
    rows.map((row) => [
      row.number,
      row.issue_date,
      row.book || 'VeriFactu',
      row.period,
      coloured(row.state),
      row.code ?? '',
      linked(settings, `/records/${row.record}`, row.record),
    ]),
  )

export function taxpayerPage(
  settings: PageSettings,
  database: SimulatorDatabase,
  environment: Environment,
  taxpayer: string,
  before: number,
): string | null {
  const say = wordIn(settings.locale)
  const known = database
    .taxpayers()
    .find((one) => one.environment === environment && one.taxpayer === taxpayer)
  if (!known) return null
  const messages = database.submissions(environment, taxpayer, { before, limit: SHOWN, isNewestFirst: true })
  const invoices = database.invoices(environment, taxpayer, { limit: SHOWN, isNewestFirst: true })
  const here = whose(environment, taxpayer)
  return frame(
    settings,
    `${known.name || say('unidentified')} ${taxpayer}`.trim(),
    html`<p>${say('environment')}: ${say(environment)}. ${linked(settings, `${here}/chain`, say('check_chain'))}</p>
<h2>${say('messages')}</h2>
${messageTable(settings, messages)}
${messages.length === SHOWN ? html`<p>${linked(settings, `${here}?before=${messages.at(-1)!.id}`, say('older'))}</p>` : ''}
<h2>${say('invoices')}</h2>
${invoices.length === 0 ? html`<p>${say('nothing')}</p>` : invoiceTable(settings, invoices)}`,
  )
}

export function chainPage(
  settings: PageSettings,
  database: SimulatorDatabase,
  environment: Environment,
  taxpayer: string,
  now: number,
): string {
  const say = wordIn(settings.locale)
  const report = auditChains(database, environment, taxpayer, { now, locale: settings.locale })
  return frame(
    settings,
    `${say('chain')} ${taxpayer}`,
    html`<p class="${report.valid ? 'good' : 'bad'}">${say(report.valid ? 'chain_good' : 'chain_bad')}</p>
<p>${say('records')}: ${report.records}. ${linked(settings, whose(environment, taxpayer), taxpayer)}</p>
<ul>${report.items.map(({ message, severity }) => html`<li class="${severity === 'error' ? 'bad' : 'mind'}">${message}</li>`)}</ul>`,
  )
}

export function submissionPage(
  settings: PageSettings,
  database: SimulatorDatabase,
  id: number,
): string | null {
  const say = wordIn(settings.locale)
  const row = database.submission(id)
  if (!row) return null
  const records = database.recordsOfSubmission(id)
  return frame(
    settings,
    `${say('message')} ${id}`,
    html`<dl><dt>${say('received')}</dt><dd>${when(row.received_at)}</dd>
<dt>${say('issuer')}</dt><dd>${linked(settings, whose(row.environment, row.taxpayer), row.taxpayer || say('unidentified'))} ${row.taxpayer_name}</dd>
<dt>${say('presenter')}</dt><dd>${row.presenter}</dd>
<dt>${say('service')}</dt><dd>${row.service} ${row.root}</dd>
<dt>${say('state')}</dt><dd>${coloured(row.state)} ${row.code ?? ''} ${row.description ?? ''}</dd>
<dt>CSV</dt><dd>${row.csv ?? '–'}</dd>
${row.wait === null ? '' : html`<dt>TiempoEsperaEnvio</dt><dd>${row.wait}</dd>`}
${row.early === 1 ? html`<dt class="mind">!</dt><dd class="mind">${say('early')}</dd>` : ''}
<dt>${say('xml')}</dt><dd><a href="/submissions/${id}.xml">${say('as_received')}</a></dd></dl>
${
  records.length === 0
    ? ''
    : table(
        say,
        ['record', 'operation', 'invoice', 'date', 'state', 'code', 'description', 'hash'],
        records.map((one) => [
          linked(settings, `/records/${one.id}`, one.id),
          one.operation,
          one.number,
          one.issue_date,
          coloured(one.state),
          one.code ?? '',
          one.description ?? '',
          html`<code>${one.hash?.slice(0, 16) ?? ''}</code>`,
        ]),
      )
}`,
  )
}

/** Where the QR code of a registration leads, here and at the authority. */
function qrAddress({ service, environment, value }: RecordRow): { url: string; here: string } | null {
  const alta = service === 'verifactu' ? altaOf(JSON.parse(value) as FiscalRecord) : undefined
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
  const say = wordIn(settings.locale)
  const row = database.record(id)
  if (!row) return null
  const submission = database.submission(row.submission)!
  const qr = qrAddress(row)
  return frame(
    settings,
    `${say('record')} ${id}: ${row.operation} ${row.number}`,
    html`<dl><dt>${say('issuer')}</dt><dd>${linked(settings, whose(row.environment, row.taxpayer), row.issuer)}</dd>
<dt>${say('invoice')}</dt><dd>${row.number}, ${row.issue_date}</dd>
<dt>${say('message')}</dt><dd>${linked(settings, `/submissions/${row.submission}`, row.submission)} ${when(submission.received_at)}</dd>
<dt>${say('state')}</dt><dd>${coloured(row.state)} ${row.code ?? ''} ${row.description ?? ''}</dd>
<dt>CSV</dt><dd>${(row.state === 'Incorrecto' ? null : submission.csv) ?? '–'}</dd>
${row.hash === null ? '' : html`<dt>${say('hash')}</dt><dd><code>${row.hash}</code></dd>`}
${qr === null ? '' : html`<dt>${say('qr')}</dt><dd>${linked(settings, qr.here, qr.url)}</dd>`}
</dl>
<h2>${say('xml')}</h2>
<p><a href="/records/${id}.xml">${say('download')}</a></p>
<pre>${shownRecord(database, row).text}</pre>`,
  )
}

const QR_WORDS = {
  found: ['qr_found', 'qr_found_text', 'good'],
  not_found: ['qr_not_found', 'qr_not_found_text', 'bad'],
  not_verifiable: ['qr_not_verifiable', 'qr_not_verifiable_text', 'mind'],
} as const

/** What the authority's page says of a QR code. */
export function qrPage(settings: PageSettings, result: QrResult): string {
  const say = wordIn(settings.locale)
  if (result.kind === 'wrong')
    return frame(
      settings,
      say('qr_wrong'),
      html`<ul>${result.messages.map((message) => html`<li class="bad">${message}</li>`)}</ul>
<p>${say('code')}: ${result.codes.join('.') || '–'}</p>`,
    )
  const [title, text, colour] = QR_WORDS[result.kind]
  const { nif, numSerie, fecha, importe } = result.parts
  return frame(
    settings,
    say(title),
    html`<p class="${colour}">${say(text)}</p>
<dl><dt>${say('issuer')}</dt><dd>${nif}</dd><dt>${say('number')}</dt><dd>${numSerie}</dd>
<dt>${say('date')}</dt><dd>${fecha}</dd><dt>${say('total')}</dt><dd>${importe}</dd></dl>
${result.kind === 'found' ? html`<p>${linked(settings, `/records/${result.invoice.record}`, say('record'))}</p>` : ''}`,
  )
}

export const notFoundPage = (settings: PageSettings): string => {
  const say = wordIn(settings.locale)
  return frame(settings, say('not_found'), html`<p>${linked(settings, '/', say('back'))}</p>`)
}

/** The answer for programs, as the authority gives it. */
export function qrJson(result: QrResult, locale: Locale): object {
  const say = wordIn(locale)
  if (result.kind === 'wrong')
    return { status: 'KO', codigo_error: result.codes.join('.') || '2001', mensaje: say('qr_wrong') }
  const resultado = { found: '00', not_found: '01', not_verifiable: '02' }[result.kind]
  return { status: 'OK', respuesta: { resultado, mensaje: say(QR_WORDS[result.kind][0]) } }
}
