/** Forced accrual of cash-basis invoices that replace each other (art. 163 terdecies Ley 37/1992). */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { withOperationDateOf } from '../../fiscal/fiscal-operation-day.ts'
import { forcedAccrualOf, type SiiPayment } from './payments-record.ts'

/** An invoice of a chain, in which each invoice replaces the one before it. */
export interface Link {
  readonly document: CanonicalInvoice
  readonly payments: readonly SiiPayment[]
  /** Date of the invoice that replaces this one; undefined if none does. */
  readonly replacedOn: string | undefined
}

function accrualAfter(
  settled: readonly SiiPayment[],
  { document, payments, replacedOn }: Link,
  before: Link | undefined,
): SiiPayment | null {
  if (payments.some(({ forced_accrual }) => forced_accrual)) return null
  const dated = before ? withOperationDateOf(document, before.document) : document
  const accrual = forcedAccrualOf(dated, [...settled, ...payments])
  return accrual && replacedOn !== undefined && replacedOn <= accrual.date ? null : accrual
}

/** Returns the collections or payments of all invoices of a chain, and their forced accruals. */
export function settledAmountsOf(chain: readonly Link[]): SiiPayment[] {
  const settled: SiiPayment[] = []
  for (const [at, link] of chain.entries()) {
    const accrual = accrualAfter(settled, link, chain[at - 1])
    settled.push(...link.payments, ...(accrual ? [accrual] : []))
  }
  return settled
}

/**
 * Returns the forced accrual of the last invoice of a chain, on 31 December of the year after the operation. Returns
 * null if another invoice has replaced it by then, because its amounts are no longer owed. A correction issued after
 * that day accrues the difference at the end of its own year.
 */
export function accrualOf(chain: readonly Link[]): SiiPayment | null {
  const last = chain.at(-1)
  return last ? accrualAfter(settledAmountsOf(chain.slice(0, -1)), last, chain.at(-2)) : null
}
