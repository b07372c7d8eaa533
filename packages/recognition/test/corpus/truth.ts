/** The expected content of the documents of the corpus. */

export interface Party {
  readonly tax_id: string
  readonly name: string
  readonly street: string
  readonly town: string
}

export interface Item {
  readonly text: string
  readonly quantity: number
  /** Unit price in euros. */
  readonly price: number
  /** `null` if exempt. */
  readonly rate: number | null
}

/** Input for the expected content of an invoice. */
export interface Sale {
  readonly number: string
  /** Date in ISO 8601, like all dates in this file. */
  readonly issue_date: string
  readonly supplier: Party
  /** `null` on a till receipt. */
  readonly customer: Party | null
  readonly items: readonly Item[]
  readonly withheld_rate?: number
  readonly has_surcharge?: boolean
  readonly iban?: string
  readonly due_date?: string
  /** Number of the invoice that this one corrects. */
  readonly corrects?: string
}

export interface TaxTruth {
  readonly rate: number
  readonly base: number
  readonly amount: number
  readonly surcharge_rate: number | null
  readonly surcharge: number | null
}

/** All values as numbers, codes or dates. Each generator formats them in its own way. */
export interface Truth extends Omit<Sale, 'withheld_rate' | 'has_surcharge'> {
  readonly taxes: readonly TaxTruth[]
  readonly exempt_base: number | null
  /** Sum of all items, before tax. */
  readonly base: number
  readonly withheld: { readonly rate: number; readonly base: number; readonly amount: number } | null
  /** Total with taxes, before withholding: the amount in the tax QR. */
  readonly invoice_total: number
  /** Amount payable: the last amount on the page. */
  readonly total: number
}

/** Equivalence surcharge rate for each tax rate (Ley 37/1992 art. 161). */
const SURCHARGES: Readonly<Record<number, number>> = { 21: 5.2, 10: 1.4, 4: 0.5 }

/** Rounds positive amounts to cents, half up. */
const cents = (euros: number): number => Math.round(euros * 100 + 1e-7)
const share = (base: number, rate: number): number => Math.round((base * rate) / 100 + 1e-7)
const sum = (amounts: readonly number[]): number => amounts.reduce((all, one) => all + one, 0)

export const amountOf = ({ quantity, price }: Item): number => cents(quantity * price) / 100

const NO_TAX: TaxTruth = { rate: 0, base: 0, amount: 0, surcharge_rate: null, surcharge: null }

/** An item with its amount in euros, before tax. */
export interface Priced extends Item {
  readonly amount: number
}

/** A truth without gaps, for layouts of a single invoice. */
export interface Whole extends Truth {
  readonly items: readonly Priced[]
  readonly customer: Party
  readonly due_date: string
  readonly iban: string
  readonly exempt_base: number
  readonly withheld: NonNullable<Truth['withheld']>
  /** The tax with the highest rate. */
  readonly vat: TaxTruth
}

export const wholeOf = (truth: Truth): Whole => ({
  ...truth,
  items: truth.items.map((item) => ({ ...item, amount: amountOf(item) })),
  customer: truth.customer ?? { tax_id: '', name: '', street: '', town: '' },
  due_date: truth.due_date ?? '',
  iban: truth.iban ?? '',
  exempt_base: truth.exempt_base ?? 0,
  withheld: truth.withheld ?? { rate: 0, base: 0, amount: 0 },
  vat: truth.taxes[0] ?? NO_TAX,
})

export function truthOf({ withheld_rate, has_surcharge = false, ...sale }: Sale): Truth {
  const baseOf = (rate: number | null) =>
    sum(sale.items.filter((item) => item.rate === rate).map((item) => cents(amountOf(item))))
  const rates = [...new Set(sale.items.map(({ rate }) => rate))]
    .filter((rate) => rate !== null)
    .sort((a, b) => b - a)
  const taxes = rates.map((rate) => {
    const base = baseOf(rate)
    const surcharge_rate = has_surcharge ? (SURCHARGES[rate] ?? null) : null
    return {
      rate,
      base,
      amount: share(base, rate),
      surcharge_rate,
      surcharge: share(base, surcharge_rate ?? 0),
    }
  })
  const base = sum(sale.items.map((item) => cents(amountOf(item))))
  const invoice_total = base + sum(taxes.map(({ amount, surcharge }) => amount + surcharge))
  const withheld = withheld_rate ? share(base, withheld_rate) : 0
  const hasExempt = sale.items.some(({ rate }) => rate === null)
  return {
    ...sale,
    taxes: taxes.map((tax) => ({
      ...tax,
      base: tax.base / 100,
      amount: tax.amount / 100,
      surcharge: tax.surcharge_rate === null ? null : tax.surcharge / 100,
    })),
    exempt_base: hasExempt ? baseOf(null) / 100 : null,
    base: base / 100,
    withheld: withheld_rate ? { rate: withheld_rate, base: base / 100, amount: withheld / 100 } : null,
    invoice_total: invoice_total / 100,
    total: (invoice_total - withheld) / 100,
  }
}
