/**
 * A second implementation of the calculation of invoices: small, slow and exact. It is written from the law,
 * `docs/calculation.md`, `docs/reference/invoice.md` and the API specification, without the engine. Where the documents are
 * silent, a comment beginning with "Undocumented" states what the engine does.
 */
import currencies from '#catalogs/currencies.json' with { type: 'json' }
import { Fraction } from './fraction.ts'
import { FIELDS, fieldsOf, isCompatible, isSame, keyOf, type Place, placeOf, TAXED } from './keys.ts'
import type {
  Amounts,
  Entry,
  GroupFields,
  Invoice,
  Line,
  SentDocument,
  SentOptions,
  TaxWithheld,
  Totals,
} from './sent.ts'

/** The amounts of an invoice, with the field names of `data`, and the contradictions of the amounts sent. */
export interface Calculated {
  lines: Row[]
  taxes_outputs: Row[]
  taxes_withheld: Row[]
  totals: Row
  payment_details: Row[]
  /** Codes and paths, such as `totals_mismatch /invoice/totals/invoice_total`. */
  mismatches: string[]
  /** Whether an amount has more than 12 integer digits. */
  isOutOfRange: boolean
  /** Properties of the invoice in which the engine is known to differ. */
  notes: Set<string>
}

export type Row = { [field: string]: number | string | Row | Row[] | undefined }
type Exact = Record<string, Fraction | undefined>

interface Group {
  key: GroupFields
  lines: CalculatedLine[]
  /** Sum of the line amounts without tax, in proportion to which document discounts are distributed. */
  amount: Fraction
  base: Fraction
  tax: Fraction
  consumptionTax: Fraction | undefined
  /** Whether it has a share of the document discounts and surcharges. */
  isTouched: boolean
  /** Tax of its entries. */
  written: Fraction
  entries: number[]
  /** Bases of the entries that split it. */
  parts?: Fraction[]
  /** Whether these entries keep taxes sent that are not those of their bases. */
  isTaxKept: boolean
}

/** The lines and entries of a withholding rate. */
interface Withheld {
  base: Fraction
  lines: { sent: Line; amounts: Exact }[]
  entries: TaxWithheld[]
  parts: { base: Fraction; tax: Fraction }[]
}

interface CalculatedLine {
  sent: Line
  key: GroupFields
  amounts: Exact
  /** Share of the document discounts and surcharges. */
  share: Fraction
}

const of = Fraction.of
const { ZERO, HUNDRED } = Fraction
const LIMIT = of(1e12)
const isMargin = (line: Line, key: GroupFields) =>
  line.purchase_price_incl !== undefined &&
  (key.tax_regime_key === '03' || key.tax_regime_key === '05') &&
  key.tax_treatment_code === TAXED

/** Returns why no amounts of an invoice can be right, whatever they are; undefined for other invoices. */
export function contradictionOf({ invoice: { lines } }: SentDocument): string | undefined {
  const isWithTax = (line: Line) => line.unit_price_with_tax !== undefined
  if (lines.some(isWithTax) && !lines.every(isWithTax)) return 'prices with and without tax'
  const rates = lines.flatMap(({ tax_output_rate, consumption_tax_rate }) => [
    consumption_tax_rate,
    tax_output_rate,
  ])
  return rates.some((rate) => rate !== undefined && rate <= -100) ? 'a tax of -100 % or less' : undefined
}

/**
 * Calculates every amount of a valid invoice: in euros and, if it names another currency, in that currency. The amounts
 * sent are in that currency if the invoice is received, and in euros if it is issued.
 */
export function calculate(
  { meta, invoice }: SentDocument,
  options: SentOptions,
  compensation?: Compensation,
): Calculated {
  // A registered invoice is a received one, whatever it states (specification, "Registration rules").
  const isReceived = options.operation === 'received' || meta.direction === 'received'
  const place = placeOf(!isReceived, invoice, options)
  const currency = currencyOf(invoice, isReceived, options)
  const isForeign = isReceived && currency !== undefined && !hasBlocks(invoice)
  const decimals = isForeign ? currency.decimals : 2
  const isCheck = options.totals === 'check'
  const sentOn = (compensation: Compensation) => new Calculation(invoice, decimals, place, compensation)
  const sent =
    isReceived && place.isVat && compensation === undefined
      ? onEitherBase(sentOn, isCheck)
      : sentOn(compensation ?? 'none')
  const inOther = (exchange: Exchange) =>
    new Calculation(converted(invoice, exchange), exchange.to, place, sent.compensation, sent)
  const euros = isForeign ? inOther({ factor: currency.rate, from: decimals, to: 2 }) : sent
  const original =
    !isReceived && currency
      ? inOther({ factor: of(1).over(currency.rate), from: 2, to: currency.decimals })
      : sent
  const result = euros.written()
  const hasOriginal = original !== euros && (isReceived || !original.isOutOfRange)
  addBlocks(result, hasOriginal ? original : undefined, sent)
  if (isCheck && (options.operation === 'import' || options.operation === 'received'))
    keepSent(result, sent, isForeign)
  result.mismatches = [
    ...sent.lineMismatches(),
    ...sent.entryMismatches,
    ...sent.withheldMismatches(),
    ...(isCheck ? sent.totalMismatches() : []),
    ...(sent.isOnNetBase ? ['withholding_base_net /invoice/taxes_withheld'] : []),
  ].sort()
  result.notes = new Set([...sent.notes, ...euros.notes, ...original.notes])
  result.isOutOfRange ||= sent.isOutOfRange
  return result
}

/** Which withheld bases of a received invoice contain the compensation of the farmers' regime. */
type Compensation = 'included' | 'none'

/**
 * Farmers' regime: the withholding is a percentage of the whole income paid, which contains the compensation (art. 95.4
 * RD 439/2007). An invoice whose amounts all are on the net base is calculated on that.
 */
function onEitherBase(on: (compensation: Compensation) => Calculation, isCheck: boolean): Calculation {
  const full = on('included')
  if (full.fitsWithheld(isCheck)) return full
  const net = on('none')
  if (!net.fitsWithheld(isCheck)) return full
  net.isOnNetBase = true
  return net
}

/**
 * Adds the amounts in the original currency: as sent beside amounts in euros, else as calculated. Undocumented: amounts
 * that are too large in that currency are not stated.
 */
function addBlocks(result: Calculated, calculation: Calculation | undefined, sent: Calculation) {
  const original = calculation?.written()
  const add = (row: Row, calculated: Row | undefined, stated: object | undefined) => {
    if (calculated || stated) row.invoice_currency = { ...calculated, ...stated }
  }
  for (const [index, line] of result.lines.entries())
    add(line, original && blockOf(original.lines[index]!), sent.invoice.lines[index]!.invoice_currency)
  for (const [index, entry] of result.taxes_outputs.entries()) {
    const calculated = original && pick(original.taxes_outputs[index]!, ENTRY_BLOCK)
    add(entry, calculated, sent.sentEntries[index]?.invoice_currency)
  }
  const totals = calculation && { ...numbers(calculation.totals), ...calculation.rounding }
  add(result.totals, totals, sent.invoice.totals.invoice_currency)
}

