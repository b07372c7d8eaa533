/** Collects the items of a document, each with element path, line and message. */
import {
  type Extra,
  type Locale,
  MAX_ITEMS,
  type Severity,
  type ValidationItem,
} from '#core/invoice/index.ts'
import { createItem, ItemList, type ListCode } from '#core/messages/index.ts'
import { type ElementPosition, positionsOf, type Vocabulary } from '#core/xml/index.ts'
import type { FormatCode } from './format-codes.ts'
import type { ReadingReport, WritingReport } from './format-types.ts'
import type { ProfileCode } from './profiles.ts'
import { READING_CODES, type ReadingCode } from './reading-messages.ts'
import { EXPORT_REASONS, type ExportReason } from './reading-reasons.ts'

const unescaped = (step: string): string => step.replace(/~1/g, '/').replace(/~0/g, '~')

/**
 * Returns the element path of a pointer into a tree. Indexes count from 1, as in XPath.
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

/** Returns the first result of `find` for the pointer or, going up, its ancestors. */
export function firstAtOrAbove<T>(pointer: string, find: (at: string) => T | undefined): T | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const found = find(at)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the last element of a path, with its index. */
const fieldOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || '/'

/** An item of a document that was read. */
export type ReadingItem = ValidationItem<ReadingCode | ListCode>

interface Found {
  readonly severity: Severity
  readonly code: ReadingCode
  /** JSON Pointer into the tree, used if `element` is null. */
  readonly pointer: string
  readonly element: string | null
  readonly extra: Extra
}

/** Collects the items of a document. Determines their lines together when `items` is read. */
export class ReadingItems implements ReadingReport {
  readonly locale: Locale
  readonly #found: Found[] = []
  #more = 0
  #refused = false
  #root = ''
  #positionsOf = (_pointers: readonly string[]): ReadonlyMap<string, ElementPosition> => new Map()

  constructor(locale: Locale) {
    this.locale = locale
  }

  /** Sets the text whose tree the pointers refer to. */
  locate(vocabulary: Vocabulary, root: string, text: string): void {
    this.#root = root
    this.#positionsOf = (pointers) => positionsOf(vocabulary, text, pointers)
  }

  /** Whether the document is refused. */
  get refused(): boolean {
    return this.#refused
  }

  readonly refuse = (code: ReadingCode, path: string, extra: Extra = {}): void => {
    this.#add({ severity: 'error', code, pointer: path, element: null, extra })
  }

  readonly warn = (code: ReadingCode, path: string, extra: Extra = {}): void => {
    this.#add({ severity: 'warning', code, pointer: path, element: null, extra })
  }

  /** Refuses the document at a known element path. */
  refuseAt(code: ReadingCode, element: string, extra: Extra): void {
    this.#add({ severity: 'error', code, pointer: '', element, extra })
  }

  /** Counts problems that are not listed individually. */
  count(more: number): void {
    this.#more += more
  }

  #add(found: Found): void {
    if (found.severity === 'error') this.#refused = true
    // Keeps `MAX_ITEMS` + 1 items and only counts further items.
    if (this.#found.length > MAX_ITEMS) this.#more++
    else this.#found.push(found)
  }

  get items(): readonly ReadingItem[] {
    const list = new ItemList<ReadingCode>(this.locale)
    const lost = this.#found.filter(({ element, extra }) => element === null && !('line' in extra))
    const positions = lost.length > 0 ? this.#positionsOf(lost.map(({ pointer }) => pointer)) : null
    for (const { severity, code, pointer, element, extra } of this.#found)
      list.add(severity, () => {
        const path = element ?? elementPath(this.#root, pointer)
        const source = code.startsWith('xml.') ? 'schema' : 'business'
        const { line, column } = positions?.get(pointer) ?? {}
        const position = line === undefined ? {} : { line, column }
        const item = { source, code, path, extra: { ...position, ...extra }, severity } as const
        return createItem(READING_CODES[code], item, this.locale, { field: fieldOf(path) })
      })
    if (this.#more > 0) list.count(this.#more, 'error')
    return list.items
  }
}

/** The reason why a document was not written. */
export type ExportItem = ValidationItem<'export_not_possible' | ListCode>

/**
 * Collects the data that a format cannot represent. The API specification defines the code; `extra.reason` is the
 * reason.
 */
export class WritingItems implements WritingReport {
  readonly #list: ItemList<'export_not_possible'>
  readonly #format: FormatCode
  readonly #profile: ProfileCode | undefined

  constructor(
    readonly locale: Locale,
    format: FormatCode,
    profile?: ProfileCode,
  ) {
    this.#list = new ItemList(locale)
    this.#format = format
    this.#profile = profile
  }

  get items(): readonly ExportItem[] {
    return this.#list.items
  }

  readonly refuse = (reason: ExportReason, path: string, extra: Extra = {}): void => {
    const [format, profile] = [this.#format, this.#profile]
    this.#list.add('error', () =>
      createItem(
        EXPORT_REASONS[reason],
        {
          code: 'export_not_possible',
          path,
          extra: { reason, format, ...(profile && { profile }), ...extra },
          severity: 'error',
        },
        this.locale,
        { format: profile ? `${format} (${profile})` : format },
      ),
    )
  }
}
