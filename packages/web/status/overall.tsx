/** The overall status in one sentence, and the items that need attention, most urgent first. */
import { sortedIncidents } from './blocks/incidents.tsx'
import { activeCertificate } from './load-status.ts'
import type { View } from './show.tsx'

interface Task {
  readonly text: string
  /** Id of the block to link to. */
  readonly block: string
  readonly count: number
}

export interface OverallStatus {
  readonly tone: 'good' | 'bad' | 'plain'
  readonly title: string
  readonly tasks: readonly Task[]
  readonly text: string
}

const DAY = 86_400_000
const EXPIRY_WARNING_DAYS = 30

/** Returns a task if the active certificate expires soon. */
function expiringCertificate({ round, messages }: View): readonly Task[] {
  const found = activeCertificate(round)
  if (!found) return []
  const days = Math.floor((Date.parse(`${found.valid_to.slice(0, 19)}Z`) - round.at) / DAY)
  return days < EXPIRY_WARNING_DAYS
    ? [{ text: messages.attend.certificate(found.name, days), block: 'chain', count: 1 }]
    : []
}

function tasksOf(view: View): readonly Task[] {
  const { round, messages } = view
  const { attend } = messages
  const due = round.due.ok ? round.due.value.items : []
  const { attention, open } = sortedIncidents(view)
  const point = (count: number, block: string, text: (count: number) => string): readonly Task[] =>
    count > 0 ? [{ text: text(count), block, count }] : []
  const isSuspended = round.verifactu.ok && round.verifactu.value.regime_state === 'suspendido'
  return [
    ...point(isSuspended ? 1 : 0, 'chain', () => attend.suspended),
    ...point(due.filter(({ days_remaining }) => days_remaining < 0).length, 'sii', attend.overdue),
    ...point(
      attention.length + open.filter(({ state }) => state === 'open').length,
      'incidents',
      attend.incidents,
    ),
    ...point(due.filter(({ days_remaining }) => days_remaining === 0).length, 'sii', attend.today),
    ...expiringCertificate(view),
  ]
}

export function overallStatus(view: View): OverallStatus {
  const { round, messages } = view
  const tasks = tasksOf(view)
  const count = tasks.reduce((sum, point) => sum + point.count, 0)
  const waiting = round.chain.ok ? round.chain.value.waiting.records : 0
  const waits = waiting > 0 ? messages.waiting(waiting) : ''
  if (count > 0) return { tone: 'bad', title: messages.toDo(count), tasks, text: waits }
  const { verifactu, sii } = round
  if (!(verifactu.ok && sii.ok && round.incidents.ok && round.due.ok))
    return { tone: 'plain', title: messages.partly, tasks, text: '' }
  return !verifactu.value.configured && sii.value.enrollment_status === 'not_applicable'
    ? { tone: 'plain', title: messages.inactive, tasks, text: messages.inactiveText }
    : { tone: 'good', title: messages.fine, tasks, text: `${messages.fineText} ${waits}`.trim() }
}

export const StatusBox = ({ tone, title, tasks, text }: OverallStatus) => (
  <div class={`overall ${tone}`}>
    <p class="overall-title">{title}</p>
    {text !== '' && <p>{text}</p>}
    {tasks.length > 0 && (
      <ul>
        {tasks.map((point) => (
          <li key={point.text}>
            <a href={`#${point.block}`}>{point.text}</a>
          </li>
        ))}
      </ul>
    )}
  </div>
)