/** An import or a received invoice keeps the amounts sent, because it is the document of another system. */
function keepSent(
  result: Calculated,
  { invoice, sentEntries, totals, decimals, withheld, groups: all, lines, entryKeys }: Calculation,
  isForeign: boolean,
) {
  const baseOf = (row: Row) => (isForeign ? (row.invoice_currency as Row) : row).taxable_base as number
  const bases = result.taxes_outputs.map(baseOf)
  const keep = (row: Row, sent: object, fields: readonly string[]) => {
    const target = isForeign ? (row.invoice_currency as Row) : row
    for (const field of fields)
      if (field in sent)
        target[field] = of((sent as Record<string, number>)[field]!)
          .round(decimals)
          .toNumber()
  }
  for (const [index, line] of result.lines.entries())
    keep(line, invoice.lines[index]!, [...LINE_AMOUNTS, 'consumption_tax_amount'])
  for (const [index, entry] of result.taxes_outputs.entries())
    keep(entry, sentEntries[index] ?? {}, [...ENTRY_BLOCK, 'consumption_tax_amount'])
  const rows = [...withheld.values()].flatMap(({ parts, entries }) =>
    parts.map((_, index) => (parts.length === 1 && entries.length > 1 ? undefined : entries[index])),
  )
  const rowLimits = [...withheld.values()].flatMap(({ parts, lines: own }) => parts.map(() => own.length))
  for (const [index, row] of result.taxes_withheld.entries())
    if (!isForeign) keep(row, rows[index] ?? {}, ['taxable_base', 'tax_amount'])
  keep(result.totals, invoice.totals, Object.keys(totals))
  if (Object.keys(totals).some((field) => field in invoice.totals))
    followTotals(result, {
      invoice,
      sentEntries,
      decimals,
      rows,
      rowLimits,
      isForeign,
      bases,
      groups: all.map((group) => ({
        lines: group.lines.map((line) => lines.indexOf(line)),
        entries: entryKeys.flatMap((key, index) => (isSame(key, group.key) ? [index] : [])),
      })),
    })
  if (
    !isForeign &&
    result.payment_details.length === 1 &&
    invoice.payment_details?.[0]?.installment_amount === undefined
  )
    result.payment_details[0]!.installment_amount = result.totals.total_executable_amount
}

interface Following {
  readonly invoice: Invoice
  readonly sentEntries: readonly (Entry | undefined)[]
  readonly decimals: number
  /** The entries sent of the withholding. */
  readonly rows: readonly (TaxWithheld | undefined)[]
  /** The number of lines from which each entry of the withholding is calculated. */
  readonly rowLimits: readonly number[]
  readonly isForeign: boolean
  /** The bases of the entries as calculated. */
  readonly bases: readonly number[]
  /** The lines and entries of each group, by index. */
  readonly groups: readonly { readonly lines: readonly number[]; readonly entries: readonly number[] }[]
}

/**
 * Lists of which no amount was sent, and totals that were not sent, take the cents by which the totals sent differ from
 * what was calculated (calculation page, section 5: the total that was accepted is borne by everything).
 */
function followTotals(
  result: Calculated,
  { invoice, sentEntries, decimals, rows, rowLimits, isForeign, bases, groups }: Following,
): void {
  const blockOfRow = (row: Row): Row => (isForeign ? (row.invoice_currency as Row) : row)
  const cents = (value: unknown): number => Math.round(((value as number | undefined) ?? 0) * 10 ** decimals)
  const back = (value: number): number =>
    of(value)
      .times(of(10 ** -decimals))
      .toNumber()
  const most = Math.max(1, invoice.lines.length)
  const totals = blockOfRow(result.totals)
  const sentTotals = invoice.totals as Record<string, unknown>
  const setTotal = (field: string, value: number): void => {
    if (!(field in sentTotals) && Math.abs(value - cents(totals[field])) <= most) totals[field] = back(value)
  }
  /**
   * The largest parts take the missing cents. A part takes no more than would be tolerated if it was sent. If too much
   * is left, no part takes anything.
   */
  const spread = (
    all: Row[],
    sent: readonly (object | undefined)[],
    fields: readonly string[],
    total: number,
    limits: readonly number[],
  ) => {
    const field = fields[0]!
    const targets = all.map((row, index) => ({
      row: blockOfRow(row),
      amount: cents(blockOfRow(row)[field]),
      limit: Math.max(1, limits[index]!),
      sent: sent[index] ?? {},
      cents: 0,
    }))
    const missing = total - targets.reduce((sum, { amount }) => sum + amount, 0)
    if (Math.abs(missing) > most || sent.some((one) => one && field in one)) return
    let left = Math.abs(missing)
    const sorted = targets.toSorted((a, b) => Math.abs(b.amount) - Math.abs(a.amount))
    for (const one of sorted.filter(({ amount }) => amount !== 0)) {
      one.cents = Math.min(left, one.limit)
      left -= one.cents
    }
    if (left > 0) return
    for (const { row, amount, sent: own, cents: taken } of targets)
      for (const name of taken === 0 ? [] : fields)
        if (cents(row[name]) === amount && !(name in own))
          row[name] = back(amount + Math.sign(missing) * taken)
  }
  const before = cents(totals.total_gross_amount_before_taxes)
  setTotal(
    'total_gross_amount',
    before + cents(totals.total_general_discounts) - cents(totals.total_general_surcharges),
  )
  const entries = result.taxes_outputs
  const entryLimits = entries.map(
    (_, index) => groups.find((group) => group.entries.includes(index))?.lines.length ?? 1,
  )
  if (entries.every(({ tax_regime_key: key }) => key !== '03' && key !== '05'))
    spread(entries, sentEntries, ['taxable_base'], before, entryLimits)
  // The lines of a group take what its base takes.
  const lineFields = ['gross_amount_without_tax', 'tax_output_base']
  for (const group of groups) {
    const baseNow = (index: number) => cents(blockOfRow(entries[index]!).taxable_base)
    const moved = group.entries.reduce((sum, index) => sum + baseNow(index) - cents(bases[index]), 0)
    const own = group.lines.map((index) => result.lines[index]!)
    const gross = own.reduce((sum, row) => sum + cents(blockOfRow(row).gross_amount_without_tax), 0)
    spread(
      own,
      group.lines.map((index) => invoice.lines[index]),
      lineFields,
      gross + moved,
      own.map(() => 1),
    )
  }
  const beside = entries
    .map(blockOfRow)
    .reduce(
      (sum, row) => sum + cents(row.consumption_tax_amount) + cents(row.equivalence_surcharge_amount),
      0,
    )
  const charged = cents(totals.invoice_total)
  spread(entries, sentEntries, ['tax_amount'], charged - before - beside, entryLimits)
  if (!isForeign)
    spread(result.taxes_withheld, rows, ['tax_amount'], cents(totals.total_taxes_withheld), rowLimits)
  const payable = charged - cents(totals.total_taxes_withheld) - cents(totals.total_payments_on_account)
  setTotal(
    'total_executable_amount',
    payable + cents(totals.total_reimbursable_expenses) + cents(invoice.totals.rounding_amount),
  )
}

