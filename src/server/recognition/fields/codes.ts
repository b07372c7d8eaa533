/** What the tax QR of a VeriFactu invoice says. */
import { type Minor, toMinor } from '../../../money/index.ts'
import { parseQr } from '../../../verifactu/qr/index.ts'

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
