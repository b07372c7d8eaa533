/** Random invoices in which the features of an invoice meet: regimes, treatments, currencies, breakdowns. */
import fc from 'fast-check'
import { type CanonicalInvoice, type CanonicalInvoiceInput, validate } from '#engine/index.ts'

type Members = Readonly<Record<string, unknown>>

const party = (tax_id: string, name: string, post_code: string, town: string, province: string) => ({
  person_type_code: 'J',
  tax_id,
  name,
  country_code: 'ES',
  company: {
    legal_name: name,
    address: {
      address: 'Calle Inventada, 7',
      post_code,
      town,
      country_subdivision: { name: province },
      country_code: 'ES',
    },
  },
})

const OWN = party('B12345674', 'Calderas Ficticias, S.L.', '28013', 'Madrid', 'Madrid')
const OTHER = party('B77777779', 'Estudio Imaginado, S.L.', '39004', 'Santander', 'Cantabria')

/** What the lines of an invoice are, beside an ordinary line: members of a line. */
const KINDS: Readonly<Record<string, Members>> = {
  plain: {},
  export: { tax_regime_key: '02', exemption_reason_code: 'E2' },
  used: { tax_regime_key: '03' },
  travel: { tax_regime_key: '05' },
  cash: { tax_regime_key: '07' },
  otherTax: { tax_regime_key: '08', non_taxable_reason: 'LOCATION_RULES' },
  lease: { tax_regime_key: '11' },
  surcharged: { tax_regime_key: '18' },
  farmers: { tax_regime_key: '19' },
  receipt: { tax_regime_key: '02', tax_output_rate: 12 },
  shop: {
    tax_regime_key: '17',
    consumption_country_code: 'FR',
    consumption_tax_rate: 20,
    consumption_rate_type: 'standard',
    supply_type: 'goods',
  },
  reverse: { reverse_charge: true },
  cashReverse: { reverse_charge: true, tax_regime_key: '07' },
  cashExempt: { exemption_reason_code: 'E1', tax_regime_key: '07' },
  located: { non_taxable_reason: 'LOCATION_RULES' },
  outside: { non_taxable_reason: 'ARTICLES_7_14_OTHER' },
  zero: { tax_output_rate: 0 },
  ...Object.fromEntries(
    ['E1', 'E2', 'E3', 'E4', 'E5', 'E6'].map((code) => [code, { exemption_reason_code: code }]),
  ),
  text: { exemption_reason_code: 'E1', exemption_reason_text: 'Enseñanza' },
}

const RATES = { IVA: [21, 10, 4], IPSI: [10, 4, 0.5], IGIC: [7, 3, 15] } as const
const SURCHARGES: Readonly<Record<number, number>> = { 21: 5.2, 10: 1.4, 4: 0.5 }

const CURRENCIES: Readonly<Record<string, readonly [rate: number, factor: number]>> = {
  USD: [0.92, 1],
  GBP: [1.1534, 1],
  JPY: [0.0061, 100],
  KWD: [2.9876, 1],
}

const few = <T>(ordinary: T, ...others: readonly T[]) =>
  fc.oneof(
    { weight: 3, arbitrary: fc.constant(ordinary) },
    { weight: 2, arbitrary: fc.constantFrom(ordinary, ...others) },
  )
const cents = (max: number) => fc.integer({ min: 1, max }).map((value) => value / 100)

const line = fc.record({
  quantity: fc.constantFrom(1, 1, 2, 3, 1.5, 10),
  price: fc.oneof(cents(500_00), cents(10_000_00)),
  rate: fc.constantFrom(0, 0, 1, 2),
  /** Which of the two kinds of the invoice the line is; 2 is an ordinary line. */
  kind: fc.constantFrom(0, 0, 1, 2),
  /** Purchase price under the margin scheme, as a part of the price. */
  bought: fc.constantFrom(0.6, 0.25, 1, 1.2, undefined),
  isNegative: few(false, false, true),
})

