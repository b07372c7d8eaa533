/**
 * The features of the matrix. Those of one group exclude each other; features of different groups can meet in one
 * invoice. The groups are applied in this order.
 */
import { tokens } from '../tokens.ts'
import { type Loose, OWN_COMPANY, OWN_PERSON, PARTIES } from './invoice.ts'

/** An invoice while features change it. */
export interface Draft {
  readonly document: Loose
  readonly invoice: Loose
  readonly lines: Loose[]
  readonly options: Loose
  /** True for the invoice that a correction by substitution replaces: it has one piece more of the first line. */
  readonly isOriginal: boolean
}

type Change = (draft: Draft) => void

export interface Feature {
  readonly group: string
  readonly name: string
  readonly change: Change
  /** True for a change that states calculated amounts: it gets the amounts of the engine in `calculated`. */
  readonly isStated: boolean
}

const isReceived = ({ document }: Draft): boolean => document.meta.direction === 'received'
const setParty =
  (party: keyof typeof PARTIES): Change =>
  (draft) => {
    const role = isReceived(draft) ? 'supplier' : 'customer'
    if (draft.invoice[role]) draft.invoice[role] = structuredClone(PARTIES[party])
  }

const assign = (line: Loose, parts: object): void => {
  for (const [name, value] of Object.entries(parts))
    if (value === undefined) delete line[name]
    else line[name] = value
}
/** Changes the members of every line; undefined removes one. */
const everyLine =
  (parts: object): Change =>
  ({ lines }) => {
    for (const line of lines) assign(line, parts)
  }
const oneLine =
  (index: number, parts: object): Change =>
  ({ lines }) =>
    assign(lines[index], parts)
const issueData =
  (parts: object): Change =>
  ({ invoice }) =>
    assign(invoice.issue_data, parts)
const totals =
  (parts: object): Change =>
  ({ invoice }) =>
    assign(invoice.totals, structuredClone(parts))

/** Changes the sign of everything that a correction by differences takes back. */
const negate: Change = ({ invoice, lines }) => {
  const { general_discounts = [], general_surcharges = [], payments_on_account = [] } = invoice.totals
  for (const line of lines) line.quantity = -line.quantity
  for (const entry of [...lines, ...general_discounts, ...general_surcharges, ...payments_on_account])
    for (const name of ['discount_amount', 'charge_amount', 'payment_on_account_amount'])
      if (entry[name] !== undefined) entry[name] = -entry[name]
}
/** Turns the draft into the invoice that it corrects, which was issued a month before. */
function asOriginal({ invoice, lines }: Draft, type: '01' | '02'): void {
  const { issue_data: data, header } = invoice
  Object.assign(header, { invoice_type_code: type, invoice_number: 'A-50' })
  data.issue_date = data.issue_date < '2026-04-10' ? '2025-12-30' : '2026-04-10'
  if (data.receipt_date) data.receipt_date = data.issue_date
  if (data.operation_date > data.issue_date) delete data.operation_date
  lines[0].quantity += 1
}

const corrects =
  (type: '03' | '04', correction_type: 'S' | 'D', lineCount?: number): Change =>
  (draft) => {
    const { invoice, lines, isOriginal } = draft
    if (lineCount !== undefined) lines.splice(lineCount)
    if (type === '04') delete invoice.customer
    if (isOriginal) {
      asOriginal(draft, type === '03' ? '01' : '02')
      return
    }
    invoice.header.invoice_type_code = type
    invoice.header.corrective = {
      reason_code: '16',
      invoice_number: 'A-50',
      invoice_issue_date: '2026-04-10',
      correction_type,
    }
  }

const ONE_STOP_SHOP = {
  tax_regime_key: '17',
  consumption_country_code: 'FR',
  consumption_tax_rate: 20,
  consumption_rate_type: 'standard',
  supply_type: 'goods',
  item_type: 'goods',
  tax_output_rate: undefined,
}
const MARGIN = { tax_regime_key: '03', purchase_price_incl: 15, tax_output_rate: 21, item_type: 'goods' }

