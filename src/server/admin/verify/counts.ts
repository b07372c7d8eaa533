/** Counts that lists show, against what there is; and collections, against their invoices. */
import type { Text } from '../../../invoice/index.ts'
import { overdueMovements } from '../../service/sii/cash-basis/list.ts'
import type { Rows } from '../../store/store.ts'
import type { Report } from './report.ts'

interface Counted {
  readonly direction: string
  readonly status: string
  readonly series: string | null
  readonly n: unknown
}

type Totals = Map<string, { readonly row: Counted; readonly n: number }>

const totals = (rows: readonly Counted[]): Totals => {
  const found: Totals = new Map()
  for (const row of rows) {
    const name = [row.direction, row.status, row.series ?? ''].join(' ').trim()
    found.set(name, { row, n: (found.get(name)?.n ?? 0) + Number(row.n) })
  }
  return found
}

/** Which invoices are counted together, for people. */
const listWords = ({ direction, status, series }: Counted): Text => ({
  en: `of direction ${direction}, status ${status}${series ? ` and series ${series}` : ''}`,
  es: `con sentido «${direction}», estado «${status}»${series ? ` y serie ${series}` : ''}`,
})

export async function verifyCounts(db: Rows, report: Report): Promise<void> {
  const shown = totals(
    await db
      .select('invoice_counts')
      .select(({ fn }) => ['direction', 'status', 'series', fn.sum('n').as('n')])
      .groupBy(['direction', 'status', 'series'])
      .execute(),
  )
  const real = totals(
    await db
      .select('invoices')
      .select(({ fn }) => ['direction', 'status', 'document_series as series', fn.countAll().as('n')])
      .groupBy(['direction', 'status', 'document_series'])
      .execute(),
  )
  for (const name of new Set([...shown.keys(), ...real.keys()])) {
    report.checked('counts')
    const [received, expected] = [shown.get(name)?.n ?? 0, real.get(name)?.n ?? 0]
    if (received === expected) continue
    const { row } = (shown.get(name) ?? real.get(name))!
    report.broken(
      'count_differs',
      { kind: 'list', id: name, name: listWords(row)[report.locale] },
      { received, expected },
    )
  }
}

/** Those of an invoice that was deleted are cancelled, and stay. */
export async function verifyCollections(db: Rows, report: Report, today: string): Promise<void> {
  for (const table of ['collections', 'payments'] as const) {
    const { n } = await db
      .select(table as 'collections')
      .select(({ fn }) => fn.countAll().as('n'))
      .executeTakeFirstOrThrow()
    report.checked('collections', Number(n))
  }
  const lost = await db
    .select('collections', { invoices: 'invoice_id' })
    .select('collection_id')
    .where('invoices.invoice_id', 'is', null)
    .where('collections.cancelled_at', 'is', null)
    .orderBy('collection_id')
    .execute()
  for (const { collection_id } of lost)
    report.broken('collection_without_invoice', { kind: 'collection', id: collection_id })
  const unpaid = await db
    .select('payments', { invoices: 'invoice_id' })
    .select('payment_id')
    .where('invoices.invoice_id', 'is', null)
    .where('payments.cancelled_at', 'is', null)
    .orderBy('payment_id')
    .execute()
  for (const { payment_id } of unpaid)
    report.broken('payment_without_invoice', { kind: 'payment', id: payment_id })
  const { overdue, rejected } = await overdueMovements(db, today)
  if (overdue > 0) report.note('movements_overdue', { count: overdue })
  if (rejected > 0) report.note('movements_rejected', { count: rejected })
}
