/**
 * Random invoices that a client could send. The same seed always gives the same invoice, so that a failure can be
 * repeated. Amounts and totals sent are those of the second implementation, sometimes altered by cents.
 */
import { type Calculated, calculate, type Row } from './calculate.ts'
import type { Entry, Invoice, Line, SentDocument, SentOptions, Totals } from './sent.ts'

export interface RandomInvoice {
  document: SentDocument
  options: SentOptions
  /** What the invoice contains, to count. */
  features: Set<string>
}

const SUPPLIER = {
  person_type_code: 'J',
  tax_id: 'B56789019',
  name: 'Revocos y Yesos Albalá, S.L.',
  company: { address: { address: 'Calle de los Alarifes, 9', post_code: '45007', town: 'Toledo' } },
}
const CANARIAN = {
  ...SUPPLIER,
  company: { address: { address: 'Calle de Triana, 4', post_code: '35002', town: 'Las Palmas' } },
}
const CUSTOMERS = {
  company: {
    person_type_code: 'J',
    tax_id: 'A23456783',
    name: 'Construcciones Puente Roble, S.A.',
    company: { address: { address: 'Calle del Viaducto, 61', post_code: '28020', town: 'Madrid' } },
  },
  person: { person_type_code: 'F', tax_id: '23456789D', name: 'Andrés Villalba Rincón' },
  german: { person_type_code: 'J', tax_id: 'DE136695976', name: 'Fliesen Beispiel GmbH', country_code: 'DE' },
  french: { person_type_code: 'F', name: 'Camille Lefèvre', country_code: 'FR' },
  american: { person_type_code: 'J', tax_id: '98-7654321', name: 'Olive Imports, Inc.', country_code: 'US' },
}
const CORRECTIVE = {
  reason_code: '16',
  invoice_number: 'A-1',
  invoice_issue_date: '2026-01-15',
}
const DATES: [string, number[]][] = [
  ['2026-03-04', [21, 21, 21, 10, 10, 4, 0]],
  ['2026-03-04', [21, 21, 10, 4]],
  ['2023-05-02', [21, 10, 5, 4, 0]],
  ['2024-11-15', [21, 10, 7.5, 4, 2]],
  ['2011-06-01', [18, 8, 4]],
]
const SURCHARGES: Record<number, number> = { 21: 5.2, 18: 4, 10: 1.4, 8: 1, 7.5: 1, 5: 0.62, 4: 0.5, 2: 0.26 }

/** Uniform random numbers from a seed (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  chance(percent: number): boolean {
    return this.next() * 100 < percent
  }

  /** A whole number from `low` to `high`. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1))
  }

  pick<T>(values: readonly T[]): T {
    return values[this.whole(0, values.length - 1)]!
  }

  /** A number below `limit` with a number of decimals. */
  decimal(limit: number, decimals: number): number {
    return Number((this.next() * limit).toFixed(decimals))
  }
}

const withoutUndefined = <T extends object>(row: T): T =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as T

/** Minor units of the currencies that do not have cents. */
const DECIMALS: Record<string, number> = { JPY: 0, KWD: 3 }

export function randomInvoice(seed: number): RandomInvoice {
  return new Draw(new Dice(Math.imul(seed, 0x9e3779b1))).invoice()
}

class Counted {
  readonly features = new Set<string>()

  constructor(readonly dice: Dice) {}

  /** Decides whether the invoice has a feature, and notes it. */
  has(feature: string, percent: number): boolean {
    const is = this.dice.chance(percent)
    if (is) this.features.add(feature)
    return is
  }
}

