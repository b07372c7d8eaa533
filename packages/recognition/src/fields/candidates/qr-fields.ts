/** Reads the tax QR of a VeriFactu invoice. */
import { type Minor, toMinor } from '#core/money/index.ts'
import { parseQr } from '#records/verifactu/qr/index.ts'
import { compact, type DocumentCells } from '../cells/cells.ts'
import type { Figure } from './figure-kinds.ts'

export interface TaxQr {
  readonly taxId: string
  readonly number: string
  readonly date: string
  /** Total of bases, taxes and surcharges, before withholding. */
  readonly total: Minor
}

/** Returns the distinct tax QRs among the decoded codes. */
export function taxQrsOf(codes: readonly string[]): TaxQr[] {
  const found = new Map<string, TaxQr>()
  for (const code of codes) {
    const read = parseQr(code)
    if (!read.valid) continue
    const date = read.fecha.split('-').toReversed().join('-')
    found.set(code, { taxId: read.nif, number: read.numSerie, date, total: toMinor(Number(read.importe)) })
  }
  return [...found.values()]
}

export interface ChosenTaxQr {
  readonly code: TaxQr
  /** Whether the document confirms more data of this code than of any other code, or has no readable amounts. */
  readonly isConfirmed: boolean
}

/** Returns the number of values of a code (number, tax id, total) that are printed on the document. */
function confirmations({ number, taxId, total }: TaxQr, text: string, figures: readonly Figure[]): number {
  const stands = [
    text.includes(compact(number)),
    text.includes(taxId),
    figures.some(({ value }) => value === total),
  ]
  return stands.filter(Boolean).length
}

/** Returns the tax QR of this invoice, since a document may also print the codes of other invoices. */
export function taxQrOfInvoice(
  codes: readonly TaxQr[],
  sheet: DocumentCells,
  figures: readonly Figure[],
): ChosenTaxQr | undefined {
  const text = compact(sheet.plain)
  const [best, next] = codes
    .map((code) => ({ code, times: confirmations(code, text, figures) }))
    .sort((a, b) => b.times - a.times)
  if (!best) return undefined
  // Without readable amounts, nothing contradicts the code.
  const isReadable = figures.length > 0
  return { code: best.code, isConfirmed: (best.times > 0 || !isReadable) && best.times > (next?.times ?? -1) }
}