/** What an invoice is made of. */
export const features = fc.record({
  direction: fc.constantFrom('issued', 'received'),
  type: few('01', '02', '03S', '03D', '04D', '05'),
  group: few<keyof typeof RATES>('IVA', 'IPSI', 'IGIC'),
  kinds: fc.tuple(few('plain', ...Object.keys(KINDS)), few('plain', ...Object.keys(KINDS))),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  isWithTax: few(false, true),
  lineAdjustment: few('none', 'rate', 'amount', 'charge', 'both'),
  adjustment: few('none', 'rate', 'amount', 'charge', 'two'),
  surcharge: few('none', 'all', 'some'),
  breakdown: few('none', 'sent', 'split'),
  withheld: few<number | undefined>(undefined, 15, 2),
  currency: few<string | undefined>(undefined, ...Object.keys(CURRENCIES)),
  paid: few(false, true),
  outlay: few(false, true),
  instalments: few(0, 1, 2),
})
export type Features = typeof features extends fc.Arbitrary<infer T> ? T : never

const round = (amount: number, decimals = 2) => Number(amount.toFixed(decimals))

function linesOf(choice: Features, factor: number, sign: number): Members[] {
  const { group, kinds, isWithTax, lineAdjustment, withheld, lines } = choice
  return lines.map(({ quantity, price, rate, kind, bought, isNegative }, index) => {
    const members: Members = kind === 2 ? {} : { ...KINDS[kinds[kind] ?? 'plain'] }
    const isMargin = members.tax_regime_key === '03' || members.tax_regime_key === '05'
    const isFree = Object.keys(members).some((name) => /^(exempt|non_tax|reverse|consumption)/.test(name))
    const amount = price * factor
    const turn = sign * (isNegative && lines.length > 1 && index > 0 ? -1 : 1)
    const some = (part: number) => round(turn * amount * part, factor > 1 ? 0 : 2)
    return {
      item_description: `Línea ${index + 1}`,
      item_type: members.supply_type === undefined && group === 'IVA' && rate === 1 ? 'service' : 'goods',
      quantity: turn * quantity,
      [isWithTax ? 'unit_price_with_tax' : 'unit_price_without_tax']: amount,
      ...(isFree ? {} : { tax_output_rate: RATES[group][isMargin ? 0 : rate] }),
      ...members,
      ...(isMargin && bought !== undefined
        ? { purchase_price_incl: round(quantity * amount * bought, factor > 1 ? 0 : 2) }
        : {}),
      ...(isWithTax
        ? {}
        : {
            none: {},
            rate: { discount_rate: 7.5 },
            amount: { discount_amount: some(0.05) },
            charge: { charge_amount: some(0.1) },
            both: { discount_rate: 10, charge_rate: 2.5 },
          }[lineAdjustment]),
      ...(withheld === undefined ? {} : { tax_withheld_rate: withheld }),
    }
  })
}

const OUTPUT_INPUTS = [
  ...['tax_treatment_code', 'tax_regime_key', 'tax_rate', 'taxable_base', 'tax_amount'],
  ...['exemption_reason_code', 'exemption_reason_text', 'non_taxable_reason'],
  ...['consumption_country_code', 'consumption_tax_rate', 'consumption_rate_type', 'supply_type'],
]

/** Returns the calculated breakdown, as a client sends it, with surcharges and divided entries. */
function breakdownOf(data: CanonicalInvoice, choice: Features): Members[] {
  const { surcharge, breakdown } = choice
  return (data.invoice.taxes_outputs ?? []).flatMap((entry, index) => {
    const isForeign = data.meta.direction === 'received' && entry.invoice_currency !== undefined
    const own: Members = { ...entry, ...(isForeign ? entry.invoice_currency : {}) }
    const sent = Object.fromEntries(
      OUTPUT_INPUTS.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])),
    )
    const isTaxed = entry.tax_treatment_code === 'TAXABLE_NON_EXEMPT' && entry.tax_rate > 0
    const rate = SURCHARGES[entry.tax_rate]
    const added =
      isTaxed && rate !== undefined && surcharge !== 'none' && !(surcharge === 'some' && index > 0)
        ? { equivalence_surcharge: rate }
        : {}
    if (breakdown !== 'split' || !isTaxed) return [{ ...sent, ...added }]
    const [base, tax] = [Number(own.taxable_base), Number(own.tax_amount)]
    const part = { taxable_base: round(base * 0.6), tax_amount: round(tax * 0.6) }
    const rest = { taxable_base: round(base - part.taxable_base), tax_amount: round(tax - part.tax_amount) }
    return [
      { ...sent, ...part, ...added },
      { ...sent, ...rest },
    ]
  })
}

export const OPTIONS = { today: '2026-11-28' } as const
export const operationOf = ({ meta }: { readonly meta: { readonly direction?: unknown } }) =>
  meta.direction === 'received' ? ('received' as const) : ('import' as const)

