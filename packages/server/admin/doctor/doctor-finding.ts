/** Findings of `doctor`, and functions for the texts in them. */
import type { Locale, Text } from '#core/invoice/index.ts'
import { FINDINGS, NOUNS } from '../generated/texts/doctor.ts'

/** The code of a check. A variant may follow after a dot. */
export type FindingName = keyof typeof FINDINGS

/** The problem, its consequence, and the fix. */
interface Messages {
  readonly what: Text
  readonly why?: Text
  readonly fix?: Text
}

export type FindingLevel = 'ok' | 'warning' | 'error'

export interface Finding<Message = string> {
  /** A stable code of the check, on which programs can rely. */
  readonly check: string
  readonly level: FindingLevel
  readonly what: Message
  /** The consequence. Missing only if the level is `ok`. */
  readonly why?: Message
  readonly fix?: Message
  /** The company, if the finding is about one. */
  readonly company_id?: string
}

/** A finding in both languages. */
export type BilingualFinding = Finding<Text>

/** Values of placeholders. Values other than a `Text` are the same in both languages. */
type Values = Readonly<Record<string, string | number | bigint | Text>>

/** Fills in the placeholders of a text. Values such as paths and commands are not shortened. */
export function fillPlaceholders(text: Text, values: Values): Text {
  const textIn = (locale: Locale): string =>
    text[locale].replace(/\{(\w+)\}/g, (placeholder, name: string) => {
      const value = values[name] ?? placeholder
      return typeof value === 'object' ? value[locale] : String(value)
    })
  return { en: textIn('en'), es: textIn('es') }
}

export function finding(level: FindingLevel, name: FindingName, values: Values = {}): BilingualFinding {
  const { what, why, fix }: Messages = FINDINGS[name]
  const found = { check: name.replace(/\..*/, ''), level, what: fillPlaceholders(what, values) }
  return level === 'ok' || !why || !fix
    ? found
    : { ...found, why: fillPlaceholders(why, values), fix: fillPlaceholders(fix, values) }
}

/** Returns a finding in one language. */
export const findingInLocale = (
  { check, level, what, why, fix, ...rest }: BilingualFinding,
  locale: Locale,
): Finding => ({
  check,
  level,
  what: what[locale],
  ...(why && fix && { why: why[locale], fix: fix[locale] }),
  ...rest,
})

/** Returns the most serious level. */
export const worstLevel = (findings: readonly { readonly level: FindingLevel }[]): FindingLevel =>
  findings.some(({ level }) => level === 'error')
    ? 'error'
    : findings.some(({ level }) => level === 'warning')
      ? 'warning'
      : 'ok'

/** Returns the level of a value by two thresholds. */
export const levelFor = (value: number, warning: number, error: number): FindingLevel =>
  value > error ? 'error' : value > warning ? 'warning' : 'ok'

/** Returns a count with its noun: `1 process`, `2 days`. */
export function countText(count: number, noun: keyof typeof NOUNS): Text {
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

/** Formats a duration in its largest unit: `2 days`, `1 hour`. */
export function durationText(milliseconds: number): Text {
  const seconds = Math.max(0, Math.round(milliseconds / 1000))
  const [unit, size] = UNITS.find(([, one]) => seconds >= one) ?? ['second', 1]
  return countText(Math.floor(seconds / size), unit)
}

/** Formats a number with one decimal. */
export function decimalText(value: number): Text {
  const en = value.toFixed(1)
  return { en, es: en.replace('.', ',') }
}

/** Formats a date or timestamp: `2026-03-04T10:30` in English, `04/03/2026 10:30` in Spanish. */
export const localDateText = (en: string): Text => ({
  en,
  es: en.replace(/^(\d+)-(\d\d)-(\d\d)/, '$3/$2/$1').replace('T', ' '),
})

/** Formats an instant in UTC, to the minute. */
export const timestampText = (at: number): Text => localDateText(new Date(at).toISOString().slice(0, 16))

const SIZES = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function sizeText(bytes: number): Text {
  const power = bytes < 1000 ? 0 : Math.min(4, Math.floor(Math.log10(bytes) / 3))
  return fillPlaceholders(
    { en: `{size} ${SIZES[power]}`, es: `{size} ${SIZES[power]}` },
    { size: power === 0 ? bytes : decimalText(bytes / 1000 ** power) },
  )
}
