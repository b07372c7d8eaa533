/** Where the members of an invoice stand in the XML that it was read from. */
import { required } from '../../errors/index.ts'
import { elementPositions, type FormatCode } from '../../formats/index.ts'
import type { Mark } from './verdict.ts'
import places from './xml-places.json' with { type: 'json' }

/**
 * Elements by member, both as pointers; `*` is the place in a list. The longest member that fits says the element, and
 * of an element that the document does not have the nearest one around it counts.
 */
type Places = Readonly<Record<string, string>>

const PLACES: Readonly<Record<FormatCode, Places>> = {
  facturae_3_2_2: places.facturae,
  facturae_3_2_1: places.facturae,
  facturae_3_2: places.facturae,
  ubl_2_1: places.ubl,
  cii_d16b: places.cii,
}

/** The other names that UBL has in a credit note. */
const creditNote = (pointer: string): string =>
  pointer.replace('InvoiceLine', 'CreditNoteLine').replace('InvoicedQuantity', 'CreditedQuantity')

/** The document that items are of. */
export interface XmlSource {
  /** What was read, decoded. */
  readonly text: string
  readonly format: FormatCode | null
  readonly root: string | null
  /** Which invoice of a file of several it is, from 0. */
  readonly part: number
  /** The lines of the invoice are those of the document, in their order. */
  readonly sameLines: boolean
}

function pointerOf(member: string, { format, root, sameLines }: XmlSource): string {
  if (format === null) return ''
  const [, list, index] = /^(\/invoice\/\w+)\/(\d+)/.exec(member) ?? []
  const known = index !== undefined && (list !== '/invoice/lines' || sameLines)
  let at = index === undefined ? member : known ? member.replace(/\/\d+/, '/*') : required(list)
  for (; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    const element = PLACES[format][at]?.replace('*', index ?? '0')
    if (element !== undefined) return root === 'CreditNote' ? creditNote(element) : element
  }
  return ''
}

/** `/Facturae/Items/InvoiceLine[2]` as a pointer without the root: `/Items/InvoiceLine/1`. */
const pointerOfPath = (path: string): string =>
  path.replace(/^\/[^/]+/, '').replace(/\[(\d+)\]/g, (_, place: string) => `/${Number(place) - 1}`)

/** In a file of several invoices the reader has seen each as the only one. */
const within = (pointer: string, part: number): string =>
  part === 0 ? pointer : pointer.replace('/Invoices/Invoice/0', `/Invoices/Invoice/${part}`)

/** What an item says of its place; its path is a member of the invoice or, with the root's name, an element. */
interface Placed {
  readonly path: string
  readonly extra: Readonly<Record<string, unknown>> | null
}

/** What the reader says of the place; it knows best where it stopped, as long as it had the whole file. */
function ownMark({ extra }: Placed, part: number): Mark | undefined {
  const { line, column } = extra ?? {}
  if (typeof line !== 'number' || part > 0) return undefined
  return { line, column: typeof column === 'number' ? column : 1 }
}

/** The element that each item is about: its line and column. */
export function marksOf(items: readonly Placed[], source: XmlSource): Mark[] {
  const found = items.map((item) => {
    const { path } = item
    const isElement = source.root !== null && path.startsWith(`/${source.root}`)
    const pointer = isElement ? pointerOfPath(path) : pointerOf(path, source)
    return ownMark(item, source.part) ?? within(pointer, source.part)
  })
  const lost = found.filter((place) => typeof place === 'string')
  const positions =
    source.format === null ? null : elementPositions(source.text, source.format, [...new Set(lost)])
  return found.map((place) =>
    typeof place === 'string' ? (positions?.get(place) ?? { line: 1, column: 1 }) : place,
  )
}
