/** Queries the authority for numbers that were issued after a backup, because they must not be used again. */
import type { App } from '../../src/app/app.ts'
import type { CompanyRecord } from '../../src/service/company/company.ts'
import { counterOf, DEFAULT_TEMPLATE, numberOf } from '../../src/service/invoice/numbering.ts'
import { blockedMessage } from '../../src/service/transmission/blocked.ts'
import {
  type AuthorityInvoice,
  type Comparison,
  compareWithAuthority,
  monthsFrom,
} from '../../src/service/verifactu/sending/compare-verifactu.ts'
import { wireOf } from '../../src/service/verifactu/sending/verifactu-sender.ts'
import { environmentOf, openPeriodOf } from '../../src/service/verifactu/verifactu-period.ts'
import type { Rows } from '../../src/store/store.ts'

/** A series whose counter would assign a used number again. */
export interface CounterToAdvance {
  readonly series_code: string
  /** The counter to set: the first one whose number is free according to the authority. */
  readonly next: number
}

export interface SinceBackup {
  readonly company_id: string
  readonly tax_id: string
  readonly legal_name: string
  /** Null if the company does not use VERI*FACTU, or if the authority could not be queried. */
  readonly comparison: Comparison | null
  /** Why the authority could not be queried. */
  readonly comparison_error: string | null
  readonly counters_to_advance: readonly CounterToAdvance[]
  /** Numbers issued after the backup that match no series. The administrator must set the counter of their series. */
  readonly unmatched: readonly AuthorityInvoice[]
}

/** Returns the counter to set for a number whose series was created after the backup, assuming the default template. */
function counterOfUnknownSeries(number: string): CounterToAdvance | null {
  const [, series_code = '', digits = ''] = /^(.+?)(\d{6})$/.exec(number) ?? []
  const counter = series_code && counterOf({ series_code, template: DEFAULT_TEMPLATE }, number)
  return counter ? { series_code, next: Number(digits) + 1 } : null
}

/** Returns the counters to advance, and the numbers that match no series. */
export async function countersToAdvance(db: Rows, missing: readonly AuthorityInvoice[]) {
  const series = await db.select('series').select(['series_code', 'template', 'next_number']).execute()
  const next = new Map<string, number>()
  const unmatched: AuthorityInvoice[] = []
  for (const one of missing) {
    const own = series.flatMap(({ series_code, template, next_number }) => {
      const counter = counterOf({ series_code, template }, one.num_serie)
      return counter === null ? [] : [{ series_code, next: counter + 1, isPast: counter < next_number }]
    })
    const guess = own.length === 0 ? counterOfUnknownSeries(one.num_serie) : null
    if (own.length === 0 && !guess) unmatched.push(one)
    for (const { series_code, next: after } of guess ? [guess] : own.filter(({ isPast }) => !isPast))
      next.set(series_code, Math.max(after, next.get(series_code) ?? 0))
  }
  const counters_to_advance = [...next].map(
    ([series_code, after]): CounterToAdvance => ({ series_code, next: after }),
  )
  return { counters_to_advance, unmatched }
}

/** Returns the month before a timestamp. The authority files an invoice under the month of its operation. */
function monthBefore(stamp: string): string {
  const [year = 0, month = 0] = stamp.slice(0, 7).split('-').map(Number)
  return month === 1 ? `${year - 1}-12` : `${year}-${String(month - 1).padStart(2, '0')}`
}

/** Compares the stored records of one company with those of the authority. Changes nothing. */
export async function checkSinceBackup(
  app: App,
  company: CompanyRecord,
  madeAt: string,
): Promise<SinceBackup> {
  const store = app.store.of(company.id)
  const { tax_id, legal_name } = company.data
  const about = { company_id: company.id, tax_id, legal_name, counters_to_advance: [], unmatched: [] }
  const period = await openPeriodOf(store, app.clock)
  if (period?.mode !== 'verifactu') return { ...about, comparison: null, comparison_error: null }
  const comparison_error = (reason: string): SinceBackup => ({
    ...about,
    comparison: null,
    comparison_error: reason,
  })
  if (!app.reachesAuthority()) return comparison_error('no simulator is running with this data folder')
  const months = monthsFrom(monthBefore(madeAt), app.clock.today().slice(0, 7))
  const found = await compareWithAuthority(
    { app, wire: wireOf(app) },
    store,
    company,
    environmentOf(period),
    months,
  )
  if ('reason' in found) return comparison_error(blockedMessage(found, 'en'))
  return {
    ...about,
    comparison: found,
    comparison_error: null,
    ...(await countersToAdvance(store, found.missing)),
  }
}

/** Returns the last and next number of each series, to compare with the latest invoices that customers received. */
export async function nextNumbers(db: Rows) {
  const series = await db
    .select('series')
    .select(['series_code', 'template', 'next_number', 'last_date'])
    .orderBy('series_code')
    .execute()
  return series.map((one) => ({
    series_code: one.series_code,
    last: one.next_number > 1 ? numberOf(one, Number(one.next_number) - 1) : null,
    number: numberOf(one, Number(one.next_number)),
    last_date: one.last_date,
  }))
}
