/** Tables of the accuracy report in Markdown. */
import type { Field, Medium, Outcome } from './measure.ts'

export const share = (part: number, all: number): string =>
  all === 0 ? '–' : `${part} of ${all} (${((part * 100) / all).toFixed(1)} %)`

export const right = (fields: readonly Field[]): string =>
  share(fields.filter(({ isRight }) => isRight).length, fields.length)

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map((_, at) => (at === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

/** Documents with a common name in a table. */
export type Row<T extends Outcome = Outcome> = readonly [name: string, measured: readonly T[]]

const STATUSES = ['ready', 'pending_review', 'rejected', 'failed']

export const byStatus = (rows: readonly Row[]): string =>
  table(
    ['Documents', ...STATUSES],
    rows.map(([name, measured]) => [
      name,
      ...STATUSES.map((status) =>
        share(measured.filter((one) => one.status.startsWith(status)).length, measured.length),
      ),
    ]),
  )

const MEDIA: readonly Medium[] = ['XML', 'text PDF', 'scan PDF', 'photo']

/** Sorts documents by medium, since a process that has read a photo keeps its memory. */
export const sortedByMedium = <T>(documents: readonly T[], mediumOf: (one: T) => Medium): readonly T[] =>
  documents.toSorted((a, b) => MEDIA.indexOf(mediumOf(a)) - MEDIA.indexOf(mediumOf(b)))

export function byMedium(rows: readonly Row[]): string {
  const cells = (all: readonly Outcome[]): string[] => {
    const seconds = all.map((one) => one.seconds).sort((a, b) => a - b)
    const peak = Math.max(0, ...all.map(({ peakMb }) => peakMb))
    if (all.length === 0) return ['–', '–', '–', '–']
    return [
      String(all.length),
      (seconds[Math.floor(all.length / 2)] ?? 0).toFixed(1),
      (seconds.at(-1) ?? 0).toFixed(1),
      peak === 0 ? '–' : `${peak.toFixed(0)} MB`,
    ]
  }
  const head = rows.flatMap(([name]) => [name, 'median', 'slowest', 'memory'])
  return table(
    ['Kind', ...head],
    MEDIA.map((medium) => [
      medium,
      ...rows.flatMap(([, all]) => cells(all.filter((one) => one.medium === medium))),
    ]),
  )
}
