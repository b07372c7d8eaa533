/** Opening and closing of periods by the administrator. */
import { CuadraError } from '../../../errors/index.ts'
import type { Tx } from '../../store/store.ts'
import type { Mode } from '../../store/tables.ts'
import type { Call } from '../access/call.ts'
import { activateVerifactu } from './config.ts'
import { endPeriod } from './operation.ts'
import { environmentOf, openPeriodOf } from './period.ts'

export interface PeriodChange {
  readonly mode: Mode
  readonly environment: 'production' | 'test'
  readonly start_date: string
  readonly end_date: string | null
}

/** Opens a period from today. Throws if one is already open, or if the company must not have one. */
export async function openPeriod(
  tx: Tx,
  call: Call,
  wanted: { readonly mode: Mode; readonly sandbox: boolean },
): Promise<PeriodChange> {
  const open = await openPeriodOf(tx)
  if (open)
    throw new CuadraError(
      `A period in mode ${open.mode} (${environmentOf(open)}) has been open since ${open.start_date}. Close it first: \`cuadra-admin verifactu period close\`.`,
    )
  await activateVerifactu(tx, call, wanted)
  const { mode, sandbox } = wanted
  return { mode, environment: environmentOf({ sandbox }), start_date: call.app.clock.today(), end_date: null }
}

/**
 * Closes the open period today. Invoices issued from now on have no record; pending records are still sent. VERI*FACTU
 * must be used until the end of the year (art. 16 RD 1007/2023), so a production period is closed on another day only
 * with `anyway`.
 */
export async function closePeriod(tx: Tx, call: Call, { anyway = false } = {}): Promise<PeriodChange> {
  const open = await openPeriodOf(tx)
  if (!open) throw new CuadraError('There is no open period to close.')
  const { clock } = call.app
  const end_date = clock.today()
  if (open.mode === 'verifactu' && !open.sandbox && !end_date.endsWith('-12-31') && !anyway)
    throw new CuadraError(
      `Today is ${end_date}, and VERI*FACTU must be used until 31 December (art. 16 RD 1007/2023). Close the period on that day. If the activity ends, or the period was opened by mistake, use --anyway.`,
    )
  await endPeriod(tx, call, open)
  await tx.change('verifactu_periods', { end_date, updated_at: clock.stamp() }, { period_id: open.period_id })
  return { mode: open.mode, environment: environmentOf(open), start_date: open.start_date, end_date }
}
