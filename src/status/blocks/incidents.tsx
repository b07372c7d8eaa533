/** What was not taken as it was: one card an invoice with what there is to do, and what is done with. */
import type { ComponentChildren } from 'preact'
import { adviceOn, type Standing, standingOf } from '../advice.ts'
import type { Incident } from '../answers.ts'
import {
  Answered,
  Cards,
  Code,
  Command,
  More,
  Opening,
  Remark,
  State,
  stampText,
  useView,
  type View,
} from '../show.tsx'

const MOST = 30
const DAY = 86_400_000

interface Sorted {
  readonly incident: Incident
  readonly standing: Standing
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
    others.push({ incident, standing: standingOf(incident, round.affected.get(num_serie), isLate) })
  }
  const isOpen = ({ standing }: Sorted) => !(standing === 'solved' || standing === 'quiet')
  return { attention, open: others.filter(isOpen), done: others.filter((one) => !isOpen(one)) }
}

interface CardProps {
  readonly of: Pick<Incident, 'num_serie' | 'codigo_error' | 'submitted_at' | 'descripcion_error'>
  readonly state: string
  readonly children: ComponentChildren
}

function Card({ of, state, children }: CardProps) {
  const { words, locale } = useView()
  const { num_serie, codigo_error, submitted_at, descripcion_error } = of
  return (
    <li class="incident">
      <div class="line">
        <strong class="number">{num_serie || words.withoutNumber}</strong>
        <State value={state} />
        <Code text={codigo_error} />
        {submitted_at !== null && <span class="when">{stampText(submitted_at, locale)}</span>}
      </div>
      <Remark text={descripcion_error} code={codigo_error} />
      <p class="advice">{children}</p>
    </li>
  )
}

const ToDo = () => <b>{useView().words.whatToDo}: </b>

/** An instruction of the server: its commands, between backticks, stand in lines of their own. */
const instructionParts = (text: string): ComponentChildren[] =>
  text
    .split('`')
    .map((part, at) => (at % 2 === 1 ? <Command key={at}>{part}</Command> : part.replace(/^\./, '')))

function IncidentCard({ incident, standing }: Sorted) {
  const { words } = useView()
  return (
    <Card of={incident} state={incident.estado_registro}>
      {standing === 'open' || standing === 'waits' ? (
        <>
          <ToDo />
          {adviceOn(incident, words)}
        </>
      ) : (
        words[standing]
      )}
    </Card>
  )
}

const incidentCards = (list: readonly Sorted[]) => list.map((one, at) => <IncidentCard key={at} {...one} />)

function Incidents() {
  const view = useView()
  const { words } = view
  const { attention, open, done } = sorted(view)
  const cards = [
    ...attention.map((one, at) => (
      <Card key={`attention ${at}`} of={one} state={one.estado}>
        <ToDo />
        {instructionParts(one.instruction)}
      </Card>
    )),
    ...incidentCards(open),
  ]
  return (
    <>
      <Cards none={words.noIncidents}>{cards.slice(0, MOST)}</Cards>
      <More count={cards.length - MOST} class="" />
      {done.length > 0 && (
        <Opening title={words.solvedOnes(done.length)}>
          <Cards>{incidentCards(done.slice(0, MOST))}</Cards>
        </Opening>
      )}
    </>
  )
}

export const IncidentsBlock = () => <Answered of={useView().round.incidents}>{() => <Incidents />}</Answered>
