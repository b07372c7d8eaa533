/**
 * Accruals of unpaid amounts. An amount that is not collected or paid by 31 December of the year after the operation
 * accrues on that day (art. 163 terdecies Ley 37/1992). The server registers the accrual with that date once the day
 * has ended in Madrid, or when the server next runs.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import { allTaxpayers } from '../../company/company.ts'
import { syncMovements } from './movements.ts'

type Accruing = Pick<App, 'store' | 'clock' | 'log'>

/** Number of invoices of a company that are read per query. Each invoice has its own transaction. */
const AT_ONCE = 100

const dueOf = (store: CompanyStore, today: string) =>
  store
    .select('sii_cash_basis')
    .select(['invoice_id', 'book_type'])
    .where('accrued_at', 'is', null)
    .where('accrual_day', '<', today)
    .orderBy('accrual_day')
    .orderBy('invoice_id')
    .limit(AT_ONCE)
    .execute()

/**
 * Registers the due accruals of a company; returns their number. If two processes do so, each accrual is written once.
 */
export async function registerDueAccruals(
  { store: all, clock, log }: Accruing,
  companyId: string,
): Promise<number> {
  const store = all.of(companyId)
  let count = 0
  const failed = new Set<string>()
  for (;;) {
    const rows = (await dueOf(store, clock.today())).filter(({ invoice_id }) => !failed.has(invoice_id))
    if (rows.length === 0) return count
    for (const { invoice_id, book_type } of rows)
      try {
        await store.transaction(
          async (tx) => {
            await syncMovements(tx, clock, invoice_id, book_type)
            await tx.change('sii_cash_basis', { accrued_at: clock.stamp() }, { invoice_id, book_type })
          },
          { isOwn: true },
        )
        count++
      } catch (error) {
        // The other invoices are processed even if this one cannot be read.
        failed.add(invoice_id)
        log.error({ err: error, company_id: companyId, invoice_id }, 'an accrual cannot be registered')
      }
  }
}

/** Returns the companies with due accruals that are not registered yet. */
async function companiesOf({ store, clock, log }: Accruing): Promise<readonly string[]> {
  try {
    const rows = await store
      .acrossCompanies('accruals of 31 December are searched in every company, and written one by one')
      .selectFrom('sii_cash_basis')
      .select('company_id')
      .distinct()
      .where('accrued_at', 'is', null)
      .where('accrual_day', '<', clock.today())
      .execute()
    return rows.map(({ company_id }) => company_id)
  } catch (error) {
    log.warn({ err: error }, 'companies are processed one by one')
    return (await allTaxpayers(store.shared)).map(({ taxpayer_id }) => taxpayer_id)
  }
}

/** Registers the due accruals of all companies. */
export async function registerAllAccruals(app: Accruing): Promise<void> {
  for (const companyId of await companiesOf(app))
    try {
      await registerDueAccruals(app, companyId)
    } catch (error) {
      app.log.warn({ err: error, company_id: companyId }, 'accruals of a company cannot be searched')
    }
}

/**
 * Registers accruals every `intervalMs` milliseconds; returns a function that stops this. Several processes may run it.
 */
export function startAccrualWorker(
  app: Accruing,
  { intervalMs = 60_000 }: { readonly intervalMs?: number } = {},
) {
  const end = new AbortController()
  const loop = async (): Promise<void> => {
    while (!end.signal.aborted) {
      try {
        await registerAllAccruals(app)
      } catch (error) {
        app.log.error({ err: error }, 'accruals cannot be searched')
      }
      await sleep(intervalMs, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
    }
  }
  const looping = loop()
  return async (): Promise<void> => {
    end.abort()
    await looping
  }
}
