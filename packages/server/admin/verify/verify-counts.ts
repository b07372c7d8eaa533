/** Checks the stored counts of lists against the rows, and collections and payments against their invoices. */
import { sql } from 'kysely'
import type { Text } from '#core/invoice/index.ts'
import { countOverdueMovements } from '../../src/service/sii/cash-basis/list-payments.ts'
import { countedSteps, type WrongCount, wrongCounts } from '../../src/store/counts.ts'
import type { Rows } from '../../src/store/store.ts'
import type { Report } from './verify-report.ts'

const DIRECTIONS = { numbered: 'issued', draft: 'issued', received: 'received' } as const

/** Describes which invoices a stored count includes. */
function listMessages({ span, list, place, part, day, status }: WrongCount): Text {
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
    en: `with direction ${DIRECTIONS[list]}, status ${status}${says(['series', 'issued in', 'entered in', 'ids beginning with'])}`,
    es: `con sentido «${DIRECTIONS[list]}», estado «${status}»${says(['serie', 'fecha', 'entrada', 'identificadores que empiezan por'])}`,
  }
}

/** Checks every stored count of invoices against the rows. */
export async function verifyCounts(db: Rows, report: Report): Promise<void> {
  for (const [span, size] of await countedSteps(db)) {
    report.checked('counts', size)
    for (const wrong of await wrongCounts(db, span))
      report.fail(
        'count_differs',
        { kind: 'list', id: `${span} ${wrong.place}`, name: listMessages(wrong)[report.locale] },
        { received: wrong.counted, expected: wrong.present },
      )
  }
}

/**
 * Checks that every collection and payment has an invoice, except cancelled ones: deleting an invoice cancels its
 * collections and payments.
 */
export async function verifyCollections(db: Rows, report: Report, today: string): Promise<void> {
  for (const [table, kind] of [
    ['collections', 'collection'],
    ['payments', 'payment'],
  ] as const) {
    report.checked('collections', await db.countOf(db.select(table)))
    const id = sql.ref<string>(`${kind}_id`)
    const lost = await db
      .select(table, { invoices: 'invoice_id' })
      .select(id.as('id'))
      .where('invoices.invoice_id', 'is', null)
      .where(sql.ref(`${table}.cancelled_at`), 'is', null)
      .orderBy(id)
      .execute()
    for (const one of lost) report.fail(`${kind}_without_invoice`, { kind, id: one.id })
  }
  const { overdue, rejected } = await countOverdueMovements(db, today)
  if (overdue > 0) report.note('movements_overdue', { count: overdue })
  if (rejected > 0) report.note('movements_rejected', { count: rejected })
}
