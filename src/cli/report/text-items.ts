/** Verdict line and items of a document, for people. */
import { messageParts } from '../../api/index.ts'
import { required } from '../../errors/index.ts'
import { codeAddress } from '../../site/addresses.ts'
import { linked } from '../../terminal/link.ts'
import { clip, printable, wrap } from '../../terminal/printable.ts'
import type { Colors } from '../input/colors.ts'
import { spotsOf } from '../input/finding-places.ts'
import type { Settings } from '../input/settings.ts'
import type { Verdict } from '../input/verdict.ts'
import { codeFrame } from './code-frame.ts'
import { messagesOf } from './messages.ts'

/** Text is easier to read in lines that are not as wide as the screen. */
const TEXT_WIDTH = 96

/** There is nothing to show of what is not text, or is empty. */
const hasFrame = (code: string, text: string): boolean =>
  code !== 'json.too_large' && code !== 'json.encoding' && text.trim() !== ''

/** How many errors and warnings: `3 errors, 1 warning`, or `valid`. */
export function countsOf({ answer }: Verdict, { locale }: Settings): string {
  const messages = messagesOf(locale)
  const errors = answer.errors.filter((item) => item.severity === 'error').length
  const warnings = answer.errors.length - errors
  const verdict = errors > 0 ? messages.errors(errors) : answer.is_valid ? messages.valid : messages.notValid
  return warnings > 0 ? `${verdict}, ${messages.warnings(warnings)}` : verdict
}

/** `✔ file  valid`. */
export function headline(verdict: Verdict, settings: Settings, colors: Colors): string {
  const { is_valid } = verdict.answer
  const place = verdict.index === null ? '' : `:${verdict.line}`
  const name = colors.bold(printable(verdict.file) + place)
  const paint = is_valid ? colors.green : colors.red
  return `${paint(is_valid ? '✔' : '✖')} ${name}  ${paint(countsOf(verdict, settings))}`
}

/** What `--fix` did, a line each. */
export function fixLines({ answer }: Verdict, { locale }: Settings, colors: Colors): string[] {
  const messages = messagesOf(locale)
  const shown = (value: unknown) => clip(printable(JSON.stringify(value)), 60)
  return (answer.fixes ?? []).map(({ code, path, from, ...fix }) => {
    const to = 'to' in fix ? `→ ${shown(fix.to)}` : messages.takenOut
    const place = path === '' ? '' : `  ${colors.dim(printable(path))}`
    return `  ${colors.green(messages.fixed)}  ${colors.bold(code)}${place}  ${shown(from)} ${to}`
  })
}

/** Every item with its frame. */
export function itemLines(verdict: Verdict, settings: Settings, colors: Colors): string[] {
  const { errors } = verdict.answer
  if (errors.length === 0) return []
  const messages = messagesOf(settings.locale)
  const { lines, spots } = spotsOf(verdict)
  const width = Math.min(TEXT_WIDTH, settings.width) - 4
  return errors.flatMap((item, index) => {
    const spot = required(spots[index])
    const failed = item.severity === 'error'
    const label = failed ? colors.red(messages.error) : colors.yellow(messages.warning)
    const place = colors.dim(`${printable(item.path)}${item.path ? '  ' : ''}${spot.line}:${spot.column}`)
    const code = settings.links ? linked(item.code, codeAddress(item.code, settings.locale)) : item.code
    const { message, fix, law } = messageParts(item, settings.locale)
    const paragraph = (text: string, paint: (line: string) => string, lead = '    ') =>
      wrap(printable(text), width).map((line, at) => (at === 0 ? lead : '    ') + paint(line))
    return [
      '',
      `  ${label}  ${colors.bold(code)}  ${place}`,
      ...(hasFrame(item.code, verdict.text) ? codeFrame(lines, spot, verdict.line, settings, colors) : []),
      ...paragraph(message, (line) => line),
      ...(fix ? paragraph(fix, colors.cyan, `  ${colors.cyan('→')} `) : []),
      ...(law ? paragraph(law, colors.dim, `  ${colors.dim('§')} `) : []),
    ]
  })
}
