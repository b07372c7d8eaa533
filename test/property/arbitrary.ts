/**
 * Valid canonical documents with their final treatments and regime keys on the lines. They pass the content rules (no
 * company, operation `draft`). Only the three required totals are arbitrary: they are replaced.
 */
import fc from 'fast-check'
import { required } from '#core/errors/index.ts'
import { type Calculated, calculate } from '../second/calculate.ts'
import type { SentDocument } from '../second/sent.ts'

export type Treatment = 'TAXABLE_NON_EXEMPT' | 'TAXABLE_EXEMPT' | 'TAXABLE_NON_EXEMPT_RC' | 'NON_TAXABLE'

export interface ArbitraryLine {
  item_description: string
  quantity: number
  unit_price_without_tax?: number
  unit_price_with_tax?: number
  discount_rate?: number
  discount_amount?: number
  charge_rate?: number
  charge_amount?: number
  tax_output_rate?: number
  tax_withheld_rate?: number
  tax_treatment_code: Treatment
  reverse_charge?: boolean
  exemption_reason_code?: string
  non_taxable_reason?: string
  tax_regime_key: string
  consumption_country_code?: string
  consumption_tax_rate?: number
  consumption_rate_type?: string
  supply_type?: string
  purchase_price_incl?: number
  [other: string]: unknown
}

interface ArbitraryEntry {
  tax_rate: number
  taxable_base: number
  tax_amount: number
  tax_treatment_code?: Treatment
  exemption_reason_code?: string
  non_taxable_reason?: string
  tax_regime_key?: string
  equivalence_surcharge?: number
  equivalence_surcharge_amount?: number
  consumption_country_code?: string
  consumption_tax_rate?: number
  consumption_tax_amount?: number
  consumption_rate_type?: string
  supply_type?: string
}

export interface ArbitraryTotals {
  total_gross_amount_before_taxes: number
  total_tax_outputs: number
  invoice_total: number
  general_discounts?: { discount_reason?: string; discount_rate?: number; discount_amount?: number }[]
  general_surcharges?: { charge_reason?: string; charge_rate?: number; charge_amount?: number }[]
  payments_on_account?: {
    payment_on_account_date: string
    payment_on_account_amount: number
    description?: string
  }[]
  reimbursable_expenses?: { reimbursable_expenses_amount: number; [other: string]: unknown }[]
  rounding_amount?: number
}

export interface ArbitraryDocument {
  schema_version: 'json_1_1'
  meta: { direction: 'issued' | 'received'; source_system: string; [other: string]: unknown }
  invoice: {
    supplier: Record<string, unknown>
    customer?: Record<string, unknown>
    header: Record<string, unknown>
    issue_data: Record<string, unknown>
    lines: ArbitraryLine[]
    taxes_outputs?: ArbitraryEntry[]
    totals: ArbitraryTotals
    [other: string]: unknown
  }
}

type Scale = 'normal' | 'large'
type PriceMode = 'without_tax' | 'with_tax'

/** Amounts carry 12 integer digits at most (section 2). */
export const LARGEST_AMOUNT = 999_999_999_999.99

/** Removes the members that are `undefined`. */
function compact<T extends object>(value: object): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T
}

/** Present one time in `oneIn`. */
const rarely = <T>(oneIn: number, value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: oneIn - 1, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: value })

/** A decimal from 0 to `largest`, with up to `maxDecimals` decimals, that a JSON number carries exactly. */
function decimal(largest: number, maxDecimals: number, smallest = 0): fc.Arbitrary<number> {
  return fc
    .integer({ min: 0, max: maxDecimals })
    .chain((decimals) =>
      fc
        .integer({ min: smallest * 10 ** decimals, max: largest * 10 ** decimals })
        .map((units) => Number(`${units}e-${decimals}`)),
    )
}

const cents = (largest: number): fc.Arbitrary<number> => decimal(largest, 2)
const adjustmentRate = fc.oneof(fc.constantFrom(5, 10, 2.5, 33.33, 100), decimal(100, 4))

