/** Items of a document: element paths with their lines, in the words of their code. */
import {
  type Extra,
  type Locale,
  MAX_ITEMS,
  type Severity,
  type ValidationItem,
} from '../../invoice/index.ts'
import { ItemList, type ListCode, say } from '../../messages/index.ts'
import { type ElementPlace, placesOf, type Vocabulary } from '../../xml/index.ts'
import { READING_CODES, type ReadingCode } from './messages.ts'
import { EXPORT_REASONS, type ExportReason } from './reasons.ts'
import type { FormatCode, ReadingReport, WritingReport } from './types.ts'

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

/** What is known of a pointer, or else of the nearest part of the document around it. */
export function nearestTo<T>(pointer: string, find: (at: string) => T | undefined): T | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = find(at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Last element of a path, with its place in a list. */
const fieldOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || '/'

/** What was found, before its line is looked for. */
/** What is found in a document that is read. */
export type ReadingItem = ValidationItem<ReadingCode | ListCode>

interface Found {
  readonly severity: Severity
  readonly code: ReadingCode
  /** JSON Pointer into the tree, or an element path that was given. */
  readonly pointer: string
  readonly element: string | null
  readonly extra: Extra
}

/** Collects what is found in a document. Lines are looked for once, when the items are asked for. */
export class ReadingItems implements ReadingReport {
  readonly locale: Locale
  readonly #found: Found[] = []
  #more = 0
  #refused = false
  #root = ''
  #placesOf = (_pointers: readonly string[]): ReadonlyMap<string, ElementPlace> => new Map()

  constructor(locale: Locale) {
    this.locale = locale
  }

  /** From here on pointers are into the tree of this text. */
  locate(vocabulary: Vocabulary, root: string, text: string): void {
    this.#root = root
    this.#placesOf = (pointers) => placesOf(vocabulary, text, pointers)
  }

  /** True where the document is refused. */
  get refused(): boolean {
    return this.#refused
  }

  readonly refuse = (code: ReadingCode, path: string, extra: Extra = {}): void => {
    this.#add({ severity: 'error', code, pointer: path, element: null, extra })
  }

  readonly warn = (code: ReadingCode, path: string, extra: Extra = {}): void => {
    this.#add({ severity: 'warning', code, pointer: path, element: null, extra })
  }

  /** Refuses for something whose element path and line are known. */
  refuseAt(code: ReadingCode, element: string, extra: Extra): void {
    this.#add({ severity: 'error', code, pointer: '', element, extra })
  }

  /** Problems that are not listed one by one. */
  count(more: number): void {
    this.#more += more
  }

  #add(found: Found): void {
    if (found.severity === 'error') this.#refused = true
    // One more than are listed: what is beyond is only counted.
    if (this.#found.length > MAX_ITEMS) this.#more++
    else this.#found.push(found)
  }

  get items(): readonly ReadingItem[] {
    const list = new ItemList<ReadingCode>(this.locale)
    const lost = this.#found.filter(({ element, extra }) => element === null && !('line' in extra))
    const places = lost.length > 0 ? this.#placesOf(lost.map(({ pointer }) => pointer)) : null
    for (const { severity, code, pointer, element, extra } of this.#found)
      list.add(severity, () => {
        const path = element ?? elementPath(this.#root, pointer)
        const source = code.startsWith('xml.') ? 'schema' : 'business'
        const { line, column } = places?.get(pointer) ?? {}
        const place = line === undefined ? {} : { line, column }
        const item = { source, code, path, extra: { ...place, ...extra }, severity } as const
        return say(READING_CODES[code], item, this.locale, { field: fieldOf(path) })
      })
    if (this.#more > 0) list.count(this.#more, 'error')
    return list.items
  }
}

/** Why a document was not written. */
export type ExportItem = ValidationItem<'export_not_possible' | ListCode>

/** Collects what a format cannot carry: the code is always the specification's, the reason says which. */
export class WritingItems implements WritingReport {
  readonly #list: ItemList<'export_not_possible'>
  readonly #format: FormatCode

  constructor(
    readonly locale: Locale,
    format: FormatCode,
  ) {
    this.#list = new ItemList(locale)
    this.#format = format
  }

  get items(): readonly ExportItem[] {
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
