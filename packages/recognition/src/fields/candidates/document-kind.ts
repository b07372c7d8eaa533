/** Finds what a document says about itself: its type, and whether it is an invoice in force. */

import type { DocumentCells } from '../cells/cells.ts'
import type { ReasonCode } from '../field-reasons.ts'
import { matcher, patternSourceOf } from '../labels/index.ts'
import { INVOICE_TITLE, NUMBER_WORD } from './number-fields.ts'

/** Words that identify an invoice. */
export const INVOICE_WORD = matcher('invoice')

/** The receipts of farmers are invoices (RD 1619/2012 art. 16), and are called so. */
const NAMED = matcher('invoice', 'compensation', 'farmers')

export type TypeCode = '01' | '02' | '03'

const CORRECTIVE = new RegExp(`${patternSourceOf('corrective')}|^abono\\b`, 'm')
const SIMPLIFIED = matcher('simplified')

/** Returns the invoice type that the terms on the document imply. */
export function typeIn({ plain }: DocumentCells): TypeCode {
  if (CORRECTIVE.test(plain)) return '03'
  return SIMPLIFIED.test(plain) ? '02' : '01'
}

const NOT_INVOICE = matcher('notInvoice')
/** Matches the title of a document that is not an invoice, alone, with its number or with a few more words. */
const OTHER_TITLE = new RegExp(
  `^(?:${patternSourceOf('otherDocument')})(?:\\s{0,3}(?:${NUMBER_WORD})?[\\s:.]{0,9}(?:[^\\s\\d]*\\d\\S*)?|\\s[^\\d:]{0,30})$`,
)
/** Matches numbers of pro forma invoices, quotations and delivery notes. */
const OTHER_NUMBER = /^(?:pf|prof|proforma|pres|presup|pto|alb)[-/. ]?\d/i
/** Minimum height of a title, as a multiple of the usual text height. */
const TITLE_SIZE = 1.2

/** Whether a document declares itself to be something other than an invoice, such as a pro forma or a delivery note. */
function isOtherDocument(sheet: DocumentCells, number: string | undefined): boolean {
  const { plain, marks, cells, rows } = sheet
  if ([plain, ...marks].some((text) => NOT_INVOICE.test(text))) return true
  if (number !== undefined && OTHER_NUMBER.test(number)) return true
  const titles = cells.filter((cell) => OTHER_TITLE.test(cell.plain))
  const first = cells.findIndex((cell) => INVOICE_TITLE.test(cell.plain))
  const usual = usualHeight(sheet)
  // Invoices mention other documents with their numbers, and have them as headings of a column.
  return titles.some(
    (cell) =>
      first < 0 ||
      heightOf(cell) > TITLE_SIZE * usual ||
      (cells.indexOf(cell) < first && rows[cell.row]?.length === 1 && !/\d/.test(cell.plain)),
  )
}

const heightOf = ({ top, bottom }: { readonly top: number; readonly bottom: number }): number => bottom - top

function usualHeight({ cells }: DocumentCells): number {
  const heights = cells.map(heightOf).sort((a, b) => a - b)
  return heights[Math.floor(heights.length / 2)] ?? 0
}

const NAMES = new RegExp(patternSourceOf('invoice', 'number'), 'g')

/** Whether a text has only names of invoices, numbers and small words. */
const isTitleRest = (plain: string): boolean =>
  plain
    .replaceAll(NAMES, ' ')
    .split(/\s+/)
    .every((word) => /\d/.test(word) || !/\p{L}{4}/u.test(word))

/**
 * Whether a term states something about the document. A term of several words counts anywhere. A term of one
 * word counts at an angle, or as a title: in a row of its own, with no other words, or with the name of the invoice.
 */
function isStated({ rows, plain, marks }: DocumentCells, term: RegExp): boolean {
  const source = new RegExp(term, 'g')
  if (marks.some((text) => term.test(text))) return true
  if ([...plain.matchAll(source)].some(([text]) => /\S\s+\S/.test(text))) return true
  return rows.some((cells) =>
    cells.some(
      (cell) =>
        term.test(cell.plain) &&
        (cells.length === 1 || INVOICE_WORD.test(cell.plain)) &&
        isTitleRest(cell.plain.replaceAll(source, ' ')),
    ),
  )
}

const [NOT_IN_FORCE, PAYMENT_DEMAND, DUPLICATE, ACCOUNT_CHANGE] = [
  matcher('notInForce'),
  matcher('paymentDemand'),
  matcher('duplicate'),
  matcher('accountChange'),
]

/** Returns the reasons why a document may not be the invoice to register. */
export function kindReasons(
  sheet: DocumentCells,
  number: string | undefined,
  hasCode: boolean,
): ReasonCode[] {
  const found: readonly (readonly [boolean, ReasonCode])[] = [
    [!hasCode && !NAMED.test(sheet.plain), 'invoice_unnamed'],
    [isOtherDocument(sheet, number), 'not_final'],
    [isStated(sheet, NOT_IN_FORCE), 'not_in_force'],
    [isStated(sheet, PAYMENT_DEMAND), 'payment_demand'],
    [isStated(sheet, DUPLICATE), 'duplicate'],
    [isStated(sheet, ACCOUNT_CHANGE), 'account_changed'],
  ]
  return found.flatMap(([applies, reason]) => (applies ? [reason] : []))
}
