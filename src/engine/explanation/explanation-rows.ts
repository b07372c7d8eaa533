/** The rows of an explanation, and the exact arithmetic that computes them. */

import type { InvoiceBlock, Line, Locale, Text } from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { type Exact, exact, exactNumber, exactText, keepDecimals, roundExact } from '#core/money/index.ts'
import type {
  CalculatedInvoice,
  CalculatedLine,
  Calculation,
  LineAmounts,
  TaxGroup,
} from '../calculate/index.ts'
import { formulaText } from './formula-text.ts'

export { RULES } from '../generated/texts/explanation.ts'

export interface ExplanationInput {
  /** JSON Pointer of the value in `data` or, if `data` has another value there, in the document sent. */
  readonly path: string
  readonly value: number
}

export interface ExplanationRow {
  /** JSON Pointer of the computed amount in `data`. */
  readonly path: string
  /**
   * How the amount is computed, with the field names of the API specification, in the language of the option `locale`.
   */
  readonly formula: string
  readonly inputs: readonly ExplanationInput[]
  /** Exact value before rounding, as decimal text; `…` marks a value with more than 20 decimals. */
  readonly exact: string
  readonly rounded: number
  /** The rule of the calculation page that applies. */
  readonly rule: string
  /** The result of rounding each line separately, for amounts that are rounded once per group. */
  readonly line_by_line?: { readonly value: number; readonly difference: number }
  /**
   * Set if a part differs from its exact value after rounding: the difference, and the total to which the parts add up.
   */
  readonly remainder?: { readonly difference: number; readonly total: number }
}

export const ZERO = exact(0)

export const EXCHANGE_RATE = '/invoice/issue_data/invoice_currency/exchange_rate'

/** Whether a path is that of an amount outside the `invoice_currency` blocks. */
const isInEuros = (path: string): boolean =>
  !path.includes('/invoice_currency/') && /amount|base|total|price/.test(path.slice(path.lastIndexOf('/')))

/** One calculation of an invoice, and the paths of its amounts in `data`. */
export interface ExplainedCalculation {
  readonly invoice: CalculatedInvoice
  readonly calculation: Calculation
  /** The document as it was sent. */
  readonly sent: InvoiceBlock
  /** Decimals of the currency of the document sent. */
  readonly sentDecimals: number
  /** The exchange rate, if the amounts of the sheet were converted from another currency. */
  readonly rate?: number | undefined
  /** The invoice in euros and its exchange rate, if the amounts of the sheet were converted from euros. */
  readonly fromEuros?: { readonly invoice: InvoiceBlock; readonly rate: number } | undefined
  /** Maps the path of an amount of the sheet to its path in `data`; null if `data` does not have the amount. */
  readonly pathInData: (path: string) => string | null
}

/** How an amount is computed: formula, inputs and exact result. */
export interface Computation {
  readonly formula: string
  readonly inputs: readonly ExplanationInput[]
  readonly value: Exact
}

/** A row whose path is not yet mapped to `data`. */
export interface Row extends Computation {
  readonly path: string
  /** The amount in the document. Absent amounts get no row. */
  readonly rounded: number | undefined
  readonly rule: Text
  readonly lineByLine?: Exact | undefined
  /** Total in minor units to which the parts of a divided amount add up. */
  readonly total?: number | undefined
}

export class ExplanationRows {
  readonly rows: ExplanationRow[] = []
  readonly invoice: CalculatedInvoice
  readonly decimals: number
  constructor(
    readonly sheet: ExplainedCalculation,
    private readonly locale: Locale,
  ) {
    this.invoice = sheet.invoice
    this.decimals = sheet.calculation.decimals
  }

  /** Rounds to the minor units of the currency. */
  round(value: Exact): Exact {
    return roundExact(value, this.decimals)
  }

  /** Converts minor units to an amount. */
  amount(minor: number): Exact {
    return exact(minor).div(10 ** this.decimals)
  }

  add({ path, formula, inputs, value, rounded, rule, lineByLine, total }: Row): void {
    const pathInData = this.sheet.pathInData(path)
    if (pathInData === null || rounded === undefined) return
    const text = this.withEuros(formula, inputs)
    const row = {
      path: pathInData,
      ...text,
      formula: formulaText(text.formula, this.locale),
      exact: exactText(value),
      rounded,
      rule: rule[this.locale],
    }
    const away = exact(rounded).minus(this.round(value))
    this.rows.push({
      ...row,
      ...(lineByLine && {
        line_by_line: {
          value: exactNumber(lineByLine),
          difference: exactNumber(lineByLine.minus(rounded)),
        },
      }),
      ...(!away.isZero() &&
        total !== undefined && {
          remainder: { difference: exactNumber(away), total: exactNumber(this.amount(total)) },
        }),
    })
  }

  /** Returns an amount of the sheet as an input, with its path in `data` if it has one. */
  input(path: string, value: number | undefined): ExplanationInput {
    return { path: this.sheet.pathInData(path) ?? path, value: value ?? 0 }
  }

  /** For an issued invoice, states inputs in euros if no `invoice_currency` block has them in the original currency. */
  private withEuros(formula: string, inputs: readonly ExplanationInput[]): Pick<Row, 'formula' | 'inputs'> {
    const { fromEuros } = this.sheet
    const hasEuros = inputs.some(({ path }) => isInEuros(path))
    if (!fromEuros || !hasEuros || formula.endsWith('/ exchange_rate')) return { formula, inputs }
    const { invoice, rate } = fromEuros
    const replaced = inputs.map(({ path, value }) => ({
      path,
      value: isInEuros(path) ? (valueAt({ invoice }, path) as number) : value,
    }))
    return {
      formula: `${formula}; euros / exchange_rate`,
      inputs: [...replaced, { path: EXCHANGE_RATE, value: rate }],
    }
  }

  line(index: number): CalculatedLine {
    return this.invoice.lines[index]!
  }

  amounts(index: number): LineAmounts {
    return this.sheet.calculation.lines[index]!
  }

  /** Returns the amount sent in the entry of a breakdown row. */
  sent(
    list: 'taxes_outputs' | 'taxes_withheld',
    { index }: { readonly index: number | undefined },
    name: 'taxable_base' | 'tax_amount' | 'consumption_tax_amount' | 'equivalence_surcharge_amount',
  ): ExplanationInput | undefined {
    const entry: Partial<Record<typeof name, number>> | undefined =
      index === undefined ? undefined : this.sheet.sent[list]?.[index]
    return entry?.[name] === undefined
      ? undefined
      : this.sentInput(`/invoice/${list}/${index}/${name}`, entry[name])
  }

  /** Returns the named fields of a line as inputs; absent fields are omitted. */
  of(index: number, line: Line, ...names: (keyof Line)[]): ExplanationInput[] {
    return names
      .filter((name) => line[name] !== undefined)
      .map((name) => this.input(`/invoice/lines/${index}/${name}`, line[name] as number))
  }

  /** Returns an amount of the document sent as an input, without excess decimals. */
  sentInput(path: string, value: number): ExplanationInput {
    return { path, value: keepDecimals(value, this.sheet.sentDecimals) }
  }
}

export const percent = (value: number): Exact => exact(value).div(100)
export const rateOf = (group: TaxGroup): number => group.consumptionRate ?? group.rate

export const countText = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
