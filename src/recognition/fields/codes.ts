/** What the tax QR of a VeriFactu invoice says. */
import { type Minor, toMinor } from '../../money/index.ts'
import { parseQr } from '../../verifactu/qr/index.ts'
import type { Figure } from './amounts.ts'
import type { Sheet } from './cells.ts'

export interface TaxCode {
  readonly taxId: string
  readonly number: string
  readonly date: string
  /** Bases, tax and surcharge; nothing withheld is taken off. */
  readonly total: Minor
}

/** The tax QRs among what was decoded, each once. */
export function taxCodesOf(codes: readonly string[]): TaxCode[] {
  const found = new Map<string, TaxCode>()
  for (const code of codes) {
    const read = parseQr(code)
    if (!read.valid) continue
    const date = read.fecha.split('-').toReversed().join('-')
    found.set(code, { taxId: read.nif, number: read.numSerie, date, total: toMinor(Number(read.importe)) })
  }
  return [...found.values()]
}

export interface ChosenCode {
  readonly code: TaxCode
  /** Something of what it says stands on the document, and no other code has as much. */
  readonly isConfirmed: boolean
}

const compact = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')

/** How much of what a code says stands on the document as well. */
function confirmations({ number, taxId, total }: TaxCode, text: string, figures: readonly Figure[]): number {
  const stands = [
    text.includes(compact(number)),
    text.includes(taxId),
    figures.some(({ value }) => value === total),
  ]
  return stands.filter(Boolean).length
}

/** The code that is of this invoice: one may be printed of another, or of another page. */
export function codeFor(
  codes: readonly TaxCode[],
  sheet: Sheet,
  figures: readonly Figure[],
): ChosenCode | undefined {
  const text = compact(sheet.plain)
  const [best, next] = codes
    .map((code) => ({ code, times: confirmations(code, text, figures) }))
    .sort((a, b) => b.times - a.times)
  if (!best) return undefined
  // A picture of which nothing could be read says nothing against its code.
  const isReadable = figures.length > 0
  return { code: best.code, isConfirmed: (best.times > 0 || !isReadable) && best.times > (next?.times ?? -1) }
}