const ENTRY_BLOCK = ['taxable_base', 'tax_amount', 'equivalence_surcharge_amount']
const LINE_AMOUNTS = [
  'total_cost_without_tax',
  'gross_amount_without_tax',
  'total_cost_with_tax',
  'gross_amount_with_tax',
  'tax_output_base',
  'tax_output_amount',
  'tax_withheld_base',
  'tax_withheld_amount',
] as const

class Calculation {
  readonly lines: CalculatedLine[]
  readonly groups: Group[] = []
  readonly entries: Exact[] = []
  readonly entryKeys: GroupFields[] = []
  readonly sentEntries: (Entry | undefined)[] = []
  readonly entryMismatches: string[] = []
  readonly withheld = new Map<number, Withheld>()
  readonly totals: Record<keyof Totals | string, Fraction> = {}
  /** Properties of the invoice in which the engine is known to differ. */
  readonly notes = new Set<string>()
  readonly discounts: Fraction[] = []
  readonly surcharges: Fraction[] = []
  /** Whether the withholding of the farmers' regime is calculated without the compensation, as it was sent. */
  isOnNetBase = false

  constructor(
    readonly invoice: Invoice,
    readonly decimals: number,
    readonly place: Place,
    readonly compensation: Compensation,
    /** The calculation in the currency of the amounts sent, if this is that in the other currency. */
    readonly model?: Calculation,
  ) {
    this.lines = invoice.lines.map((sent) => this.lineBeforeTax(sent))
    this.formGroups()
    for (const group of this.groups) this.calculateGroup(group)
    this.distributeDocumentAdjustments()
    this.assignEntries()
    this.withhold()
    this.total()
  }

  private round(value: Fraction): Fraction {
    return value.round(this.decimals)
  }

  private optional(value: number | undefined): Fraction | undefined {
    return value === undefined ? undefined : this.round(of(value))
  }

  /** One minor unit of the currency for each line. */
  private tolerance(lines: number): Fraction {
    return of(10 ** -this.decimals).times(of(Math.max(lines, 1)))
  }

  private differs(sent: number | undefined, calculated: Fraction | undefined, lines: number): boolean {
    if (sent === undefined || calculated === undefined) return false
    return this.round(of(sent)).minus(calculated).absolute().compare(this.tolerance(lines)) > 0
  }

  /** An amount sent takes precedence over a percentage. */
  private adjustment(amount: number | undefined, rate: number | undefined, of100: Fraction) {
    if (amount !== undefined) return this.round(of(amount))
    return rate === undefined ? undefined : this.round(of100.percent(of(rate).round(8)))
  }

  private lineBeforeTax(original: Line): CalculatedLine {
    const { sent, key } = keyOf(original, this.invoice, this.place)
    const price = of(sent.unit_price_with_tax ?? sent.unit_price_without_tax ?? 0).round(8)
    const cost = this.round(of(sent.quantity).round(8).times(price))
    if (sent.unit_price_with_tax !== undefined)
      return {
        sent,
        key,
        share: ZERO,
        amounts: {
          total_cost_with_tax: cost,
          gross_amount_with_tax: cost,
          discount_amount: this.optional(sent.discount_amount),
          charge_amount: this.optional(sent.charge_amount),
        },
      }
    const discount = this.adjustment(sent.discount_amount, sent.discount_rate, cost)
    const charge = this.adjustment(sent.charge_amount, sent.charge_rate, cost)
    const gross = cost.minus(discount ?? ZERO).plus(charge ?? ZERO)
    const amounts = {
      total_cost_without_tax: cost,
      discount_amount: discount,
      charge_amount: charge,
      gross_amount_without_tax: gross,
    }
    return { sent, key, share: ZERO, amounts }
  }

  private formGroups() {
    for (const line of this.lines) {
      const group = this.groups.find(({ key }) => isSame(key, line.key))
      if (group) group.lines.push(line)
      else
        this.groups.push({
          key: line.key,
          lines: [line],
          amount: ZERO,
          base: ZERO,
          tax: ZERO,
          consumptionTax: undefined,
          isTouched: false,
          written: ZERO,
          entries: [],
          isTaxKept: false,
        })
    }
  }

  private calculateGroup(group: Group) {
    const { key, lines } = group
    const consumptionRate = optionalRate(key.consumption_tax_rate)
    const rate = of(key.tax_rate)
    if (lines[0]!.sent.unit_price_with_tax !== undefined) this.extractTax(group, consumptionRate ?? rate)
    else {
      for (const { sent, key, amounts } of lines) {
        const gross = amounts.gross_amount_without_tax!
        amounts.tax_output_base = isMargin(sent, key) ? this.marginOf(gross, sent) : gross
        amounts.tax_output_amount = this.round(amounts.tax_output_base.percent(rate))
        if (consumptionRate)
          amounts.consumption_tax_amount = this.round(amounts.tax_output_base.percent(consumptionRate))
      }
      group.base = Fraction.sum(lines.map(({ amounts }) => amounts.tax_output_base!))
      group.tax = this.round(group.base.percent(rate))
      if (consumptionRate) group.consumptionTax = this.round(group.base.percent(consumptionRate))
      for (const line of lines) this.addTaxToLine(line)
    }
    group.amount = Fraction.sum(lines.map(({ amounts }) => amounts.gross_amount_without_tax!))
  }

  /** The price is fixed, so the base is extracted from the sum of the prices, and then distributed among the lines. */
  private extractTax(group: Group, rate: Fraction) {
    const { lines } = group
    const paid = Fraction.sum(lines.map(({ amounts }) => amounts.gross_amount_with_tax!))
    const isForeign = group.key.consumption_tax_rate !== undefined
    const margins = lines.filter(({ sent, key }) => isMargin(sent, key))
    const others = lines.filter((line) => !margins.includes(line))
    for (const { sent, amounts } of margins)
      amounts.tax_output_base = this.round(
        withoutTax(this.marginOf(amounts.gross_amount_with_tax!, sent), rate),
      )
    // Undocumented: the remainders are those of the exact base of each line, not of its share of the rounded base. In a
    // group with margins, each line is rounded by itself.
    const exact = others.map(({ amounts }) => withoutTax(amounts.gross_amount_with_tax!, rate))
    const bases =
      margins.length > 0
        ? exact.map((base) => this.round(base))
        : this.distributeExact(this.round(Fraction.sum(exact)), exact, compareLines(others))
    for (const [index, { amounts }] of others.entries()) amounts.tax_output_base = bases[index]!
    group.base = Fraction.sum(lines.map(({ amounts }) => amounts.tax_output_base!))
    group.tax = margins.length > 0 ? this.round(group.base.percent(rate)) : paid.minus(group.base)
    // Undocumented: with a margin, the tax of the group is distributed, so that the prices still add up to the total.
    const taxes =
      margins.length > 0
        ? this.distributeExact(
            group.tax,
            lines.map(({ amounts }) => amounts.tax_output_base!.percent(rate)),
            compareLines(lines),
          )
        : lines.map(({ amounts }) => amounts.gross_amount_with_tax!.minus(amounts.tax_output_base!))
    if (isForeign) {
      group.consumptionTax = group.tax
      group.tax = ZERO
    }
    for (const [index, { amounts }] of lines.entries()) {
      amounts.gross_amount_without_tax = amounts.gross_amount_with_tax!.minus(taxes[index]!)
      amounts.total_cost_without_tax = amounts.gross_amount_without_tax
      amounts.tax_output_amount = isForeign ? ZERO : taxes[index]
      if (isForeign) amounts.consumption_tax_amount = taxes[index]
    }
  }

