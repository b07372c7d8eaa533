/**
 * Edits single members of a JSON text and leaves the rest of the text unchanged. If the text stands for a `source` with
 * comments (`withoutComments`), the result is the edited source.
 */
import { locationsOf } from './json-locations.ts'

const TEXT = /"(?:[^"\\]|\\.)*"/y

/** Returns the end of the value that starts at `start`. */
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
 * Returns the text with another value at a pointer. The old value must be a string, number, `true`, `false` or `null`;
 * otherwise returns `null`. The text must be valid JSON.
 */
export function withScalar(
  text: string,
  pointer: string,
  value: string | number | boolean | null,
  source = text,
): string | null {
  const location = locationsOf(text, [pointer]).get(pointer)!
  const first = text[location.start]
  if (location.missing.length > 0 || first === '{' || first === '[') return null
  if (location.key && location.start === location.key.start) return null
  return source.slice(0, location.start) + JSON.stringify(value) + source.slice(location.end)
}

/**
 * Returns the text without the object member at a pointer, including its comma and line; `null` if there is no such
 * member.
 */
export function withoutMember(text: string, pointer: string, source = text): string | null {
  const { key, missing } = locationsOf(text, [pointer]).get(pointer)!
  if (missing.length > 0 || !key) return null
  const value = skipBlanks(text, skipBlanks(text, key.end) + 1)
  const end = endOf(text, value)
  const next = skipBlanks(text, end)
  if (text[next] === ',') return source.slice(0, key.start) + source.slice(skipBlanks(text, next + 1))
  // For the last member, removes the comma before it and the white space after that comma.
  const before = text.slice(0, key.start).trimEnd()
  const length = before.endsWith(',') ? before.length - 1 : before.length
  return source.slice(0, length) + source.slice(before.endsWith('{') ? next : end)
}
