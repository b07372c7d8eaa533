/**
 * Reads *plain* XML, the form that `writeXml` writes: elements without attributes, texts and three entity references.
 * Comments may stand between elements. The general parser reads all other XML.
 */
import type { Member, Type } from './shapes.ts'

/** Start tag of an element that may be plain. */
export interface PlainStart {
  /** Name with prefix. */
  readonly name: string
  readonly prefix: string
  readonly local: string
  /** Namespace declarations, as written. */
  readonly declared: string
}

/** A member with its tags, which depend on the prefixes of the scope. */
interface Known {
  readonly member: Member
  readonly open: string
  readonly close: string
  /** The element that followed this one in the previous record. Consecutive records are usually similar. */
  next: Known | null
}

/** The element names of a type, with the prefixes of one scope. */
interface Names {
  readonly byName: Map<string, Known>
  /** The first element of the previous block. */
  first: Known | null
}

/** Function that returns the namespace of a prefix that is declared outside the element. */
export type Resolve = (prefix: string) => string | undefined

const LESS = 60
const SLASH = 47
const EXCLAMATION = 33

/** Matches characters that only the general parser handles. Line breaks are normalised before. */
const NOT_PLAIN = /[^\t\n\x20-\x7e\xa0-\ud7ff]/
/** End of a CDATA section. It is invalid outside a CDATA section. */
const SECTION_END = ']]>'
const BLANKS = /[ \t\n]*/y
const DECLARATION = / xmlns(?::([\w.-]+))?="([^"\s]+)"/g
const REFERENCES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** Returns a pattern for start tags of these names, with no attributes except namespace declarations. */
export const plainStarts = (names: readonly string[]): RegExp =>
  new RegExp(
    `<((?:([A-Za-z][\\w.-]*):)?(${names.join('|')}))((?: xmlns(?::[A-Za-z][\\w.-]*)?="[^"&<>\\s]+")*)>`,
    'g',
  )

/** Returns the index after the blanks at an index. */
export function skipBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  BLANKS.test(text)
  return BLANKS.lastIndex
}

/** Returns the index after the blanks and comments at an index. Stops at a comment that is invalid or has no end. */
export function skipComments(text: string, at: number): number {
  for (let from = at; ; ) {
    const start = skipBlanks(text, from)
    const dashes = text.startsWith('<!--', start) ? text.indexOf('--', start + 4) : -1
    if (dashes < 0 || text[dashes + 2] !== '>') return start
    from = dashes + 3
  }
}

export class PlainReader {
  #text = ''
  #at = 0
  #references = false
  #declared = ''
  /** Namespaces that the element declares, by prefix. */
  #own = new Map<string, string>()
  /** Namespaces of prefixes that are declared outside the element. */
  readonly #around = new Map<string, string | undefined>()
  readonly #known = new Map<Type, Names>()

  /**
   * Returns the namespace of a start tag; undefined if only the general parser can handle its declarations. Call it
   * before `read`.
   */
  namespaceOf({ prefix, declared }: PlainStart, resolve: Resolve | null): string | undefined {
    if (declared !== this.#declared && !this.#declare(declared)) return undefined
    for (const [name, uri] of this.#around) if (resolve?.(name) !== uri) this.#forget()
    return this.#uriOf(prefix, resolve)
  }

  /** Returns the value of an element from its content; undefined if any part is not plain. */
  read(body: string, type: Type, resolve: Resolve | null): unknown {
    if (NOT_PLAIN.test(body) || body.includes(SECTION_END)) return undefined
    this.#text = body
    this.#at = 0
    this.#references = body.includes('&')
    const value = this.#block(type, resolve)
    this.#text = ''
    return this.#at === body.length ? value : undefined
  }

  #forget(): void {
    this.#around.clear()
    this.#known.clear()
  }

  #declare(declared: string): boolean {
    const own = new Map<string, string>()
    for (const [, prefix = '', uri = ''] of declared.matchAll(DECLARATION)) {
      // The general parser reports reserved and duplicate prefixes.
      if (own.has(prefix) || /^xml/i.test(prefix) || uri.startsWith('http://www.w3.org/')) return false
      own.set(prefix, uri)
    }
    this.#forget()
    this.#own = own
    this.#declared = declared
    return true
  }

  #uriOf(prefix: string, resolve: Resolve | null): string | undefined {
    const own = this.#own.get(prefix)
    if (own !== undefined || !resolve) return own
    const uri = resolve(prefix)
    this.#around.set(prefix, uri)
    return uri
  }

  #namesOf(type: Type): Names {
    let names = this.#known.get(type)
    if (!names) {
      names = { byName: new Map(), first: null }
      this.#known.set(type, names)
    }
    return names
  }

  /**
   * Returns the member with a name in the scope, or null. Unknown names are not cached, because their number is
   * unlimited.
   */
  #lookUp(names: Names, type: Type, name: string, resolve: Resolve | null): Known | null {
    const known = names.byName.get(name)
    if (known) return known
    const colon = name.indexOf(':')
    const member = type.byName.get(name.slice(colon + 1))
    if (!member || member.namespace === '' || member.type.foreign || member.type.attributes !== null)
      return null
    if (member.namespace !== this.#uriOf(name.slice(0, Math.max(colon, 0)), resolve)) return null
    const made = { member, open: `<${name}>`, close: `</${name}>`, next: null }
    names.byName.set(name, made)
    return made
  }

  /** Reads the members up to the end of the block or of the text. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over millions of elements; splitting it would add calls to each iteration
  #block(type: Type, resolve: Resolve | null): Record<string, unknown> | undefined {
    const text = this.#text
    const block: Record<string, unknown> = {}
    const names = this.#namesOf(type)
    let before: Known | null = null
    for (;;) {
      let at = this.#at
      if (text.charCodeAt(at) !== LESS || text.charCodeAt(at + 1) === EXCLAMATION) {
        at = skipComments(text, at)
        this.#at = at
        if (at === text.length) return block
        if (text.charCodeAt(at) !== LESS) return undefined
      }
      if (text.charCodeAt(at + 1) === SLASH) return block
      let known: Known | null = before === null ? names.first : before.next
      if (known !== null && text.startsWith(known.open, at)) this.#at = at + known.open.length
      else {
        const end = text.indexOf('>', at)
        known = end < 0 ? null : this.#lookUp(names, type, text.slice(at + 1, end), resolve)
        if (known === null) return undefined
        this.#at = end + 1
        if (before === null) names.first = known
        else before.next = known
      }
      const { member, close } = known
      if (before !== null && member.order < before.member.order) return undefined
      before = known
      const value = member.type.members === null ? this.#value() : this.#block(member.type, resolve)
      if (value === undefined || !text.startsWith(close, this.#at)) return undefined
      this.#at += close.length
      const kept = block[member.name]
      if (!member.repeated) {
        if (kept !== undefined) return undefined
        block[member.name] = value
      } else if (kept) (kept as unknown[]).push(value)
      else block[member.name] = [value]
    }
  }

  #value(): string | undefined {
    const end = this.#text.indexOf('<', this.#at)
    if (end < 0) return undefined
    const value = this.#text.slice(this.#at, end)
    this.#at = end
    if (!this.#references || !value.includes('&')) return value
    const replaced = value.replace(/&(?:amp|lt|gt);/g, (reference) => REFERENCES[reference] ?? reference)
    // The general parser reads texts with any other `&`.
    return value.replace(/&(?:amp|lt|gt);/g, '').includes('&') ? undefined : replaced
  }
}
