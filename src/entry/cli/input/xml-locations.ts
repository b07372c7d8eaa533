/** Locates the members of an invoice in the XML that it was read from. */
import { required } from '#core/errors/index.ts'
import type { Position } from '#core/json/index.ts'
import { elementPositions, type FormatCode } from '#formats/index.ts'
import elements from './xml-elements.json' with { type: 'json' }

/**
 * XML elements by member of the invoice, both as pointers; `*` stands for an index. The longest matching member
 * determines the element. If the document lacks that element, its nearest ancestor is used.
 */
type ElementsByMember = Readonly<Record<string, string>>

const ELEMENTS: Readonly<Record<FormatCode, ElementsByMember>> = {
  facturae_3_2_2: elements.facturae,
  facturae_3_2_1: elements.facturae,
  facturae_3_2: elements.facturae,
  ubl_2_1: elements.ubl,
  cii_d16b: elements.cii,
}

/** Replaces the element names of an invoice with those of a UBL credit note. */
const creditNote = (pointer: string): string =>
  pointer.replace('InvoiceLine', 'CreditNoteLine').replace('InvoicedQuantity', 'CreditedQuantity')

/** The XML document that items refer to. */
export interface XmlSource {
  /** Decoded text. */
  readonly text: string
  readonly format: FormatCode | null
  readonly root: string | null
  /** Index of the invoice in a file with several invoices, from 0. */
  readonly part: number
  /** Whether the invoice has the same lines as the XML document, in the same order. */
  readonly sameLines: boolean
}

function pointerOf(member: string, { format, root, sameLines }: XmlSource): string {
  if (format === null) return ''
  const [, list, index] = /^(\/invoice\/\w+)\/(\d+)/.exec(member) ?? []
  const known = index !== undefined && (list !== '/invoice/lines' || sameLines)
  let at = index === undefined ? member : known ? member.replace(/\/\d+/, '/*') : required(list)
  for (; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const element = ELEMENTS[format][at]?.replace('*', index ?? '0')
    if (element !== undefined) return root === 'CreditNote' ? creditNote(element) : element
  }
  return ''
}

/** `/Facturae/Items/InvoiceLine[2]` as a pointer without the root: `/Items/InvoiceLine/1`. */
const pointerOfPath = (path: string): string =>
  path.replace(/^\/[^/]+/, '').replace(/\[(\d+)\]/g, (_, index: string) => `/${Number(index) - 1}`)

/** Adjusts a pointer to the index of the invoice, since the reader reads each invoice on its own. */
const within = (pointer: string, part: number): string =>
  part === 0 ? pointer : pointer.replace('/Invoices/Invoice/0', `/Invoices/Invoice/${part}`)

/** An item to locate. Its path denotes a member of the invoice or, if it starts with the root, an XML element. */
interface LocatedItem {
  readonly path: string
  readonly extra: Readonly<Record<string, unknown>> | null
}

/** Returns the position given by the reader. It is valid only if the reader read the whole file. */
function readerPosition({ extra }: LocatedItem, part: number): Position | undefined {
  const { line, column } = extra ?? {}
  if (typeof line !== 'number' || part > 0) return undefined
  return { line, column: typeof column === 'number' ? column : 1 }
}

/** Returns the line and column of the element of each item. */
export function positionsOf(items: readonly LocatedItem[], source: XmlSource): Position[] {
  const locations = items.map((item) => {
    const { path } = item
    const isElement = source.root !== null && path.startsWith(`/${source.root}`)
    const pointer = isElement ? pointerOfPath(path) : pointerOf(path, source)
    return readerPosition(item, source.part) ?? within(pointer, source.part)
  })
  const pointers = locations.filter((location) => typeof location === 'string')
  const positions =
    source.format === null ? null : elementPositions(source.text, source.format, [...new Set(pointers)])
  return locations.map((location) =>
    typeof location === 'string' ? (positions?.get(location) ?? { line: 1, column: 1 }) : location,
  )
}
