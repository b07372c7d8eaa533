/** What both syntaxes report alike while they are read: amounts that are none, elements that nothing takes. */
import type { ReadingReport } from '../model/index.ts'
import { type Block, blockOf, decimalOf, isFiner, textOf } from './tree.ts'

/**
 * The elements that a reader takes, as a tree: `1` for what it takes whole, a block for what it looks into. Everything
 * else that a document has is told to whoever reads it.
 */
export interface Known {
  readonly [name: string]: 1 | Known
}

/** Reads amounts of one document, which have to be in its currency and of two decimals. */
export class Amounts {
  readonly #report: ReadingReport
  readonly #currency: string

  constructor(report: ReadingReport, currency: string) {
    this.#report = report
    this.#currency = currency
  }

  /** An amount of money (BR-DEC: at most two decimals). */
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

  /** A price, a quantity or a percentage: as fine as it likes. */
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
    if (typeof named !== 'string' || named === this.#currency) return
    this.#report.refuse('en16931.currency', `${at}/${name}`, { received: named, expected: this.#currency })
  }
}

/** At most so many elements of one name are told by place: of ten thousand lines the first says it. */
interface Unread {
  readonly at: string
  count: number
}

function walk(value: unknown, known: Known, name: string, at: string, found: Map<string, Unread>): void {
  if (Array.isArray(value)) {
    value.forEach((one, index) => walk(one, known, name, `${at}/${index}`, found))
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const member of Object.keys(value)) {
    if (member === '#' || member.startsWith('@')) continue
    const content = (value as Block)[member]
    const inside = known[member]
    if (inside === 1) continue
    const path = `${name}/${member}`
    if (inside !== undefined) walk(content, inside, path, `${at}/${member}`, found)
    else if (hasContent(content)) {
      const one = found.get(path)
      if (one) one.count++
      else found.set(path, { at: `${at}/${member}`, count: 1 })
    }
  }
}

/** An element without any text says nothing, so nothing is lost with it. */
function hasContent(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value)) return value.some(hasContent)
  if (typeof value !== 'object' || value === null) return false
  return Object.entries(value).some(([name, member]) => !name.startsWith('@') && hasContent(member))
}

/** Tells every element that the reader does not take, once for each name. */
export function reportUnread(tree: Block, known: Known, report: ReadingReport): void {
  const found = new Map<string, Unread>()
  walk(tree, known, '', '', found)
  for (const { at, count } of found.values()) report.warn('format.left_out', at, { count })
}
