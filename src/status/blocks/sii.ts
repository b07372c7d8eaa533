/** The SII: enrolment, what is due until when, and what was sent. */
import type { SiiConfig, SiiDue } from '../answers.ts'
import { badge, commandLine, el, filled } from '../dom.ts'
import { answered, calm, dateText, facts, type View } from '../show.ts'
import { siiSubmissionsOf } from './submissions.ts'

const MOST = 12

const toneOf = (days: number) => (days < 0 ? 'bad' : days <= 1 ? 'warn' : 'plain')

const dueLine = (one: SiiDue, { round, words, locale }: View): HTMLElement =>
  el(
    'li',
    { class: 'line' },
    el('strong', { class: 'number' }, round.numbers.get(one.invoice_public_id) ?? one.invoice_public_id),
    el('span', {}, words.books[one.book_type] ?? one.book_type),
    el('time', { datetime: one.deadline }, dateText(one.deadline, locale)),
    badge(toneOf(one.days_remaining), words.days(one.days_remaining)),
  )

function dueOf(items: readonly SiiDue[], view: View): Node[] {
  const { words, companyId } = view
  if (items.length === 0) return [calm(words.nothingDue)]
  const isLate = items.some(({ days_remaining }) => days_remaining < 0)
  const command = commandLine(`cuadra-admin sii send-now --company ${companyId}`)
  return [
    ...(isLate ? [el('p', { class: 'advice' }, ...filled(words.overdueHelp, { command }))] : []),
    el('ul', { class: 'cards' }, ...items.slice(0, MOST).map((one) => dueLine(one, view))),
    ...(items.length > MOST ? [el('p', { class: 'help' }, words.more(items.length - MOST))] : []),
  ]
}

const since = ({ enrollment_periods }: SiiConfig, { locale }: View): string =>
  enrollment_periods
    .filter(({ end_date }) => end_date === null)
    .map(({ start_date }) => dateText(start_date, locale))
    .join(', ')

export const siiBlock = (view: View): readonly Node[] =>
  answered(view.round.sii, view.words, (config) => {
    const { words, round } = view
    const items = round.due.ok ? round.due.value.items : []
    if (config.enrollment_status === 'not_applicable' && items.length === 0) return [calm(words.siiNot)]
    const from = since(config, view)
    return [
      facts([
        [words.enrolment, words.enrolments[config.enrollment_status] ?? config.enrollment_status],
        ...(from === '' ? [] : [[words.period, from] as const]),
        [words.automatic, config.auto_submit ? words.automatics.yes : words.automatics.no],
        [words.environment, words.environments[config.environment] ?? config.environment],
      ]),
      el('h3', {}, words.due),
      ...answered(round.due, words, (due) => dueOf(due.items, view)),
      el('h3', {}, words.siiSubmissions),
      ...siiSubmissionsOf(view),
    ]
  })
