/** The whole in one sentence, and what there is to attend to, the most urgent first. */
import { sorted } from './blocks/incidents.ts'
import { el } from './dom.ts'
import type { View } from './show.ts'

export interface Verdict {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly title: string
  /** Each with the block that it is about. */
  readonly points: readonly { readonly text: string; readonly block: string; readonly count?: number }[]
  readonly text: string
}

const DAY = 86_400_000
/** A certificate is renewed in about this time. */
const SOON = 30

function pointsOf(view: View): Verdict['points'] {
  const { round, words } = view
  const { attend } = words
  const points: { text: string; block: string; count?: number }[] = []
  const config = round.verifactu.ok ? round.verifactu.value : null
  if (config?.regime_state === 'suspendido') points.push({ text: attend.suspended, block: 'chain' })
  const due = round.due.ok ? round.due.value.items : []
  const overdue = due.filter(({ days_remaining }) => days_remaining < 0).length
  const today = due.filter(({ days_remaining }) => days_remaining === 0).length
  if (overdue > 0) points.push({ text: attend.overdue(overdue), block: 'sii', count: overdue })
  const { attention, open } = sorted(view)
  const left = attention.length + open.filter(({ standing }) => standing === 'open').length
  if (left > 0) points.push({ text: attend.incidents(left), block: 'incidents', count: left })
  if (today > 0) points.push({ text: attend.today(today), block: 'sii', count: today })
  const active = config?.active_certificate
  const certificate =
    active && round.certificates.ok
      ? round.certificates.value.find(({ fingerprint }) => fingerprint === active.fingerprint)
      : undefined
  if (certificate) {
    const days = Math.floor((Date.parse(`${certificate.valid_to.slice(0, 19)}Z`) - round.at) / DAY)
    if (days < SOON) points.push({ text: attend.certificate(certificate.name, days), block: 'chain' })
  }
  return points
}

export function verdictOf(view: View): Verdict {
  const { round, words } = view
  const points = pointsOf(view)
  const count = points.reduce((sum, point) => sum + (point.count ?? 1), 0)
  const waiting = round.chain.ok ? round.chain.value.waiting.records : 0
  const waits = waiting > 0 ? words.waiting(waiting) : ''
  if (count > 0) return { tone: 'bad', title: words.toDo(count), points, text: waits }
  const seesAll = round.verifactu.ok && round.incidents.ok && round.sii.ok && round.due.ok
  if (!seesAll) return { tone: 'plain', title: words.partly, points, text: '' }
  const isIdle =
    round.verifactu.ok &&
    !round.verifactu.value.configured &&
    round.sii.ok &&
    round.sii.value.enrollment_status === 'not_applicable'
  return isIdle
    ? { tone: 'plain', title: words.inactive, points, text: words.inactiveText }
    : { tone: 'good', title: words.fine, points, text: `${words.fineText} ${waits}`.trim() }
}

export const verdictNode = ({ tone, title, points, text }: Verdict): HTMLElement =>
  el(
    'div',
    { class: `verdict ${tone}` },
    el('p', { class: 'verdict-title' }, title),
    text !== '' && el('p', {}, text),
    points.length > 0 &&
      el('ul', {}, ...points.map((point) => el('li', {}, el('a', { href: `#${point.block}` }, point.text)))),
  )
