/** Where the tags of a document stand. */
import { SaxesParser } from 'saxes'
import type { Type, Vocabulary } from './shapes.ts'

/** Both from 1; columns count UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** Places of tags in a text; cheap where they are asked for from front to back. */
export class TagPlaces {
  readonly #text: string
  #checksIssuer = { offset: 0, line: 1, from: 0 }

  constructor(text: string) {
    this.#text = text
  }

  /** Where the tag that ends before `end` begins. */
  of(end: number): Place {
    const text = this.#text
    const offset = Math.max(0, text.lastIndexOf('<', end - 1))
    let { line, from } = this.#checksIssuer.offset <= offset ? this.#checksIssuer : { line: 1, from: 0 }
    for (let at = text.indexOf('\n', from); at >= 0 && at < offset; at = text.indexOf('\n', from)) {
      line++
      from = at + 1
    }
    this.#checksIssuer = { offset, line, from }
    return { line, column: offset - from + 1 }
  }
}

export interface ElementPlace extends Place {
  /** XPath of local names. */
  readonly element: string
}

interface Open {
  readonly type: Type | null
  readonly path: string
  readonly element: string
  /** Pointers that lead to this element or into it. */
  readonly wanted: readonly string[]
  readonly counts: Map<string, number>
}

/** The step to an attribute or to the text of an element: both stand where the element does. */
const INNER = /\/(?:#|@[^/]*)$/

/**
 * The elements behind JSON Pointers into a value that was read: path, line and column of their tags. What a pointer
 * names and the document does not have stands where the nearest element around it does. The document is read again, so
 * that one without problems costs nothing.
 */
export function placesOf(
  vocabulary: Vocabulary,
  text: string,
  pointers: readonly string[],
): ReadonlyMap<string, ElementPlace> {
  const found = new Map<string, ElementPlace>()
  const plain = text.replace(/^\uFEFF/, '')
  const tags = new TagPlaces(plain)
  const stack: (Open | null)[] = []
  const parser = new SaxesParser({ xmlns: true })

  const child = ({ type, path, element, wanted, counts }: Open, name: string): Open | null => {
    const member = type?.foreign ? undefined : type?.byName.get(name)
    if (!member) return null
    const index = (counts.get(name) ?? 0) + 1
    counts.set(name, index)
    const own = `${path}${member.pointer}${member.repeated ? `/${index - 1}` : ''}`
    const inside = wanted.filter((pointer) => pointer === own || pointer.startsWith(`${own}/`))
    if (inside.length === 0) return null
    const step = `/${name}${member.repeated ? `[${index}]` : ''}`
    return { type: member.type, path: own, element: element + step, wanted: inside, counts: new Map() }
  }

  parser.on('opentag', ({ local }) => {
    const parent = stack.at(-1)
    let open: Open | null = null
    if (parent) open = child(parent, local)
    else if (stack.length === 0) {
      const type = vocabulary.roots.get(local)?.type ?? null
      open = { type, path: '', element: `/${local}`, wanted: pointers, counts: new Map() }
    }
    stack.push(open)
    if (!open) return
    const { element } = open
    for (const pointer of open.wanted) {
      const inner = pointer.slice(open.path.length)
      const step = INNER.test(inner) && inner.indexOf('/', 1) < 0 && inner !== '/#' ? inner : ''
      found.set(pointer, { element: element + step, ...tags.of(parser.position) })
    }
  })
  parser.on('closetag', () => stack.pop())
  // What is not well-formed has no places beyond the fault.
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