  /** Completes the amounts with tax of a line whose price is without tax. */
  private addTaxToLine({ sent, key, amounts }: CalculatedLine) {
    const gross = amounts.gross_amount_without_tax!
    const cost = amounts.total_cost_without_tax!
    amounts.gross_amount_with_tax = gross
      .plus(amounts.tax_output_amount!)
      .plus(amounts.consumption_tax_amount ?? ZERO)
    // Undocumented: under the margin scheme, the cost with tax has the tax of the margin that the cost alone would leave.
    const taxed = isMargin(sent, key) ? this.marginOf(cost, sent) : cost
    amounts.total_cost_with_tax =
      cost.compare(gross) === 0
        ? amounts.gross_amount_with_tax
        : cost.plus(this.round(taxed.percent(of(key.tax_rate).plus(of(key.consumption_tax_rate ?? 0)))))
  }

  /** The margin has the sign of the line, and a loss is a margin of 0. */
  private marginOf(amount: Fraction, { purchase_price_incl }: Line): Fraction {
    const margin = amount.absolute().minus(this.optional(purchase_price_incl)!)
    if (margin.sign <= 0) return ZERO
    return amount.sign < 0 ? margin.negated() : margin
  }

  /**
   * Distributes a total by largest remainder. A negative total is distributed as the positive one, with opposite sign.
   * `compare` decides between equal remainders of equal weights.
   */
  private distribute(
    total: Fraction,
    weights: readonly Fraction[],
    compare: (a: number, b: number) => number,
  ): Fraction[] {
    const all = Fraction.sum(weights)
    if (total.sign === 0) return weights.map(() => ZERO)
    if (all.sign === 0) {
      // Undocumented: amounts that cancel each other count by their size; if all are 0, one part takes the total.
      const sizes = weights.map((weight) => weight.absolute())
      if (sizes.some(({ sign }) => sign !== 0)) return this.distribute(total, sizes, compare)
      const first = weights.map((_, index) => index).sort(compare)[0]
      return weights.map((_, index) => (index === first ? total : ZERO))
    }
    return this.distributeExact(
      total,
      weights.map((weight) => total.times(weight).over(all)),
      compare,
    )
  }

  /** Rounds parts whose sum is `total` before or after rounding, so that the rounded parts add up to it. */
  private distributeExact(
    total: Fraction,
    weights: readonly Fraction[],
    compare: (a: number, b: number) => number,
  ): Fraction[] {
    const exact = weights.map((weight) => (total.sign < 0 ? weight.negated() : weight))
    const parts = exact.map((share) => share.roundDown(this.decimals))
    const remainders = exact.map((share, index) => share.minus(parts[index]!))
    const unit = of(10 ** -this.decimals)
    const order = weights
      .map((_, index) => index)
      .sort(
        (a, b) =>
          remainders[b]!.compare(remainders[a]!) ||
          // Undocumented: of amounts with different signs, that with the sign of the total is larger.
          exact[b]!.compare(exact[a]!) ||
          compare(a, b),
      )
    let rest = total.absolute().minus(Fraction.sum(parts))
    for (const index of order) {
      if (rest.sign === 0) break
      parts[index] = parts[index]!.plus(unit)
      rest = rest.minus(unit)
    }
    return total.sign < 0 ? parts.map((part) => part.negated()) : parts
  }

  private distributeDocumentAdjustments() {
    const { totals } = this.invoice
    const gross = Fraction.sum(this.groups.map(({ amount }) => amount))
    const adjust = (amount: number | undefined, rate: number | undefined) =>
      this.adjustment(amount, rate, gross) ?? ZERO
    for (const one of totals.general_discounts ?? [])
      this.discounts.push(adjust(one.discount_amount, one.discount_rate))
    for (const one of totals.general_surcharges ?? [])
      this.surcharges.push(adjust(one.charge_amount, one.charge_rate))
    const totalOf = (list: unknown[] | undefined, amounts: Fraction[], alone: number | undefined) =>
      list === undefined ? this.round(of(alone ?? 0)) : Fraction.sum(amounts)
    const discounts = totalOf(totals.general_discounts, this.discounts, totals.total_general_discounts)
    const surcharges = totalOf(totals.general_surcharges, this.surcharges, totals.total_general_surcharges)
    Object.assign(this.totals, {
      total_gross_amount: gross,
      total_general_discounts: discounts,
      total_general_surcharges: surcharges,
      total_gross_amount_before_taxes: gross.minus(discounts).plus(surcharges),
    })
    const shares = this.distribute(
      surcharges.minus(discounts),
      this.groups.map(({ amount }) => amount),
      (a, b) => compareGroups(this.groups[a]!.key, this.groups[b]!.key),
    )
    for (const [index, group] of this.groups.entries()) this.addShare(group, shares[index]!)
  }

  private addShare(group: Group, share: Fraction) {
    if (share.sign === 0) return
    const shares = this.distribute(
      share,
      group.lines.map(({ amounts }) => amounts.gross_amount_without_tax!),
      compareLines(group.lines),
    )
    for (const [index, line] of group.lines.entries()) line.share = shares[index]!
    group.isTouched = true
    group.base = Fraction.sum(group.lines.map((line) => this.baseAfterShare(line)))
    group.tax = this.round(group.base.percent(of(group.key.tax_rate)))
    if (group.key.consumption_tax_rate !== undefined)
      group.consumptionTax = this.round(group.base.percent(of(group.key.consumption_tax_rate)))
  }

  /**
   * A share is a part of the selling price, so it changes the margin of its line, which keeps its sign or is 0. A line
   * without price has the sign of its share. Only a gain contains tax; a share has none, and neither has a loss.
   */
  private baseAfterShare({ sent, key, amounts, share }: CalculatedLine): Fraction {
    if (!isMargin(sent, key)) return amounts.tax_output_base!.plus(share)
    const isIncluded = sent.unit_price_with_tax !== undefined
    const price = isIncluded ? amounts.gross_amount_with_tax! : amounts.gross_amount_without_tax!
    const margin = price.absolute().minus(this.optional(sent.purchase_price_incl)!)
    const base = isIncluded && margin.sign > 0 ? this.round(withoutTax(margin, of(key.tax_rate))) : margin
    const isNegative = (price.sign || share.sign) < 0
    const left = base.plus(isNegative ? share.negated() : share)
    if (left.sign <= 0) return ZERO
    return isNegative ? left.negated() : left
  }

