/** Where JSON Pointers stand in the text that a document was read from. */
import { segmentsOf } from '../invoice/pointer.ts'
import { JsonFault } from './scan.ts'
import { walk } from './walk.ts'

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

/** What is wanted of a value, and the key that it stands under. */
interface Standing {
  readonly wanted: Wanted | undefined
  readonly key: Place['key']
}

const UNWANTED: Standing = { wanted: undefined, key: undefined }

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
function mark({ wanted, key }: Standing, start: number, end: number, text: string): void {
  if (!wanted) return
  const isContainer = text[start] === '{' || text[start] === '['
  const { start: from, end: to } = (isContainer && key) || { start, end }
  wanted.found = { start: from, end: to, key }
  for (const child of wanted.children.values()) delete child.found
}

/** The place of every pointer, in one pass over a text that is JSON. */
export function placesOf(text: string, pointers: readonly string[]): ReadonlyMap<string, Place> {
  const root = treeOf(pointers)
  walk<Standing>(
    text,
    { wanted: root, key: undefined },
    {
      member({ wanted }, start, end) {
        if (!wanted) return UNWANTED
        const name = JSON.parse(text.slice(start, end)) as string
        return { wanted: wanted.children.get(name), key: { start, end } }
      },
      entry: ({ wanted }, index) =>
        wanted ? { wanted: wanted.children.get(String(index)), key: undefined } : UNWANTED,
      value: (standing, start, end) => mark(standing, start, end, text),
    },
  )
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
    walk(text, undefined, { member: () => undefined, entry: () => undefined })
    return null
  } catch (error) {
    if (error instanceof JsonFault) return error
    throw error
  }
}
