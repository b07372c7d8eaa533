/** The lines of a document around a fault, with marks under it. */
import type { Lines } from '../../json/position.ts'
import { printable, widthOf } from '../../terminal/printable.ts'
import type { Colors } from '../input/colors.ts'
import type { Spot } from '../input/finding-places.ts'
import type { Settings } from '../input/settings.ts'
import { messagesOf } from './messages.ts'

const AROUND = 2
/** Columns left of the fault that a long line keeps. */
const LEAD = 40

export function codeFrame(
  lines: Lines,
  spot: Spot,
  firstLine: number,
  { width, locale }: Settings,
  colors: Colors,
): string[] {
  const at = lines.positionOf(spot.start)
  const last = Math.min(lines.count, at.line + AROUND)
  const digits = String(last + firstLine - 1).length
  const room = Math.max(30, width - digits - 9)
  const faulty = lines.line(at.line, Math.max(0, at.column - 1 - LEAD)).length
  // A long line is cut around the fault; the lines around it by the same, so that they stay aligned.
  const from =
    at.column - 1 + Math.min(spot.end - spot.start, LEAD) > room && faulty > 0 ? at.column - 1 - LEAD : 0
  const frame: string[] = []
  for (let number = Math.max(1, at.line - AROUND); number <= last; number++) {
    const full = lines.line(number, from)
    const shown = printable(full.length > room ? `${full.slice(0, room - 1)}…` : full)
    const line = from > 0 && number === at.line ? `…${shown.slice(1)}` : shown
    const label = String(number + firstLine - 1).padStart(digits)
    if (number !== at.line) {
      frame.push(colors.dim(`    ${label} │ ${line}`).trimEnd())
      continue
    }
    frame.push(`  ${colors.red('❯')} ${colors.bold(label)} ${colors.dim('│')} ${line}`)
    const before = widthOf(printable(full.slice(0, at.column - 1 - from)))
    const marked = full.slice(
      at.column - 1 - from,
      Math.min(at.column - 1 - from + spot.end - spot.start, room - 1),
    )
    const marks = '^'.repeat(Math.max(1, widthOf(printable(marked))))
    const note =
      spot.missing.length > 0 ? ` ${messagesOf(locale).missing(printable(spot.missing.join('/')))}` : ''
    const gutter = `    ${' '.repeat(digits)} ${colors.dim('│')} `
    frame.push(`${gutter}${' '.repeat(before)}${colors.red(marks + note)}`)
  }
  return frame
}
