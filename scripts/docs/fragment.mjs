/** The part of an input that an item is about: the object around its path, with everything else folded up. */

const decode = (segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~')
const isBranch = (value) => value !== null && typeof value === 'object'

/** Value at a pointer; undefined where there is none. */
export const valueAt = (document, pointer) =>
  pointer
    .split('/')
    .slice(1)
    .map(decode)
    .reduce((value, segment) => (isBranch(value) ? value[segment] : undefined), document)

/** Nearest object or array on the way to a pointer, with the pointer to it and the member that is meant. */
function around(document, pointer) {
  const segments = pointer === '' ? [] : pointer.slice(1).split('/').map(decode)
  const wayIn = [document]
  for (const segment of segments.slice(0, -1)) {
    const next = wayIn.at(-1)[segment]
    if (!isBranch(next)) break
    wayIn.push(next)
  }
  const depth = wayIn.length - 1
  const at = pointer
    .split('/')
    .slice(0, depth + 1)
    .join('/')
  return { parent: wayIn[depth], member: segments[depth], at }
}

const MARK = '\u0001'
/** Texts of other members that are no use to the reader. */
const NOISE = new Set(['schema_version', 'source_system'])

const fold = (value) => (Array.isArray(value) ? `${MARK}[ … ]${MARK}` : `${MARK}{ … }${MARK}`)

const shorten = (value) =>
  typeof value === 'string' && value.length > 120 ? `${value.slice(0, 120)}…` : value

/** At most this many entries of a long list are shown. */
const FEW = 4

function deep(value) {
  if (Array.isArray(value))
    return value.length > FEW ? [...value.slice(0, FEW).map(deep), `${MARK}…${MARK}`] : value.map(deep)
  if (isBranch(value))
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, deep(part)]))
  return shorten(value)
}

/** Text and pointer of the fragment; null where the document is no object. */
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
