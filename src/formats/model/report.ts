/** Items of a document: element paths with their lines, in the words of their code. */
import type { Extra, Locale, Severity, ValidationItem } from '../../invoice/index.ts'
import { ItemList, say } from '../../words/index.ts'
import { EXPORT_REASONS, type ExportReason } from './reasons.ts'
import type { FormatCode, ReadingReport, WritingReport } from './types.ts'
import { READING_CODES, type ReadingCode } from './words.ts'

export interface Position {
  readonly line: number
  readonly column: number
}

/** Where things stand in the text. */
export interface Locator {
  /** Name of the root element. */
  readonly root: string
  /** Line and column of what a pointer into the tree points at, or of the nearest element around it. */
  readonly positionOf: (pointer: string) => Position | undefined
}

const unescaped = (step: string): string => step.replace(/~1/g, '/').replace(/~0/g, '~')

/**
 * The path of elements that a pointer into a tree means: places in a list are counted from 1, as XPath does.
 *
 * @example
 * elementPath('Facturae', '/Invoices/Invoice/0/InvoiceTotals') // => '/Facturae/Invoices/Invoice[1]/InvoiceTotals'
 * elementPath('Invoice', '/DocumentCurrencyCode/#') // => '/Invoice/DocumentCurrencyCode'
 */
export function elementPath(root: string, pointer: string): string {
  let path = root === '' ? '' : `/${root}`
  for (const step of pointer.split('/').slice(1).map(unescaped)) {
    if (step === '#') continue
    path += /^\d+$/.test(step) ? `[${Number(step) + 1}]` : `/${step}`
  }
  return path
}

/** Last element of a path, with its place in a list. */
const fieldOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || '/'

/** Collects what is found in a document. */
export class ReadingItems implements ReadingReport {
  readonly #list: ItemList
  #refused = false
  #locator: Locator

  constructor(
    readonly locale: Locale,
    locator: Locator = { root: '', positionOf: () => undefined },
  ) {
    this.#list = new ItemList(locale)
    this.#locator = locator
  }

  /** From here on paths are of this document. */
  locate(locator: Locator): void {
    this.#locator = locator
  }

  /** True where the document is refused. */
  get refused(): boolean {
    return this.#refused
  }

  get items(): readonly ValidationItem[] {
    return this.#list.items
  }

  readonly refuse = (code: ReadingCode, path: string, extra: Extra = {}): void => {
    this.#refused = true
    this.#add('error', code, path, extra)
  }

  readonly warn = (code: ReadingCode, path: string, extra: Extra = {}): void => {
    this.#add('warning', code, path, extra)
  }

  #add(severity: Severity, code: ReadingCode, pointer: string, extra: Extra): void {
    this.#list.add(severity, () => {
      const path = elementPath(this.#locator.root, pointer)
      const position = 'line' in extra ? undefined : this.#locator.positionOf(pointer)
      const source = code.startsWith('xml.') ? 'schema' : 'business'
      const item = { source, code, path, extra: { ...position, ...extra }, severity } as const
      return say(READING_CODES[code], item, this.locale, { field: fieldOf(path) })
    })
  }
}

/** Collects what a format cannot carry: the code is always the specification's, the reason says which. */
export class WritingItems implements WritingReport {
  readonly #list: ItemList
  readonly #format: FormatCode

  constructor(
    readonly locale: Locale,
    format: FormatCode,
  ) {
    this.#list = new ItemList(locale)
    this.#format = format
  }

  get items(): readonly ValidationItem[] {
    return this.#list.items
  }

  readonly refuse = (reason: ExportReason, path: string, extra: Extra = {}): void => {
    this.#list.add('error', () =>
      say(
        EXPORT_REASONS[reason],
        {
          code: 'export_not_possible',
          path,
          extra: { reason, format: this.#format, ...extra },
          severity: 'error',
        },
        this.locale,
      ),
    )
  }
}
