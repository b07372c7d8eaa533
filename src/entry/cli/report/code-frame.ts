/** Formats the lines of a document around a problem, and underlines it. */
import type { LineIndex } from '#core/json/index.ts'
import { printable, widthOf } from '../../terminal/printable.ts'
import type { Colors } from '../input/colors.ts'
import type { Settings } from '../input/input-settings.ts'
import type { ItemLocation } from '../input/item-locations.ts'
import { messagesOf } from './report-messages.ts'

const CONTEXT_LINES = 2
/** Columns of a long line kept to the left of the problem. */
const LEAD = 40

export function codeFrame(
  lines: LineIndex,
  location: ItemLocation,
  firstLine: number,
  { width, locale }: Settings,
  colors: Colors,
): string[] {
  const at = lines.positionOf(location.start)
  const last = Math.min(lines.count, at.line + CONTEXT_LINES)
  const digits = String(last + firstLine - 1).length
  const textWidth = Math.max(30, width - digits - 9)
  const faulty = lines.line(at.line, Math.max(0, at.column - 1 - LEAD)).length
  // A long line is cut around the problem. Its neighbours are cut at the same column, to stay aligned.
  const from =
    at.column - 1 + Math.min(location.end - location.start, LEAD) > textWidth && faulty > 0
      ? at.column - 1 - LEAD
      : 0
  const frame: string[] = []
  for (let number = Math.max(1, at.line - CONTEXT_LINES); number <= last; number++) {
    const full = lines.line(number, from)
    const shown = printable(full.length > textWidth ? `${full.slice(0, textWidth - 1)}…` : full)
    const isCut = from > 0 && lines.line(number).trim() !== ''
    const line = isCut ? `…${shown.slice(1)}` : shown
    const label = String(number + firstLine - 1).padStart(digits)
    if (number !== at.line) {
      frame.push(colors.dim(`    ${label} │ ${line}`).trimEnd())
      continue
    }
    frame.push(`  ${colors.red('❯')} ${colors.bold(label)} ${colors.dim('│')} ${line}`)
    const before = widthOf(printable(full.slice(0, at.column - 1 - from)))
    const marked = full.slice(
      at.column - 1 - from,
      Math.min(at.column - 1 - from + location.end - location.start, textWidth - 1),
    )
    const marks = '^'.repeat(Math.max(1, widthOf(printable(marked))))
    const note =
      location.missing.length > 0
        ? ` ${messagesOf(locale).missing(printable(location.missing.join('/')))}`
        : ''
    const gutter = `    ${' '.repeat(digits)} ${colors.dim('│')} `
    frame.push(`${gutter}${' '.repeat(before)}${colors.red(marks + note)}`)
  }
  return frame
}
