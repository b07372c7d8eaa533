/**
 * Elements as `writeXml` makes them: names, texts and three references, without comments, attributes or anything else
 * that has to be thought about. What is not of this form is not read here, and nothing is lost: the parser reads it.
 */
import type { Member, Type } from './shapes.ts'

/** The start tag of an element that may be plain. */
export interface PlainStart {
  /** Name with its prefix. */
  readonly name: string
  readonly prefix: string
  readonly local: string
  /** Namespaces that it declares, as written. */
  readonly declared: string
}

/** What a name stands for in one scope, with its tags. */
interface Known {
  readonly member: Member
  readonly open: string
  readonly close: string
  /** What came after it the last time: most records are like the one before. */
  next: Known | null
}

/** The names of a type in one scope. */
interface Names {
  readonly byName: Map<string, Known>
  /** What a block began with the last time. */
  first: Known | null
}

/** The namespace of a prefix around the element. */
export type Resolve = (prefix: string) => string | undefined

const LESS = 60
const SLASH = 47

/** Characters that a parser looks at twice. */
const UNUSUAL = /[^\n\x20-\x7e\xa0-\ud7ff]/
/** The end of a section, which may not stand where none began. */
const SECTION_END = ']]>'
const BLANKS = /[ \n]*/y
const DECLARATION = / xmlns(?::([^=]*))?="([^"]*)"/g
const REFERENCES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' }

/** A tag that begins an element of one of these names, with no attributes but namespaces. */
export const plainStarts = (names: readonly string[]): RegExp =>
  new RegExp(
    `<((?:([A-Za-z][\\w.-]*):)?(${names.join('|')}))((?: xmlns(?::[A-Za-z][\\w.-]*)?="[^"&<>\\s]+")*)>`,
    'g',
  )

/** Behind the blanks at a place of a text. */
export function behindBlanks(text: string, at: number): number {
  BLANKS.lastIndex = at
  BLANKS.test(text)
  return BLANKS.lastIndex
}

export class PlainReader {
  #text = ''
  #at = 0
  #references = false
  #declared = ''
  /** Namespaces that the element declares itself, by prefix. */
  #own = new Map<string, string>()
  /** Namespaces from around it, as far as they were asked for. */
  readonly #settings = new Map<string, string | undefined>()
  readonly #checksIssuer = new Map<Type, Names>()

  /** The namespace of a start tag; undefined where it declares what needs more thought. Comes before `read`. */
  namespaceOf({ prefix, declared }: PlainStart, resolve: Resolve | null): string | undefined {
    if (declared !== this.#declared && !this.#declare(declared)) return undefined
    for (const [name, uri] of this.#settings) if (resolve?.(name) !== uri) this.#forget()
    return this.#uriOf(prefix, resolve)
  }

  /** The value of an element without its tags; undefined where anything in it is not plain. */
  read(body: string, type: Type, resolve: Resolve | null): unknown {
    if (UNUSUAL.test(body) || body.includes(SECTION_END)) return undefined
    this.#text = body
    this.#at = 0
    this.#references = body.includes('&')
    const value = this.#block(type, resolve)
    this.#text = ''
    return this.#at === body.length ? value : undefined
  }

  #forget(): void {
    this.#settings.clear()
    this.#checksIssuer.clear()
  }

  #declare(declared: string): boolean {
    const own = new Map<string, string>()
    for (const [, prefix = '', uri = ''] of declared.matchAll(DECLARATION)) {
      // What is reserved or declared twice is a mistake that the parser names.
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
    this.#settings.set(prefix, uri)
    return uri
  }

  #namesOf(type: Type): Names {
    let names = this.#checksIssuer.get(type)
    if (!names) {
      names = { byName: new Map(), first: null }
      this.#checksIssuer.set(type, names)
    }
    return names
  }

  /** A name of the scope. One that is none is the sender's and not remembered: of those there is no end. */
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

  /** The members up to the end of the block or of the text. */
  // biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one loop over millions of elements, in which each call that a split would add is paid for each
  #block(type: Type, resolve: Resolve | null): Record<string, unknown> | undefined {
    const text = this.#text
    const block: Record<string, unknown> = {}
    const names = this.#namesOf(type)
    let before: Known | null = null
    for (;;) {
      let at = this.#at
      if (text.charCodeAt(at) !== LESS) {
        at = behindBlanks(text, at)
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
    // What is left of them is another reference, or none.
    return value.replace(/&(?:amp|lt|gt);/g, '').includes('&') ? undefined : replaced
  }
}
