/** What is said of conversions. */
import type { Locale } from '../../api/index.ts'
import { printable } from '../../terminal/printable.ts'
import { colorsOf } from '../input/colors.ts'
import { numbersOf } from '../input/numbers.ts'
import type { Settings } from '../input/settings.ts'
import type { Verdict } from '../input/verdict.ts'
import { reporterOf } from './formats.ts'
import { messagesOf } from './messages.ts'
import type { Reporter } from './reporter.ts'
import { itemLines } from './text-items.ts'

/** A document that was converted, or was not. */
export interface Converted {
  readonly verdict: Verdict
  readonly from: string | null
  readonly to: string
  readonly part: { readonly number: number } | null
  /** Where the result is; null where there is none, or where it is not in a file. */
  readonly out: string | null
  /** The result itself where it is not in a file. */
  readonly content?: string | object | null
}

/** ` 3 warnings: a, b`: the items of a document that was converted all the same. */
function notesOf({ answer }: Verdict, alone: boolean, locale: Locale): string {
  if (answer.errors.length === 0) return ''
  const codes = [...new Set(answer.errors.map(({ code }) => code))].join(', ')
  return `  ${messagesOf(locale).warnings(answer.errors.length)}${alone ? '' : `: ${codes}`}`
}

function textReporter(settings: Settings): Reporter<Converted> {
  const colors = colorsOf(settings.color)
  const messages = messagesOf(settings.locale)
  const refused = reporterOf({ ...settings, command: 'validate' })
  return {
    one({ verdict, out, part }) {
      const { answer, index, line } = verdict
      if (!answer.is_valid) return refused.one(verdict)
      if (settings.quiet || (out === null && answer.errors.length === 0)) return ''
      const place = `${index === null ? '' : `:${line}`}${part === null ? '' : ` [${part.number}]`}`
      const alone = settings.shape === 'single'
      const name = colors.bold(printable(verdict.file) + place)
      const target = out === null ? '' : ` → ${printable(out)}`
      const notes = notesOf(verdict, alone, settings.locale)
      const lines = [`${colors.green('✔')} ${name}${colors.green(target)}${colors.dim(notes)}`]
      if (alone && answer.errors.length > 0) lines.push(...itemLines(verdict, settings, colors), '')
      return `${lines.join('\n')}\n`
    },
    end({ documents, invalid }) {
      if (settings.quiet || documents < 2) return ''
      const { plain } = numbersOf(settings.locale)
      const paint = invalid === 0 ? colors.green : colors.red
      return `${paint(messages.converted(plain(documents - invalid), plain(documents)))}\n`
    },
  }
}

function jsonReporter({ shape, quiet }: Settings): Reporter<Converted> {
  return {
    one({ verdict: { file, index, line, answer }, from, to, part, out, content }) {
      if (quiet && answer.is_valid) return ''
      const answered = {
        file,
        ...(index === null ? {} : { index, line }),
        ...(part === null ? {} : { part: part.number }),
        from,
        to,
        is_converted: answer.is_valid,
        errors: answer.errors,
        out,
        ...(content === undefined ? {} : { content }),
      }
      return `${shape === 'single' ? JSON.stringify(answered, null, 2) : JSON.stringify(answered)}\n`
    },
  }
}

/** The other forms speak of problems alone. */
function problemReporter(settings: Settings): Reporter<Converted> {
  const reporter = reporterOf({ ...settings, command: 'validate' })
  return { ...reporter, one: ({ verdict }) => reporter.one(verdict) }
}

export const conversionReporterOf = (settings: Settings): Reporter<Converted> =>
  settings.format === 'text'
    ? textReporter(settings)
    : settings.format === 'json'
      ? jsonReporter(settings)
      : problemReporter(settings)
