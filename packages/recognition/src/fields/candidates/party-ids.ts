/** Finds the tax ids of a document, and the role of the party to which each belongs. */
import { type Cell, cellsAbove, cellsBelow, type DocumentCells, type LabelledValue } from '../cells/cells.ts'
import { type FoundId, ID_LABEL, isIdLike, taxIdsIn, type UnprefixedCountry } from './ids.ts'
import { type Role, roleIn } from './name-fields.ts'

/** The company that received the file, to which its invoices are addressed. */
export interface Recipient {
  readonly tax_id: string
  readonly legal_name: string
}

export interface Id extends FoundId, Pick<LabelledValue<string>, 'cell'> {}

export interface Ids {
  readonly own: readonly Id[]
  readonly others: readonly Id[]
  /** Whether any text after an id label could not be read as an id. */
  readonly isAnyUnread: boolean
}

/** Whether two ids are so similar that one may be a misreading of the other. */
function isNearly(a: string, b: string): boolean {
  if (a.length !== b.length) return a.includes(b) || b.includes(a)
  return [...a].filter((character, at) => character !== b[at]).length <= 2
}

/** Countries whose invoices print tax ids without a country prefix, and words that identify their invoices. */
const UNPREFIXED: readonly (readonly [UnprefixedCountry, RegExp])[] = [
  ['IT', /\bfattura\b|\bpartita iva\b|\bp\.? ?iva\b/],
  ['PT', /\bcontribuinte\b|\bnipc\b|\bportugal\b|\bfatura\b/],
]

const unprefixedIn = ({ plain }: DocumentCells): readonly UnprefixedCountry[] =>
  UNPREFIXED.flatMap(([country, words]) => (words.test(plain) ? [country] : []))

/** Returns the cells that may contain the value of a label at the end of a cell: beside, below, or in the next row. */
function cellsAfter(sheet: DocumentCells, cell: Cell): Cell[] {
  const row = sheet.rows[cell.row] ?? []
  const next = row[cell.column + 1]
  if (next) return [next, ...cellsBelow(sheet, cell, 1)]
  const [first] = sheet.rows[cell.row + 1] ?? []
  const below = cellsBelow(sheet, cell, 1)
  return first && first.page === cell.page && !below.includes(first) ? [...below, first] : below
}

interface Read {
  readonly ids: readonly Id[]
  readonly isUnread: boolean
}

/** Returns the ids of a cell and after its labels, and whether a text after a label could not be read as an id. */
function idsOf(sheet: DocumentCells, cell: Cell, unprefixed: readonly UnprefixedCountry[]): Read {
  const labels = [...cell.plain.matchAll(new RegExp(ID_LABEL, 'g'))]
  const read = (place: Cell, text: string, isAnnounced: boolean): Id[] =>
    taxIdsIn(text, { isAnnounced, isGuessed: place.source === 'ocr', unprefixed }).map((id) => ({
      ...id,
      cell: place,
    }))
  const found: Id[] = read(cell, cell.text, false)
  let isUnread = false
  for (const [at, label] of labels.entries()) {
    const rest = cell.text.slice(label.index + label[0].length, labels[at + 1]?.index)
    if (rest.trim() !== '') {
      const announced = read(cell, rest, true)
      found.push(...announced)
      isUnread ||= announced.length === 0 && found.length === 0 && isIdLike(rest)
    } else if (at === labels.length - 1)
      for (const place of cellsAfter(sheet, cell)) {
        const ids = read(place, place.text, true)
        found.push(...ids)
        if (ids.length > 0) break
        isUnread ||= isIdLike(place.text)
      }
  }
  return { ids: found, isUnread }
}

export function idsIn(sheet: DocumentCells, company: Recipient): Ids {
  const unprefixed = unprefixedIn(sheet)
  const found = sheet.cells.map((cell) => idsOf(sheet, cell, unprefixed))
  const ids = found.flatMap((one) => one.ids)
  return {
    own: ids.filter(({ value }) => value === company.tax_id),
    others: ids.filter(
      ({ value, isRepaired }) => value !== company.tax_id && !(isRepaired && isNearly(value, company.tax_id)),
    ),
    isAnyUnread: found.some(({ isUnread }) => isUnread),
  }
}
/** Returns the role of the party whose block contains an id, according to the nearest party label above. */
export function roleOf(sheet: DocumentCells, { cell }: Pick<Id, 'cell'>): Role | undefined {
  for (const above of [cell, ...cellsAbove(sheet, cell, 8)]) {
    const role = roleIn(above.plain)
    if (role) return role
  }
  return undefined
}

export const isOfCustomer = (sheet: DocumentCells, id: Pick<Id, 'cell'>): boolean =>
  roleOf(sheet, id) === 'customer'