const currency = (invoice_currency_code: string, exchange_rate: number): Change =>
  issueData({ invoice_currency: { invoice_currency_code, exchange_rate, exchange_rate_date: '2026-05-08' } })

const CHANGES: Readonly<Record<string, Readonly<Record<string, Change>>>> = {
  direction: {
    received: ({ document, invoice }) => {
      document.meta.direction = 'received'
      invoice.supplier = structuredClone(PARTIES.company)
      invoice.customer = structuredClone(OWN_COMPANY)
      delete invoice.header.invoice_series_code
      invoice.issue_data.receipt_date = '2026-05-20'
    },
  },
  party: {
    'other party: person': setParty('person'),
    'other party: German company': setParty('german'),
    'other party: French consumer': setParty('french'),
    'other party: American company': setParty('american'),
    'other party: Canary Islands': setParty('canarian'),
    'other party: Ceuta': setParty('ceuta'),
    'other party: public authority': setParty('authority'),
  },
  prices: {
    'prices with tax': ({ lines }) => {
      for (const line of lines)
        assign(line, {
          unit_price_with_tax: line.unit_price_without_tax,
          unit_price_without_tax: undefined,
        })
    },
  },
  regime: {
    'key 02, export': everyLine({
      tax_regime_key: '02',
      exemption_reason_code: 'E2',
      tax_output_rate: undefined,
    }),
    'key 03 on one line': oneLine(0, { tax_regime_key: '03', purchase_price_incl: 60 }),
    'key 03': everyLine(MARGIN),
    'key 03 at a loss': everyLine({ ...MARGIN, purchase_price_incl: 130 }),
    'key 03 at two rates': everyLine({ tax_regime_key: '03', purchase_price_incl: 15, item_type: 'goods' }),
    'key 04': everyLine({ tax_regime_key: '04', reverse_charge: true, tax_output_rate: undefined }),
    'key 05': everyLine({ ...MARGIN, tax_regime_key: '05', purchase_price_incl: 12, item_type: 'service' }),
    'keys 03 and 05': ({ lines }) => {
      for (const line of lines) assign(line, { ...MARGIN, purchase_price_incl: 12 })
      lines[1].tax_regime_key = '05'
    },
    'key 07': everyLine({ tax_regime_key: '07' }),
    'key 08': everyLine({
      tax_regime_key: '08',
      non_taxable_reason: 'LOCATION_RULES',
      tax_output_rate: undefined,
    }),
    'key 11': everyLine({ tax_regime_key: '11', item_type: 'service', tax_output_rate: 21 }),
    'key 14': everyLine({ tax_regime_key: '14' }),
    'key 15 on one line': oneLine(1, { tax_regime_key: '15' }),
    'key 18': everyLine({ tax_regime_key: '18' }),
    'key 19': everyLine({ tax_regime_key: '19', tax_output_rate: 12, item_type: 'goods' }),
    'key 20': everyLine({ tax_regime_key: '20' }),
    'key 02, farmers': everyLine({ tax_regime_key: '02', tax_output_rate: 12, item_type: 'goods' }),
    'key 17': (draft) => {
      everyLine(ONE_STOP_SHOP)(draft)
      if (draft.invoice.customer && !isReceived(draft))
        draft.invoice.customer = structuredClone(PARTIES.french)
    },
    'key 17 at two rates': (draft) => {
      everyLine(ONE_STOP_SHOP)(draft)
      oneLine(1, { consumption_tax_rate: 5.5, consumption_rate_type: 'reduced' })(draft)
      if (draft.invoice.customer && !isReceived(draft))
        draft.invoice.customer = structuredClone(PARTIES.french)
    },
  },
  treatment: {
    'reverse charge': everyLine({ reverse_charge: true, tax_output_rate: undefined }),
    'reverse charge on one line': oneLine(0, { reverse_charge: true }),
    'exempt, E1': everyLine({ exemption_reason_code: 'E1', tax_output_rate: undefined }),
    'one line exempt, E1': oneLine(1, { exemption_reason_code: 'E1', tax_output_rate: undefined }),
    'exempt, E5': everyLine({
      exemption_reason_code: 'E5',
      item_type: 'goods',
      tax_output_rate: undefined,
    }),
    'one line exempt, E3': oneLine(0, { exemption_reason_code: 'E3', tax_output_rate: undefined }),
    'one line exempt, E4': oneLine(0, { exemption_reason_code: 'E4', tax_output_rate: undefined }),
    'one line exempt, E6': oneLine(0, {
      exemption_reason_code: 'E6',
      exemption_reason_text: 'art. 140 bis Ley 37/1992',
      tax_output_rate: undefined,
    }),
    'not subject by location': everyLine({
      non_taxable_reason: 'LOCATION_RULES',
      tax_output_rate: undefined,
    }),
    'one line not subject': oneLine(1, {
      non_taxable_reason: 'ARTICLES_7_14_OTHER',
      tax_output_rate: undefined,
    }),
    'one line at 0 %': oneLine(1, { tax_output_rate: 0 }),
  },
  'tax group': {
    IPSI: ({ invoice, lines }) => {
      invoice.issue_data.tax_group_code = 'IPSI'
      for (const line of lines)
        if (line.tax_output_rate) line.tax_output_rate = line.tax_output_rate === 21 ? 10 : 4
      for (const party of [invoice.supplier, invoice.customer]) {
        const home = (party?.company ?? party?.person)?.address
        if (home?.country_code === 'ES') assign(home, { post_code: '51001', town: 'Ceuta' })
      }
    },
  },
  withholding: {
    'withholding of 15 % by a person': (draft) => {
      everyLine({ tax_withheld_rate: 15 })(draft)
      draft.invoice.supplier = structuredClone(isReceived(draft) ? PARTIES.person : OWN_PERSON)
    },
    'withholding of 19 % on one line': oneLine(1, { tax_withheld_rate: 19 }),
    'withholding of 2 %': everyLine({ tax_withheld_rate: 2 }),
  },
  'line adjustment': {
    'discount rate on each line': everyLine({ discount_rate: 7.5 }),
    'discount amount on a line': oneLine(0, { discount_amount: 3.33 }),
    'charge amount on a line': oneLine(1, { charge_amount: 1.11 }),
    'charge and discount on a line': oneLine(0, { charge_rate: 2.5, discount_rate: 10 }),
  },
  'document adjustment': {
    'document discount rate': totals({
      general_discounts: [{ discount_reason: 'Pronto pago', discount_rate: 3 }],
    }),
    'document discount amount': totals({
      general_discounts: [{ discount_reason: 'Pronto pago', discount_amount: 10 }],
    }),
    'document charge': totals({ general_surcharges: [{ charge_reason: 'Portes', charge_amount: 12.34 }] }),
    'document discounts and charge': totals({
      general_discounts: [
        { discount_reason: 'Pronto pago', discount_rate: 3 },
        { discount_reason: 'Volumen', discount_amount: 1.01 },
      ],
      general_surcharges: [{ charge_reason: 'Portes', charge_rate: 1.5 }],
    }),
  },
  'odd line': {
    'negative line': oneLine(2, { quantity: -1 }),
    'line of 0': ({ lines }) => {
      const name =
        lines[2].unit_price_with_tax === undefined ? 'unit_price_without_tax' : 'unit_price_with_tax'
      lines[2][name] = 0
    },
    'quantity with decimals': oneLine(0, { quantity: 3.3333 }),
    'investment good': oneLine(0, { item_type: 'investment_good' }),
    'deduction of 50 % on a line': oneLine(0, { deduction_rate: 50 }),
    'period of a line': oneLine(0, {
      line_item_period_start_date: '2026-04-01',
      line_item_period_end_date: '2026-04-30',
    }),
    import: issueData({ is_dua: true }),
  },
  currency: {
    'in dollars': currency('USD', 0.92),
    'in yen': (draft) => {
      currency('JPY', 0.0061)(draft)
      if (isReceived(draft))
        for (const line of draft.lines)
          for (const name of ['unit_price_without_tax', 'unit_price_with_tax', 'purchase_price_incl'])
            if (line[name] !== undefined) line[name] *= 100
    },
    'in Kuwaiti dinars': currency('KWD', 2.9876),
    'in dollars, with little tax': (draft) => {
      currency('USD', 0.92)(draft)
      const [first, ...others] = draft.lines
      for (const line of others) assign(line, { exemption_reason_code: 'E1', tax_output_rate: undefined })
      const price = first.unit_price_with_tax === undefined ? 'unit_price_without_tax' : 'unit_price_with_tax'
      assign(first, { quantity: 1, [price]: 1 })
    },
  },
  date: {
    'operation of the month before': issueData({ operation_date: '2026-04-28' }),
    'operation of the year before': ({ invoice: { issue_data } }) => {
      assign(issue_data, { operation_date: '2025-12-29', issue_date: '2026-01-10' })
      if (issue_data.receipt_date) issue_data.receipt_date = '2026-01-12'
    },
    'operation of 2023 with a rate of 5 %': (draft) => {
      issueData({ operation_date: '2023-05-02' })(draft)
      if (draft.lines[1].tax_output_rate === 10) draft.lines[1].tax_output_rate = 5
    },
  },
  payment: {
    'payment on account': totals({
      payments_on_account: [{ payment_on_account_date: '2026-05-01', payment_on_account_amount: 20 }],
    }),
    disbursements: totals({
      reimbursable_expenses: [{ reimbursable_expenses_amount: 7.77, description: 'Tasa' }],
    }),
    'rounding amount': totals({ rounding_amount: 0.02 }),
  },
  type: {
    'simplified invoice': ({ invoice }) => {
      invoice.header.invoice_type_code = '02'
      delete invoice.customer
    },
    'simplified invoice with its customer': ({ invoice }) => {
      invoice.header.invoice_type_code = '02'
    },
    'correction by substitution': corrects('03', 'S'),
    'correction of one line by substitution': corrects('03', 'S', 1),
    'correction by differences': (draft) => {
      corrects('03', 'D')(draft)
      negate(draft)
    },
    'correction of one line by differences': (draft) => {
      corrects('03', 'D')(draft)
      draft.lines[0].quantity *= -1
    },
    'correction of a simplified invoice by substitution': corrects('04', 'S', 1),
    'correction of a simplified invoice by differences': (draft) => {
      corrects('04', 'D')(draft)
      negate(draft)
    },
    'self-billed invoice': ({ invoice }) => {
      invoice.header.invoice_type_code = '05'
    },
  },
  company: {
    'company under cash basis': ({ options }) => {
      options.company = {
        tax_id: 'B12345674',
        default_tax_group: 'IVA',
        cash_basis: [{ start_date: '2020-01-01' }],
      }
    },
  },
}