// -------------------------------------------------------------------------------------------------- lines

function quantityOf(scale: Scale): fc.Arbitrary<number> {
  const size =
    scale === 'large'
      ? fc.constantFrom(1, 1, 0.99999999, 0.5, 0.33333333, 1.0000001)
      : fc.oneof(
          fc.constantFrom(1, 1, 2, 3, 10, 0),
          fc.integer({ min: 1, max: 9999 }),
          decimal(9999, 8),
          decimal(1, 8),
        )
  return fc
    .tuple(
      size,
      fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(-1) }),
    )
    .map(([value, sign]) => (value === 0 ? 0 : value * sign))
}

function priceOf(scale: Scale, lineCount: number): fc.Arbitrary<number> {
  if (scale === 'large') {
    const largest = Math.floor(780_000_000_000 / lineCount)
    return decimal(largest, 2, Math.floor(largest / 2))
  }
  return fc.oneof(
    fc.constantFrom(9.99, 10, 100, 1.005, 0.1, 0.005, 33.33, 1e-8),
    cents(999),
    decimal(99_999, 8),
    decimal(1, 8),
  )
}

interface Adjustments {
  discount_rate: number | undefined
  discount_amount: number | undefined
  charge_rate: number | undefined
  charge_amount: number | undefined
}

/** Line discounts and charges: a rate, an amount, or both (the amount wins). They follow the line's sign. */
function lineAdjustments(scale: Scale): fc.Arbitrary<Adjustments> {
  const amount = cents(scale === 'large' ? 9_999_999 : 200)
  return fc.record({
    discount_rate: rarely(4, adjustmentRate),
    discount_amount: rarely(5, amount),
    charge_rate: rarely(6, adjustmentRate),
    charge_amount: rarely(7, amount),
  })
}

const taxableRate = fc.oneof(
  { weight: 4, arbitrary: fc.constant(21) },
  { weight: 2, arbitrary: fc.constant(10) },
  { weight: 1, arbitrary: fc.constant(4) },
  { weight: 1, arbitrary: fc.constant(0) },
)

type Taxation = Partial<ArbitraryLine> & Pick<ArbitraryLine, 'tax_treatment_code' | 'tax_regime_key'>