  /** Assigns the entries of `taxes_outputs` to the groups, and compares them. */
  private assignEntries() {
    const sent = this.invoice.taxes_outputs
    if (this.model)
      for (const [index, { entries }] of this.model.groups.entries()) this.groups[index]!.entries = entries
    else {
      const groupOf =
        sent === undefined ? [] : assignment(sent, this.groups, ({ lines }) => this.tolerance(lines.length))
      for (const [index, group] of groupOf.entries()) {
        if (group === undefined)
          this.entryMismatches.push(`taxes_outputs_mismatch /invoice/taxes_outputs/${index}`)
        else group.entries.push(index)
      }
    }
    for (const [index, group] of this.groups.entries()) {
      const entries = group.entries.map((index) => sent![index]!)
      if (sent && entries.length === 0 && group.base.sign !== 0)
        this.entryMismatches.push('taxes_outputs_mismatch /invoice/taxes_outputs')
      if (entries.length === 0) this.addEntry(group, group, undefined)
      else if (entries.length === 1) this.addWholeEntry(group, entries[0]!)
      else if (this.model) this.addConvertedEntries(group, entries, this.model.groups[index]!)
      else this.addSplitEntries(group, entries)
    }
  }

  /** Undocumented: in the other currency, the part with the largest base is what the others leave of the group. */
  private addConvertedEntries(group: Group, entries: Entry[], { parts, isTaxKept }: Group) {
    const bases = entries.map((entry) => this.round(of(entry.taxable_base)))
    if (parts === undefined) {
      this.addEntry(group, group, entries[largestOf(bases)])
      this.sentEntries[this.sentEntries.length - 1] = undefined
      return
    }
    const addUp = (amounts: Fraction[], total: Fraction, sizes: Fraction[]) => {
      const size = sizes[largestOf(sizes)]!.absolute()
      // Of equally large parts, the last.
      const largest = sizes.findLastIndex((part) => part.absolute().compare(size) === 0)
      amounts[largest] = amounts[largest]!.plus(total.minus(Fraction.sum(amounts)))
    }
    addUp(bases, group.base, parts)
    const rate = of(group.key.consumption_tax_rate ?? group.key.tax_rate)
    const taxes =
      isTaxKept && !group.isTouched
        ? this.taxesSent(entries)
        : bases.map((base) => this.round(base.percent(rate)))
    if (!group.isTouched && group.lines[0]!.sent.unit_price_with_tax !== undefined)
      addUp(taxes, group.consumptionTax ?? group.tax, taxes)
    this.addParts(group, entries, bases, taxes)
  }

  private taxesSent(entries: readonly Entry[]): Fraction[] {
    return entries.map((entry) => this.round(of(entry.consumption_tax_amount ?? entry.tax_amount)))
  }

  private addWholeEntry(group: Group, entry: Entry) {
    this.addEntry(group, group, entry)
    this.compareEntry(group, group.entries[0]!, entry, this.entries.at(-1)!)
  }

  private addSplitEntries(group: Group, entries: Entry[]) {
    const bases = entries.map((entry) => this.round(of(entry.taxable_base)))
    const difference = Fraction.sum(bases).minus(group.base)
    if (difference.absolute().compare(this.tolerance(group.lines.length)) > 0) {
      // Undocumented: the entry with the largest base stands for the whole group. Of equally large entries, the last is
      // reported.
      const largest = largestOf(bases)
      const reported = bases.findLastIndex(
        (base) => base.absolute().compare(bases[largest]!.absolute()) === 0,
      )
      this.entryMismatches.push(
        `taxes_outputs_mismatch /invoice/taxes_outputs/${group.entries[reported]}/taxable_base`,
      )
      if (new Set(entries.map((entry) => entry.equivalence_surcharge)).size > 1)
        this.notes.add('split group that does not add up, with different surcharges')
      this.addEntry(group, group, entries[largest])
      this.sentEntries[this.sentEntries.length - 1] = undefined
      return
    }
    const rate = of(group.key.consumption_tax_rate ?? group.key.tax_rate)
    const taxes = bases.map((base) => this.round(base.percent(rate)))
    if (!group.isTouched && group.lines[0]!.sent.unit_price_with_tax !== undefined) {
      const sent = this.taxesSent(entries)
      const tax = group.consumptionTax ?? group.tax
      const paid = Fraction.sum(group.lines.map(({ amounts }) => amounts.gross_amount_with_tax!))
      const isKept = Fraction.sum([...bases, ...sent]).compare(paid) === 0 && difference.sign === 0
      if (!isKept) {
        // Undocumented: the taxes add up to the tax of the group, which the price paid determines.
        this.notes.add('split group with other taxes than its price contains')
        const largest = largestOf(bases)
        taxes[largest] = taxes[largest]!.plus(tax.minus(Fraction.sum(taxes)))
      } else {
        group.isTaxKept = true
        taxes.splice(0, taxes.length, ...sent)
      }
    }
    this.addParts(group, entries, bases, taxes)
    if (difference.sign !== 0 && group.lines.some(({ sent, key }) => isMargin(sent, key)))
      this.notes.add('split group whose bases add up to another margin')
    if (difference.sign !== 0) this.distributeSplitBase(group, difference)
  }

  private addParts(group: Group, entries: Entry[], bases: Fraction[], taxes: Fraction[]) {
    group.parts = bases
    if (group.consumptionTax) group.consumptionTax = Fraction.sum(taxes)
    for (const [index, entry] of entries.entries()) {
      const [base, tax] = [bases[index]!, taxes[index]!]
      const part = group.consumptionTax
        ? { tax: ZERO, consumptionTax: tax }
        : { tax, consumptionTax: undefined }
      this.addEntry(group, { base, ...part }, entry)
      this.compareEntry(group, group.entries[index]!, entry, this.entries.at(-1)!)
    }
  }

  /**
   * The sum of the entries is distributed among the lines; quantity times price is unchanged. Undocumented: it is the
   * difference that is distributed, in proportion to the size of the lines.
   */
  private distributeSplitBase(group: Group, difference: Fraction) {
    const shares = this.distribute(
      difference,
      group.lines.map(({ amounts }) => amounts.gross_amount_without_tax!.absolute()),
      compareLines(group.lines),
    )
    for (const [index, line] of group.lines.entries()) {
      const { amounts } = line
      if (shares[index]!.sign === 0) continue
      amounts.tax_output_base = amounts.tax_output_base!.plus(shares[index]!)
      if (line.sent.unit_price_with_tax !== undefined) continue
      amounts.tax_output_amount = this.round(amounts.tax_output_base.percent(of(group.key.tax_rate)))
      this.addTaxToLine(line)
    }
  }

