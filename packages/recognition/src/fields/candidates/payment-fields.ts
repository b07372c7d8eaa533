/** Finds the payment details of an invoice. */
import { paymentMethodOf } from '#core/catalogs/index.ts'
import { cellsBelow, type DocumentCells } from '../cells/cells.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { dueDateIn } from './date-fields.ts'
import { ibansIn } from './ids.ts'

export interface Payment {
  readonly dueDate: ScoredValue<string> | undefined
  readonly iban: ScoredValue<string> | undefined
  /** Whether the supplier collects the payment by direct debit, so that the account is the company's. */
  readonly isDebited: boolean
  readonly method: ScoredValue<string> | undefined
}

const DEBIT = /domiciliac|recibo domiciliado|cargo en (?:su )?cuenta|adeudo|direct debit|domiciliat/
/** Patterns of the names of payment methods, with the code of each method in the catalog. */
const METHODS: readonly (readonly [RegExp, string])[] = [
  [DEBIT, '02'],
  [/\btransferencia|bank transfer|wire transfer|\btransfer\b/, '04'],
  [/\btarjeta|credit card|debit card/, '19'],
  [/\ben efectivo|\bal contado|\bcash\b/, '01'],
]

/** Yields the texts that may contain account numbers: whole rows, then each cell with the cell below it. */
function* textsOf(sheet: DocumentCells): Generator<readonly string[]> {
  yield sheet.rows.map((cells) => cells.map(({ text }) => text).join(' '))
  yield sheet.cells.flatMap((cell) => cellsBelow(sheet, cell, 1).map((below) => `${cell.text} ${below.text}`))
}

function ibanIn(sheet: DocumentCells, isDebited: boolean): ScoredValue<string> | undefined {
  for (const texts of textsOf(sheet)) {
    const all = new Map(texts.flatMap(ibansIn).map(({ value, isRepaired }) => [value, isRepaired]))
    const [first] = all
    if (!first) continue
    const [value, isRepaired] = first
    if (all.size > 1 || isDebited) return scoredValue(value, TRUST.found)
    return scoredValue(value, isRepaired || sheet.source === 'ocr' ? TRUST.agreed : TRUST.checked)
  }
  return undefined
}

export function paymentIn(sheet: DocumentCells): Payment {
  const isDebited = DEBIT.test(sheet.plain)
  const named = METHODS.filter(([label]) => label.test(sheet.plain)).map(([, code]) => code)
  const [method] = named
  return {
    dueDate: dueDateIn(sheet),
    iban: ibanIn(sheet, isDebited),
    isDebited,
    method:
      method !== undefined && named.length === 1 && paymentMethodOf(method)
        ? scoredValue(method, sheet.source === 'text' ? TRUST.agreed : TRUST.found)
        : undefined,
  }
}
