/**
 * What is neither collected nor paid on 31 December of the year after the operation accrues that day (art. 163
 * terdecies Ley 37/1992), whether or not anybody is there: the server writes it down by itself as soon as the day is
 * over in Madrid, or as soon as it runs again, with the date of that day.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import { allTaxpayers } from '../../company/company.ts'
import { followPayments } from './movements.ts'

type Accruing = Pick<App, 'store' | 'clock' | 'log'>

/** So many invoices of a company are looked for at once; each is written by itself. */
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

/** Writes down what has accrued of a company. Tells of how many invoices. Two that do it at once write it once. */
export async function accrue({ store: all, clock, log }: Accruing, companyId: string): Promise<number> {
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
            await followPayments(tx, clock, invoice_id, book_type)
            await tx.change('sii_cash_basis', { accrued_at: clock.stamp() }, { invoice_id, book_type })
          },
          { isOwn: true },
        )
        count++
      } catch (error) {
        // One that cannot be read keeps none of the others waiting.
        failed.add(invoice_id)
        log.error({ err: error, company_id: companyId, invoice_id }, 'what accrued cannot be written down')
      }
  }
}

/** Companies of which something has accrued and is not written down. */
async function companiesOf({ store, clock, log }: Accruing): Promise<readonly string[]> {
  try {
    const rows = await store
      .acrossCompanies('what accrues on 31 December is looked for in every company, and written one by one')
      .selectFrom('sii_cash_basis')
      .select('company_id')
      .distinct()
      .where('accrued_at', 'is', null)
      .where('accrual_day', '<', clock.today())
      .execute()
    return rows.map(({ company_id }) => company_id)
  } catch (error) {
    log.warn({ err: error }, 'companies are looked at one by one')
    return (await allTaxpayers(store.shared)).map(({ taxpayer_id }) => taxpayer_id)
  }
}

/** One look at all companies. */
export async function accrueAll(app: Accruing): Promise<void> {
  for (const companyId of await companiesOf(app))
    try {
      await accrue(app, companyId)
    } catch (error) {
      app.log.warn({ err: error, company_id: companyId }, 'what accrued of a company cannot be looked for')
    }
}

/** Looks now and then until it is stopped. Any number of processes may. Tells how to stop. */
export function startAccruals(app: Accruing, { every = 60_000 }: { readonly every?: number } = {}) {
  const end = new AbortController()
  const loop = async (): Promise<void> => {
    while (!end.signal.aborted) {
      try {
        await accrueAll(app)
      } catch (error) {
        app.log.error({ err: error }, 'what accrues cannot be looked for')
      }
      await sleep(every, undefined, { signal: end.signal, ref: false }).catch(() => undefined)
    }
  }
  const looping = loop()
  return async (): Promise<void> => {
    end.abort()
    await looping
  }
}