/** Returns the calculated invoice, or null for features that exclude each other. */
export function calculatedOf(document: unknown): CanonicalInvoice | null {
  const sent = document as CanonicalInvoiceInput
  const { data, errors } = validate(sent, { ...OPTIONS, operation: operationOf(sent) })
  return errors.some(({ severity }) => severity === 'error') ? null : data
}

type Sent = { readonly invoice: { readonly totals: Members } & Members } & Members

/** Returns the document with its required totals, in its own currency. */
function withTotals(document: Sent): Sent {
  const data = calculatedOf(document)
  if (data === null) return document
  const { totals } = data.invoice
  const own = data.meta.direction === 'received' ? { ...totals, ...totals.invoice_currency } : totals
  const { total_gross_amount_before_taxes, total_tax_outputs, invoice_total } = own
  const stated = { total_gross_amount_before_taxes, total_tax_outputs, invoice_total }
  return { ...document, invoice: { ...document.invoice, totals: { ...document.invoice.totals, ...stated } } }
}

/** Returns the document of the features. */
export function documentOf(choice: Features): Members {
  const { direction, type, group, adjustment, surcharge, breakdown, currency, paid, outlay } = choice
  const isIssued = direction === 'issued'
  const [rate, factor] = CURRENCIES[currency ?? ''] ?? [1, 1]
  const isByDifferences = type.endsWith('D')
  const sign = isByDifferences ? -1 : 1
  const money = (amount: number) => round(sign * amount * factor)
  const foreign = { invoice_currency_code: currency, exchange_rate: rate, exchange_rate_date: '2026-05-08' }
  const invoice = {
    supplier: isIssued ? OWN : OTHER,
    customer: isIssued ? OTHER : OWN,
    header: {
      invoice_type_code: type.slice(0, 2),
      invoice_number: 'F26-0007',
      ...(isIssued ? { invoice_series_code: 'F26' } : {}),
      ...(type.length > 2
        ? {
            corrective: {
              reason_code: '16',
              invoice_number: 'F26-0001',
              invoice_issue_date: '2026-04-10',
              correction_type: type.slice(2),
              ...(type.endsWith('S') ? { corrected_taxable_base: 1000, corrected_tax_amount: 210 } : {}),
            },
          }
        : {}),
    },
    issue_data: {
      issue_date: '2026-05-10',
      tax_group_code: group,
      ...(currency === undefined ? {} : { invoice_currency: foreign }),
      ...(isIssued ? {} : { receipt_date: '2026-05-20' }),
    },
    lines: linesOf(choice, factor, sign),
    totals: {
      total_gross_amount_before_taxes: 0,
      total_tax_outputs: 0,
      invoice_total: 0,
      ...{
        none: {},
        rate: { general_discounts: [{ discount_reason: 'Rappel', discount_rate: 3 }] },
        amount: { general_discounts: [{ discount_reason: 'Rappel', discount_amount: money(1.5) }] },
        charge: { general_surcharges: [{ charge_reason: 'Portes', charge_amount: money(12.34) }] },
        two: {
          general_discounts: [
            { discount_reason: 'Rappel', discount_rate: 2 },
            { discount_reason: 'Pronto pago', discount_amount: money(1.01) },
          ],
        },
      }[adjustment],
      ...(paid
        ? {
            payments_on_account: [
              { payment_on_account_date: '2026-05-01', payment_on_account_amount: money(0.5) },
            ],
          }
        : {}),
      ...(outlay ? { reimbursable_expenses: [{ reimbursable_expenses_amount: money(7.77) }] } : {}),
    },
  }
  const document = { schema_version: 'json_1_1', meta: { direction, source_system: 'test' }, invoice }
  const data = calculatedOf(document)
  if (data === null) return document
  const payable = data.invoice.totals.total_executable_amount ?? 0
  const first = round(payable * 0.4)
  const parts = [[], [payable], [first, round(payable - first)]][choice.instalments] ?? []
  return withTotals({
    ...document,
    invoice: {
      ...invoice,
      ...(surcharge !== 'none' || breakdown !== 'none' ? { taxes_outputs: breakdownOf(data, choice) } : {}),
      ...(parts.length > 0 && (isIssued || currency === undefined)
        ? {
            payment_details: parts.map((installment_amount, index) => ({
              installment_due_date: `2026-0${6 + index}-10`,
              installment_amount,
              payment_method_code: '04',
            })),
          }
        : {}),
    },
  })
}
