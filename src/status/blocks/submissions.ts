/** What was sent, and what came back. */
import type { SiiSubmission, SiiSubmissionDetail, Submission } from '../answers.ts'
import { el } from '../dom.ts'
import { answered, calm, opening, refused, stampText, state, told, type View } from '../show.ts'

interface Line {
  readonly name: string
  readonly state: string
  readonly code: string | null
  readonly said: string | null
}

const lineOf = ({ name, state: value, code, said }: Line, { words }: View): HTMLElement =>
  el(
    'li',
    {},
    el(
      'div',
      { class: 'line' },
      el('strong', { class: 'number' }, name),
      state(value, { ...words.states, ...words.sending }),
      code !== null && el('code', {}, code),
    ),
    said !== null && told(said, code, { class: 'help' }),
  )

const MOST = 50

function linesOf(lines: readonly Line[], view: View): HTMLElement[] {
  const rest = lines.length - MOST
  return [
    el('ul', { class: 'cards small' }, ...lines.slice(0, MOST).map((one) => lineOf(one, view))),
    ...(rest > 0 ? [el('p', { class: 'help' }, view.words.more(rest))] : []),
  ]
}

interface Head {
  readonly at: string | null
  readonly state: string
  readonly records: number
  readonly csv: string | null
  readonly further?: string
}

const headOf = (head: Head, { words, locale }: View): HTMLElement =>
  el(
    'span',
    { class: 'line' },
    el('strong', {}, stampText(head.at, locale) || words.notSent),
    state(head.state, { ...words.states, ...words.sending }),
    head.further !== undefined && el('span', {}, head.further),
    el('span', {}, `${words.columns.records}: ${head.records}`),
    head.csv !== null && el('span', { class: 'small' }, 'CSV ', el('code', {}, head.csv)),
  )

const said = (code: string | null, text: string | null): Node[] =>
  text === null && code === null
    ? []
    : [el('p', { class: 'advice' }, code !== null && el('code', {}, code), code !== null && ' ', text ?? '')]

const submission = (one: Submission, view: View): HTMLElement =>
  opening(
    `submission ${one.id}`,
    headOf(
      { at: one.submitted_at, state: one.estado_envio, records: one.record_count, csv: one.aeat_csv },
      view,
    ),
    ...said(one.error_code, one.error_message),
    ...linesOf(
      one.lineas.map((line) => ({
        name: line.num_serie,
        state: line.estado_registro,
        code: line.codigo_error,
        said: line.descripcion_error,
      })),
      view,
    ),
  )

export const submissionsBlock = (view: View): readonly Node[] =>
  answered(view.round.submissions, view.words, ({ items, total }) =>
    items.length === 0
      ? [calm(view.words.noSubmissions)]
      : [
          ...items.map((one) => submission(one, view)),
          ...(total > items.length
            ? [el('p', { class: 'help' }, view.words.more(total - items.length))]
            : []),
        ],
  )

/** The invoices of a submission are asked for when somebody opens it. */
function siiSubmission(one: SiiSubmission, view: View): HTMLElement {
  const { words } = view
  const inside = el('div', { 'data-lines': one.public_id })
  const details = opening(
    `sii ${one.public_id}`,
    headOf(
      {
        at: one.submitted_at,
        state: one.global_status,
        records: one.record_count,
        csv: one.csv,
        further: `${words.books[one.book_type] ?? one.book_type}, ${one.operation_type}`,
      },
      view,
    ),
    ...said(one.error_code, one.error_description),
    inside,
  )
  details.addEventListener('toggle', async () => {
    if (!details.open || inside.hasChildNodes()) return
    const called = await view.call<SiiSubmissionDetail>(`/sii/submissions/${one.public_id}`)
    if (!called.ok) return inside.replaceChildren(refused(called.refusal, words))
    const lines = called.value.items.map((item) => ({
      name: item.invoice_number,
      state: item.item_status,
      code: item.error_code,
      said: item.error_description,
    }))
    inside.replaceChildren(...linesOf(lines, view))
  })
  return details
}

export const siiSubmissionsOf = (view: View): readonly Node[] =>
  answered(view.round.siiSubmissions, view.words, ({ items, total }) =>
    items.length === 0
      ? [calm(view.words.noSiiSubmissions)]
      : [
          ...items.map((one) => siiSubmission(one, view)),
          ...(total > items.length
            ? [el('p', { class: 'help' }, view.words.more(total - items.length))]
            : []),
        ],
  )
