/** What `doctor` says of one thing that it looked at. */
import type { Locale, Text } from '../../invoice/index.ts'
import { FINDINGS, type FindingName, type Messages, NOUNS } from './messages.ts'

export type Level = 'ok' | 'warning' | 'error'

export interface Finding<Told = string> {
  /** A name that stays: programs react to it. */
  readonly check: string
  readonly level: Level
  /** What was found. */
  readonly what: Told
  /** What follows from it, where it is not in order. */
  readonly why?: Told
  readonly fix?: Told
  /** Whose it is, where it is of one company. */
  readonly company_id?: string
}

/** A finding in both languages. */
export type Found = Finding<Text>

/** What placeholders stand for; what is not a `Text` is the same in both languages. */
type Values = Readonly<Record<string, string | number | bigint | Text>>

/** A text with its values, which are never shortened: paths and commands are needed whole. */
export function filled(text: Text, values: Values): Text {
  const textIn = (locale: Locale): string =>
    text[locale].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name] ?? placeholder
      return typeof value === 'object' ? value[locale] : String(value)
    })
  return { en: textIn('en'), es: textIn('es') }
}

export function finding(level: Level, name: FindingName, values: Values = {}): Found {
  const { what, why, fix }: Messages = FINDINGS[name]
  const found = { check: name.replace(/\..*/, ''), level, what: filled(what, values) }
  return level === 'ok' || !why || !fix
    ? found
    : { ...found, why: filled(why, values), fix: filled(fix, values) }
}

/** A finding in one language. */
export const told = ({ check, level, what, why, fix, ...rest }: Found, locale: Locale): Finding => ({
  check,
  level,
  what: what[locale],
  ...(why && fix && { why: why[locale], fix: fix[locale] }),
  ...rest,
})

/** The gravest of some levels. */
export const gravest = (findings: readonly { readonly level: Level }[]): Level =>
  findings.some(({ level }) => level === 'error')
    ? 'error'
    : findings.some(({ level }) => level === 'warning')
      ? 'warning'
      : 'ok'

/** The level of a value that should be small. */
export const graded = (value: number, warning: number, error: number): Level =>
  value > error ? 'error' : value > warning ? 'warning' : 'ok'

/** For example, `1 process`, `2 days`. */
export function counted(count: number, noun: keyof typeof NOUNS): Text {
  const { en, es } = NOUNS[noun]
  const form = count === 1 ? 0 : 1
  return { en: `${count} ${en[form]}`, es: `${count} ${es[form]}` }
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const

/** For example, `2 days`, `1 hour`. */
export function lasting(milliseconds: number): Text {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ['second', 1]
  return counted(Math.floor(seconds / size), unit)
}

/** With one decimal. */
export function decimal(value: number): Text {
  const en = value.toFixed(1)
  return { en, es: en.replace('.', ',') }
}

/** `2026-03-04T10:30` as it is, and `04/03/2026 10:30`. */
export const dated = (en: string): Text => ({
  en,
  es: en.replace(/^(\d+)-(\d\d)-(\d\d)/, '$3/$2/$1').replace('T', ' '),
})

/** A moment in UTC, to the minute. */
export const timestampText = (at: number): Text => dated(new Date(at).toISOString().slice(0, 16))

const SIZES = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function sized(bytes: number): Text {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  return filled(
    { en: `{size} ${SIZES[power]}`, es: `{size} ${SIZES[power]}` },
    { size: power === 0 ? bytes : decimal(bytes / 1000 ** power) },
  )
}
