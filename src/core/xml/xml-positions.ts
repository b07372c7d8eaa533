/** Locations of tags in a document. */
import { SaxesParser } from 'saxes'
import type { Type, Vocabulary } from './shapes.ts'

/** Maximum number of nested elements. The parser searches all open elements for each name. */
export const MAX_DEPTH = 100

/** Line and column from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** Finds the location of tags in a text. Calls in the order of the text are fastest. */
export class TagPositions {
  readonly #text: string
  #known = { offset: 0, line: 1, from: 0 }

  constructor(text: string) {
    this.#text = text
  }

  /** Returns the location of the start of the tag that ends before `end`. */
  of(end: number): Position {
    const text = this.#text
    const offset = Math.max(0, text.lastIndexOf('<', end - 1))
    let { line, from } = this.#known.offset <= offset ? this.#known : { line: 1, from: 0 }
    for (let at = text.indexOf('\n', from); at >= 0 && at < offset; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    this.#known = { offset, line, from }
    return { line, column: offset - from + 1 }
  }
}

export interface ElementPosition extends Position {
  /** XPath of local names. */
  readonly element: string
}

/** The wanted pointers as a tree of their segments, so that each element looks up its own pointers directly. */
interface Wanted {
  /** Pointers to this element or to its content. */
  readonly pointers: string[]
  readonly inside: Map<string, Wanted>
}

const nothing = (): Wanted => ({ pointers: [], inside: new Map() })

function wantedOf(pointers: readonly string[]): Wanted {
  const root = { ...nothing(), pointers: [...pointers] }
  for (const pointer of pointers) {
    let at: Wanted = root
    for (const segment of pointer.split('/').slice(1)) {
      const next = at.inside.get(segment) ?? nothing()
      next.pointers.push(pointer)
      at.inside.set(segment, next)
      at = next
    }
  }
  return root
}

interface Open {
  readonly type: Type | null
  readonly path: string
  readonly element: string
  readonly wanted: Wanted
  readonly counts: Map<string, number>
}

/**
 * Matches the last pointer segment of an attribute or of an element's text, which both have the location of the
 * element.
 */
const INNER = /\/(?:#|@[^/]*)$/

/**
 * Returns path, line and column of the elements that JSON Pointers into a value refer to. An element that is not in the
 * document has the location of its nearest ancestor. Parses the document again, so that documents without problems take
 * no time for positions.
 */
export function positionsOf(
  vocabulary: Vocabulary,
  text: string,
  pointers: readonly string[],
): ReadonlyMap<string, ElementPosition> {
  const found = new Map<string, ElementPosition>()
  const plain = text.replace(/^\uFEFF/, '')
  const tags = new TagPositions(plain)
  const stack: (Open | null)[] = []
  const parser = new SaxesParser({ xmlns: true })

  const child = ({ type, path, element, wanted, counts }: Open, name: string): Open | null => {
    const member = type?.foreign ? undefined : type?.byName.get(name)
    if (!member) return null
    const index = (counts.get(name) ?? 0) + 1
    counts.set(name, index)
    const own = `${member.pointer}${member.repeated ? `/${index - 1}` : ''}`
    let inside: Wanted | undefined = wanted
    for (const segment of own.split('/').slice(1)) inside = inside?.inside.get(segment)
    if (!inside) return null
    const step = `/${name}${member.repeated ? `[${index}]` : ''}`
    return { type: member.type, path: path + own, element: element + step, wanted: inside, counts: new Map() }
  }

  parser.on('opentag', ({ local }) => {
    if (stack.length > MAX_DEPTH) throw new RangeError()
    const parent = stack.at(-1)
    let open: Open | null = null
    if (parent) open = child(parent, local)
    else if (stack.length === 0) {
      const type = vocabulary.roots.get(local)?.type ?? null
      open = { type, path: '', element: `/${local}`, wanted: wantedOf(pointers), counts: new Map() }
    }
    stack.push(open)
    if (!open) return
    const { element } = open
    for (const pointer of open.wanted.pointers) {
      const inner = pointer.slice(open.path.length)
      const step = INNER.test(inner) && inner.indexOf('/', 1) < 0 && inner !== '/#' ? inner : ''
      found.set(pointer, { element: element + step, ...tags.of(parser.position) })
    }
  })
  parser.on('closetag', () => stack.pop())
  // Stops at an error or at the maximum depth, where the reader of the document also stopped.
  parser.on('error', () => {
    throw new RangeError()
  })
  try {
    parser.write(plain).close()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return found
}
