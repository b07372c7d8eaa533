/** The incidents: one card with instructions for each invoice, and the resolved incidents. */
import type { ComponentChildren } from 'preact'
import type { InvoiceRecords } from '../load-status.ts'
import {
  Cards,
  Code,
  Command,
  Disclosure,
  HiddenCount,
  Remark,
  State,
  stampText,
  useView,
  type View,
  WithResponse,
} from '../show.tsx'
import type { Messages } from '../status-messages.ts'
import type { Incident } from '../status-responses.ts'

const MAX_SHOWN = 30
const DAY = 86_400_000

interface Sorted {
  readonly incident: Incident
  readonly state: IncidentState
}

/**
 * Returns the invoices that need attention, the other open incidents and the resolved incidents. Each invoice appears
 * once.
 */
export function sortedIncidents({ round }: View) {
  const attention = round.chain.ok ? round.chain.value.attention : []
  const named = new Set(attention.map(({ num_serie }) => num_serie))
  const { since = null } = round.chain.ok ? round.chain.value.waiting : {}
  const isLate = since !== null && round.at - Date.parse(`${since.slice(0, 23)}Z`) > DAY
  const others: Sorted[] = []
  // Newest submission first: older incidents of the same invoice are skipped.
  for (const incident of round.incidents.ok ? round.incidents.value.items : []) {
    const { num_serie, estado_registro } = incident
    const isOfInvoice = num_serie !== '' && estado_registro !== 'anomaly' && estado_registro !== 'pending'
    if (isOfInvoice && named.has(num_serie)) continue
    if (isOfInvoice) named.add(num_serie)
    others.push({ incident, state: incidentState(incident, round.affected.get(num_serie), isLate) })
  }
  const isOpen = ({ state }: Sorted) => !(state === 'resolved' || state === 'noAction')
  return { attention, open: others.filter(isOpen), done: others.filter((one) => !isOpen(one)) }
}

interface CardProps {
  readonly of: Pick<Incident, 'num_serie' | 'codigo_error' | 'submitted_at' | 'descripcion_error'>
  readonly state: string
  readonly children: ComponentChildren
}

function Card({ of, state, children }: CardProps) {
  const { messages, locale } = useView()
  const { num_serie, codigo_error, submitted_at, descripcion_error } = of
  return (
    <li class="incident">
      <div class="line">
        <strong class="number">{num_serie || messages.withoutNumber}</strong>
        <State value={state} />
        <Code text={codigo_error} />
        {submitted_at !== null && <span class="when">{stampText(submitted_at, locale)}</span>}
      </div>
      <Remark text={descripcion_error} code={codigo_error} />
      <p class="advice">{children}</p>
    </li>
  )
}

const WhatToDo = () => <b>{useView().messages.whatToDo}: </b>

/** Renders an instruction of the server, with the commands between backticks on their own lines. */
const instructionParts = (text: string): ComponentChildren[] =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <Command key={at}>{part}</Command> : part.replace(/^\./, '')))

function IncidentCard({ incident, state }: Sorted) {
  const { messages } = useView()
  return (
    <Card of={incident} state={incident.estado_registro}>
      {state === 'open' || state === 'retrying' ? (
        <>
          <WhatToDo />
          {adviceOn(incident, messages)}
        </>
      ) : (
        messages[state]
      )}
    </Card>
  )
}

const incidentCards = (list: readonly Sorted[]) => list.map((one, at) => <IncidentCard key={at} {...one} />)

function Incidents() {
  const view = useView()
  const { messages } = view
  const { attention, open, done } = sortedIncidents(view)
  const cards = [
    ...attention.map((one, at) => (
      <Card key={`attention ${at}`} of={one} state={one.estado}>
        <WhatToDo />
        {instructionParts(one.instruction)}
      </Card>
    )),
    ...incidentCards(open),
  ]
  return (
    <>
      <Cards none={messages.noIncidents}>{cards.slice(0, MAX_SHOWN)}</Cards>
      <HiddenCount count={cards.length - MAX_SHOWN} class="" />
      {done.length > 0 && (
        <Disclosure title={messages.resolvedIncidents(done.length)}>
          <Cards>{incidentCards(done.slice(0, MAX_SHOWN))}</Cards>
        </Disclosure>
      )}
    </>
  )
}

export const IncidentsBlock = () => (
  <WithResponse of={useView().round.incidents}>{() => <Incidents />}</WithResponse>
)

/** State of an incident. `noAction` is an incident that needs no correction, such as a remark of the authority. */
export type IncidentState = 'open' | 'retrying' | 'correcting' | 'resolved' | 'noAction'

/** Whether the authority has not decided on the records of the submission yet. */
const isWaiting = ({ estado_registro }: Incident): boolean => estado_registro === 'pending'
const isAnomaly = ({ estado_registro }: Incident): boolean => estado_registro === 'anomaly'
const isMissing = ({ estado_registro }: Incident): boolean => estado_registro === 'missing'

/** Codes of connection failures, which are retried automatically. */
const RETRIED = /^(unreachable|unknown|fault_service|fault_record)$/

/**
 * Returns the state of an incident from the current records of its invoice. `isLate` means that records have been
 * waiting for over a day.
 */
export function incidentState(
  incident: Incident,
  recorded: InvoiceRecords | undefined,
  isLate: boolean,
): IncidentState {
  if (isAnomaly(incident) || isMissing(incident)) return 'open'
  const state = recorded?.records.at(-1)?.estado
  if (isWaiting(incident)) {
    if (state !== undefined && state !== 'pending') return 'resolved'
    return !isLate && RETRIED.test(incident.codigo_error ?? '') ? 'retrying' : 'open'
  }
  if (state === 'pending') return 'correcting'
  return state === 'accepted' ? 'resolved' : 'noAction'
}

/** Returns the advice on pending records or an anomaly. */
export const adviceOn = ({ codigo_error }: Incident, { advice }: Messages): string =>
  RETRIED.test(codigo_error ?? '') ? advice.retrying : advice.followMessage
