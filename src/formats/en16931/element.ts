/**
 * An element of an XML tree (`src/core/xml`). It records which child elements are read, so that unread elements can be
 * reported.
 */
import { contentOf } from './tree.ts'

/**
 * Which content of an element is read: all (`true`), or some child elements. A text is a label: the element has no
 * member in json_1_1, and its content is kept as text under this label.
 */
export type ReadParts = true | string | ReadChildren
export interface ReadChildren {
  [name: string]: ReadParts
}

export type Block = Readonly<Record<string, unknown>>

const NONE: Block = {}
const NO_ELEMENTS: readonly Element[] = []

/** Elements with the same path share `taken`: if a child is read in one of them, it counts as read in all of them. */
export class Element {
  /** The members of the element, and its text under `#`. */
  readonly block: Block
  /** JSON Pointer from the root. */
  readonly at: string
  readonly taken: ReadChildren

  constructor(value: unknown, at = '', taken: ReadChildren = {}) {
    this.block = typeof value === 'object' && value !== null ? (value as Block) : { '#': value }
    this.at = at
    this.taken = taken
  }

  has(name: string): boolean {
    return this.block[name] !== undefined
  }

  /** Trimmed text of the element; undefined if empty. */
  get content(): string | undefined {
    return contentOf(this.block['#'])
  }

  attribute(name: string): string | undefined {
    return contentOf(this.block[`@${name}`])
  }

  /** Returns the trimmed text of the first element with a name; undefined if absent or empty. */
  text(name: string): string | undefined {
    this.taken[name] ??= true
    const value = this.block[name]
    const first = Array.isArray(value) ? value[0] : value
    return contentOf(typeof first === 'object' && first !== null ? (first as Block)['#'] : first)
  }

  /** Returns the element at the end of a path of names, even if absent. Follows the first of repeated elements. */
  below(...names: readonly string[]): Element {
    let found: Element = this
    for (const name of names) {
      const value = found.block[name]
      const at = `${found.at}/${name}`
      found = Array.isArray(value)
        ? new Element(value[0], `${at}/0`, found.#inside(name))
        : new Element(value ?? NONE, at, found.#inside(name))
    }
    return found
  }

  /** Returns every element with a name as a list, even if the schema allows only one. */
  list(name: string): readonly Element[] {
    const value = this.block[name]
    const taken = this.#inside(name)
    if (value === undefined) return NO_ELEMENTS
    const at = `${this.at}/${name}`
    return Array.isArray(value)
      ? value.map((one, index) => new Element(one, `${at}/${index}`, taken))
      : [new Element(value, at, taken)]
  }

  #inside(name: string): ReadChildren {
    this.taken[name] ??= {}
    const taken = this.taken[name]
    return typeof taken === 'object' ? taken : {}
  }
}
