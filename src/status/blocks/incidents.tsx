/** What was not taken as it was: one card an invoice with what there is to do, and what is done with. */
import type { ComponentChildren } from 'preact'
import type { Incident } from '../responses.ts'
import type { InvoiceRecords } from '../load.ts'
import type { Messages } from '../messages.ts'
import {
  WithResponse,
  Cards,
  Code,
  Command,
  More,
  Disclosure,
  Remark,
  State,
  stampText,
  useView,
  type View,
} from '../show.tsx'

const MAX_SHOWN = 30
const DAY = 86_400_000

interface Sorted {
  readonly incident: Incident
  readonly state: IncidentState
}

/** Invoices to attend to, other incidents that are open, and those that are done with: each invoice once. */
export function sorted({ round }: View) {
  const attention = round.chain.ok ? round.chain.value.attention : []
  const named = new Set(attention.map(({ num_serie }) => num_serie))
  const { since = null } = round.chain.ok ? round.chain.value.waiting : {}
  const isLate = since !== null && round.at - Date.parse(`${since.slice(0, 23)}Z`) > DAY
  const others: Sorted[] = []
  // The newest submission comes first.
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

/** An instruction of the server: its commands, between backticks, stand in lines of their own. */
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
  const { attention, open, done } = sorted(view)
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
      <More count={cards.length - MAX_SHOWN} class="" />
      {done.length > 0 && (
        <Disclosure title={messages.resolvedIncidents(done.length)}>
          <Cards>{incidentCards(done.slice(0, MAX_SHOWN))}</Cards>
        </Disclosure>
      )}
    </>
  )
}

export const IncidentsBlock = () => <WithResponse of={useView().round.incidents}>{() => <Incidents />}</WithResponse>

/** `waits`: it goes on by itself; `quiet`: nothing is to be done, as after a remark that needs no correction. */
export type IncidentState = 'open' | 'retrying' | 'correcting' | 'resolved' | 'noAction'

/** Nothing was decided of the records of the submission: they wait. */
const isWaiting = ({ estado_registro }: Incident): boolean => estado_registro === 'pending'
const isAnomaly = ({ estado_registro }: Incident): boolean => estado_registro === 'anomaly'

/** Codes of the connection, after which everything goes on by itself. */
const BY_ITSELF = /^(unreachable|unknown|fault_service|fault_record)$/

/** How an incident stands by what is known of its invoice now; `isLate`: what waits has waited too long. */
export function incidentState(incident: Incident, recorded: InvoiceRecords | undefined, isLate: boolean): IncidentState {
  if (isAnomaly(incident)) return 'open'
  const state = recorded?.records.at(-1)?.estado
  if (isWaiting(incident)) {
    if (state !== undefined && state !== 'pending') return 'resolved'
    return !isLate && BY_ITSELF.test(incident.codigo_error ?? '') ? 'retrying' : 'open'
  }
  if (state === 'pending') return 'correcting'
  return state === 'accepted' ? 'resolved' : 'noAction'
}

/** What to do for what waits, or for an anomaly. */
export const adviceOn = ({ codigo_error }: Incident, { advice }: Messages): string =>
  BY_ITSELF.test(codigo_error ?? '') ? advice.retrying : advice.followMessage
