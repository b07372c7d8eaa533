/** Periods in which a company keeps VeriFactu records: at most one is open. */
import type { Own, Rows } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'

const COLUMNS = ['period_id', 'mode', 'sandbox', 'certificate_id', 'start_date', 'updated_at'] as const

export type VerifactuPeriod = Omit<Pick<Own<'verifactu_periods'>, (typeof COLUMNS)[number]>, 'sandbox'> & {
  readonly sandbox: boolean
}

export const environmentOf = ({ sandbox }: Pick<VerifactuPeriod, 'sandbox'>): Environment =>
  sandbox ? 'test' : 'production'

/** A period as its row says it. */
export const periodOf = <Row extends { readonly sandbox: number }>(row: Row) => ({
  ...row,
  sandbox: row.sandbox === 1,
})

/** The period that is open; null where VeriFactu is not active. */
export async function openPeriodOf(db: Rows): Promise<VerifactuPeriod | null> {
  const row = await db
    .select('verifactu_periods')
    .select(COLUMNS)
    .where('end_date', 'is', null)
    .executeTakeFirst()
  return row ? periodOf(row) : null
}
