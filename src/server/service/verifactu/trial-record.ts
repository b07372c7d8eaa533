/** Whether an invoice could be recorded, before it is issued. */
import type { CanonicalInvoice, ValidationItem } from '../../../invoice/index.ts'
import { registrationRecord } from '../../../verifactu/index.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { correctedSurcharge } from './corrected-surcharge.ts'
import { openPeriodOf } from './period.ts'
import { recordOptions } from './record-options.ts'
import { signingProblem } from './signing.ts'

/** Paths of the record that a client mends in the series of its document. */
const OF_NUMBER = /\/IDFactura\/NumSerieFactura$/

/**
 * What would make the fiscal record of a draft impossible, as warnings: it can be mended before the day of issue
 * (http-contract, "Not shown in the specification"). A record is made on trial, with the number that would be next,
 * and thrown away.
 */
export async function recordProblems(
  db: Rows,
  call: Call,
  data: CanonicalInvoice,
  nextNumber: string,
): Promise<readonly ValidationItem[]> {
  const period = await openPeriodOf(db)
  if (!period) return []
  const header = { ...data.invoice.header, invoice_number: nextNumber }
  const issue_data = { ...data.invoice.issue_data, issue_date: call.app.clock.today() }
  const trial = { ...data, invoice: { ...data.invoice, header, issue_data } }
  const made = registrationRecord(trial, {
    ...(await recordOptions(db, call, null)),
    ...(await correctedSurcharge(db, trial)),
  })
  const unsigned = await signingProblem(db, call, period)
  return [...made.items, ...(unsigned ? [unsigned] : [])].map((item) => ({
    ...item,
    severity: 'warning',
    path: OF_NUMBER.test(item.path) ? '/invoice/header/invoice_series_code' : item.path,
  }))
}