// ------------------------------------------------------------------------------- amounts as their sender states them

/** A draft, and the amounts that the engine has calculated for it. */
interface Stated extends Draft {
  readonly calculated: Loose
}
type Statement = (stated: Stated) => void

/** Rates of the equivalence surcharge by the rate of the tax (art. 161 Ley 37/1992). */
const SURCHARGES: Readonly<Record<number, number>> = { 21: 5.2, 10: 1.4, 5: 0.62 }

const cents = (amount: number): number => Math.round(amount * 100) / 100

/** Whether the document states its amounts in another currency than euros. */
const isForeign = (draft: Draft): boolean =>
  isReceived(draft) && draft.invoice.issue_data.invoice_currency !== undefined

/** The decimals of the amounts that the document states. */
const decimalsOf = (draft: Draft): number => {
  const code = isForeign(draft) ? draft.invoice.issue_data.invoice_currency.invoice_currency_code : 'EUR'
  return code === 'JPY' ? 0 : code === 'KWD' ? 3 : 2
}
const rounded = (draft: Draft, amount: number): number => Number(amount.toFixed(decimalsOf(draft)))

const ENTRY = tokens`
  tax_treatment_code tax_regime_key tax_rate taxable_base tax_amount exemption_reason_code
  non_taxable_reason consumption_country_code consumption_tax_rate consumption_tax_amount
  consumption_rate_type supply_type`
