/** Reporters of conversions. */
import type { Locale } from '#engine/index.ts'
import { printable } from '../../terminal/printable.ts'
import type { DocumentResult } from '../input/check-document.ts'
import { colorsOf } from '../input/colors.ts'
import { numbersOf } from '../input/input-numbers.ts'
import type { Settings } from '../input/input-settings.ts'
import { reporterOf } from './report-formats.ts'
import { messagesOf } from './report-messages.ts'
import type { Reporter } from './reporter.ts'
import { itemLines } from './text-items.ts'

/** The report of one conversion. */
export interface Converted {
  readonly result: DocumentResult
  readonly from: string | null
  readonly to: string
  readonly part: { readonly number: number } | null
  /** File of the result; null if there is no result, or it is not in a file. */
  readonly out: string | null
  /** The result, unless it is in a file. */
  readonly content?: string | object | null
}

/** Returns the warnings of a converted document: ` 3 warnings: a, b`. */
function notesOf({ outcome }: DocumentResult, alone: boolean, locale: Locale): string {
  if (outcome.errors.length === 0) return ''
  const codes = [...new Set(outcome.errors.map(({ code }) => code))].join(', ')
  return `  ${messagesOf(locale).warnings(outcome.errors.length)}${alone ? '' : `: ${codes}`}`
}

function textReporter(settings: Settings): Reporter<Converted> {
  const colors = colorsOf(settings.color)
  const messages = messagesOf(settings.locale)
  const refused = reporterOf({ ...settings, command: 'validate' })
  // The errors of an invoice may be in the result of its file.
  const refusedText = (result: DocumentResult) =>
    result.outcome.errors.length === 0 ? '' : refused.one(result)
  return {
    one({ result, out, part }) {
      const { outcome, index, line } = result
      if (!outcome.is_valid) return refusedText(result)
      if (settings.quiet || (out === null && outcome.errors.length === 0)) return ''
      const position = `${index === null ? '' : `:${line}`}${part === null ? '' : ` [${part.number}]`}`
      const alone = settings.shape === 'single'
      const name = colors.bold(printable(result.file) + position)
      const target = out === null ? '' : ` → ${printable(out)}`
      const notes = notesOf(result, alone, settings.locale)
      const lines = [`${colors.green('✔')} ${name}${colors.green(target)}${colors.dim(notes)}`]
      if (alone && outcome.errors.length > 0) lines.push(...itemLines(result, settings, colors), '')
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
    one({ result: { file, index, line, outcome }, from, to, part, out, content }) {
      if (quiet && outcome.is_valid) return ''
      const conversionWith = {
        file,
        ...(index === null ? {} : { index, line }),
        ...(part === null ? {} : { part: part.number }),
        from,
        to,
        is_converted: outcome.is_valid,
        errors: outcome.errors,
        out,
        ...(content === undefined ? {} : { content }),
      }
      return `${shape === 'single' ? JSON.stringify(conversionWith, null, 2) : JSON.stringify(conversionWith)}\n`
    },
  }
}

/** Returns a reporter for the formats other than text and JSON, which report only problems. */
function problemReporter(settings: Settings): Reporter<Converted> {
  const reporter = reporterOf({ ...settings, command: 'validate' })
  return { ...reporter, one: ({ result }) => reporter.one(result) }
}

export const conversionReporterOf = (settings: Settings): Reporter<Converted> =>
  settings.format === 'text'
    ? textReporter(settings)
    : settings.format === 'json'
      ? jsonReporter(settings)
      : problemReporter(settings)
