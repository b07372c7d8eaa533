/** Locates each item of a result: line and column in its file, range in its text. */
import { locationsOf as jsonLocationsOf, LineIndex, type Position } from '#core/json/index.ts'
import { type DocumentResult, jsonOf } from './check-document.ts'

export interface ItemLocation {
  /** Line and column in the file, from 1. */
  readonly line: number
  readonly column: number
  /** Offsets in the text of the document. */
  readonly start: number
  readonly end: number
  readonly missing: readonly string[]
}

/** Matches a tag, and its text and end tag if they are on the same line. */
const ELEMENT = /<([^\s/>]+)[^>\n]*(?:>[^<\n]*<\/\1\s*>|>)?/y

/** Locates a cell, or an XML element up to the end of its first line. */
function locationOf(position: Position & { readonly length?: number }, lines: LineIndex): ItemLocation {
  const start = lines.offsetOf(position)
  const { line, column, length } = position
  if (length !== undefined) return { line, column, start, end: start + length, missing: [] }
  ELEMENT.lastIndex = start
  const end = ELEMENT.test(lines.text) ? ELEMENT.lastIndex : start + 1
  return { ...position, start, end, missing: [] }
}

/** Returns the locations of all items of a result, in order, and the lines of its text. */
export function locationsOf(result: DocumentResult): {
  lines: LineIndex
  locations: readonly ItemLocation[]
} {
  const { text, outcome, faultAt, line: first } = result
  const lines = new LineIndex(text)
  if (result.positions)
    return { lines, locations: result.positions.map((position) => locationOf(position, lines)) }
  const places =
    faultAt === null
      ? jsonLocationsOf(jsonOf(result, text), [...new Set(outcome.errors.map((item) => item.path))])
      : null
  const locations = outcome.errors.map(({ path, code }) => {
    const place = places?.get(path) ?? {
      start: faultAt ?? 0,
      end: (faultAt ?? 0) + 1,
      missing: [],
      key: undefined,
    }
    // For an unexpected member, points to its name rather than its value.
    const at = code === 'schema.additional_properties' ? { ...place, ...place.key } : place
    const { line, column } = lines.positionOf(at.start)
    const { start, end, missing } = at
    return { start, end, missing, line: line + first - 1, column }
  })
  return { lines, locations }
}
