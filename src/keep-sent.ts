/**
 * A document that another system issued is not rewritten: when totals are checked, an import and a received
 * invoice keep the amounts that were sent, and only what was not sent is filled in (calculation page, section 5).
 */
import type { Context } from '../rules/index.ts'
import { COMPUTED_TOTALS, LINE_AMOUNTS, OUTPUT_AMOUNTS, WITHHELD_AMOUNTS } from './invoice/index.ts'

type Members = Record<string, unknown>

const keep = (target: object, sent: object | undefined, names: readonly string[]): void => {
  if (!sent) return
  for (const name of names) {
    const value = (sent as Members)[name]
    if (value !== undefined) (target as Members)[name] = value
  }
}

/** Puts the sent amounts back where the operation asks for it. Converted documents keep them in their blocks. */
export function keepSentAmounts({ settings, sent, invoice, stated, calculation }: Context): void {
  if (settings.operation !== 'import' && settings.operation !== 'received') return
  const target = stated === invoice ? invoice : null
  keep(target ? target.totals : (invoice.totals.invoice_currency ?? {}), sent.invoice.totals, COMPUTED_TOTALS)
  invoice.lines.forEach((line, index) => {
    keep(target ? line : (line.invoice_currency ?? {}), sent.invoice.lines[index], LINE_AMOUNTS)
  })
  const rows = calculation.groups.flatMap((group) => group.rows)
  invoice.taxes_outputs?.forEach((entry, index) => {
    keep(target ? entry : (entry.invoice_currency ?? {}), rows[index]?.sent, OUTPUT_AMOUNTS)
  })
  const withheld = calculation.withheld.flatMap((group) => group.rows)
  invoice.taxes_withheld?.forEach((entry, index) => {
    if (target) keep(entry, withheld[index]?.sent, WITHHELD_AMOUNTS)
  })
}
