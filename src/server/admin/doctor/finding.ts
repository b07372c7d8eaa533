/** What `doctor` says of one thing that it looked at. */
export type Level = 'ok' | 'warning' | 'error'

export interface Finding {
  /** A name that stays: programs react to it. */
  readonly check: string
  readonly level: Level
  /** What was found. */
  readonly what: string
  /** What follows from it, where it is not in order. */
  readonly why?: string
  readonly mend?: string
  /** Whose it is, where it is of one company. */
  readonly company_id?: string
}

export const ok = (check: string, what: string): Finding => ({ check, level: 'ok', what })

export const warning = (check: string, what: string, why: string, mend: string): Finding => ({
  check,
  level: 'warning',
  what,
  why,
  mend,
})

export const bad = (check: string, what: string, why: string, mend: string): Finding => ({
  check,
  level: 'error',
  what,
  why,
  mend,
})

/** The gravest of some levels. */
export const gravest = (findings: readonly Finding[]): Level =>
  findings.some(({ level }) => level === 'error')
    ? 'error'
    : findings.some(({ level }) => level === 'warning')
      ? 'warning'
      : 'ok'

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** For example, `2 days`, `1 hour`. */
export function lasting(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ['second', 1]
  const count = Math.floor(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

const SIZES = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function sized(bytes: number): string {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${SIZES[power]}`
}
