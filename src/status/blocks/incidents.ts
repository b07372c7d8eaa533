/** What was not taken as it was, each with what there is to do. */
import { adviceOn, standingOf } from '../advice.ts'
import type { Incident } from '../answers.ts'
import { el } from '../dom.ts'
import { answered, calm, opening, stampText, state, told, type View } from '../show.ts'

const MOST = 30

/** Those that still want somebody's attention, and those that do not. */
export function sorted({ round }: View) {
  const items = round.incidents.ok ? round.incidents.value.items : []
  const withStanding = items.map((incident) => {
    const recorded = round.affected.get(incident.num_serie)
    return { incident, recorded, standing: standingOf(incident, recorded) }
  })
  return {
    open: withStanding.filter(({ standing }) => standing !== 'solved'),
    solved: withStanding.filter(({ standing }) => standing === 'solved'),
  }
}

type Shown = ReturnType<typeof sorted>['open'][number]

const headOf = ({ num_serie, estado_registro, codigo_error, submitted_at }: Incident, view: View) =>
  el(
    'div',
    { class: 'line' },
    el('strong', { class: 'number' }, num_serie || view.words.withoutNumber),
    state(estado_registro, { ...view.words.sending, ...view.words.states }),
    codigo_error !== null && el('code', {}, codigo_error),
    submitted_at !== null && el('span', { class: 'when' }, stampText(submitted_at, view.locale)),
  )

const card = ({ incident, recorded, standing }: Shown, view: View): HTMLElement =>
  el(
    'li',
    { class: 'incident' },
    headOf(incident, view),
    incident.descripcion_error !== null && told(incident.descripcion_error, incident.codigo_error),
    standing === 'open'
      ? el(
          'p',
          { class: 'advice' },
          el('b', {}, `${view.words.whatToDo}: `),
          ...adviceOn(incident, recorded, view.companyId, view.words),
        )
      : el('p', { class: 'advice' }, standing === 'solved' ? view.words.solved : view.words.correcting),
  )

export const incidentsBlock = (view: View): readonly Node[] =>
  answered(view.round.incidents, view.words, () => {
    const { open, solved } = sorted(view)
    const list = (cards: readonly Shown[]) =>
      el('ul', { class: 'cards' }, ...cards.slice(0, MOST).map((one) => card(one, view)))
    return [
      ...(open.length > 0 ? [list(open)] : [calm(view.words.noIncidents)]),
      ...(open.length > MOST ? [el('p', {}, view.words.more(open.length - MOST))] : []),
      ...(solved.length > 0 ? [opening('solved', view.words.solvedOnes(solved.length), list(solved))] : []),
    ]
  })
