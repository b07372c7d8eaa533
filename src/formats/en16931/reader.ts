/** Reads amounts, and elements without a term in the model. Shared by UBL and CII. */
import type { ReadingReport } from '../model/index.ts'
import type { Block, Element, ReadChildren } from './element.ts'
import type { EnInvoice, Id, Unmapped } from './en16931-model.ts'
import { decimalOf, hasMoreThanTwoDecimals } from './tree.ts'

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

/** Reads the amounts of a document. They must be in its currency and have two decimals. */
export class AmountReader {
  readonly #report: ReadingReport
  readonly #currency: string

  constructor(report: ReadingReport, currency: string) {
    this.#report = report
    this.#currency = currency
  }

  /** Reads the amount of a child element (BR-DEC: at most two decimals). */
  amount(element: Element, name: string): number | undefined {
    return this.#amountOf(element.text(name), listOf(element.block[name]), `${element.at}/${name}`)
  }

  /** Reads the amount that the element itself states. */
  amountOf(element: Element): number | undefined {
    return this.#amountOf(element.content, [element.block], element.at)
  }

  #amountOf(text: string | undefined, values: readonly unknown[], at: string): number | undefined {
    if (text === undefined) return undefined
    const value = this.#number(text, at)
    if (values.length > 1) this.#report.refuse('en16931.several', `${at}/1`, { received: values.length })
    if (hasMoreThanTwoDecimals(text)) this.#report.refuse('en16931.decimals', at, { received: text })
    this.#sameCurrency(values[0], at)
    return value
  }

  /**
   * Returns the value of a term that EN 16931 requires. If the document lacks it, returns the default `used` and adds a
   * warning.
   */
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
  decimal(element: Element, name: string): number | undefined {
    const text = element.text(name)
    if (text === undefined) return undefined
    const at = `${element.at}/${name}`
    this.#sameCurrency(listOf(element.block[name])[0], at)
    return this.#number(text, at)
  }

  #number(text: string, at: string): number | undefined {
    const value = decimalOf(text)
    if (value === undefined) this.#report.refuse('en16931.number', at, { received: text })
    return value
  }

  #sameCurrency(value: unknown, at: string): void {
    const named = (value as Block)['@currencyID']
    // `checkPresence` refuses a document without a currency.
    if (typeof named !== 'string' || named === this.#currency || this.#currency === '') return
    this.#report.refuse('en16931.currency', at, { received: named, expected: this.#currency })
  }
}

/** Returns the identifier that an element states, with its scheme; undefined if empty. */
export const idOf = (element: Element): Id | undefined => {
  const value = element.content
  return value === undefined ? undefined : { value, scheme: element.attribute('schemeID') }
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

  visit(block: Block, taken: ReadChildren, name: string, at: string): void {
    for (const member of Object.keys(block)) {
      if (member === '#' || member.startsWith('@')) continue
      const inside = taken[member]
      if (inside === true) continue
      const path = `${name}/${member}`
      if (typeof inside === 'object') this.#enter(block[member], inside, member, path, `${at}/${member}`)
      else this.#leave(block[member], inside, path, `${at}/${member}`)
    }
  }

  /** Visits a block, or each block of a list. Texts are collected for each line and each means of payment. */
  #enter(value: unknown, taken: ReadChildren, member: string, path: string, at: string): void {
    const outer = this.#texts
    const list = listOf(value)
    list.forEach((one, index) => {
      if (typeof one !== 'object' || one === null) return
      if (member === this.lineName) this.#texts = []
      else if (member === this.paymentName) this.#texts = this.left.payment
      this.visit(one as Block, taken, path, Array.isArray(value) ? `${at}/${index}` : at)
      if (member === this.lineName && this.#texts.length > 0) this.left.lines.set(index, this.#texts)
    })
    this.#texts = outer
  }

  #leave(value: unknown, label: string | undefined, path: string, at: string): void {
    const list = listOf(value)
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
 * Returns the content of a document that was not read. Call it after everything else has been read. Elements without
 * text are ignored, because they have no data.
 */
export function unmappedOf({ block, taken }: Element, lineName: string, paymentName: string): Unmapped {
  const walk = new Walk(lineName, paymentName)
  walk.visit(block, taken, '', '')
  return walk.left
}

/** Reports the elements that are not kept, once for each name. */
export function reportUnread({ unmapped }: EnInvoice, report: ReadingReport): void {
  for (const { at, count } of unmapped?.unread.values() ?? []) report.warn('format.omitted', at, { count })
}
