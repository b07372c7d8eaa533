/**
 * The invoices shown on the documents of the corpus, from `sales/*.json`. Excise taxes among the items follow the law: the
 * tax on electricity is 5,11269632 % of the power and energy (Ley 38/1992 art. 99), that on gas 0,65 euros per gigajoule
 * (art. 50). The prices of `shop` with tax are 19,99, 44,90 and 4,95 euros.
 */
import { OURS } from './parties.ts'
import first from './sales/first.json' with { type: 'json' }
import heldOut from './sales/held-out.json' with { type: 'json' }
import more from './sales/more.json' with { type: 'json' }
import unseen from './sales/unseen.json' with { type: 'json' }
import { type Sale, type Truth, truthOf } from './truth.ts'

/** An invoice to `OURS`, unless it names another customer. */
type Written = Omit<Sale, 'customer'> & { readonly customer?: null }

const mapped = <Name extends string>(sales: Readonly<Record<Name, Written>>) =>
  Object.fromEntries(
    Object.entries<Written>(sales).map(([name, sale]) => [name, truthOf({ customer: OURS, ...sale })]),
  ) as Record<Name, Truth>

export const SALES = mapped(first)
/** Many trades and languages, as suppliers in Spain and its neighbouring countries write them. */
export const MORE = mapped(more)
/** The independent invoices. Most of their trades do not occur in the rest of the corpus. */
export const UNSEEN = mapped(unseen)
/** The held-out invoices: trades, languages and customs that the rest of the corpus lacks. */
export const HELD = mapped(heldOut)
