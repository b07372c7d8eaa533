/** The SII block, with enrolment and deadlines, and the submissions of both systems. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { nameOf } from '../../parts/locale.ts'
import { DefinitionList } from '../../parts/page-parts.tsx'
import {
  Badge,
  Cards,
  Code,
  Disclosure,
  dateText,
  HiddenCount,
  Instruction,
  Muted,
  Remark,
  State,
  stampText,
  useView,
  WithResponse,
} from '../show.tsx'
import type { CallResult } from '../status-call.ts'
import type {
  Page,
  SiiConfig,
  SiiDue,
  SiiSubmission,
  SiiSubmissionDetail,
  Submission,
  SubmissionLine,
} from '../status-responses.ts'

const MAX_DUE = 12

const toneOf = (days: number) => (days < 0 ? 'bad' : days <= 1 ? 'warn' : 'plain')

function DueRow({ due }: { readonly due: SiiDue }) {
  const { round, messages, locale } = useView()
  const { invoice_public_id: id, book_type: book, deadline, days_remaining: days } = due
  return (
    <li class="line">
      <strong class="number">{round.numbers.get(id) ?? id}</strong>
      <span>{messages.books[book]}</span>
      <time dateTime={deadline}>{dateText(deadline, locale)}</time>
      <Badge tone={toneOf(days)} text={messages.days(days)} />
    </li>
  )
}

function Due({ items }: { readonly items: readonly SiiDue[] }) {
  const { messages, companyId } = useView()
  if (items.length === 0) return <Muted>{messages.nothingDue}</Muted>
  return (
    <>
      {items.some(({ days_remaining }) => days_remaining < 0) && (
        <p class="advice">
          <Instruction
            text={messages.overdueHelp}
            command={`cuadra-admin sii send-now --company ${companyId}`}
          />
        </p>
      )}
      <Cards max={MAX_DUE}>
        {items.map((one) => (
          <DueRow key={`${one.book_type} ${one.invoice_public_id}`} due={one} />
        ))}
      </Cards>
    </>
  )
}

function Enrolment({ config }: { readonly config: SiiConfig }) {
  const { messages, locale } = useView()
  const { enrollment_status: status, auto_submit, environment, enrollment_periods: periods } = config
  const since = periods
    .filter(({ end_date }) => end_date === null)
    .map(({ start_date }) => dateText(start_date, locale))
    .join(', ')
  return (
    <DefinitionList
      class="facts"
      facts={[
        [messages.enrolment, nameOf(messages.enrolments, status)],
        ...(since === '' ? [] : [[messages.period, since] as const]),
        [messages.automatic, auto_submit ? messages.automatics.yes : messages.automatics.no],
        [messages.environment, nameOf(messages.environments, environment)],
      ]}
    />
  )
}

export function SiiBlock() {
  const { round, messages } = useView()
  return (
    <WithResponse of={round.sii}>
      {(config) =>
        config.enrollment_status === 'not_applicable' &&
        !(round.due.ok && round.due.value.items.length > 0) ? (
          <Muted>{messages.siiNot}</Muted>
        ) : (
          <>
            <Enrolment config={config} />
            <h3>{messages.due}</h3>
            <WithResponse of={round.due}>{({ items }) => <Due items={items} />}</WithResponse>
            <h3>{messages.siiSubmissions}</h3>
            <SiiSubmissions />
          </>
        )
      }
    </WithResponse>
  )
}

const MAX_ITEMS = 50

const SubmissionItems = ({ lines }: { readonly lines: readonly SubmissionLine[] }) => (
  <Cards class="cards small" max={MAX_ITEMS}>
    {lines.map(({ num_serie, estado_registro, codigo_error, descripcion_error }, at) => (
      <li key={at}>
        <div class="line">
          <strong class="number">{num_serie}</strong>
          <State value={estado_registro} />
          <Code text={codigo_error} />
        </div>
        <Remark text={descripcion_error} code={codigo_error} class="help" />
      </li>
    ))}
  </Cards>
)

interface SummaryProps {
  readonly at: string | null
  readonly state: string
  readonly records: number
  readonly csv: string | null
  readonly further?: string
}

function SubmissionSummary({ at, state, records, csv, further }: SummaryProps) {
  const { messages, locale } = useView()
  return (
    <span class="line">
      <strong>{stampText(at, locale) || messages.notSent}</strong>
      <State value={state} />
      {further !== undefined && <span>{further}</span>}
      <span>{`${messages.recordCount}: ${records}`}</span>
      {csv !== null && (
        <span class="small">
          CSV <code>{csv}</code>
        </span>
      )}
    </span>
  )
}

/** Shows why a whole submission was rejected. */
const Fault = ({ code, text }: { readonly code: string | null; readonly text: string | null }) =>
  text === null && code === null ? null : (
    <p class="advice">
      <Code text={code} />
      {code !== null && ' '}
      {text}
    </p>
  )