class Draw extends Counted {
  /** What many of the invoices are about, beside those about everything. */
  readonly topic = this.dice.pick([
    ...Array(16).fill('everything'),
    'margins',
    'margins',
    'farmers',
    'currencies',
    'currencies',
  ] as const) as 'everything' | 'margins' | 'farmers' | 'currencies'
  readonly isReceived = this.topic === 'farmers' || this.dice.chance(this.topic === 'currencies' ? 40 : 25)
  readonly operation: SentOptions['operation'] = this.isReceived
    ? 'received'
    : this.dice.pick(['draft', 'draft', 'issue', 'import'])
  readonly taxGroup = ['margins', 'farmers'].includes(this.topic)
    ? 'IVA'
    : this.dice.pick([...Array(44).fill('IVA'), 'IPSI', 'IPSI', 'IPSI', 'IPSI', 'IPSI', 'IGIC'])
  readonly isOneStop =
    this.operation !== 'received' &&
    this.taxGroup === 'IVA' &&
    this.topic !== 'margins' &&
    this.dice.chance(7)
  readonly isWithTax = this.dice.chance(40)
  readonly isOutside = !this.isOneStop && this.taxGroup === 'IVA' && this.dice.chance(4)
  readonly isOutsideStated = this.dice.chance(50)
  readonly when = this.dice.pick(this.isOneStop || this.topic === 'farmers' ? DATES.slice(0, 2) : DATES)
  readonly rates =
    this.taxGroup === 'IVA' ? this.when[1] : this.taxGroup === 'IPSI' ? [0.5, 1, 2, 4, 8, 10] : [7, 3, 9.5, 0]
  readonly hasMargin =
    this.topic === 'margins' ||
    (this.topic !== 'farmers' && this.taxGroup === 'IVA' && !this.isOneStop && this.dice.chance(15))
  /** All lines have this key, which they or only the breakdown may state. */
  readonly commonKey =
    this.taxGroup === 'IVA' && !this.hasMargin && this.dice.chance(this.topic === 'farmers' ? 60 : 15)
      ? this.dice.pick(this.topic === 'farmers' ? ['02'] : ['02', '07', '08'])
      : undefined
  /** Decimals of the amounts that the client sends. */
  private decimals = 2
  private hasBlocks = false
  /** On which base the client withholds under the farmers' regime. */
  private withheldBase: 'full' | 'net' | 'mixed' = 'full'
  /** How many entries of the breakdown state no treatment or reason. */
  private unstated = 0
  readonly isLarge = this.dice.chance(4)
  readonly isCredit = this.dice.chance(15)

  invoice(): RandomInvoice {
    const { dice, features } = this
    const options: SentOptions = { operation: this.operation, totals: dice.pick(['check', 'recalculate']) }
    for (const feature of [this.operation, options.totals, this.taxGroup]) features.add(feature)
    features.add(this.isWithTax ? 'prices with tax' : 'prices without tax')
    if (this.isOneStop) features.add('one-stop shop')
    if (this.isOutside) features.add('outside the territory')
    if (this.isLarge) features.add('large amounts')
    if (this.isCredit) features.add('negative quantities')
    if (this.when[0] !== '2026-03-04') features.add('rates of the past')
    const count = dice.chance(3) ? dice.whole(9, 30) : dice.chance(20) ? 1 : dice.whole(1, 8)
    if (count > 8) features.add('more than 8 lines')
    const parties = this.parties()
    const currency = parties.issue_data.invoice_currency
    if (currency && this.isReceived) this.decimals = DECIMALS[currency.invoice_currency_code] ?? 2
    if (this.isReceived && currency && this.has('exchange rate as an option', 20)) {
      const { invoice_currency_code, exchange_rate, exchange_rate_date } = currency
      options.exchange_rate = { exchange_rate: exchange_rate!, exchange_rate_date: exchange_rate_date! }
      parties.issue_data.invoice_currency = { invoice_currency_code }
    }
    const lines = Array.from({ length: count }, () => this.line())
    if (dice.chance(15) && lines.length > 1) lines[1] = { ...lines[0]! }
    const invoice: Invoice = { ...parties, lines, totals: this.totals() }
    const document: SentDocument = {
      schema_version: 'json_1_1',
      meta: {
        direction: this.isReceived ? 'received' : 'issued',
        source_system: 'test',
        ...(this.operation === 'draft' && { external_ref: 'R-1' }),
      },
      invoice,
    }
    this.payments(invoice)
    this.hasBlocks = currency !== undefined && this.has('blocks in the original currency sent', 15)
    if (this.hasBlocks) this.stateBlocks(invoice)
    if (this.isReceived && lines.some((line) => line.tax_regime_key === '02')) {
      features.add("farmers' regime")
      this.withheldBase = dice.pick(['full', 'full', 'full', 'net', 'net', 'mixed'])
    }
    const calculated = () => calculate(document, { ...options, totals: 'recalculate' })
    const onNet = () => calculate(document, { ...options, totals: 'recalculate' }, 'none')
    const first = calculated()
    const second = !first.isOutOfRange && this.breakdown(invoice, first, onNet()) ? calculated() : first
    if (second.isOutOfRange) features.add('out of range')
    else this.sentAmounts(invoice, second, onNet())
    return { document, options, features }
  }

