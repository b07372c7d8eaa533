/** Periods in which a company keeps VeriFactu records; at most one is open. */
import type { Own, Rows } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'

const COLUMNS = ['period_id', 'mode', 'sandbox', 'certificate_id', 'start_date', 'updated_at'] as const

export type VerifactuPeriod = Omit<Pick<Own<'verifactu_periods'>, (typeof COLUMNS)[number]>, 'sandbox'> & {
  readonly sandbox: boolean
}

export const environmentOf = ({ sandbox }: Pick<VerifactuPeriod, 'sandbox'>): Environment =>
  sandbox ? 'test' : 'production'

/** Returns a period from its row. */
export const periodOf = <Row extends { readonly sandbox: number }>(row: Row) => ({
  ...row,
  sandbox: row.sandbox === 1,
})

/** Returns the open period; null if VeriFactu is not active. */
export async function openPeriodOf(db: Rows): Promise<VerifactuPeriod | null> {
  const row = await db
    .select('verifactu_periods')
    .select(COLUMNS)
    .where('end_date', 'is', null)
    .executeTakeFirst()
  return row ? periodOf(row) : null
}

/** Returns the environment of a company's records: that of the open period, else of the last one. */
export async function environmentNow(db: Rows): Promise<Environment | null> {
  const open = await openPeriodOf(db)
  if (open) return environmentOf(open)
  const row = await db
    .select('verifactu_periods')
    .select('sandbox')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ? environmentOf({ sandbox: row.sandbox === 1 }) : null
}

/**
 * Returns the last day as VERI*FACTU of a company that has stopped using it, if that must be announced: 31 December of
 * this year or the last, without a later period. The authority accepts no other day (web service design, 1278).
 */
export async function lastDayOf(db: Rows, environment: Environment, today: string): Promise<string | null> {
  const periods = await db
    .find('verifactu_periods', { sandbox: environment === 'test' ? 1 : 0 })
    .select(['mode', 'end_date'])
    .execute()
  const ofVerifactu = periods.filter(({ mode }) => mode === 'verifactu')
  if (ofVerifactu.some(({ end_date }) => end_date === null)) return null
  const last =
    ofVerifactu
      .map(({ end_date }) => end_date)
      .sort()
      .at(-1) ?? null
  const year = Number(today.slice(0, 4))
  return [year, year - 1].some((one) => last === `${one}-12-31`) ? last : null
}
