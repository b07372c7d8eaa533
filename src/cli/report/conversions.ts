/** What is said of conversions. */
import { printable } from '../../terminal/printable.ts'
import { colorsOf } from '../input/colors.ts'
import { numbersOf } from '../input/numbers.ts'
import type { Settings } from '../input/settings.ts'
import type { Verdict } from '../input/verdict.ts'
import { reporterOf } from './formats.ts'
import type { Tally } from './reporter.ts'
import { itemLines } from './text-items.ts'
import { wordsOf } from './words.ts'

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

export interface ConversionReporter {
  readonly begin: string
  readonly separator: string
  one(converted: Converted): string
  end(tally: Tally): string
}

function textReporter(settings: Settings): ConversionReporter {
  const colors = colorsOf(settings.color)
  const words = wordsOf(settings.locale)
  const refused = reporterOf({ ...settings, command: 'validate' })
  return {
    begin: '',
    separator: '',
    one({ verdict, out, part }) {
      const { answer, index, line } = verdict
      if (!answer.is_valid) return refused.one(verdict)
      if (settings.quiet || (out === null && answer.errors.length === 0)) return ''
      const place = `${index === null ? '' : `:${line}`}${part === null ? '' : ` [${part.number}]`}`
      const alone = settings.shape === 'single'
      const codes = [...new Set(answer.errors.map(({ code }) => code))].join(', ')
      const notes =
        codes === '' ? '' : `  ${words.warnings(answer.errors.length)}${alone ? '' : `: ${codes}`}`
      const name = colors.bold(printable(verdict.file) + place)
      const target = out === null ? '' : ` → ${printable(out)}`
      const lines = [`${colors.green('✔')} ${name}${colors.green(target)}${colors.dim(notes)}`]
      if (alone && codes !== '') lines.push(...itemLines(verdict, settings, colors), '')
      return `${lines.join('\n')}\n`
    },
    end({ documents, invalid }) {
      if (settings.quiet || documents < 2) return ''
      const { plain } = numbersOf(settings.locale)
      const paint = invalid === 0 ? colors.green : colors.red
      return `${paint(words.converted(plain(documents - invalid), plain(documents)))}\n`
    },
  }
}

function jsonReporter({ shape, quiet }: Settings): ConversionReporter {
  return {
    begin: '',
    separator: '',
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
    end: () => '',
  }
}

/** The other forms speak of problems alone. */
function problemReporter(settings: Settings): ConversionReporter {
  const { begin, separator, one, end } = reporterOf({ ...settings, command: 'validate' })
  return { begin, separator, one: ({ verdict }) => one(verdict), end }
}

export const conversionReporterOf = (settings: Settings): ConversionReporter =>
  settings.format === 'text'
    ? textReporter(settings)
    : settings.format === 'json'
      ? jsonReporter(settings)
      : problemReporter(settings)