  private addEntry(
    group: Group,
    { base, tax, consumptionTax }: Pick<Group, 'base' | 'tax' | 'consumptionTax'>,
    sent: Entry | undefined,
  ) {
    const surcharge =
      sent?.equivalence_surcharge === undefined ? undefined : of(sent.equivalence_surcharge).round(8)
    const { key } = group
    group.written = group.written.plus(tax)
    this.entryKeys.push({
      ...key,
      exemption_reason_code: key.exemption_reason_code ?? sent?.exemption_reason_code,
    })
    this.sentEntries.push(sent)
    this.entries.push({
      taxable_base: base,
      tax_amount: tax,
      // Undocumented: a foreign tax without its rate is kept, but not added to the totals.
      consumption_tax_amount: consumptionTax ?? this.optional(sent?.consumption_tax_amount),
      equivalence_surcharge: surcharge,
      equivalence_surcharge_amount:
        surcharge === undefined
          ? this.optional(sent?.equivalence_surcharge_amount)
          : this.round(base.percent(surcharge)),
    })
  }

  private compareEntry(group: Group, index: number, sent: Entry, calculated: Exact) {
    // A foreign tax without its rate is kept, but none is calculated.
    const taxes = {
      ...calculated,
      ...(group.consumptionTax === undefined && { consumption_tax_amount: ZERO }),
    }
    for (const field of [...ENTRY_BLOCK, 'consumption_tax_amount'] as const)
      if (
        this.differs(
          sent[field as keyof Entry] as number | undefined,
          taxes[field as 'consumption_tax_amount'],
          group.lines.length,
        )
      )
        this.entryMismatches.push(`taxes_outputs_mismatch /invoice/taxes_outputs/${index}/${field}`)
  }

  /** The compensation of each line of the farmers' regime: its share of the tax of its group. */
  private compensations(): Map<Line, Fraction> {
    const found = new Map<Line, Fraction>()
    if (this.compensation === 'none') return found
    for (const { key, lines, written } of this.groups) {
      if (key.tax_regime_key !== '02') continue
      const shares = this.distribute(
        written,
        lines.map(({ amounts, share }) => amounts.gross_amount_without_tax!.plus(share)),
        compareLines(lines),
      )
      for (const [index, { sent }] of lines.entries()) found.set(sent, shares[index]!)
    }
    return found
  }

  private withhold() {
    const compensations = this.compensations()
    for (const { sent, amounts, share } of this.lines) {
      if (sent.tax_withheld_rate === undefined) continue
      const rate = of(sent.tax_withheld_rate).round(8)
      const base = amounts.gross_amount_without_tax!.plus(share).plus(compensations.get(sent) ?? ZERO)
      amounts.tax_withheld_base = base
      amounts.tax_withheld_amount = this.round(base.percent(rate))
      const group = this.withheld.get(rate.toNumber()) ?? { base: ZERO, lines: [], parts: [], entries: [] }
      group.base = group.base.plus(base)
      group.lines.push({ sent, amounts })
      this.withheld.set(rate.toNumber(), group)
    }
    const sent = this.invoice.taxes_withheld ?? []
    for (const [rate, group] of this.withheld) {
      group.entries = sent.filter((entry) => of(entry.tax_rate).round(8).toNumber() === rate)
      this.splitWithheld(group, of(rate))
    }
  }

  /**
   * Several entries of a rate split its group if their bases add up to it, as in the breakdown. Undocumented: only in the
   * currency of the amounts sent.
   */
  private splitWithheld(group: Withheld, rate: Fraction) {
    const bases = group.entries.map(({ taxable_base }) => this.round(of(taxable_base)))
    const difference = Fraction.sum(bases).minus(group.base)
    const isSplit =
      !this.model &&
      bases.length > 1 &&
      difference.absolute().compare(this.tolerance(group.lines.length)) <= 0
    group.parts = (isSplit ? bases : [group.base]).map((base) => ({
      base,
      tax: this.round(base.percent(rate)),
    }))
    if (!isSplit || difference.sign === 0) return
    const shares = this.distribute(
      difference,
      group.lines.map(({ amounts }) => amounts.tax_withheld_base!.absolute()),
      () => 0,
    )
    for (const [index, { amounts }] of group.lines.entries()) {
      amounts.tax_withheld_base = amounts.tax_withheld_base!.plus(shares[index]!)
      amounts.tax_withheld_amount = this.round(amounts.tax_withheld_base.percent(rate))
    }
  }

  private total() {
    const sent = this.invoice.totals
    const taxes = this.entries.flatMap(({ tax_amount, equivalence_surcharge_amount }) => [
      tax_amount!,
      equivalence_surcharge_amount ?? ZERO,
    ])
    const sumOf = (list: readonly (number | undefined)[] | undefined, alone: number | undefined) =>
      Fraction.sum((list ?? [alone]).map((amount) => this.round(of(amount ?? 0))))
    const totals = this.totals
    totals.total_tax_outputs = Fraction.sum(taxes)
    totals.total_consumption_taxes = Fraction.sum(
      this.groups.map(({ consumptionTax }) => consumptionTax ?? ZERO),
    )
    totals.invoice_total = totals
      .total_gross_amount_before_taxes!.plus(totals.total_tax_outputs)
      .plus(totals.total_consumption_taxes)
    totals.total_non_taxable_amount = Fraction.sum(
      this.entries
        .filter((_, index) => this.entryKeys[index]!.tax_treatment_code === 'NON_TAXABLE')
        .map(({ taxable_base }) => taxable_base!),
    )
    totals.total_taxes_withheld = Fraction.sum(
      [...this.withheld.values()].flatMap(({ parts }) => parts.map(({ tax }) => tax)),
    )
    totals.total_payments_on_account = sumOf(
      sent.payments_on_account?.map((one) => one.payment_on_account_amount),
      sent.total_payments_on_account,
    )
    totals.total_reimbursable_expenses = sumOf(
      sent.reimbursable_expenses?.map((one) => one.reimbursable_expenses_amount),
      sent.total_reimbursable_expenses,
    )
    totals.total_executable_amount = totals.invoice_total
      .minus(totals.total_taxes_withheld)
      .minus(totals.total_payments_on_account)
      .plus(totals.total_reimbursable_expenses)
      .plus(this.round(of(sent.rounding_amount ?? 0)))
  }

  /** The amounts of the lists of the totals. */
  private get lists(): Row {
    const { totals } = this.invoice
    const list = (field: string, amounts: (Fraction | undefined)[] | undefined) =>
      amounts?.map((amount) => ({ [field]: amount?.toNumber() }))
    return {
      general_discounts: totals.general_discounts && list('discount_amount', this.discounts),
      general_surcharges: totals.general_surcharges && list('charge_amount', this.surcharges),
      payments_on_account: list(
        'payment_on_account_amount',
        totals.payments_on_account?.map((one) => this.optional(one.payment_on_account_amount)),
      ),
      reimbursable_expenses: list(
        'reimbursable_expenses_amount',
        totals.reimbursable_expenses?.map((one) => this.optional(one.reimbursable_expenses_amount)),
      ),
    }
  }

