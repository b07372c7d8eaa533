/** Finds the amounts of a document, and classifies them by their labels. */
import { type Minor, sum } from '#core/money/index.ts'
import { type Cell, type DocumentCells, overlaps } from '../cells/cells.ts'
import { amountsIn, type PrintedAmount, ratesIn } from '../cells/figures.ts'
import { type Field, longestMatch, matcher } from '../labels/index.ts'

export type Kind =
  | 'total'
  | 'payable'
  | 'base'
  | 'tax'
  | 'surcharge'
  | 'withheld'
  | 'disbursement'
  | 'advance'
  /** Labelled as tax included: an amount that includes the tax, or the included tax. */
  | 'included'
  | 'other'

/** An amount with the text printed beside it. */
export interface Figure {
  readonly value: Minor
  readonly cell: Cell
  readonly kind: Kind | undefined
  /** Percentages in its row. */
  readonly rates: readonly number[]
  /** Whether the label states only that the amount is the total or the amount payable of the document. */
  readonly isStated: boolean
  /** Whether the label also names the invoice, as in `Total factura`. */
  readonly isNamed: boolean
}

/** The meaning of a label, and whether the label has no other words. */
interface Reading {
  readonly kind: Kind | undefined
  readonly isPlain: boolean
  readonly isNamed?: boolean
}

/** Patterns of the labels of each kind of amount. The longest match decides; if equal, the first one. */
const KINDS: readonly (readonly [Kind, RegExp])[] = (
  [
    ['other', 'otherAmount'],
    ['advance', 'advance'],
    ['disbursement', 'disbursement'],
    ['surcharge', 'surcharge'],
    ['withheld', 'withheld'],
    ['payable', 'payable'],
    ['base', 'base'],
    ['tax', 'tax'],
    ['total', 'total'],
  ] as const satisfies readonly (readonly [Kind, Field])[]
).map(([kind, field]) => [kind, matcher(field)])

const INCLUDED = matcher('included')
const TOTALS: readonly (Kind | undefined)[] = ['total', 'payable']
const TOTAL = matcher('total', 'payable')
const INVOICE = matcher('invoice')
/** Matches terms that a plain label of a total may contain. */
const FILLER = new RegExp(matcher('total', 'payable', 'included', 'tax', 'invoice'), 'g')
const CURRENCY = /\b(?:eur|euros?|usd|gbp|chf)\b/g

/** Whether a label states only a total. For a label in two languages, its text in one language is sufficient. */
const isPlainTotal = (plain: string): boolean =>
  plain
    .split(' / ')
    .some(
      (part) => TOTAL.test(part) && !/\p{L}{3}/u.test(part.replaceAll(FILLER, ' ').replaceAll(CURRENCY, ' ')),
    )

/** Classifies a label. `Total factura con IVA 21 %` is a total; `Base imponible IVA 21 %` is a base. */
function classifyLabel(plain: string): Reading {
  let [kind, longest]: [Kind | undefined, number] = [undefined, 0]
  for (const [one, pattern] of KINDS) {
    const length = longestMatch(pattern, plain)
    if (length > longest) [kind, longest] = [one, length]
  }
  if (kind !== 'other' && INCLUDED.test(plain)) kind = TOTALS.includes(kind) ? kind : 'included'
  return { kind, isPlain: TOTALS.includes(kind) && isPlainTotal(plain), isNamed: INVOICE.test(plain) }
}

/** Whether the text has words, such as `I.R.P.F. 15 %`, other than the name of a currency. */
const hasLetters = (plain: string): boolean => /[a-z]\W?[a-z]/.test(plain.replaceAll(CURRENCY, ''))

/** Maximum number of rows from a figure up to its column heading. */
const HEADING_ROWS = 40

/** Classifies the heading of the column of a figure. */
function headingOf({ rows }: DocumentCells, cell: Cell): Reading | undefined {
  for (let row = cell.row - 1; row >= Math.max(0, cell.row - HEADING_ROWS); row--) {
    const cells = rows[row] ?? []
    if (cells[0]?.page !== cell.page) return undefined
    // A row with figures is not a row of headings.
    if (cells.some(({ text }) => amountsIn(text).length > 0)) continue
    // Headings may be left-aligned and figures right-aligned, so rows with as many cells are matched by index.
    const isAlike = cells.length === rows[cell.row]?.length
    const above = cells.find(
      (other) => (isAlike ? other.column === cell.column : overlaps(other, cell)) && hasLetters(other.plain),
    )
    const isHeading = above && (cells.length > 1 || cell.row - row === 1)
    const reading = isHeading ? classifyLabel(above.plain) : undefined
    if (reading?.kind) return reading
  }
  return undefined
}

