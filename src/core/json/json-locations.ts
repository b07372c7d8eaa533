/** Locations of JSON Pointers in the text of a document. */
import { segmentsOf } from '../invoice/pointer.ts'
import { JsonFault } from './scan-json.ts'
import { walkJson } from './walk.ts'

export interface PointerLocation {
  readonly start: number
  readonly end: number
  /** The key of the member with its quotes; undefined in an array. */
  readonly key: { readonly start: number; readonly end: number } | undefined
  /**
   * Segments of the pointer that do not exist in the document. If there are any, the location is that of the nearest
   * parent.
   */
  readonly missing: readonly string[]
}

/** The pointers to locate, as a tree of their segments, so that one pass finds all of them. */
interface PointerNode {
  readonly children: Map<string, PointerNode>
  found?: Omit<PointerLocation, 'missing'>
}

/** The state at a value during the traversal: its node in the tree of pointers, if any, and its key. */
interface WalkState {
  readonly wanted: PointerNode | undefined
  readonly key: PointerLocation['key']
}

const NOT_WANTED: WalkState = { wanted: undefined, key: undefined }

const treeOf = (pointers: Iterable<string>): PointerNode => {
  const root: PointerNode = { children: new Map() }
  for (const pointer of pointers) {
    let node = root
    for (const segment of segmentsOf(pointer)) {
      const child: PointerNode = node.children.get(segment) ?? { children: new Map() }
      node.children.set(segment, child)
      node = child
    }
  }
  return root
}

/**
 * Records the location of a value. A container is located at its key or, without a key, at its opening bracket. If a
 * key occurs twice, its last occurrence applies, as in `JSON.parse`.
 */
function mark({ wanted, key }: WalkState, start: number, end: number, text: string): void {
  if (!wanted) return
  const isContainer = text[start] === '{' || text[start] === '['
  const { start: from, end: to } = (isContainer && key) || { start, end }
  wanted.found = { start: from, end: to, key }
  for (const child of wanted.children.values()) delete child.found
}

/** Returns the location of every pointer, in one pass over a valid JSON text. */
export function locationsOf(text: string, pointers: readonly string[]): ReadonlyMap<string, PointerLocation> {
  const root = treeOf(pointers)
  walkJson<WalkState>(
    text,
    { wanted: root, key: undefined },
    {
      member({ wanted }, start, end) {
        if (!wanted) return NOT_WANTED
        const name = JSON.parse(text.slice(start, end)) as string
        return { wanted: wanted.children.get(name), key: { start, end } }
      },
      entry: ({ wanted }, index) =>
        wanted ? { wanted: wanted.children.get(String(index)), key: undefined } : NOT_WANTED,
      value: (state, start, end) => mark(state, start, end, text),
    },
  )
  const locations = new Map<string, PointerLocation>()
  for (const pointer of pointers) {
    const segments = segmentsOf(pointer)
    let node = root
    let depth = 0
    for (; depth < segments.length; depth++) {
      const child = node.children.get(segments[depth]!)
      if (!child?.found) break
      node = child
    }
    locations.set(pointer, { ...node.found!, missing: segments.slice(depth) })
  }
  return locations
}

/** Returns the first fault of a text, or `null` for valid JSON. */
export function faultOf(text: string): JsonFault | null {
  try {
    walkJson(text, undefined, { member: () => undefined, entry: () => undefined })
    return null
  } catch (error) {
    if (error instanceof JsonFault) return error
    throw error
  }
}