  /** The rounding agreed by both parties, as sent. */
  get rounding(): Row {
    const { rounding_amount } = this.invoice.totals
    return rounding_amount === undefined
      ? {}
      : { rounding_amount: this.round(of(rounding_amount)).toNumber() }
  }

  get isOutOfRange(): boolean {
    const isTooLarge = (amount: Fraction | undefined) =>
      amount !== undefined && amount.absolute().compare(LIMIT) >= 0
    const all = [
      ...this.lines.flatMap(({ amounts: { total_cost_with_tax: _, ...amounts } }) => Object.values(amounts)),
      ...this.entries.flatMap((entry) => Object.values(entry)),
      ...Object.values(this.totals),
    ]
    if (all.some(isTooLarge)) return true
    const isOut = this.lines.some(({ amounts }) => isTooLarge(amounts.total_cost_with_tax))
    if (isOut) this.notes.add('cost with tax that is out of range')
    return isOut
  }

  lineMismatches(): string[] {
    return this.lines.flatMap(({ sent, amounts }, index) => [
      ...LINE_AMOUNTS.filter((field) =>
        // Nothing is withheld on a line without rate.
        this.differs(sent[field], amounts[field] ?? (field.startsWith('tax_withheld') ? ZERO : undefined), 1),
      ).map((field) => `line_amount_mismatch /invoice/lines/${index}/${field}`),
      ...(this.differs(sent.consumption_tax_amount, amounts.consumption_tax_amount, 1)
        ? [`consumption_tax_amount_mismatch /invoice/lines/${index}/consumption_tax_amount`]
        : []),
    ])
  }

  withheldMismatches(): string[] {
    const sent = this.invoice.taxes_withheld ?? []
    const groups = [...this.withheld.values()]
    const found: string[] = []
    const pathOf = (entry: TaxWithheld) =>
      `taxes_withheld_mismatch /invoice/taxes_withheld/${sent.indexOf(entry)}`
    for (const entry of sent)
      if (!groups.some(({ entries }) => entries.includes(entry))) found.push(pathOf(entry))
    for (const { base, lines, entries, parts } of groups) {
      const last = entries.at(-1)
      if (last === undefined) {
        if (sent.length > 0 && base.sign !== 0) found.push('taxes_withheld_mismatch /invoice/taxes_withheld')
        continue
      }
      // Undocumented: if the entries do not add up to the group, the last of them is reported.
      const sum = Fraction.sum(entries.map(({ taxable_base }) => this.round(of(taxable_base))))
      const isAddedUp = sum.minus(base).absolute().compare(this.tolerance(lines.length)) <= 0
      if (!isAddedUp) found.push(`${pathOf(last)}/taxable_base`)
      if (!isAddedUp && entries.length > 1) continue
      for (const [index, entry] of entries.entries())
        if (this.differs(entry.tax_amount, parts[index]!.tax, lines.length))
          found.push(`${pathOf(entry)}/tax_amount`)
    }
    return found
  }

  /** Whether the amounts sent about the withholding are those calculated. */
  fitsWithheld(isCheck: boolean): boolean {
    const found = [
      ...this.lineMismatches().filter((one) => one.includes('tax_withheld')),
      ...this.withheldMismatches(),
      ...(isCheck
        ? this.totalMismatches().filter((one) => /total_(taxes_withheld|executable)/.test(one))
        : []),
    ]
    return found.length === 0
  }

  totalMismatches(): string[] {
    return Object.entries(this.totals)
      .filter(([field, total]) =>
        this.differs(this.invoice.totals[field as keyof Amounts], total, this.lines.length),
      )
      .map(([field]) => `totals_mismatch /invoice/totals/${field}`)
  }

  written(): Calculated {
    const { invoice, totals } = this
    const due = totals.total_executable_amount!
    const instalments = invoice.payment_details?.length ? invoice.payment_details : [{}]
    return {
      lines: this.lines.map(({ amounts, key, sent }) => ({
        tax_treatment_code: key.tax_treatment_code,
        tax_regime_key: key.tax_regime_key,
        quantity: of(sent.quantity).round(8).toNumber(),
        unit_price_without_tax: optionalRate(sent.unit_price_without_tax)?.round(8).toNumber(),
        unit_price_with_tax: optionalRate(sent.unit_price_with_tax)?.round(8).toNumber(),
        purchase_price_incl: this.optional(sent.purchase_price_incl)?.toNumber(),
        consumption_tax_amount: this.optional(sent.consumption_tax_amount)?.toNumber(),
        ...numbers(amounts),
      })),
      taxes_outputs: this.entries.map((entry, index) => ({ ...this.entryKeys[index], ...numbers(entry) })),
      taxes_withheld: [...this.withheld].flatMap(([tax_rate, { parts }]) =>
        parts.map(({ base, tax }) => ({
          tax_rate,
          taxable_base: base.toNumber(),
          tax_amount: tax.toNumber(),
        })),
      ),
      totals: { ...numbers(totals), ...this.lists },
      payment_details: instalments.map(({ installment_amount }) => ({
        installment_amount:
          instalments.length === 1 && installment_amount === undefined
            ? due.toNumber()
            : this.optional(installment_amount)?.toNumber(),
      })),
      mismatches: [],
      notes: this.notes,
      isOutOfRange: this.isOutOfRange,
    }
  }
}

const optionalRate = (rate: number | undefined) => (rate === undefined ? undefined : of(rate))

/** Returns the index of the largest amount, whatever its sign. */
const largestOf = (amounts: readonly Fraction[]) =>
  amounts.reduce(
    (best, one, index) => (one.absolute().compare(amounts[best]!.absolute()) > 0 ? index : best),
    0,
  )

const withoutTax = (amount: Fraction, rate: Fraction) => amount.times(HUNDRED).over(HUNDRED.plus(rate))

const numbers = (amounts: Exact): Row =>
  Object.fromEntries(Object.entries(amounts).map(([field, amount]) => [field, amount && shortest(amount)]))

const shortest = (value: Fraction) => value.toNumber()

const pick = (row: Row, fields: readonly string[]): Row =>
  Object.fromEntries(fields.filter((field) => row[field] !== undefined).map((field) => [field, row[field]]))

/** Returns the block of a line in the original currency. */
const blockOf = (row: Row): Row => ({
  ...pick(row, [
    'unit_price_without_tax',
    'unit_price_with_tax',
    'discount_amount',
    'charge_amount',
    ...LINE_AMOUNTS,
    'consumption_tax_amount',
  ]),
  purchase_price_incl: row.purchase_price_incl,
})

