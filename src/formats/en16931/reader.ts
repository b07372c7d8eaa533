/** Reads amounts, and elements without a term in the model. Shared by UBL and CII. */
import type { ReadingReport } from '../model/index.ts'
import { type Block, blockOf, decimalOf, isFiner, textOf } from './tree.ts'

/**
 * The elements that a reader knows, as a tree: `1` if it reads the whole element, a block if it reads some of its child
 * elements. A label means that json_1_1 has no member and the content is kept as text under that label. Any other
 * element is reported.
 */
export interface Known {
  readonly [name: string]: 1 | string | Known
}

/** Reads the amounts of a document. They must be in its currency and have two decimals. */
export class Amounts {
  readonly #report: ReadingReport
  readonly #currency: string

  constructor(report: ReadingReport, currency: string) {
    this.#report = report
    this.#currency = currency
  }

  /** Reads an amount of money (BR-DEC: at most two decimals). */
  amount(block: Block, name: string, at: string): number | undefined {
    const text = textOf(block, name)
    if (text === undefined) return undefined
    const value = this.#number(text, `${at}/${name}`)
    const many = block[name]
    if (Array.isArray(many) && many.length > 1)
      this.#report.refuse('en16931.several', `${at}/${name}/1`, { received: many.length })
    if (isFiner(text)) this.#report.refuse('en16931.decimals', `${at}/${name}`, { received: text })
    this.#sameCurrency(block, name, at)
    return value
  }

  /** Returns `used` as the value of a term that EN 16931 requires and the document lacks, and adds a warning. */
  assume<T extends string | number>(
    value: T | undefined,
    used: T,
    at: string,
    rule: string,
    term: string,
  ): T {
    if (value === undefined) this.#report.warn('en16931.assumed', at, { rule, term, used })
    return value ?? used
  }

  /** Reads a price, a quantity or a percentage, with any number of decimals. */
  decimal(block: Block, name: string, at: string): number | undefined {
    const text = textOf(block, name)
    if (text === undefined) return undefined
    this.#sameCurrency(block, name, at)
    return this.#number(text, `${at}/${name}`)
  }

  #number(text: string, at: string): number | undefined {
    const value = decimalOf(text)
    if (value === undefined) this.#report.refuse('en16931.number', at, { received: text })
    return value
  }

  #sameCurrency(block: Block, name: string, at: string): void {
    const named = blockOf(Array.isArray(block[name]) ? block[name][0] : block[name])['@currencyID']
    // A document without currency is refused elsewhere.
    if (typeof named !== 'string' || named === this.#currency || this.#currency === '') return
    this.#report.refuse('en16931.currency', `${at}/${name}`, { received: named, expected: this.#currency })
  }
}

interface Unread {
  readonly at: string
  count: number
}

/** Texts that are kept, by the part of the document that they belong to, and elements that are not kept, by name. */
export interface Unmapped {
  readonly document: string[]
  readonly payment: string[]
  readonly lines: Map<number, string[]>
  readonly unread: Map<string, Unread>
}

/** Returns every text below an element, except its attributes. */
function textsIn(value: unknown, found: string[]): string[] {
  if (typeof value === 'string') {
    if (value.trim() !== '') found.push(value.trim())
  } else if (Array.isArray(value)) for (const one of value) textsIn(one, found)
  else if (typeof value === 'object' && value !== null)
    for (const [name, member] of Object.entries(value)) if (!name.startsWith('@')) textsIn(member, found)
  return found
}

class Walk {
  readonly left: Unmapped = { document: [], payment: [], lines: new Map(), unread: new Map() }
  #texts: string[] = this.left.document

  constructor(
    readonly lineName: string,
    readonly paymentName: string,
  ) {}

  visit(block: Block, known: Known, name: string, at: string): void {
    for (const member of Object.keys(block)) {
      if (member === '#' || member.startsWith('@')) continue
      const inside = known[member]
      if (inside === 1) continue
      const path = `${name}/${member}`
      if (typeof inside === 'object') this.#enter(block[member], inside, member, path, `${at}/${member}`)
      else this.#leave(block[member], inside, path, `${at}/${member}`)
    }
  }

  /** Visits a block, or each block of a list. Each line and each means of payment collects its own texts. */
  #enter(value: unknown, known: Known, member: string, path: string, at: string): void {
    const outer = this.#texts
    const list = Array.isArray(value) ? value : [value]
    list.forEach((one, index) => {
      if (typeof one !== 'object' || one === null) return
      if (member === this.lineName) this.#texts = []
      else if (member === this.paymentName) this.#texts = this.left.payment
      this.visit(one as Block, known, path, Array.isArray(value) ? `${at}/${index}` : at)
      if (member === this.lineName && this.#texts.length > 0) this.left.lines.set(index, this.#texts)
    })
    this.#texts = outer
  }

  #leave(value: unknown, label: string | undefined, path: string, at: string): void {
    const list = Array.isArray(value) ? value : [value]
    list.forEach((one, index) => {
      const texts = textsIn(one, [])
      if (texts.length === 0) return
      if (label !== undefined) {
        this.#texts.push(`${label}: ${texts.join(', ')}`)
        return
      }
      const known = this.left.unread.get(path)
      if (known) known.count++
      else this.left.unread.set(path, { at: Array.isArray(value) ? `${at}/${index}` : at, count: 1 })
    })
  }
}

/**
 * Returns the elements of a tree that a reader does not know. Elements without text are ignored, because they carry no
 * data.
 */
export function unmappedOf(tree: Block, known: Known, lineName: string, paymentName: string): Unmapped {
  const walk = new Walk(lineName, paymentName)
  walk.visit(tree, known, '', '')
  return walk.left
}

/** Reports the elements that are not kept, once for each name. */
export function reportUnread({ unread }: Unmapped, report: ReadingReport): void {
  for (const { at, count } of unread.values()) report.warn('format.omitted', at, { count })
}
