/** Totals in the document that are no longer those that its lines give. */
import type { CanonicalInvoice } from '../../invoice/index.ts'
import { valueAt } from '../../invoice/index.ts'
import type { Change } from '../document/edit.ts'

/** Changes that would put them right; none for invoices in a foreign currency, whose totals are not in euros. */
export function staleTotals(sent: unknown, data: CanonicalInvoice | null): readonly Change[] {
  if (!data || data.invoice.issue_data.invoice_currency !== undefined) return []
  const totals = valueAt(sent, '/invoice/totals')
  if (totals === null || typeof totals !== 'object') return []
  const computed: object = data.invoice.totals
  return Object.entries(totals).flatMap(([name, value]) => {
    const right = (computed as Readonly<Record<string, unknown>>)[name]
    const differs = typeof value === 'number' && typeof right === 'number' && value !== right
    return differs ? [[`/invoice/totals/${name}`, right] as const] : []
  })
}
