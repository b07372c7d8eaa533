/** Where JSON Pointers stand in the text that a document was read from. */
import { segmentsOf } from '../invoice/pointer.ts'
import { JsonFault, JsonScanner } from './scan.ts'

export interface Place {
  readonly start: number
  readonly end: number
  /** The key of the member, with its quotes; none in an array. */
  readonly key: { readonly start: number; readonly end: number } | undefined
  /** Members of the pointer that the document does not have; the place is then that of the nearest parent. */
  readonly missing: readonly string[]
}

/** What is looked for, as a tree, so that one pass finds all places. */
interface Wanted {
  readonly children: Map<string, Wanted>
  found?: Omit<Place, 'missing'>
}

interface Frame {
  readonly close: '}' | ']'
  readonly wanted: Wanted | undefined
  index: number
}

const treeOf = (pointers: Iterable<string>): Wanted => {
  const root: Wanted = { children: new Map() }
  for (const pointer of pointers) {
    let node = root
    for (const segment of segmentsOf(pointer)) {
      const child: Wanted = node.children.get(segment) ?? { children: new Map() }
      node.children.set(segment, child)
      node = child
    }
  }
  return root
}

/**
 * A container is marked at its key, or at its bracket; everything else at its value. Of a key that is written
 * twice the last one counts, as in `JSON.parse`.
 */
const mark = (node: Wanted | undefined, start: number, end: number, key: Place['key']): void => {
  if (!node) return
  node.found = { start, end, key }
  for (const child of node.children.values()) delete child.found
}

/** Walks the whole text without recursion, so that no depth of nesting is too much. Throws `JsonFault`. */
function walk(text: string, root: Wanted | undefined): void {
  const scanner = new JsonScanner(text)
  if (scanner.peek() === '') throw new JsonFault('empty', 0)
  const stack: Frame[] = []
  let wanted = root
  let key: { start: number; end: number } | undefined
  for (;;) {
    const opening = scanner.peek()
    const start = scanner.at
    if (opening === '{' || opening === '[') {
      scanner.at++
      mark(wanted, key?.start ?? start, key?.end ?? start + 1, key)
      const close = opening === '{' ? '}' : ']'
      if (scanner.peek() === close) scanner.at++
      else {
        stack.push({ close, wanted, index: -1 })
        ;({ wanted, key } = enter(scanner, stack.at(-1)!))
        continue
      }
    } else {
      scanner.scalar()
      mark(wanted, start, scanner.at, key)
    }
    for (;;) {
      const frame = stack.at(-1)
      if (!frame) {
        scanner.end()
        return
      }
      if (!scanner.next(frame.close)) stack.pop()
      else {
        ;({ wanted, key } = enter(scanner, frame))
        break
      }
    }
  }
}

function enter(scanner: JsonScanner, frame: Frame) {
  if (frame.close === ']') {
    frame.index++
    return { wanted: frame.wanted?.children.get(String(frame.index)), key: undefined }
  }
  scanner.peek()
  const start = scanner.at
  scanner.key()
  const end = scanner.at
  scanner.colon()
  if (!frame.wanted) return { wanted: undefined, key: undefined }
  const name = JSON.parse(scanner.text.slice(start, end)) as string
  return { wanted: frame.wanted.children.get(name), key: { start, end } }
}

/** The place of every pointer, in one pass over a text that is JSON. */
export function placesOf(text: string, pointers: readonly string[]): ReadonlyMap<string, Place> {
  const root = treeOf(pointers)
  walk(text, root)
  const places = new Map<string, Place>()
  for (const pointer of pointers) {
    const segments = segmentsOf(pointer)
    let node = root
    let depth = 0
    for (; depth < segments.length; depth++) {
      const child = node.children.get(segments[depth]!)
      if (!child?.found) break
      node = child
    }
    places.set(pointer, { ...node.found!, missing: segments.slice(depth) })
  }
  return places
}

/** The first place where a text is not JSON, or `null` for one that is. */
export function faultOf(text: string): JsonFault | null {
  try {
    walk(text, undefined)
    return null
  } catch (error) {
    if (error instanceof JsonFault) return error
    throw error
  }
}