function taxation(margin: boolean, scale: Scale): fc.Arbitrary<Taxation> {
  const ordinary = taxableRate.map(
    (rate): Taxation => ({
      tax_treatment_code: 'TAXABLE_NON_EXEMPT',
      tax_regime_key: '01',
      tax_output_rate: rate,
    }),
  )
  // A rate on a line that is not taxed at a rate changes nothing (section 6).
  const idleRate = rarely(5, fc.constantFrom(21, 10))
  const exempt = fc
    .record({ reason: fc.constantFrom('E1', 'E2', 'E5'), rate: idleRate })
    .map(({ reason, rate }) =>
      compact<Taxation>({
        tax_treatment_code: 'TAXABLE_EXEMPT',
        exemption_reason_code: reason,
        tax_regime_key: '01',
        tax_output_rate: rate,
      }),
    )
  const reverseCharge = fc
    .record({ flag: rarely(2, fc.constant(true)), rate: idleRate })
    .map(({ flag, rate }) =>
      compact<Taxation>({
        tax_treatment_code: 'TAXABLE_NON_EXEMPT_RC',
        reverse_charge: flag,
        tax_regime_key: '01',
        tax_output_rate: rate,
      }),
    )
  const nonTaxable = fc.constant<Taxation>({
    tax_treatment_code: 'NON_TAXABLE',
    non_taxable_reason: 'LOCATION_RULES',
    tax_regime_key: '01',
  })
  const untouched = [
    { weight: 12, arbitrary: ordinary },
    { weight: 2, arbitrary: exempt },
    { weight: 1, arbitrary: reverseCharge },
    { weight: 1, arbitrary: nonTaxable },
  ]
  if (!margin) return fc.oneof(...untouched)
  const purchasePrice = decimal(scale === 'large' ? 99_999_999_999 : 999, 2, 1)
  const marginLine = fc
    .record({
      rate: taxableRate,
      purchase: fc.oneof(
        { weight: 9, arbitrary: purchasePrice },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    })
    .map(({ rate, purchase }) =>
      compact<Taxation>({
        tax_treatment_code: 'TAXABLE_NON_EXEMPT',
        tax_regime_key: '03',
        tax_output_rate: rate,
        purchase_price_incl: purchase,
      }),
    )
  return fc.oneof(...untouched, { weight: 20, arbitrary: marginLine })
}

const CONSUMPTION_RATES: Record<string, readonly (readonly [number, string])[]> = {
  FR: [
    [20, 'standard'],
    [10, 'reduced'],
    [5.5, 'reduced'],
    [2.1, 'super_reduced'],
  ],
  DE: [
    [19, 'standard'],
    [7, 'reduced'],
  ],
  PT: [
    [23, 'standard'],
    [13, 'reduced'],
    [6, 'reduced'],
  ],
}
const consumptionCountry = fc.constantFrom('FR', 'DE', 'PT')

function oneStopShopTaxation(customerCountry: string): fc.Arbitrary<Taxation> {
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.constant(customerCountry) },
      { weight: 1, arbitrary: consumptionCountry },
    )
    .chain((country) =>
      fc
        .tuple(fc.constantFrom(...required(CONSUMPTION_RATES[country])), fc.constantFrom('goods', 'services'))
        .map(
          ([[rate, rateType], supplyType]): Taxation => ({
            tax_treatment_code: 'NON_TAXABLE',
            non_taxable_reason: 'LOCATION_RULES',
            tax_regime_key: '17',
            consumption_country_code: country,
            consumption_tax_rate: rate,
            consumption_rate_type: rateType,
            supply_type: supplyType,
          }),
        ),
    )
}

interface Shape {
  scale: Scale
  mode: PriceMode
  lineCount: number
  oneStopShop: string | undefined
  margin: boolean
  withholding: boolean
  document: boolean
}

function lineOf(shape: Shape): fc.Arbitrary<ArbitraryLine> {
  return fc
    .record({
      quantity: quantityOf(shape.scale),
      price: priceOf(shape.scale, shape.lineCount),
      taxes:
        shape.oneStopShop === undefined
          ? taxation(shape.margin, shape.scale)
          : oneStopShopTaxation(shape.oneStopShop),
      adjustments: lineAdjustments(shape.scale),
      withholding: shape.withholding ? rarely(2, fc.constantFrom(15, 7, 19)) : fc.constant(undefined),
      itemType: rarely(3, fc.constantFrom('goods', 'service')),
    })
    .map(({ quantity, price, taxes, adjustments, withholding, itemType }) => {
      const signed = (amount: number | undefined): number | undefined =>
        amount === undefined || amount === 0 || quantity >= 0 ? amount : -amount
      return compact<ArbitraryLine>({
        item_description: 'Artículo',
        item_type: itemType,
        quantity,
        ...(shape.mode === 'with_tax'
          ? { unit_price_with_tax: price }
          : {
              unit_price_without_tax: price,
              discount_rate: adjustments.discount_rate,
              discount_amount: signed(adjustments.discount_amount),
              charge_rate: adjustments.charge_rate,
              charge_amount: signed(adjustments.charge_amount),
            }),
        ...taxes,
        tax_withheld_rate: withholding,
      })
    })
}

// ------------------------------------------------------------------------------------------------- totals

