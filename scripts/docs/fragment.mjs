/** Shows the part of an input to which an item refers: the object around the item's path, with other parts folded. */

const decode = (segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')
const isBranch = (value) => value !== null && typeof value === 'object'

/** Returns the value at a pointer; undefined if there is none. */
export const valueAt = (document, pointer) =>
  pointer
    .split('/')
    .slice(1)
    .map(decode)
    .reduce((value, segment) => (isBranch(value) ? value[segment] : undefined), document)

/** Returns the nearest object or array on the path of a pointer, its pointer, and the member concerned. */
function around(document, pointer) {
  const [root, ...segments] = pointer.split('/')
  let [parent, at] = [document, root]
  while (segments.length > 1 && isBranch(parent[decode(segments[0])])) {
    at += `/${segments[0]}`
    parent = parent[decode(segments.shift())]
  }
  return { parent, member: segments.length > 0 ? decode(segments[0]) : undefined, at }
}

const MARK = '\u0001'
/** Members that are omitted, because they do not help the reader. */
const NOISE = new Set(['schema_version', 'source_system'])

const fold = (value) => (Array.isArray(value) ? `${MARK}[ … ]${MARK}` : `${MARK}{ … }${MARK}`)

const shorten = (value) =>
  typeof value === 'string' && value.length > 120 ? `${value.slice(0, 120)}…` : value

/** Maximum number of entries shown of a list. */
const FEW = 4

function deep(value) {
  if (Array.isArray(value))
    return value.length > FEW ? [...value.slice(0, FEW).map(deep), `${MARK}…${MARK}`] : value.map(deep)
  if (isBranch(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, deep(part)]))
  return shorten(value)
}

/** Returns the text and pointer of the fragment; null if the document is not an object. */
export function fragment(document, pointer) {
  if (!isBranch(document)) return null
  const { parent, member, at } = around(document, pointer)
  const shown = Array.isArray(parent)
    ? deep(parent)
    : Object.fromEntries(
        Object.entries(parent)
          .filter(([key]) => key === member || !NOISE.has(key))
          .map(([key, value]) => [
            key,
            key === member ? deep(value) : isBranch(value) ? fold(value) : shorten(value),
          ]),
      )
  const text = JSON.stringify(shown, null, 2)
    .replaceAll(`"${JSON.stringify(MARK).slice(1, -1)}`, '')
    .replaceAll(`${JSON.stringify(MARK).slice(1, -1)}"`, '')
  return { text, at: at === '' ? 'the document' : at, folded: text.includes('…') }
}
