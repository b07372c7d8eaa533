/** What was not taken as it was: one card an invoice with what there is to do, and what is done with. */
import { adviceOn, instructionNodes, type Standing, standingOf } from '../advice.ts'
import type { Chain, Incident } from '../answers.ts'
import { el } from '../dom.ts'
import { answered, calm, opening, stampText, state, told, type View } from '../show.ts'

const MOST = 30
const DAY = 86_400_000

/** Invoices to attend to, other incidents that are open, and those that are done with: each invoice once. */
export function sorted({ round }: View) {
  const attention = round.chain.ok ? round.chain.value.attention : []
  const named = new Set(attention.map(({ num_serie }) => num_serie))
  const { since = null } = round.chain.ok ? round.chain.value.waiting : {}
  const isLate = since !== null && round.at - Date.parse(`${since.slice(0, 23)}Z`) > DAY
  const others: { readonly incident: Incident; readonly standing: Standing }[] = []
  // The newest submission comes first.
  for (const incident of round.incidents.ok ? round.incidents.value.items : []) {
    const { num_serie, estado_registro } = incident
    const isOfInvoice = num_serie !== '' && estado_registro !== 'anomaly' && estado_registro !== 'pending'
    if (isOfInvoice && named.has(num_serie)) continue
    if (isOfInvoice) named.add(num_serie)
    others.push({ incident, standing: standingOf(incident, round.affected.get(num_serie), isLate) })
  }
  const isOpen = ({ standing }: (typeof others)[number]) => !(standing === 'solved' || standing === 'quiet')
  return { attention, open: others.filter(isOpen), done: others.filter((one) => !isOpen(one)) }
}

type Head = Pick<Incident, 'num_serie' | 'codigo_error' | 'submitted_at' | 'descripcion_error'>

const card = (head: Head, value: string, view: View, ...advice: readonly (Node | string)[]): HTMLElement =>
  el(
    'li',
    { class: 'incident' },
    el(
      'div',
      { class: 'line' },
      el('strong', { class: 'number' }, head.num_serie || view.words.withoutNumber),
      state(value, { ...view.words.sending, ...view.words.states }),
      head.codigo_error !== null && el('code', {}, head.codigo_error),
      head.submitted_at !== null && el('span', { class: 'when' }, stampText(head.submitted_at, view.locale)),
    ),
    head.descripcion_error !== null && told(head.descripcion_error, head.codigo_error),
    el('p', { class: 'advice' }, ...advice),
  )

const toDo = (view: View, ...parts: readonly (Node | string)[]) => [
  el('b', {}, `${view.words.whatToDo}: `),
  ...parts,
]

const attentionCard = (one: Chain['attention'][number], view: View): HTMLElement =>
  card(one, one.estado, view, ...toDo(view, ...instructionNodes(one.instruction)))

function incidentCard({ incident, standing }: ReturnType<typeof sorted>['open'][number], view: View) {
  const { words } = view
  const says = { correcting: words.correcting, solved: words.solved, quiet: words.quiet } as const
  const advice =
    standing === 'open' || standing === 'waits' ? toDo(view, adviceOn(incident, words)) : [says[standing]]
  return card(incident, incident.estado_registro, view, ...advice)
}

export const incidentsBlock = (view: View): readonly Node[] =>
  answered(view.round.incidents, view.words, () => {
    const { attention, open, done } = sorted(view)
    const list = (cards: readonly HTMLElement[]) => el('ul', { class: 'cards' }, ...cards.slice(0, MOST))
    const cards = [
      ...attention.map((one) => attentionCard(one, view)),
      ...open.map((one) => incidentCard(one, view)),
    ]
    const solved = done.map((one) => incidentCard(one, view))
    return [
      ...(cards.length > 0 ? [list(cards)] : [calm(view.words.noIncidents)]),
      ...(cards.length > MOST ? [el('p', {}, view.words.more(cards.length - MOST))] : []),
      ...(solved.length > 0 ? [opening('solved', view.words.solvedOnes(solved.length), list(solved))] : []),
    ]
  })
