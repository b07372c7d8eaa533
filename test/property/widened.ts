/**
 * Extends the reference's documents: further regime keys, corrective invoices, foreign currency, instalments, totals
 * without their list, and the breakdown in every correct form: in any order, key 01 omitted, a group split with and
 * without surcharge, bases some cents off.
 */
import fc from 'fast-check'
import { required } from '#core/errors/index.ts'
import type { TaxOutput, TaxWithheld } from '#core/invoice/index.ts'
import { type CanonicalInvoice, type Operation, validate } from '#engine/index.ts'
import type { ArbitraryDocument } from './arbitrary.ts'
import { arbitraryInvoice } from './arbitrary.ts'
import { asSent, OPERATIONS, withoutComputed } from './documents.ts'

export interface Sent {
  readonly document: CanonicalInvoice
  readonly operation: Operation
  /** What was done to the document, to be counted. */
  readonly traits: readonly string[]
}

/** What a test decides at random, all of it in one value, so that a failure shrinks. */
const choices = fc.record({
  operation: fc.constantFrom(...OPERATIONS),
  keys: fc.array(fc.constantFrom(undefined, undefined, '11', '09'), { minLength: 12, maxLength: 12 }),
  currency: fc.constantFrom(undefined, undefined, ['USD', 0.92], ['JPY', 0.0061], ['GBP', 1.1734]),
  corrective: fc.nat({ max: 4 }).map((n) => n === 0),
  instalments: fc.nat({ max: 2 }),
  totalAlone: fc.constantFrom(undefined, undefined, 5, 0.01),
  list: fc.constantFrom('none', 'whole', 'split', 'split'),
  withheld: fc.constantFrom('none', 'whole', 'split'),
  order: fc.array(fc.nat(), { minLength: 40, maxLength: 40 }),
  cents: fc.array(fc.integer({ min: -3, max: 3 }), { minLength: 12, maxLength: 12 }),
  surcharge: fc.boolean(),
  omitted: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
})
type Choices = typeof choices extends fc.Arbitrary<infer T> ? T : never

const cents = (amount: number): number => Math.round(amount * 100)

/** Lines of the general regime get other keys, so that groups differ in nothing else. */
const withKeys = (document: ArbitraryDocument, { keys, operation }: Choices): ArbitraryDocument => ({
  ...document,
  invoice: {
    ...document.invoice,
    lines: document.invoice.lines.map((line, at) => {
      const key = operation === 'received' ? keys[at % keys.length] : keys[at % keys.length] && '11'
      return line.tax_regime_key === '01' && line.tax_treatment_code === 'TAXABLE_NON_EXEMPT' && key
        ? { ...line, tax_regime_key: key }
        : line
    }),
  },
})

const corrective = {
  reason_code: '20',
  invoice_number: 'F-0',
  invoice_issue_date: '2025-02-01',
  correction_type: 'D',
} as const

const instalments = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    count === 1
      ? { payment_method_code: '01' }
      : { installment_due_date: `2025-04-0${at + 1}`, installment_amount: at + 0.35 },
  )

/** The document without any breakdown, as the operation wants it. */
function plain(reference: ArbitraryDocument, chosen: Choices): CanonicalInvoice {
  const document = asSent(withKeys(reference, chosen), chosen.operation) as unknown as CanonicalInvoice
  const { taxes_outputs: _, ...invoice } = document.invoice
  const { totals, header, issue_data } = invoice
  // The one-stop shop is for issued invoices; in a foreign currency nothing can be made of it.
  const shop = invoice.lines.some((line) => line.consumption_country_code !== undefined)
  const foreign = chosen.operation === 'received' && !shop && chosen.currency
  return {
    ...document,
    invoice: {
      ...invoice,
      header: chosen.corrective ? { ...header, invoice_type_code: '03', corrective } : header,
      issue_data: foreign
        ? {
            ...issue_data,
            invoice_currency: {
              invoice_currency_code: foreign[0],
              exchange_rate: foreign[1],
              exchange_rate_date: '2025-03-10',
            },
          }
        : issue_data,
      totals:
        chosen.totalAlone === undefined || totals.general_discounts
          ? totals
          : { ...totals, total_general_discounts: chosen.totalAlone },
      ...(chosen.instalments > 0 ? { payment_details: instalments(chosen.instalments) } : {}),
    },
  }
}

