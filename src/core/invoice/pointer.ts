/** JSON Pointers (RFC 6901), and their order in a document. */

/** Escapes one segment of a pointer. */
export const escapeSegment = (segment: string): string =>
  segment.includes('~') || segment.includes('/')
    ? segment.replaceAll('~', '~0').replaceAll('/', '~1')
    : segment

const unescapeSegment = (segment: string): string =>
  segment.includes('~') ? segment.replaceAll('~1', '/').replaceAll('~0', '~') : segment

/**
 * Returns the segments of a pointer.
 *
 * @example
 * segmentsOf('/invoice/lines/0/a~1b') // => ['invoice', 'lines', '0', 'a/b']
 */
export function segmentsOf(pointer: string): string[] {
  const segments = pointer.split('/')
  segments.shift()
  return pointer.includes('~') ? segments.map(unescapeSegment) : segments
}

/**
 * Returns the last two segments of a pointer, without splitting the rest.
 *
 * @example
 * lastSegmentsOf('/invoice/lines/0') // => ['lines', '0']
 * lastSegmentsOf('/invoice') // => [undefined, 'invoice']
 */
export function lastSegmentsOf(pointer: string): [list: string | undefined, last: string | undefined] {
  if (pointer === '') return [undefined, undefined]
  const end = pointer.lastIndexOf('/')
  const last = unescapeSegment(pointer.slice(end + 1))
  return end === 0
    ? [undefined, last]
    : [unescapeSegment(pointer.slice(pointer.lastIndexOf('/', end - 1) + 1, end)), last]
}

const child = (node: unknown, segment: string): unknown =>
  node !== null && typeof node === 'object' && Object.hasOwn(node, segment)
    ? (node as Record<string, unknown>)[segment]
    : undefined

/**
 * Returns the value at a pointer, or `undefined`.
 *
 * @example
 * valueAt({ lines: [{ quantity: 2 }] }, '/lines/0/quantity') // => 2
 */
export const valueAt = (document: unknown, pointer: string): unknown =>
  segmentsOf(pointer).reduce<unknown>(child, document)

/**
 * Returns a comparison that sorts paths in document order. Paths that are not in the document come after all others, in
 * code-point order. The comparison caches its lookups, so sorting many paths of one document is cheap.
 */
export function documentOrder(document: unknown): (a: string, b: string) => number {
  const positions = new Map<object, Map<string, number>>()
  const split = new Map<string, readonly string[]>()
  const segmentsOnce = (path: string): readonly string[] => {
    let segments = split.get(path)
    if (!segments) {
      segments = segmentsOf(path)
      split.set(path, segments)
    }
    return segments
  }
  const positionOf = (node: unknown, segment: string): number => {
    if (node === null || typeof node !== 'object') return 0
    if (Array.isArray(node)) return Number(segment)
    let known = positions.get(node)
    if (!known) {
      const names = Object.keys(node).filter((name) => child(node, name) !== undefined)
      known = new Map(names.map((name, index) => [name, index]))
      positions.set(node, known)
    }
    return known.get(segment) ?? known.size
  }
  return (a, b) => {
    if (a === b) return 0
    const left = segmentsOnce(a)
    const right = segmentsOnce(b)
    let node: unknown = document
    let at = 0
    for (; at < left.length && left[at] === right[at]; at++) node = child(node, left[at]!)
    const [x, y] = [left[at], right[at]]
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1
    return positionOf(node, x) - positionOf(node, y) || (x < y ? -1 : 1)
  }
}
