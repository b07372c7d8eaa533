/** Formats the headline and the items of a document as text. */

import { required } from '#core/errors/index.ts'
import { fill } from '#core/messages/index.ts'
import { codeAddress } from '#core/site/index.ts'
import { messageParts } from '#engine/index.ts'
import { clip, printable, wrap } from '../../terminal/printable.ts'
import { terminalLink } from '../../terminal/terminal-link.ts'
import { OPERATION_CHOSEN } from '../generated/texts/report.ts'
import type { DocumentResult } from '../input/check-document.ts'
import type { Colors } from '../input/colors.ts'
import type { Settings } from '../input/input-settings.ts'
import { locationsOf } from '../input/item-locations.ts'
import { codeFrame } from './code-frame.ts'
import { messagesOf } from './report-messages.ts'

/** Returns a code, linked to its page if the terminal supports links and the site has an address. */
function linkedCode(code: string, { links, locale }: Settings): string {
  const address = links ? codeAddress(code, locale) : undefined
  return address === undefined ? code : terminalLink(code, address)
}

/** Maximum line width, for readability. */
const TEXT_WIDTH = 96

/** Whether lines of the document can be printed around the item. */
const hasFrame = (code: string, text: string): boolean =>
  code !== 'json.too_large' &&
  code !== 'json.encoding' &&
  code !== 'csv.encoding' &&
  code !== 'csv.not_text' &&
  text.trim() !== ''

/** Returns the numbers of errors and warnings, such as `3 errors, 1 warning`, or `valid`. */
export function countsOf({ outcome }: DocumentResult, { locale }: Settings): string {
  const messages = messagesOf(locale)
  const errors = outcome.errors.filter((item) => item.severity === 'error').length
  const warnings = outcome.errors.length - errors
  const counts = errors > 0 ? messages.errors(errors) : outcome.is_valid ? messages.valid : messages.notValid
  return warnings > 0 ? `${counts}, ${messages.warnings(warnings)}` : counts
}

/** Returns the headline of a document: `✔ file  valid`. */
export function headline(result: DocumentResult, settings: Settings, colors: Colors): string {
  const { is_valid } = result.outcome
  const position = result.index === null ? '' : `:${result.line}`
  const name = colors.bold(printable(result.file) + position)
  const paint = is_valid ? colors.green : colors.red
  return `${paint(is_valid ? '✔' : '✖')} ${name}  ${paint(countsOf(result, settings))}`
}

/**
 * Returns the line that states which operation was chosen and why; none with `--operation`. The report of several
 * documents counts the operations instead, and states that of each invalid document.
 */
export function operationLines(
  { outcome }: DocumentResult,
  { locale, shape, width }: Settings,
  colors: Colors,
): string[] {
  const { operation, operation_reason: reason, is_valid } = outcome
  if (!operation || !reason || reason === 'option' || (is_valid && shape !== 'single')) return []
  const text = fill(OPERATION_CHOSEN[reason][locale], { operation }, locale)
  return wrap(text, Math.min(TEXT_WIDTH, width) - 2).map((line) => colors.dim(`  ${line}`))
}

/** Returns one line per fix. */
export function fixLines({ outcome }: DocumentResult, { locale }: Settings, colors: Colors): string[] {
  const messages = messagesOf(locale)
  const shown = (value: unknown) => clip(printable(JSON.stringify(value)), 60)
  return (outcome.fixes ?? []).map(({ code, path, from, ...fix }) => {
    const to = 'to' in fix ? `→ ${shown(fix.to)}` : messages.removed
    const position = path === '' ? '' : `  ${colors.dim(printable(path))}`
    return `  ${colors.green(messages.fixed)}  ${colors.bold(code)}${position}  ${shown(from)} ${to}`
  })
}

/** Returns the lines of every item with the document around it. */
export function itemLines(result: DocumentResult, settings: Settings, colors: Colors): string[] {
  const { errors } = result.outcome
  if (errors.length === 0) return []
  const messages = messagesOf(settings.locale)
  const { lines, locations } = locationsOf(result)
  const width = Math.min(TEXT_WIDTH, settings.width) - 4
  return errors.flatMap((item, index) => {
    const location = required(locations[index])
    const failed = item.severity === 'error'
    const label = failed ? colors.red(messages.error) : colors.yellow(messages.warning)
    const { cell } = item.extra ?? {}
    const position = colors.dim(
      `${printable(item.path)}${item.path ? '  ' : ''}${location.line}:${location.column}${typeof cell === 'string' ? `  ${cell}` : ''}`,
    )
    const code = linkedCode(item.code, settings)
    const { message, fix, law } = messageParts(item, settings.locale)
    const paragraph = (text: string, paint: (line: string) => string, lead = '    ') =>
      wrap(printable(text), width).map((line, at) => (at === 0 ? lead : '    ') + paint(line))
    return [
      '',
      `  ${label}  ${colors.bold(code)}  ${position}`,
      ...(hasFrame(item.code, result.text) ? codeFrame(lines, location, result.line, settings, colors) : []),
      ...paragraph(message, (line) => line),
      ...(fix ? paragraph(fix, colors.cyan, `  ${colors.cyan('→')} `) : []),
      ...(law ? paragraph(law, colors.dim, `  ${colors.dim('§')} `) : []),
    ]
  })
}