/** Classifies the text directly below a figure, as in a box with its caption below the figure. */
function captionOf({ rows }: DocumentCells, cell: Cell): Reading | undefined {
  const below = rows[cell.row + 1]?.find((other) => other.page === cell.page && overlaps(other, cell))
  const isCaption = below && hasLetters(below.plain) && amountsIn(below.text).length === 0
  return isCaption ? classifyLabel(below.plain) : undefined
}

/** Returns the last part with letters of a cell such as `Base 45,14 IVA 10 %`. */
const lastLabel = (plain: string): string =>
  plain.split(/\d[\d.,]{2,}/).findLast((part) => /[a-z]{2}/.test(part)) ?? plain

/** Whether the last amount of a row is the sum of the others, as in `Total 352,08 72,14 424,22`. */
function isSumOfRow(cells: readonly Cell[], cell: Cell): boolean {
  const values = cells.flatMap(({ text }) => amountsIn(text).map(({ value }) => value))
  return cells.at(-1) === cell && values.length > 1 && values.at(-1) === sum(values.slice(0, -1))
}

/**
 * Classifies an amount by the text before it in its cell, else by the nearest text to its left or, in a table, by the
 * heading of its column. In a table row with a text, the amount is never the stated total of the document.
 */
function readingOf(sheet: DocumentCells, cell: Cell, before: string): Reading {
  if (hasLetters(before)) return classifyLabel(before)
  const row = sheet.rows[cell.row] ?? []
  const left = row.slice(0, cell.column).findLast(({ plain }) => hasLetters(plain))
  const beside = left ? row.slice(left.column + 1) : row
  const isInTable = sum(beside.map(({ text }) => amountsIn(text).length)) > 1
  const named = left && classifyLabel(lastLabel(left.plain))
  if (named?.kind && !isInTable) return named
  if (named?.kind === 'total' && isSumOfRow(beside, cell)) return named
  const reading = headingOf(sheet, cell) ?? named ?? (left ? undefined : captionOf(sheet, cell))
  return { ...reading, kind: reading?.kind, isPlain: reading?.isPlain === true && !left }
}

/** Returns the possible figures of an amount: both signs if in brackets, total and tax if labelled as tax included. */
function figuresOf(
  amount: PrintedAmount,
  { kind, isPlain, isNamed = false }: Reading,
  cell: Cell,
  rates: readonly number[],
) {
  const values = amount.isInBrackets ? [amount.value, -amount.value] : [amount.value]
  const kinds: readonly (Kind | undefined)[] = kind === 'included' ? ['total', 'tax'] : [kind]
  const isStated = isPlain && !amount.isInBrackets
  return values.flatMap((value) =>
    kinds.map((one): Figure => ({ value, cell, kind: one, rates, isStated, isNamed })),
  )
}

/** Returns all amounts of a document. */
export function figuresIn(sheet: DocumentCells): Figure[] {
  const figures: Figure[] = []
  for (const cells of sheet.rows) {
    const rates = cells.flatMap(({ text }) => ratesIn(text).map(({ value }) => value))
    for (const cell of cells) {
      let end = 0
      for (const amount of amountsIn(cell.text)) {
        const reading = readingOf(sheet, cell, cell.plain.slice(end, amount.start))
        figures.push(...figuresOf(amount, reading, cell, rates))
        end = amount.end
      }
    }
  }
  return figures
}

/** Returns the rates of withholdings that are printed in rows without a readable amount. */
export const unreadWithholdingRates = (
  { rows }: DocumentCells,
  figures: readonly Figure[],
): readonly number[] =>
  rows.flatMap((cells, row) => {
    const isRead = figures.some(({ kind, cell }) => kind === 'withheld' && cell.row === row)
    const named = isRead ? [] : cells.filter(({ plain }) => classifyLabel(plain).kind === 'withheld')
    return named.flatMap(({ text }) => ratesIn(text).flatMap(({ value }) => (value > 0 ? [value] : [])))
  })
