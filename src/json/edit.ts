/** Changes of single members in a JSON text, which is otherwise left as its author wrote it. */
import { placesOf } from './places.ts'

const TEXT = /"(?:[^"\\]|\\.)*"/y

/** Where the value that begins at `start` ends. */
function endOf(text: string, start: number): number {
  const opening = text[start]
  if (opening !== '{' && opening !== '[')
    return start + /^(?:"(?:[^"\\]|\\.)*"|[^\s,}\]]+)/.exec(text.slice(start))![0].length
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      TEXT.lastIndex = at
      TEXT.test(text)
      at = TEXT.lastIndex - 1
    } else if (character === '{' || character === '[') depth++
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1
  }
  return text.length
}

const skipBlanks = (text: string, from: number): number => from + text.slice(from).search(/\S|$/)

/**
 * The text with another value at a pointer to a text, number, `true`, `false` or `null`; `null` where the pointer leads
 * to nothing of the kind. The text must be JSON.
 */
export function withScalar(
  text: string,
  pointer: string,
  value: string | number | boolean | null,
): string | null {
  const place = placesOf(text, [pointer]).get(pointer)!
  const first = text[place.start]
  if (place.missing.length > 0 || first === '{' || first === '[') return null
  if (place.key && place.start === place.key.start) return null
  return text.slice(0, place.start) + JSON.stringify(value) + text.slice(place.end)
}

/** The text without the member of an object that a pointer leads to, with the comma and the line that were its own; `null` where there is none. */
export function withoutMember(text: string, pointer: string): string | null {
  const { key, missing } = placesOf(text, [pointer]).get(pointer)!
  if (missing.length > 0 || !key) return null
  const value = skipBlanks(text, skipBlanks(text, key.end) + 1)
  const end = endOf(text, value)
  const next = skipBlanks(text, end)
  if (text[next] === ',') return text.slice(0, key.start) + text.slice(skipBlanks(text, next + 1))
  // The last member: what goes is the comma before it, and the blanks between.
  const before = text.slice(0, key.start).trimEnd()
  return (before.endsWith(',') ? before.slice(0, -1) : before) + text.slice(before.endsWith('{') ? next : end)
}
