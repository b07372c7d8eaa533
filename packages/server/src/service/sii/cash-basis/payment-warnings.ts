/** Compares a received invoice under cash basis with its payments. A change of the invoice may contradict them. */
import type { Locale } from '#core/invoice/index.ts'
import { itemCollectorOf } from '#core/messages/index.ts'
import { paymentRecord } from '#records/sii/index.ts'
import { PAYMENT_WARNINGS } from '../../../generated/texts/sii.ts'
import type { Rows } from '../../../store/store.ts'
import type { Validation } from '../../invoice/validate-sent.ts'
import { isReported, movementsOf } from './movements.ts'
import { paymentsOf } from './payments.ts'

/** Adds the warnings about the payments of a stored invoice to its validation. */
export async function withPaymentWarnings<V extends Validation>(
  db: Rows,
  locale: Locale,
  validation: V,
  invoiceId: string,
): Promise<V> {
  const { data, errors } = validation
  const movements = data ? await movementsOf(db, 'RECEIVED', invoiceId) : []
  if (!data || movements.length === 0) return validation
  const payments = (await paymentsOf(db, 'RECEIVED', invoiceId))
    .filter(({ cancelled_at }) => cancelled_at === null)
    .map(({ date, amount }) => ({ date, amount }))
  const { items } = paymentRecord(data, payments, { locale })
  const { warnings, warn } = itemCollectorOf(PAYMENT_WARNINGS, locale)
  const total = items.find(({ code }) => code === 'sii.payment_total')
  if (total) warn('payments_exceed_total', '/invoice/totals/invoice_total', total.extra ?? {})
  if (movements.some(isReported) && items.some(({ code }) => code === 'sii.not_cash_basis'))
    warn('payments_need_key', '/invoice/taxes_outputs', {})
  return { ...validation, errors: [...errors, ...warnings] }
}