const SubmissionEntry = ({ of: one }: { readonly of: Submission }) => (
  <Disclosure
    name={`submission ${one.id}`}
    title={
      <SubmissionSummary
        at={one.submitted_at}
        state={one.estado_envio}
        records={one.record_count}
        csv={one.aeat_csv}
      />
    }
  >
    <Fault code={one.error_code} text={one.error_message} />
    <SubmissionItems lines={one.lineas} />
  </Disclosure>
)

/** Loads the invoices of a submission when it is opened, and again when it changes. */
function useDetail(one: SiiSubmission, isOpen: boolean): CallResult<SiiSubmissionDetail> | null {
  const { call } = useView()
  const [detail, setDetail] = useState<CallResult<SiiSubmissionDetail> | null>(null)
  const version = JSON.stringify(one)
  const fetched = useRef('')
  useEffect(() => {
    if (!isOpen || fetched.current === version) return
    fetched.current = version
    void call<SiiSubmissionDetail>(`/sii/submissions/${one.public_id}`).then(setDetail)
  }, [isOpen, version, call, one.public_id])
  return detail
}

function SiiSubmissionEntry({ of: one }: { readonly of: SiiSubmission }) {
  const { messages } = useView()
  const [isOpen, setOpen] = useState(false)
  const detail = useDetail(one, isOpen)
  const { submitted_at: at, global_status: state, record_count: records, csv } = one
  const further = `${messages.books[one.book_type]}, ${one.operation_type}`
  return (
    <Disclosure
      title={<SubmissionSummary at={at} state={state} records={records} csv={csv} further={further} />}
      onToggle={setOpen}
    >
      <Fault code={one.error_code} text={one.error_description} />
      <div data-lines={one.public_id}>
        {detail && (
          <WithResponse of={detail}>
            {({ items }) => (
              <SubmissionItems
                lines={items.map((item) => ({
                  num_serie: item.invoice_number,
                  estado_registro: item.item_status,
                  codigo_error: item.error_code,
                  descripcion_error: item.error_description,
                }))}
              />
            )}
          </WithResponse>
        )}
      </div>
    </Disclosure>
  )
}

interface ListProps<Item> {
  readonly of: CallResult<Page<Item>>
  readonly none: string
  readonly children: (item: Item) => ComponentChildren
}

const List = <Item,>({ of, none, children }: ListProps<Item>) => (
  <WithResponse of={of}>
    {({ items, total }) =>
      items.length === 0 ? (
        <Muted>{none}</Muted>
      ) : (
        <>
          {items.map(children)}
          <HiddenCount count={total - items.length} />
        </>
      )
    }
  </WithResponse>
)

export function SubmissionsBlock() {
  const { round, messages } = useView()
  return (
    <List of={round.submissions} none={messages.noSubmissions}>
      {(one) => <SubmissionEntry key={one.id} of={one} />}
    </List>
  )
}

export function SiiSubmissions() {
  const { round, messages } = useView()
  return (
    <List of={round.siiSubmissions} none={messages.noSiiSubmissions}>
      {(one) => <SiiSubmissionEntry key={one.public_id} of={one} />}
    </List>
  )
}