function totalsOf(shape: Shape): fc.Arbitrary<ArbitraryTotals> {
  const amount = cents(shape.scale === 'large' ? 9_999_999 : 500)
  /** By rate, by amount, or by both. */
  const rateOrAmount = fc.oneof(
    fc.record({ rate: adjustmentRate, amount: fc.constant(undefined) }),
    fc.record({ rate: fc.constant(undefined), amount }),
    fc.record({ rate: adjustmentRate, amount }),
  )
  const list = <T>(entry: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[] | undefined> =>
    rarely(2, fc.array(entry, { minLength: 1, maxLength }))
  const discount = rateOrAmount.map((sent) =>
    compact<NonNullable<ArbitraryTotals['general_discounts']>[number]>({
      discount_reason: 'Descuento',
      discount_rate: sent.rate,
      discount_amount: sent.amount,
    }),
  )
  const surcharge = rateOrAmount.map((sent) =>
    compact<NonNullable<ArbitraryTotals['general_surcharges']>[number]>({
      charge_reason: 'Recargo',
      charge_rate: sent.rate,
      charge_amount: sent.amount,
    }),
  )
  const payment = amount.map((value) => ({
    payment_on_account_date: '2025-03-01',
    payment_on_account_amount: value,
  }))
  const expense = amount.map((value) => ({
    issue_date: '2025-03-01',
    invoice_number: 'S-1',
    reimbursable_expenses_amount: value,
  }))
  const never = fc.constant(undefined)
  return fc
    .record({
      total_gross_amount_before_taxes: cents(9999),
      total_tax_outputs: cents(9999),
      invoice_total: cents(9999),
      general_discounts: shape.document ? list(discount, 3) : never,
      general_surcharges: shape.document ? list(surcharge, 2) : never,
      payments_on_account: rarely(4, fc.array(payment, { minLength: 1, maxLength: 2 })),
      reimbursable_expenses: rarely(4, fc.array(expense, { minLength: 1, maxLength: 2 })),
      rounding_amount: rarely(6, fc.constantFrom(0.01, -0.01, 0.02, -0.03, 0)),
    })
    .map((totals) => compact<ArbitraryTotals>(totals))
}

// ---------------------------------------------------------------------------------------------- documents

const SUPPLIER = {
  person_type_code: 'J',
  tax_id: 'B58378431',
  name: 'Talleres Ejemplo SL',
  country_code: 'ES',
  company: {
    legal_name: 'Talleres Ejemplo SL',
    address: { address: 'Calle Mayor 1', post_code: '28013', town: 'Madrid', country_code: 'ES' },
  },
}

const SPANISH_CUSTOMER = {
  person_type_code: 'J',
  tax_id: 'A28015865',
  name: 'Cliente Ejemplo SA',
  country_code: 'ES',
  company: {
    legal_name: 'Cliente Ejemplo SA',
    address: { address: 'Gran Vía 28', post_code: '28013', town: 'Madrid', country_code: 'ES' },
  },
}

const foreignConsumer = (country: string) => ({
  person_type_code: 'F',
  name: 'Alex Martin',
  country_code: country,
  person: {
    first_name: 'Alex',
    first_surname: 'Martin',
    address: { address: '1', post_code: '10115', town: 'Ville', country_code: country },
  },
})

function documentOf(shape: Shape): fc.Arbitrary<ArbitraryDocument> {
  return fc
    .record({
      lines: fc.array(lineOf(shape), { minLength: shape.lineCount, maxLength: shape.lineCount }),
      totals: totalsOf(shape),
    })
    .map(({ lines, totals }) => ({
      schema_version: 'json_1_1',
      meta: { direction: 'issued', source_system: 'reference', external_ref: 'REF-1' },
      invoice: {
        supplier: SUPPLIER,
        customer: shape.oneStopShop === undefined ? SPANISH_CUSTOMER : foreignConsumer(shape.oneStopShop),
        header: { invoice_type_code: '01', invoice_series_code: 'A' },
        // The operation date fixes the rates in force; a draft carries no issue date.
        issue_data: { operation_date: '2025-03-10', tax_group_code: 'IVA' },
        lines,
        totals,
      },
    }))
}

/** Calculates a document with the second implementation. */
export const secondResult = (document: ArbitraryDocument): Calculated =>
  calculate(document as unknown as SentDocument, { operation: 'draft', totals: 'recalculate' })

/** The surcharges of each rate, from the catalog of 2025. */
const EQUIVALENCE_SURCHARGES: Record<number, readonly number[]> = {
  21: [5.2, 1.75],
  10: [1.4],
  4: [0.5],
  0: [0],
}

/** Sends the computed groups back as `taxes_outputs`, some of them with an equivalence surcharge. */
function withTaxesOutputs(document: ArbitraryDocument): fc.Arbitrary<ArbitraryDocument> {
  const groups = secondResult(document).taxes_outputs
  return fc
    .array(fc.nat({ max: 3 }), { minLength: groups.length, maxLength: groups.length })
    .map((choices) => {
      const entries = groups.map((group, i): ArbitraryEntry => {
        const choice = required(choices[i])
        const ordinary = group.tax_treatment_code === 'TAXABLE_NON_EXEMPT' && group.tax_regime_key === '01'
        const possible = ordinary ? (EQUIVALENCE_SURCHARGES[Number(group.tax_rate)] ?? []) : []
        // 0: none; 1 and 2: the general one; 3: the other one, where there is one
        const surcharge = choice === 0 ? undefined : (possible[choice - 2] ?? possible[0])
        return compact<ArbitraryEntry>({ ...group, equivalence_surcharge: surcharge })
      })
      return { ...document, invoice: { ...document.invoice, taxes_outputs: entries } }
    })
}

function anyInvoice(scale: Scale): fc.Arbitrary<ArbitraryDocument> {
  return fc
    .record({
      mode: fc.constantFrom<PriceMode>('without_tax', 'with_tax'),
      lineCount: fc.integer({ min: 1, max: scale === 'large' ? 4 : 12 }),
      kind: fc.oneof(
        { weight: 5, arbitrary: fc.constant('ordinary' as const) },
        { weight: 2, arbitrary: fc.constant('margin' as const) },
        { weight: 2, arbitrary: fc.constant('one_stop_shop' as const) },
      ),
      country: consumptionCountry,
      withholding: fc.boolean(),
      document: fc.boolean(),
      taxesOutputs: fc.nat({ max: 3 }),
    })
    .chain(({ kind, country, withholding, taxesOutputs, ...rest }) => {
      const oneStopShop = kind === 'one_stop_shop' ? country : undefined
      const document = documentOf({
        ...rest,
        scale,
        oneStopShop,
        margin: kind === 'margin',
        withholding: withholding && oneStopShop === undefined,
      })
      return taxesOutputs === 0 ? document.chain(withTaxesOutputs) : document
    })
}

/** The largest amount that any way of adding up the figures can reach: no sum may leave the 12 digits. */
export function largestSum(result: Calculated): number {
  const sizes = new Map<string, number>()
  const note = (key: string, value: unknown): void => {
    if (typeof value === 'number') sizes.set(key, (sizes.get(key) ?? 0) + Math.abs(value))
  }
  for (const line of result.lines) for (const [key, value] of Object.entries(line)) note(`line.${key}`, value)
  for (const group of result.taxes_outputs) {
    for (const [key, value] of Object.entries(group)) note(`group.${key}`, value)
  }
  for (const [key, value] of Object.entries(result.totals)) note(`total.${key}`, value)
  return Math.max(...sizes.values())
}

const fits = (document: ArbitraryDocument): boolean => largestSum(secondResult(document)) < LARGEST_AMOUNT

/** Everyday amounts, with all the corners of quantities and prices. */
export function arbitraryInvoice(): fc.Arbitrary<ArbitraryDocument> {
  return anyInvoice('normal').filter(fits)
}

/** Amounts close to 12 integer digits. */
export function largeInvoice(): fc.Arbitrary<ArbitraryDocument> {
  return anyInvoice('large').filter(fits)
}
