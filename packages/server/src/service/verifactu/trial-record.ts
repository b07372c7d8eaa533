/** Checks, before an invoice is issued, whether its record can be built. */
import type { CanonicalInvoice, ValidationItem } from '#core/invoice/index.ts'
import { registrationRecord } from '#records/verifactu/index.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { type Replaced, replacesOption } from '../invoice/replacements.ts'
import { correctedSurcharge } from './corrected-surcharge.ts'
import { configuredSystem, recordOptions } from './record-options.ts'
import { signingProblem } from './signing.ts'
import { openPeriodOf } from './verifactu-period.ts'

/** Matches the path of the number in a record. A problem there concerns the series in the client's document. */
const OF_NUMBER = /\/IDFactura\/NumSerieFactura$/

/**
 * Returns the problems that would prevent the fiscal record of a draft. They are warnings, because they can be fixed
 * before the invoice is issued. A record with the next number is built and discarded. `replaced` is the simplified
 * invoice that the draft would replace.
 */
export async function recordProblems(
  db: Rows,
  call: Call,
  data: CanonicalInvoice,
  nextNumber: string,
  replaced: Replaced | undefined,
): Promise<readonly ValidationItem[]> {
  const period = await openPeriodOf(db, call.app.clock)
  if (!period) return []
  const header = { ...data.invoice.header, invoice_number: nextNumber }
  const issue_data = { ...data.invoice.issue_data, issue_date: call.app.clock.today() }
  const trial = { ...data, invoice: { ...data.invoice, header, issue_data } }
  const made = registrationRecord(trial, {
    ...recordOptions(call, await configuredSystem(db, call.app), null),
    ...(await correctedSurcharge(db, trial)),
    ...replacesOption(replaced),
  })
  const unsigned = await signingProblem(db, call, period)
  return [...made.items, ...(unsigned ? [unsigned] : [])].map((item) => ({
    ...item,
    severity: 'warning',
    path: OF_NUMBER.test(item.path) ? '/invoice/header/invoice_series_code' : item.path,
  }))
}