  /** Returns amounts in the currency in which the client sends them. */
  private sent({ invoice_currency, ...row }: Row): Row {
    return this.isReceived && !this.hasBlocks ? { ...row, ...(invoice_currency as Row | undefined) } : row
  }

  /** Returns the amounts, of which those withheld may be on the net base of the farmers' regime. */
  private withheldOn(full: Row, net: Row): Row {
    if (this.withheldBase === 'full' || (this.withheldBase === 'mixed' && this.dice.chance(50))) return full
    this.features.add('withholding on the net base')
    const isWithheld = (field: string) => /withheld|executable/.test(field)
    return { ...full, ...Object.fromEntries(Object.entries(net).filter(([field]) => isWithheld(field))) }
  }

  /** States some amounts in the original currency. The other amounts of a received invoice are then in euros. */
  private stateBlocks({ issue_data, lines, totals }: Invoice) {
    const { dice } = this
    const rate = issue_data.invoice_currency?.exchange_rate
    const amount = () => dice.decimal(100, 0)
    this.decimals = 2
    if (dice.chance(40))
      totals.invoice_currency = {
        invoice_total: amount(),
        ...(dice.chance(30) && { rounding_amount: 0 }),
      }
    if (this.isLarge || (totals.invoice_currency && dice.chance(50))) return
    const line = dice.pick(lines)
    const price = this.isWithTax ? 'unit_price_with_tax' : 'unit_price_without_tax'
    const converted = (euros: number) => Number((euros / (rate ?? 1)).toFixed(dice.whole(1, 4)))
    line.invoice_currency = {
      ...(dice.chance(50) && { [price]: dice.chance(70) ? converted(line[price]!) : amount() }),
      ...(line.discount_amount !== undefined && dice.chance(50) && { discount_amount: amount() }),
      ...(line.purchase_price_incl !== undefined && dice.chance(50) && { purchase_price_incl: amount() + 1 }),
      gross_amount_without_tax: amount(),
    }
  }

  private parties(): Omit<Invoice, 'lines' | 'totals'> {
    const { dice } = this
    const type =
      this.isOneStop || this.isReceived
        ? '01'
        : dice.pick(['01', '01', '01', '01', '02', '03', '03', '04', '05'])
    const isCorrective = type === '03' || type === '04'
    const isBySubstitution = isCorrective && dice.chance(50)
    if (isCorrective)
      this.features.add(isBySubstitution ? 'corrective by substitution' : 'corrective by differences')
    if (type === '02' || type === '04') this.features.add('simplified')
    const customer = this.isReceived
      ? CUSTOMERS.company
      : this.isOneStop
        ? CUSTOMERS.french
        : dice.pick([CUSTOMERS.company, CUSTOMERS.person, CUSTOMERS.german, CUSTOMERS.american])
    const isForeign =
      (this.topic === 'currencies' || !this.isOneStop) &&
      this.has('foreign currency', this.topic === 'currencies' ? 100 : this.isReceived ? 35 : 5)
    if (isForeign && !this.isReceived) this.features.add('issued in a foreign currency')
    return {
      supplier: this.isOutside && !this.isOutsideStated ? CANARIAN : SUPPLIER,
      ...(type !== '02' && type !== '04' && { customer }),
      header: {
        invoice_type_code: type,
        ...(!this.isReceived && { invoice_series_code: 'A' }),
        ...(this.operation !== 'draft' && this.operation !== 'issue' && { invoice_number: 'A-2' }),
        ...(isCorrective && {
          corrective: {
            ...CORRECTIVE,
            correction_type: isBySubstitution ? 'S' : 'D',
            ...(isBySubstitution && { corrected_taxable_base: 100, corrected_tax_amount: 21 }),
          },
        }),
      },
      issue_data: {
        ...(this.operation !== 'draft' && this.operation !== 'issue' && { issue_date: '2026-03-05' }),
        operation_date: this.when[0],
        ...((this.taxGroup !== 'IVA' || dice.chance(50)) && { tax_group_code: this.taxGroup }),
        ...(this.isOutside && this.isOutsideStated && { is_tai: false }),
        ...(isForeign && {
          invoice_currency: {
            invoice_currency_code: dice.pick(['USD', 'USD', 'GBP', 'JPY', 'KWD', 'CHF']),
            exchange_rate: dice.pick([0.92, 0.83514281, 1.17, 0.006, dice.decimal(3, 8) + 0.001]),
            exchange_rate_date: '2026-03-05',
          },
        }),
      },
    }
  }

