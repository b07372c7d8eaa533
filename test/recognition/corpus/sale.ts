/** The parts of which the lists of invoices are written. */
import { companyId, OURS, party, personId } from './parties.ts'
import { type Item, type Party, type Sale, type Truth, truthOf } from './truth.ts'

/** An item at a rate of 21 %; the rate is `null` if the item is exempt. */
export const item = (text: string, quantity: number, price: number, rate: number | null = 21): Item => ({
  text,
  quantity,
  price,
  rate,
})

type Rest = Partial<Omit<Sale, 'number' | 'issue_date' | 'supplier' | 'items'>>

/** An invoice to `OURS`, unless `rest` has another customer. */
export const sale = (
  number: string,
  issue_date: string,
  supplier: Party,
  items: readonly Item[],
  rest: Rest = {},
): Truth => truthOf({ number, issue_date, supplier, customer: OURS, items, ...rest })

export const company = (letter: string, digits: string, name: string, street: string, town: string): Party =>
  party(companyId(letter, digits), name, street, town)
export const person = (digits: string, name: string, street: string, town: string): Party =>
  party(personId(digits), name, street, town)