/** In two parts that add up to the whole, or to some cents more or less where that is still near enough. */
function inTwo<T extends { taxable_base: number; tax_amount: number }>(
  entry: T,
  away: number,
  at: number,
): T[] {
  const first = Math.trunc((cents(entry.taxable_base) * (20 + (at % 60))) / 100)
  const second = cents(entry.taxable_base) - first + away
  const tax = (base: number) =>
    entry.taxable_base === 0 ? 0 : Math.round((base / cents(entry.taxable_base)) * cents(entry.tax_amount))
  return [
    { ...entry, taxable_base: first / 100 + 0, tax_amount: tax(first) / 100 + 0 },
    {
      ...entry,
      taxable_base: second / 100 + 0,
      tax_amount: (cents(entry.tax_amount) - tax(first)) / 100 + 0,
    },
  ]
}

const shuffled = <T>(list: readonly T[], order: readonly number[]): T[] =>
  list
    .map((value, at) => ({ value, place: required(order[at % order.length]) }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value)

/** The computed entries as a client sends them; in a foreign currency, in that one, whose block has no foreign tax. */
const entriesOf = (list: readonly TaxOutput[]): TaxOutput[] =>
  (withoutComputed(list) as TaxOutput[]).map(({ invoice_currency, ...entry }) => {
    if (!invoice_currency) return entry
    const { consumption_tax_amount, ...rest } = entry
    return { ...rest, ...invoice_currency }
  })

/** A correct list of entries for groups that are computed. */
function breakdown(list: readonly TaxOutput[], whole: CanonicalInvoice, chosen: Choices): TaxOutput[] {
  const lines = whole.invoice.lines.length
  const entries = entriesOf(list).flatMap((entry, at): TaxOutput[] => {
    const plainKey = entry.tax_regime_key === '01' && chosen.omitted[at % chosen.omitted.length]
    const { tax_regime_key, ...rest } = entry
    const sent = plainKey ? rest : entry
    if (chosen.list !== 'split' || sent.consumption_country_code !== undefined) return [sent]
    // Only where a single group has every line is the tolerance known from outside.
    const away = list.length === 1 ? Math.max(-lines, Math.min(lines, required(chosen.cents[at % 12]))) : 0
    const [first, second] = inTwo(sent, away, required(chosen.order[at]))
    const surcharge =
      chosen.surcharge && sent.tax_rate === 21 && tax_regime_key === '01'
        ? { equivalence_surcharge: 5.2 }
        : {}
    return [{ ...required(first), ...surcharge }, required(second)]
  })
  return shuffled(entries, chosen.order)
}

const withheldList = (list: readonly TaxWithheld[], { withheld, order }: Choices): TaxWithheld[] =>
  (withoutComputed(list) as TaxWithheld[]).flatMap((entry, at) =>
    withheld === 'split' ? inTwo(entry, 0, required(order[at])) : [entry],
  )

/** A document, and what was done to it. */
export function widened(): fc.Arbitrary<Sent> {
  return fc.tuple(arbitraryInvoice(), choices).map(([reference, chosen]): Sent => {
    const { operation } = chosen
    const document = plain(reference, chosen)
    const { data } = validate(document, { operation })
    const {
      taxes_outputs = [],
      taxes_withheld,
      issue_data,
      lines,
      totals,
    } = data?.invoice ?? document.invoice
    const foreign = issue_data.invoice_currency !== undefined
    const traits = [
      operation,
      chosen.corrective && 'corrective',
      foreign && 'foreign currency',
      lines.some((line) => line.unit_price_with_tax !== undefined) ? 'with tax' : 'without tax',
      lines.some((line) => line.purchase_price_incl !== undefined) && 'margin',
      lines.some((line) => line.consumption_country_code !== undefined) && 'one-stop shop',
      lines.some((line) => line.tax_withheld_rate !== undefined) && 'withholding',
      (totals.total_general_discounts || totals.total_general_surcharges) && 'document discount',
      chosen.list !== 'none' && `breakdown ${chosen.list}`,
    ].filter((trait): trait is string => typeof trait === 'string')
    return {
      operation,
      traits,
      document: {
        ...document,
        invoice: {
          ...document.invoice,
          ...(chosen.list === 'none' ? {} : { taxes_outputs: breakdown(taxes_outputs, document, chosen) }),
          ...(chosen.withheld === 'none' || foreign || !taxes_withheld?.length
            ? {}
            : { taxes_withheld: withheldList(taxes_withheld, chosen) }),
        },
      },
    }
  })
}

/** How many of the cases had which trait, for the record. */
export class Tally {
  private readonly counts = new Map<string, number>()
  total = 0

  add(traits: readonly string[]): void {
    this.total += 1
    for (const trait of traits) this.counts.set(trait, (this.counts.get(trait) ?? 0) + 1)
  }
  of(trait: string): number {
    return this.counts.get(trait) ?? 0
  }
  text(): string {
    const parts = [...this.counts]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, count]) => `${name} ${count}`)
    return `${this.total} (${parts.join(', ')})`
  }
}