  private price(): number {
    const { dice } = this
    if (this.isLarge) return dice.decimal(dice.pick([1e6, 1e9, 1e11, 1e12]), 2)
    const kind = dice.whole(0, 9)
    if (kind === 0) return dice.decimal(100, 8)
    if (kind === 1) return dice.decimal(100, 4)
    if (kind === 2) return dice.whole(0, 200) * 5 + 0.005
    if (kind === 4 && this.has('excess precision', 10)) return dice.next() * 100
    if (kind === 3) return dice.pick([0, 0.01, 0.1, 1, 10, 100, 100, 9.99, 1.02])
    return dice.decimal(dice.pick([10, 100, 1000, 10000]), 2)
  }

  private quantity(): number {
    const { dice } = this
    const kind = dice.whole(0, 9)
    const size =
      kind === 0
        ? 0
        : kind === 1
          ? dice.decimal(10, 8)
          : kind < 4
            ? dice.decimal(20, 3)
            : dice.pick([1, 1, 1, 2, 3, 12])
    if (kind === 0) this.features.add('quantity 0')
    if (kind === 1) this.features.add('quantity with 8 decimals')
    return (this.isCredit ? dice.chance(85) : this.has('some negative lines', 4)) ? -size : size
  }

  private line(): Line {
    const { dice } = this
    const price = this.price()
    const line: Line = {
      item_description: 'x',
      quantity: this.quantity(),
      ...(this.isWithTax ? { unit_price_with_tax: price } : { unit_price_without_tax: price }),
    }
    if (!this.isWithTax && this.has('line discount', 20)) {
      const kind = dice.whole(0, 2)
      if (kind !== 1) line.discount_rate = dice.pick([5, 10, 33.33, 100, dice.decimal(50, 4)])
      if (kind !== 0)
        line.discount_amount = this.has('excess precision', 3) ? dice.next() * 10 : dice.decimal(20, 2)
    }
    if (!this.isWithTax && this.has('line charge', 10)) {
      const kind = dice.whole(0, 2)
      if (kind !== 1) line.charge_rate = dice.pick([1, 2.5, dice.decimal(20, 3)])
      if (kind !== 0) line.charge_amount = dice.decimal(20, 2)
    }
    if (this.isOneStop) this.makeOneStop(line)
    else this.makeTaxed(line)
    if (this.has('withholding', this.isOneStop ? 0 : 15))
      line.tax_withheld_rate = dice.pick([15, 15, 15, 7, 19, 2, 13, 0])
    if (this.topic === 'farmers' && this.has('withholding', 75))
      line.tax_withheld_rate = dice.pick([2, 2, 2, 1])
    return line
  }