/** Returns the group of each entry: that with exactly its values, else by the best match of bases. */
function assignment(
  entries: readonly Entry[],
  groups: readonly Group[],
  tolerance: (group: Group) => Fraction,
): (Group | undefined)[] {
  const exact = entries.map((entry) => groups.find(({ key }) => isSame(fieldsOf(entry, entry.tax_rate), key)))
  const openTo = entries.map((entry) => groups.filter(({ key }) => isCompatible(entry, key)))
  // Undocumented: if several entries with exactly the values of a group do not add up to its base, those that are not
  // the nearest to it may belong to another group, whose base is theirs.
  const distance = (index: number, group: Group) =>
    of(entries[index]!.taxable_base).minus(group.base).absolute()
  const isNear = (index: number, group: Group) => distance(index, group).compare(tolerance(group)) <= 0
  const fits = openTo.map(({ length }) => length)
  const found = exact.map((group, index) => {
    const shared = entries.map((_, other) => other).filter((other) => exact[other] === group)
    const sum = Fraction.sum(shared.map((other) => of(entries[other]!.taxable_base)))
    if (!group || sum.minus(group.base).absolute().compare(tolerance(group)) <= 0) return group
    const [nearest] = shared.sort(
      (a, b) => distance(a, group).compare(distance(b, group)) || fits[a]! - fits[b]!,
    )
    const others = openTo[index]!.filter((other) => !exact.includes(other) && isNear(index, other))
    if (index === nearest || others.length === 0) return group
    openTo[index] = [group, ...others]
    return undefined
  })
  const rest = entries.map((_, index) => index).filter((index) => found[index] === undefined)
  let best: { cost: Fraction; empty: number; chosen: (Group | undefined)[] } | undefined
  const choose = (position: number, chosen: (Group | undefined)[]): void => {
    const index = rest[position]
    if (index === undefined) {
      const cost = Fraction.sum(
        groups.map((group) =>
          Fraction.sum(entries.filter((_, at) => chosen[at] === group).map((entry) => of(entry.taxable_base)))
            .minus(group.base)
            .absolute(),
        ),
      )
      const empty = groups.filter((group) => !chosen.includes(group)).length
      const order = best ? cost.compare(best.cost) || empty - best.empty : -1
      if (order < 0) best = { cost, empty, chosen: [...chosen] }
      return
    }
    const open = openTo[index]!
    for (const group of open.length > 0 ? open : [undefined]) choose(position + 1, chosen.with(index, group))
  }
  choose(0, found)
  return best!.chosen
}

/** Equal remainders of groups go to the higher rate, then to the first key in code-point order. */
function compareGroups(a: GroupFields, b: GroupFields): number {
  const text = (key: GroupFields) => FIELDS.map((field) => key[field] ?? '').join('|')
  return b.tax_rate - a.tax_rate || (text(a) < text(b) ? -1 : 1)
}

/** Equal remainders of lines go to the higher withholding rate, then to the first line. */
const compareLines = (lines: readonly CalculatedLine[]) => (a: number, b: number) =>
  (lines[b]!.sent.tax_withheld_rate ?? 0) - (lines[a]!.sent.tax_withheld_rate ?? 0)

/** Whether an invoice states amounts in the original currency. Then its other amounts are in euros. */
const hasBlocks = ({ lines, taxes_outputs = [], totals }: Invoice): boolean =>
  [...lines, ...taxes_outputs, totals].some(({ invoice_currency }) => invoice_currency !== undefined)

/** Returns the currency that an invoice names, unless it is the euro, with its rate: euros per unit. */
function currencyOf({ issue_data }: Invoice, isReceived: boolean, { exchange_rate }: SentOptions) {
  const { invoice_currency_code: code = 'EUR', exchange_rate: sent } = issue_data.invoice_currency ?? {}
  const given = isReceived && exchange_rate ? of(exchange_rate.exchange_rate) : undefined
  const rate = sent === undefined ? given : of(sent).round(8)
  if (code === 'EUR' || rate === undefined) return undefined
  const decimals = currencies.rows.find((row) => row.code === code)!.minor_units ?? 2
  return { decimals, rate }
}

/** A factor between two currencies, with the decimals of their amounts. */
interface Exchange {
  factor: Fraction
  from: number
  to: number
}

const PRICES = ['unit_price_without_tax', 'unit_price_with_tax']
const FACTORS = ['quantity', 'tax_rate', 'equivalence_surcharge']
/** Amounts from which others are calculated, and which an invoice in euros can state in the original currency. */
const STATED_OF_LINES = ['discount_amount', 'charge_amount', 'purchase_price_incl']
/** Lists of the totals. A stated total of theirs is used instead of the list. */
const STATED_LISTS = [
  'general_discounts',
  'general_surcharges',
  'payments_on_account',
  'reimbursable_expenses',
]
const STATED = [
  ...PRICES,
  ...STATED_OF_LINES,
  'rounding_amount',
  ...STATED_LISTS.map((list) => `total_${list}`),
]

/**
 * Returns an invoice in another currency. Prices keep 8 decimals; amounts are rounded as in each of the currencies. What
 * the invoice states in that currency is used instead. Undocumented: a stated price that differs from the price in euros
 * by a cent or more, or by more than 5 %, is that of another unit, and is not used; neither is a stated discount of a line
 * without discount.
 */
function converted(invoice: Invoice, { factor, from, to }: Exchange): Invoice {
  const exchanged = (value: number, field: string) =>
    (PRICES.includes(field)
      ? of(value).round(8).times(factor).round(8)
      : of(value).round(from).times(factor).round(to)
    ).toNumber()
  const isSamePrice = (stated: number, euros: number) => {
    const difference = of(stated).over(factor).minus(of(euros).round(8)).absolute()
    return difference.compare(of(0.01)) < 0 && difference.times(of(20)).compare(of(euros).absolute()) <= 0
  }
  const isUsed = (field: string, stated: Row, amounts: Row) => {
    if (PRICES.includes(field))
      return amounts[field] !== undefined && isSamePrice(stated[field] as number, amounts[field] as number)
    if (!STATED_OF_LINES.includes(field)) return true
    return amounts[field] !== undefined || amounts[field.replace('amount', 'rate')] !== undefined
  }
  const convert = (value: unknown, field: string): unknown => {
    if (typeof value === 'number')
      return FACTORS.includes(field) || field.endsWith('_rate') ? value : exchanged(value, field)
    if (Array.isArray(value)) return value.map((one) => convert(one, field))
    if (typeof value !== 'object' || value === null) return value
    const { invoice_currency, ...amounts } = value as Row
    const stated = field === 'issue_data' ? {} : pick((invoice_currency ?? {}) as Row, STATED)
    const replaced = STATED_LISTS.filter((list) => stated[`total_${list}`] !== undefined)
    return {
      ...Object.fromEntries(
        Object.entries(amounts)
          .filter(([name]) => !replaced.includes(name))
          .map(([name, one]) => [name, convert(one, name)]),
      ),
      ...Object.fromEntries(Object.entries(stated).filter(([name]) => isUsed(name, stated, amounts))),
    }
  }
  return convert(invoice, '') as Invoice
}
