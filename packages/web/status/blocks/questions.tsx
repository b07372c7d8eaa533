/** The forms: search for an invoice by number, and query the authority for a month. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { spanishDay } from '#records/fiscal/index.ts'
import type { InvoiceRecords } from '../load-status.ts'
import { amountText, Badge, CallError, Cards, Code, dateText, Muted, State, useView } from '../show.tsx'
import type { CallResult } from '../status-call.ts'
import type { AeatRecords, SiiStatus } from '../status-responses.ts'
import { RecordRow } from './chain.tsx'

interface QuestionProps {
  readonly id: string
  readonly label: string
  readonly help: string
  readonly button: string
  readonly input: InputHTMLAttributes
  readonly waiting: string
  readonly ask: (value: string) => Promise<ComponentChildren>
}

/** A form with one field. Its result is shown below until the next query. */
function Question({ id, label, help, button, input, waiting, ask }: QuestionProps) {
  const field = useRef<HTMLInputElement>(null)
  const [answer, setAnswer] = useState<ComponentChildren>(null)
  const [asking, setAsking] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    setAsking(true)
    setAnswer(<Muted>{waiting}</Muted>)
    setAnswer(await ask(field.current?.value.trim() ?? ''))
    setAsking(false)
  }
  return (
    <div>
      <form class="question" onSubmit={submit}>
        <label for={id}>{label}</label>
        <div class="row">
          <input id={id} aria-describedby={`${id}-help`} required ref={field} {...input} />
          <button class="quiet" type="submit" aria-disabled={asking || undefined}>
            {button}
          </button>
        </div>
        <p class="help" id={`${id}-help`}>
          {help}
        </p>
      </form>
      <div class="answer" aria-live="polite">
        {answer}
      </div>
    </div>
  )
}

function SiiStatusRow({ of: one }: { readonly of: SiiStatus }) {
  const { messages, locale } = useView()
  return (
    <p class="line">
      <strong>{`SII, ${messages.books[one.book_type]}`}</strong>
      <State value={one.status} />
      <Badge tone="plain" text={dateText(one.deadline, locale)} />
      <Code text={one.error_code} />
      {one.error_description !== null && <span>{one.error_description}</span>}
    </p>
  )
}

interface InvoiceProps extends InvoiceRecords {
  readonly sii: CallResult<readonly SiiStatus[]>
}

function InvoiceResult({ invoice, records, sii }: InvoiceProps) {
  const { messages, locale } = useView()
  const number = invoice.number ?? ''
  const qr = records.find(({ qr_url }) => qr_url !== null)?.qr_url
  return (
    <>
      <p class="line">
        <strong class="number">{number}</strong>
        <span>{dateText(invoice.issue_date, locale)}</span>
        <span>{invoice.customer_name}</span>
        <span>{amountText(invoice.total, invoice.currency, locale)}</span>
      </p>
      <p class="small">
        <code>{invoice.id}</code>
      </p>
      {records.length === 0 ? (
        <Muted>{messages.notRegistered}</Muted>
      ) : (
        <ol class="cards">
          {records.map((record) => (
            <RecordRow key={record.huella} number={number} record={record} />
          ))}
        </ol>
      )}
      {/* Only web addresses become links. */}
      {qr?.startsWith('https://') && (
        <p>
          <a href={qr} rel="noreferrer" target="_blank">
            {messages.qr}
          </a>
        </p>
      )}
      {sii.ok && sii.value.map((one) => <SiiStatusRow key={one.book_type} of={one} />)}
    </>
  )
}

export function SearchForm() {
  const { messages, loader, call } = useView()
  const ask = async (number: string) => {
    const found = await loader.find(number)
    if (!found.ok) return <CallError failure={found.failure} />
    if (found.value === null) return <Muted>{messages.notFound(number)}</Muted>
    const sii = await call<readonly SiiStatus[]>(`/invoices/${found.value.invoice.id}/sii/status`)
    return <InvoiceResult {...found.value} sii={sii} />
  }
  return (
    <Question
      id="find"
      label={messages.findLabel}
      help={messages.findHelp}
      button={messages.search}
      input={{ type: 'text', maxlength: 60, autocomplete: 'off', spellcheck: false }}
      waiting={messages.checking}
      ask={ask}
    />
  )
}

interface MonthProps {
  readonly of: AeatRecords
  readonly month: string
}

function MonthResult({ of: { records, indicador_paginacion }, month }: MonthProps) {
  const { messages, locale } = useView()
  if (records.length === 0) return <Muted>{messages.nothingThere(month)}</Muted>
  return (
    <>
      <p>{messages.there(records.length, month)}</p>
      <Cards>
        {records.map((one, at) => (
          <li class="line" key={at}>
            <strong class="number">{one.num_serie}</strong>
            <span>{one.fecha_expedicion}</span>
            {one.importe_total !== null && <span>{amountText(one.importe_total, 'EUR', locale)}</span>}
            <State value={one.estado_registro} />
            <Code text={one.codigo_error} />
            {one.descripcion_error !== null && <span class="help">{one.descripcion_error}</span>}
          </li>
        ))}
      </Cards>
      {indicador_paginacion === 'S' && <p class="help">{messages.morePages}</p>}
    </>
  )
}

export function QueryForm() {
  const { messages, call } = useView()
  const thisMonth = spanishDay(Date.now()).slice(0, 'YYYY-MM'.length)
  const ask = async (month: string) => {
    const called = await call<AeatRecords>(`/verifactu/aeat-records?period=${encodeURIComponent(month)}`)
    if (called.ok) return <MonthResult of={called.value} month={month} />
    return (
      <>
        <CallError failure={called.failure} />
        {called.failure.reasons.map((reason) => (
          <p class="advice" key={reason}>
            {reason}
          </p>
        ))}
      </>
    )
  }
  return (
    <Question
      id="month"
      label={messages.month}
      help={messages.askHelp}
      button={messages.askNow}
      // Browsers without month inputs use the pattern and the placeholder.
      input={{
        type: 'month',
        defaultValue: thisMonth,
        pattern: '\\d{4}-(0[1-9]|1[0-2])',
        placeholder: 'AAAA-MM',
      }}
      waiting={messages.asking}
      ask={ask}
    />
  )
}
