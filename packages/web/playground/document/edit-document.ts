/** Changes single members in the text of a document without changing the rest of the text. */
import { escapeSegment, segmentsOf, valueAt } from '#core/invoice/pointer.ts'
import { locationsOf, withScalar } from '#core/json/index.ts'

type Json = Record<string, unknown>

const isContainer = (value: unknown): value is Json => value !== null && typeof value === 'object'

const isEmpty = (members: Json): boolean => Object.keys(members).length === 0

const indentOf = (text: string): string => /\n([ \t]+)\S/.exec(text)?.[1] ?? '  '

function withItem(node: unknown, at: number, rest: readonly string[], value: unknown): unknown[] {
  const items = Array.isArray(node) ? [...node] : []
  const updated = withValue(items[at], rest, value)
  if (updated === undefined && rest.length === 0) items.splice(at, 1)
  else items[at] = updated
  return items
}

/** Returns a copy of the document with a value at a pointer. `undefined` removes the member. */
function withValue(node: unknown, segments: readonly string[], value: unknown): unknown {
  const [first, ...rest] = segments
  if (first === undefined) return value
  if (Array.isArray(node) || (!isContainer(node) && /^\d+$/.test(first)))
    return withItem(node, Number(first), rest, value)
  const members: Json = isContainer(node) ? { ...node } : {}
  const updated = withValue(members[first], rest, value)
  // An object that loses its last member, such as an address, is also removed.
  const isEmptied = value === undefined && isContainer(updated) && !Array.isArray(updated) && isEmpty(updated)
  if (updated === undefined || (isEmptied && rest.length > 0)) delete members[first]
  else members[first] = updated
  return members
}

/** A new value for a member. `undefined` removes it. */
export type Change = readonly [pointer: string, value: unknown]

function changeOne(text: string, [pointer, value]: Change): string {
  const document: unknown = JSON.parse(text)
  const isScalar = value !== undefined && !isContainer(value)
  const edited = isScalar ? withScalar(text, pointer, value as string | number | boolean | null) : null
  if (edited !== null) return edited
  const changed = withValue(document, segmentsOf(pointer), value)
  return JSON.stringify(changed, null, indentOf(text)) + (text.endsWith('\n') ? '\n' : '')
}

/** The pointers of a member before and after it is renamed or moved with its value. */
export interface Move {
  readonly from: string
  readonly to: string
}

const parentOf = (pointer: string): string => pointer.slice(0, pointer.lastIndexOf('/'))

/** Returns the text with a member at another pointer. If only its name differs, the member keeps its position. */
export function moveMember(text: string, { from, to }: Move): string {
  const key = locationsOf(text, [from]).get(from)?.key
  if (key && parentOf(from) === parentOf(to))
    return text.slice(0, key.start) + JSON.stringify(segmentsOf(to).at(-1)) + text.slice(key.end)
  const value = valueAt(JSON.parse(text), from)
  return applyChanges(text, [
    [from, undefined],
    [to, value],
  ])
}

/** Returns the text with the changes applied. Throws if it is not JSON. */
export const applyChanges = (text: string, changes: readonly Change[]): string =>
  changes.reduce(changeOne, text)

export const joinPath = (parent: string, ...names: readonly (string | number)[]): string =>
  names.reduce<string>((path, name) => `${path}/${escapeSegment(String(name))}`, parent)