/** Returns the calculated breakdown, as a client may state it. */
function entriesOf({ calculated, ...draft }: Stated): Loose[] {
  return calculated.taxes_outputs.map((entry: Loose) => {
    const own = isForeign(draft) ? { ...entry, ...entry.invoice_currency } : entry
    return Object.fromEntries(ENTRY.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]]])))
  })
}
const isTaxed = (entry: Loose): boolean => entry.tax_treatment_code === 'TAXABLE_NON_EXEMPT'
const surcharged = (entry: Loose): Loose => {
  const equivalence_surcharge = SURCHARGES[entry.tax_rate]
  return isTaxed(entry) && equivalence_surcharge !== undefined ? { ...entry, equivalence_surcharge } : entry
}

/** States the totals that were calculated, changed by cents (units of the currency): the tax only where there is one. */
const sentTotals =
  (change: { readonly tax?: number; readonly total?: number } = {}): Statement =>
  (stated) => {
    const own = isForeign(stated) ? stated.calculated.totals.invoice_currency : stated.calculated.totals
    const unit = 10 ** -decimalsOf(stated)
    const isChanged = change.tax === undefined || own.total_tax_outputs !== 0
    const add = (name: string, units = 0) => rounded(stated, own[name] + (isChanged ? units * unit : 0))
    stated.options.totals = 'check'
    assign(stated.invoice.totals, {
      total_gross_amount_before_taxes: own.total_gross_amount_before_taxes,
      total_tax_outputs: add('total_tax_outputs', change.tax),
      invoice_total: add('invoice_total', change.total),
    })
  }

