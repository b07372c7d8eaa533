/** Where each item of a verdict stands: line and column in its file, range in its text. */
import { locationsOf } from '../../json/locations.ts'
import { Lines } from '../../json/position.ts'
import type { Mark, Verdict } from './verdict.ts'

export interface Spot {
  /** In the file, from 1. */
  readonly line: number
  readonly column: number
  /** In the text of the document. */
  readonly start: number
  readonly end: number
  readonly missing: readonly string[]
}

/** A tag; with its text and its end where they stand on the same line. */
const ELEMENT = /<([^\s/>]+)[^>\n]*(?:>[^<\n]*<\/\1\s*>|>)?/y

/** Where an element of XML begins and ends, as far as it is one line. */
function spotOf(mark: Mark, lines: Lines): Spot {
  const start = lines.offsetOf(mark)
  ELEMENT.lastIndex = start
  const end = ELEMENT.test(lines.text) ? ELEMENT.lastIndex : start + 1
  return { ...mark, start, end, missing: [] }
}

/** Spots of all items of a verdict, in their order, and the lines of its text. */
export function spotsOf(verdict: Verdict): { lines: Lines; spots: readonly Spot[] } {
  const { text, answer, faultAt, line: first } = verdict
  const lines = new Lines(text)
  if (verdict.marks) return { lines, spots: verdict.marks.map((mark) => spotOf(mark, lines)) }
  const places =
    faultAt === null ? locationsOf(text, [...new Set(answer.errors.map((item) => item.path))]) : null
  const spots = answer.errors.map(({ path, code }) => {
    const place = places?.get(path) ?? {
      start: faultAt ?? 0,
      end: (faultAt ?? 0) + 1,
      missing: [],
      key: undefined,
    }
    // Of a member that should not be there the name is wrong, not the value.
    const at = code === 'schema.additional_properties' ? { ...place, ...place.key } : place
    const { line, column } = lines.positionOf(at.start)
    const { start, end, missing } = at
    return { start, end, missing, line: line + first - 1, column }
  })
  return { lines, spots }
}
