/** Maps means of payment between UNTDID 4461 and the catalog of payment methods. */
import { paymentMethodOf } from '#core/catalogs/index.ts'
import table from './payment-means.json' with { type: 'json' }

interface Row {
  readonly method: string
  readonly out: string
  readonly out_with_account?: string
  /** True if several methods share the code. The name of the method is then written as text of the payment means. */
  readonly named?: boolean
  readonly in: readonly string[]
}

const ROWS: readonly Row[] = table.rows
const SPECIAL = '13'

/**
 * Returns the payment method of a code. If several methods share the code, the text of the payment means selects the
 * method.
 *
 * @example
 * paymentMethodOfMeans('58', undefined) // => { method: '04' }
 * paymentMethodOfMeans('ZZZ', 'Contrato Adjudicación') // => { method: '07' }
 * paymentMethodOfMeans('48', 'Visa') // => { method: '19', label: 'Visa' }
 */
export function paymentMethodOfMeans(
  code: string,
  text: string | undefined,
): { method: string; label?: string } {
  const named = ROWS.find(
    (row) => row.named && row.out === code && paymentMethodOf(row.method)?.name === text,
  )
  if (named) return { method: named.method }
  const method = ROWS.find((row) => row.in.includes(code))?.method ?? SPECIAL
  return text === undefined ? { method } : { method, label: text }
}

/** Returns the code of a payment method and the text to write with it. */
export function meansOf(
  method: string,
  label: string | undefined,
  account: boolean,
): { code: string; text?: string } {
  const row = ROWS.find((one) => one.method === method)
  const withAccount = account ? row?.out_with_account : undefined
  const code = withAccount ?? row?.out ?? 'ZZZ'
  const name = row?.named && withAccount === undefined ? paymentMethodOf(method)?.name : undefined
  const text = label ?? name
  return text === undefined ? { code } : { code, text }
}
