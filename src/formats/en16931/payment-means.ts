/** Means of payment: UNTDID 4461 and the catalog of payment methods, both ways. */
import { paymentMethodOf } from '../../catalogs/index.ts'
import table from './payment-means.json' with { type: 'json' }

interface Row {
  readonly method: string
  readonly out: string
  readonly out_with_account?: string
  /** The code stands for others too: the name of the method goes with it. */
  readonly named?: boolean
  readonly in: readonly string[]
}

const ROWS: readonly Row[] = table.rows
const SPECIAL = '13'

/**
 * The payment method of a code. A text beside it that is the name of a method says which one is meant.
 *
 * @example
 * methodOf('58', undefined) // => { method: '04' }
 * methodOf('ZZZ', 'Contrato Adjudicación') // => { method: '07' }
 * methodOf('48', 'Visa') // => { method: '19', label: 'Visa' }
 */
export function methodOf(code: string, text: string | undefined): { method: string; label?: string } {
  const named = ROWS.find(
    (row) => row.named && row.out === code && paymentMethodOf(row.method)?.name === text,
  )
  if (named) return { method: named.method }
  const method = ROWS.find((row) => row.in.includes(code))?.method ?? SPECIAL
  return text === undefined ? { method } : { method, label: text }
}

/** The code of a payment method, and the text that has to go with it. */
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