const STATEMENTS: Readonly<Record<string, Readonly<Record<string, Statement>>>> = {
  breakdown: {
    'breakdown sent': (stated) => {
      stated.invoice.taxes_outputs = entriesOf(stated)
    },
    'equivalence surcharge': (stated) => {
      stated.invoice.taxes_outputs = entriesOf(stated).map(surcharged)
    },
    'equivalence surcharge on part of a rate': (stated) => {
      stated.invoice.taxes_outputs = entriesOf(stated).flatMap((entry) => {
        if (!isTaxed(entry)) return [entry]
        const part = (name: string) => rounded(stated, entry[name] * 0.6)
        const [taxable_base, tax_amount] = [part('taxable_base'), part('tax_amount')]
        return [
          surcharged({ ...entry, taxable_base, tax_amount }),
          {
            ...entry,
            taxable_base: rounded(stated, entry.taxable_base - taxable_base),
            tax_amount: rounded(stated, entry.tax_amount - tax_amount),
          },
        ]
      })
    },
  },
  instalments: {
    'two instalments': (stated) => {
      if (isForeign(stated)) return
      const due = stated.calculated.totals.total_executable_amount
      const first = cents(due * 0.4)
      stated.invoice.payment_details = [
        { installment_due_date: '2026-06-10', installment_amount: first, payment_method_code: '04' },
        {
          installment_due_date: '2026-07-10',
          installment_amount: cents(due - first),
          payment_method_code: '04',
        },
      ]
    },
  },
  totals: {
    'totals sent': sentTotals(),
    'totals rounded by line, a cent more tax': sentTotals({ tax: 1, total: 1 }),
    'totals rounded by line, a cent less tax': sentTotals({ tax: -1, total: -1 }),
    'invoice total a cent more': sentTotals({ total: 1 }),
  },
}

export const FEATURES: readonly Feature[] = [
  ...Object.entries(CHANGES).flatMap(([group, changes]) =>
    Object.entries(changes).map(([name, change]) => ({ group, name, change, isStated: false })),
  ),
  ...Object.entries(STATEMENTS).flatMap(([group, changes]) =>
    Object.entries(changes).map(([name, change]) => ({
      group,
      name,
      change: change as Change,
      isStated: true,
    })),
  ),
]
