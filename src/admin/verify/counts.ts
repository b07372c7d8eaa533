/** Counts that lists show, against what there is; and collections, against their invoices. */
import type { Text } from '../../invoice/index.ts'
import { overdueMovements } from '../../server/service/sii/cash-basis/list.ts'
import { countedSteps, type WrongCount, wrongCounts } from '../../server/store/counts.ts'
import type { Rows } from '../../server/store/store.ts'
import type { Report } from './report.ts'

const DIRECTIONS = { numbered: 'issued', draft: 'issued', received: 'received' } as const

/** Which invoices are counted together, for people. */
function listWords({ span, list, place, part, day, status }: WrongCount): Text {
  const [, step = ''] = span.split('_')
  const isBySeries = list === 'numbered' || step === 'share' || step === ''
  const series = isBySeries ? part : step === 'series' ? place : ''
  const entered = isBySeries ? '' : step === 'series' ? part : place
  const issued = list === 'numbered' ? place : day
  const says = (names: readonly [series: string, issued: string, entered: string, ids: string]): string =>
    [series, issued, entered, step === 'share' ? place : '']
      .map((value, at) => (value === '' ? '' : `, ${names[at]} ${value}`))
      .join('')
  return {
    en: `of direction ${DIRECTIONS[list]}, status ${status}${says(['series', 'issued in', 'entered in', 'ids beginning with'])}`,
    es: `con sentido «${DIRECTIONS[list]}», estado «${status}»${says(['serie', 'fecha', 'entrada', 'identificadores que empiezan por'])}`,
  }
}

/** Counts of every step, against what there is. */
export async function verifyCounts(db: Rows, report: Report): Promise<void> {
  for (const [span, size] of await countedSteps(db)) {
    report.checked('counts', size)
    for (const wrong of await wrongCounts(db, span))
      report.broken(
        'count_differs',
        { kind: 'list', id: `${span} ${wrong.place}`, name: listWords(wrong)[report.locale] },
        { received: wrong.counted, expected: wrong.present },
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