  private makeOneStop(line: Line) {
    const { dice } = this
    const [country, rate, type] = dice.pick([
      ['FR', 20, 'standard'],
      ['FR', 20, 'standard'],
      ['FR', 5.5, 'reduced'],
      ['FR', 2.1, 'super_reduced'],
    ] as const)
    Object.assign(line, {
      tax_regime_key: '17',
      consumption_country_code: country,
      consumption_tax_rate: rate,
      ...(dice.chance(80) && { consumption_rate_type: type }),
      ...(dice.chance(80) && { supply_type: dice.pick(['goods', 'services']) }),
      ...(dice.chance(50) && { tax_treatment_code: 'NON_TAXABLE' }),
      ...(dice.chance(50) && { non_taxable_reason: 'LOCATION_RULES' }),
    })
  }

  private makeTaxed(line: Line) {
    const { dice } = this
    if (this.isOutside && dice.chance(80)) return
    if (this.topic === 'farmers' && dice.chance(85)) {
      line.tax_output_rate = dice.pick([12, 12, 10.5])
      line.tax_regime_key = '02'
      return
    }
    if (this.has('exempt', 8)) {
      line.exemption_reason_code = dice.pick(['E1', 'E1', 'E2', 'E5', 'E6'])
      if (dice.chance(50)) line.tax_treatment_code = 'TAXABLE_EXEMPT'
    } else if (this.has('reverse charge', 6)) {
      if (dice.chance(50)) line.reverse_charge = true
      else line.tax_treatment_code = 'TAXABLE_NON_EXEMPT_RC'
      if (dice.chance(40)) line.tax_output_rate = dice.pick(this.rates)
    } else if (this.has('not subject', 5)) {
      if (dice.chance(70)) line.non_taxable_reason = dice.pick(['LOCATION_RULES', 'ARTICLES_7_14_OTHER'])
      else line.tax_treatment_code = 'NON_TAXABLE'
    } else {
      line.tax_output_rate = dice.pick(this.rates)
      if (dice.chance(20)) line.tax_treatment_code = 'TAXABLE_NON_EXEMPT'
      if (this.hasMargin && this.has('margin scheme', 50)) {
        line.tax_regime_key = dice.pick(['03', '03', '05'])
        if (dice.chance(5))
          Object.assign(line, { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E6' })
        if (dice.chance(95)) line.purchase_price_incl = this.purchasePrice(line)
        return
      }
    }
    if (this.commonKey !== undefined) line.tax_regime_key = this.commonKey
    else if (dice.chance(30))
      line.tax_regime_key =
        this.taxGroup !== 'IVA' ? '01' : dice.pick(['01', '01', '02', this.hasMargin ? '04' : '07', '08'])
  }

  /** Mostly around the price of the line, so that document discounts and surcharges turn gains and losses. */
  private purchasePrice({ quantity, unit_price_with_tax, unit_price_without_tax }: Line): number {
    const { dice } = this
    const price = Math.abs(quantity) * (unit_price_with_tax ?? unit_price_without_tax ?? 0)
    if (this.topic !== 'margins' || price < 1 || this.isLarge)
      return dice.pick([0.5, 12.34, dice.decimal(dice.pick([10, 100, 1000]), 2)])
    const part = dice.pick([0.5, 0.9, 0.98, 1, 1.01, 1.05, 1.3])
    if (part > 1) this.features.add('sale at a loss')
    return Number((price * part).toFixed(2))
  }

  private totals(): Totals {
    const { dice } = this
    const totals: Totals = { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 }
    // The discounts of a return may be returned with it.
    const isReturned = this.topic === 'margins' && this.isCredit && dice.chance(50)
    const amounts = (amount: string, rate: string) =>
      Array.from({ length: dice.whole(1, 3) }, () => ({
        ...(dice.chance(60) && { [rate]: dice.pick([1, 2, 3, 5, 10, dice.decimal(30, 3)]) }),
        ...(dice.chance(60) && {
          [amount]: dice.decimal(dice.pick([1, 20, 200]), 2) * (isReturned ? -1 : 1),
        }),
      }))
    const more = this.topic === 'everything' ? 0 : 25
    if (this.has('document discount', 25 + more))
      totals.general_discounts = amounts('discount_amount', 'discount_rate')
    else if (this.has('document discount without list', 4))
      totals.total_general_discounts = dice.decimal(20, 2)
    if (this.has('document surcharge', 12 + (this.topic === 'margins' ? 40 : 0)))
      totals.general_surcharges = amounts('charge_amount', 'charge_rate')
    else if (this.has('document surcharge without list', 3))
      totals.total_general_surcharges = dice.decimal(20, 2)
    if (this.has('payments on account', this.topic === 'currencies' ? 30 : 10))
      totals.payments_on_account = Array.from({ length: dice.whole(1, 3) }, () => ({
        payment_on_account_date: '2026-02-01',
        payment_on_account_amount: dice.decimal(100, 2),
      }))
    else if (dice.chance(3)) totals.total_payments_on_account = dice.decimal(20, 2)
    if (this.has('reimbursable expenses', 8))
      totals.reimbursable_expenses = Array.from({ length: dice.whole(1, 2) }, () => ({
        reimbursable_expenses_amount: dice.decimal(100, 2),
      }))
    else if (dice.chance(3)) totals.total_reimbursable_expenses = dice.decimal(20, 2)
    if (this.has('rounding', 6)) totals.rounding_amount = dice.pick([0.01, -0.01, 0.05, -0.3])
    return totals
  }

  private payments(invoice: Invoice) {
    const { dice } = this
    const kind = dice.whole(0, 9)
    if (kind < 3) invoice.payment_details = [{}]
    if (kind === 3) invoice.payment_details = [{ installment_amount: dice.decimal(100, 2) }]
    if (kind === 4) {
      this.features.add('several instalments')
      invoice.payment_details = ['2026-04-01', '2026-05-01'].map((installment_due_date) => ({
        installment_due_date,
        installment_amount: dice.decimal(100, 2),
      }))
    }
  }

  /** Sends the breakdown of the second implementation: whole or abridged, in any order, split, with surcharges, altered. */
  private breakdown(invoice: Invoice, calculated: Calculated, onNet: Calculated): boolean {
    const { dice } = this
    if (this.has('taxes_outputs sent', 30)) {
      const hasSurcharge = this.has('equivalence surcharge', 30)
      const entries = calculated.taxes_outputs.map((row) => {
        const entry = this.sent(row) as unknown as Entry
        if (this.hasBlocks && dice.chance(20)) entry.invoice_currency = { taxable_base: dice.decimal(100, 0) }
        const surcharge = SURCHARGES[entry.tax_rate]
        if (hasSurcharge && surcharge !== undefined && dice.chance(80)) this.addSurcharge(entry, surcharge)
        this.abridge(entry)
        return entry
      })
      if (this.has('split group', 20)) this.split(entries)
      if (this.unstated === 0 && this.has('altered breakdown', 15)) {
        const entry = dice.pick(entries)
        const field = dice.pick(['taxable_base', 'tax_amount'] as const)
        entry[field] = this.alter(entry[field])
      }
      if (dice.chance(50)) entries.reverse()
      invoice.taxes_outputs = entries.map(withoutUndefined)
      if (this.commonKey !== undefined && this.has('regime key only in the breakdown', 60))
        for (const line of invoice.lines) if (dice.chance(80)) delete line.tax_regime_key
    }
    if (calculated.taxes_withheld.length > 0 && this.has('taxes_withheld sent', 40))
      if (invoice.issue_data.invoice_currency === undefined || !this.isReceived)
        invoice.taxes_withheld = calculated.taxes_withheld.map((row, index) => {
          const isNet = this.withheldBase === 'net' || (this.withheldBase === 'mixed' && dice.chance(50))
          const entry = { ...(isNet ? onNet.taxes_withheld[index]! : row) } as {
            tax_rate: number
            taxable_base: number
            tax_amount: number
          }
          if (dice.chance(15)) entry.tax_amount = this.alter(entry.tax_amount)
          return entry
        })
    return invoice.taxes_outputs !== undefined
  }

  private addSurcharge(entry: Entry, surcharge: number) {
    const amount = Number(((entry.taxable_base * surcharge) / 100).toFixed(this.decimals))
    const isAlone = this.has('surcharge amount without its percentage', 10)
    if (!isAlone) entry.equivalence_surcharge = surcharge
    if (isAlone || this.dice.chance(20))
      entry.equivalence_surcharge_amount = this.dice.chance(10) ? this.alter(amount) : amount
  }

  private abridge(entry: Entry) {
    if (!this.isReceived && this.has('abridged entry', 40)) {
      if (entry.tax_regime_key === '01') delete entry.tax_regime_key
      if (entry.tax_treatment_code !== 'TAXABLE_NON_EXEMPT_RC') delete entry.tax_treatment_code
      if (this.unstated < 3 && this.dice.chance(20)) {
        this.unstated++
        delete entry.exemption_reason_code
        delete entry.non_taxable_reason
      }
      if (this.dice.chance(20)) delete entry.consumption_rate_type
    }
  }

  private split(entries: Entry[]) {
    const { dice } = this
    const entry = dice.pick(entries)
    const isStated = entry.tax_rate > 0 || entry.tax_treatment_code !== undefined
    if (entry.consumption_tax_rate !== undefined || entry.taxable_base === 0 || !isStated) return
    const cents = (amount: number) => Number(amount.toFixed(this.decimals))
    const total = { ...entry }
    const parts = dice.chance(25) ? 3 : 2
    for (let part = 1; part < parts; part++) {
      const taxable_base = cents(total.taxable_base * dice.next())
      const tax_amount = cents((taxable_base * entry.tax_rate) / 100)
      entries.push({ ...entry, taxable_base, tax_amount, equivalence_surcharge: undefined })
      total.taxable_base = cents(total.taxable_base - taxable_base)
      total.tax_amount = cents(total.tax_amount - tax_amount)
    }
    // With prices without tax, the tax of each entry is calculated separately.
    if (!this.isWithTax || dice.chance(10))
      total.tax_amount = cents((total.taxable_base * entry.tax_rate) / 100)
    Object.assign(entry, total)
    if (this.has('split group with an altered base', 15)) entry.taxable_base = this.alter(entry.taxable_base)
  }

  /** Adds or subtracts some cents. */
  private alter(amount: number): number {
    this.features.add('altered amount')
    return Number((amount + this.dice.pick([0.01, -0.01, 0.02, -0.02, 0.05, -1])).toFixed(2))
  }

  private sentAmounts(invoice: Invoice, calculated: Calculated, onNet: Calculated) {
    const { dice } = this
    if (this.has('line amounts sent', 12))
      for (const [index, row] of calculated.lines.entries()) {
        const fields = [
          'total_cost_without_tax',
          'gross_amount_without_tax',
          'total_cost_with_tax',
          'gross_amount_with_tax',
        ]
        fields.push('tax_output_base', 'tax_output_amount', 'tax_withheld_base', 'tax_withheld_amount')
        fields.push('consumption_tax_amount')
        const amounts = this.withheldOn(this.sent(row), this.sent(onNet.lines[index]!))
        for (const field of fields) {
          const amount = amounts[field] as number | undefined
          if (amount !== undefined && dice.chance(40))
            Object.assign(invoice.lines[index]!, { [field]: dice.chance(3) ? this.alter(amount) : amount })
        }
      }
    const isAltered = this.has('altered totals', 15)
    const isWhole = dice.chance(30)
    const sums = this.withheldOn(this.sent(calculated.totals), this.sent(onNet.totals))
    for (const [field, value] of Object.entries(sums)) {
      if (typeof value !== 'number') continue
      if (!(field in invoice.totals) && !isWhole) continue
      const isList = ['discounts', 'surcharges', 'account', 'expenses'].some((name) => field.endsWith(name))
      if (isList && field in invoice.totals) continue
      Object.assign(invoice.totals, { [field]: isAltered && dice.chance(40) ? this.alter(value) : value })
    }
  }
}
