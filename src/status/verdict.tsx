/** The whole in one sentence, and what there is to attend to, the most urgent first. */
import { sorted } from './blocks/incidents.tsx'
import { activeCertificate } from './load.ts'
import type { View } from './show.tsx'

interface Point {
  readonly text: string
  /** The block that it is about. */
  readonly block: string
  readonly count: number
}

export interface Verdict {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly title: string
  readonly points: readonly Point[]
  readonly text: string
}

const DAY = 86_400_000
/** A certificate is renewed in about this time. */
const SOON = 30

/** The active certificate, if it expires soon. */
function expiring({ round, messages }: View): readonly Point[] {
  const found = activeCertificate(round)
  if (!found) return []
  const days = Math.floor((Date.parse(`${found.valid_to.slice(0, 19)}Z`) - round.at) / DAY)
  return days < SOON
    ? [{ text: messages.attend.certificate(found.name, days), block: 'chain', count: 1 }]
    : []
}

function pointsOf(view: View): readonly Point[] {
  const { round, messages } = view
  const { attend } = messages
  const due = round.due.ok ? round.due.value.items : []
  const { attention, open } = sorted(view)
  const point = (count: number, block: string, text: (count: number) => string): readonly Point[] =>
    count > 0 ? [{ text: text(count), block, count }] : []
  const isSuspended = round.verifactu.ok && round.verifactu.value.regime_state === 'suspendido'
  return [
    ...point(isSuspended ? 1 : 0, 'chain', () => attend.suspended),
    ...point(due.filter(({ days_remaining }) => days_remaining < 0).length, 'sii', attend.overdue),
    ...point(
      attention.length + open.filter(({ standing }) => standing === 'open').length,
      'incidents',
      attend.incidents,
    ),
    ...point(due.filter(({ days_remaining }) => days_remaining === 0).length, 'sii', attend.today),
    ...expiring(view),
  ]
}

export function verdictOf(view: View): Verdict {
  const { round, messages } = view
  const points = pointsOf(view)
  const count = points.reduce((sum, point) => sum + point.count, 0)
  const waiting = round.chain.ok ? round.chain.value.waiting.records : 0
  const waits = waiting > 0 ? messages.waiting(waiting) : ''
  if (count > 0) return { tone: 'bad', title: messages.toDo(count), points, text: waits }
  const { verifactu, sii } = round
  if (!(verifactu.ok && sii.ok && round.incidents.ok && round.due.ok))
    return { tone: 'plain', title: messages.partly, points, text: '' }
  return !verifactu.value.configured && sii.value.enrollment_status === 'not_applicable'
    ? { tone: 'plain', title: messages.inactive, points, text: messages.inactiveText }
    : { tone: 'good', title: messages.fine, points, text: `${messages.fineText} ${waits}`.trim() }
}

export const VerdictBox = ({ tone, title, points, text }: Verdict) => (
  <div class={`verdict ${tone}`}>
    <p class="verdict-title">{title}</p>
    {text !== '' && <p>{text}</p>}
    {points.length > 0 && (
      <ul>
        {points.map((point) => (
          <li key={point.text}>
            <a href={`#${point.block}`}>{point.text}</a>
          </li>
        ))}
      </ul>
    )}
  </div>
)
