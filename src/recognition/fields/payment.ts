/** Finds the payment details of an invoice. */
import { paymentMethodOf } from '../../catalogs/index.ts'
import { cellsBelow, type Sheet } from './cells.ts'
import { type Found, found, TRUST } from './found.ts'
import { dueDateIn } from './heading.ts'
import { ibansIn } from './ids.ts'

export interface Payment {
  readonly dueDate: Found<string> | undefined
  readonly iban: Found<string> | undefined
  /** Whether the supplier collects the payment by direct debit, so that the account is the company's. */
  readonly isDebited: boolean
  readonly method: Found<string> | undefined
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
function* textsOf(sheet: Sheet): Generator<readonly string[]> {
  yield sheet.rows.map((cells) => cells.map(({ text }) => text).join(' '))
  yield sheet.cells.flatMap((cell) => cellsBelow(sheet, cell, 1).map((below) => `${cell.text} ${below.text}`))
}

function ibanIn(sheet: Sheet, isDebited: boolean): Found<string> | undefined {
  for (const texts of textsOf(sheet)) {
    const all = new Map(texts.flatMap(ibansIn).map(({ value, isRepaired }) => [value, isRepaired]))
    const [first] = all
    if (!first) continue
    const [value, isRepaired] = first
    if (all.size > 1 || isDebited) return found(value, TRUST.found)
    return found(value, isRepaired || sheet.source === 'ocr' ? TRUST.agreed : TRUST.checked)
  }
  return undefined
}

export function paymentIn(sheet: Sheet): Payment {
  const isDebited = DEBIT.test(sheet.plain)
  const named = METHODS.filter(([label]) => label.test(sheet.plain)).map(([, code]) => code)
  const [method] = named
  return {
    dueDate: dueDateIn(sheet),
    iban: ibanIn(sheet, isDebited),
    isDebited,
    method:
      method !== undefined && named.length === 1 && paymentMethodOf(method)
        ? found(method, sheet.source === 'text' ? TRUST.agreed : TRUST.found)
        : undefined,
  }
}
