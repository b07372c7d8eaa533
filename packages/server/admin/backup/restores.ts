/** The restores stored in the database. No server starts until the latest restore is accepted. */
import { CuadraError } from '#core/errors/index.ts'
import { spanishTimestamp } from '#records/fiscal/index.ts'
import type { App } from '../../src/app/app.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { periodForGenerating } from '../../src/service/verifactu/mode-change.ts'
import { recordRestore } from '../../src/service/verifactu/sif-events.ts'
import { unsignedItems } from '../../src/service/verifactu/signing.ts'
import { openPeriodOf } from '../../src/service/verifactu/verifactu-period.ts'
import type { CompanyStore } from '../../src/store/store.ts'
import type { Row } from '../../src/store/tables.ts'

export type RestoreRow = Row<'restores'>

/** Returns the latest restore that is not accepted yet. */
export async function unacceptedRestoreOf({ store }: Pick<App, 'store'>): Promise<RestoreRow | undefined> {
  return store.shared
    .selectFrom('restores')
    .selectAll()
    .where('accepted_at', 'is', null)
    .orderBy('restored_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Skips numbers in every series of a company. Repeating this after a crash skips them twice, which is harmless. */
export const skipNumbersOf = (store: CompanyStore, skipped: number): Promise<void> =>
  store.transaction(async (tx) => {
    const all = await tx.select('series').select(['series_code', 'next_number']).execute()
    for (const { series_code, next_number } of all)
      await tx.change('series', { next_number: Number(next_number) + skipped }, { series_code })
  })

/** Accepts the restore. Series created later also skip `skipped_numbers` numbers. */
export const acceptRestores = ({ store, clock }: App, skipped_numbers: number): Promise<unknown> =>
  store.transaction(({ shared }) =>
    shared
      .updateTable('restores')
      .set({ accepted_at: clock.stamp(), skipped_numbers })
      .where('accepted_at', 'is', null)
      .execute(),
  )

/** Returns the timestamp of a backup in the format of system events. */
const timestampOf = ({ made_at }: RestoreRow): string => spanishTimestamp(Date.parse(`${made_at}Z`))

export interface RecordedRestore {
  readonly company_id: string
  /** Why the restore was not recorded as an event; null if it was. */
  readonly problem: string | null
}

const isRecorded = (records: readonly { readonly record: string }[], timestamp: string): boolean =>
  records.some(({ record }) => record.includes(timestamp))

/**
 * Records event 07 (restore) for a company without VERI*FACTU. Call it before any other event is recorded. Returns null
 * for other companies, or if the event is already recorded.
 */
export async function recordRestoreEvent(
  app: App,
  company: CompanyRecord,
  row: RestoreRow,
): Promise<RecordedRestore | null> {
  const store = app.store.of(company.id)
  if ((await openPeriodOf(store, app.clock))?.mode !== 'no_verifactu') return null
  const before = await store
    .find('verifactu_events', { tipo_evento: '07' })
    .select('record')
    .where('created_at', '>=', row.restored_at)
    .execute()
  if (isRecorded(before, timestampOf(row))) return null
  const context = { app, company, locale: 'en', requestId: 'cuadra-admin' } as const
  try {
    await store.transaction(async (tx) => {
      const period = await periodForGenerating(tx, context)
      if (period?.mode === 'no_verifactu') await recordRestore(tx, context, period, timestampOf(row))
    })
    return { company_id: company.id, problem: null }
  } catch (error) {
    const items = unsignedItems(error)
    if (items) return { company_id: company.id, problem: items.map(({ message }) => message).join(' ') }
    if (error instanceof CuadraError) return { company_id: company.id, problem: error.message }
    throw error
  }
}
