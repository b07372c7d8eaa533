/** Compares a received invoice under cash basis with its payments, which its supplier's correction may contradict. */
import type { Locale } from '../../../../invoice/index.ts'
import { messageText, refusalsOf } from '../../../../messages/index.ts'
import { paymentRecord } from '../../../../sii/index.ts'
import type { Rows } from '../../../store/store.ts'
import type { Validation } from '../../invoice/validate.ts'
import { isReported, movementsOf } from './movements.ts'
import { paymentsOf } from './payments.ts'

const LAW = 'art. 61 decies RD 1624/1992'
const CODES = {
  payments_exceed_total: messageText(
    LAW,
    [
      'The payments of the invoice add up to {received}, more than its total of {expected}.',
      'Correct the total, or cancel a payment with `cuadra-admin payment cancel`.',
    ],
    [
      'Los pagos de la factura suman {received}, más que su total de {expected}.',
      'Corrija el total o cancele un pago con `cuadra-admin payment cancel`.',
    ],
  ),
  payments_need_key: messageText(
    `${LAW}; AEAT, error 3011`,
    [
      'The tax authority has payments of this invoice, so it does not accept another regime key than 07.',
      'Send tax_regime_key 07.',
    ],
    [
      'La AEAT tiene pagos de esta factura, así que no admite otra clave de régimen que la 07.',
      'Envíe tax_regime_key 07.',
    ],
  ),
}

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
  const { warnings, warn } = refusalsOf(CODES, locale)
  const total = items.find(({ code }) => code === 'sii.payment_total')
  if (total) warn('payments_exceed_total', '/invoice/totals/invoice_total', total.extra ?? {})
  if (movements.some(isReported) && items.some(({ code }) => code === 'sii.not_cash_basis'))
    warn('payments_need_key', '/invoice/taxes_outputs', {})
  return { ...validation, errors: [...errors, ...warnings] }
}
