/** Rows of an explanation, and the exact arithmetic that they are worked out with. */
import type {
  CalculatedInvoice,
  CalculatedLine,
  Calculation,
  LineAmounts,
  TaxGroup,
} from '../../calculate/index.ts'
import type { InvoiceBlock, Line } from '../../invoice/index.ts'
import { type Exact, exact, exactNumber, exactText, keepDecimals, roundExact } from '../../money/index.ts'

export interface ExplanationInput {
  /** JSON Pointer of the value: in `data`, or in the document sent, where `data` holds another value there. */
  readonly path: string
  readonly value: number
}

export interface ExplanationRow {
  /** JSON Pointer of the computed amount in `data`. */
  readonly path: string
  /** How it is computed, in the contract's words. */
  readonly formula: string
  readonly inputs: readonly ExplanationInput[]
  /** Exact value before rounding, as decimal text; `…` marks a value with more than 20 decimals. */
  readonly exact: string
  readonly rounded: number
  /** Rule of the calculation page that was applied. */
  readonly rule: string
  /** What rounding each line by itself would have given, where it matters. */
  readonly line_by_line?: { readonly value: number; readonly difference: number }
  /** Where a part is not its exact value rounded: by how much, and what all the parts add up to. */
  readonly remainder?: { readonly difference: number; readonly total: number }
}

export const RULES = {
  line: 'line: quantity x price, rounded once',
  adjustment: 'line discount or charge: the amount sent, else the rate on the line cost',
  sum: 'sum of amounts already in cents',
  lineTax: 'line tax: informative, rounded by itself; the breakdown decides',
  group: 'group: once per tax group, never line by line',
  included: 'price with tax: base of the whole group, so that the charge is kept to the cent',
  spread: 'largest remainder: the parts add up to the group',
  margin: 'margin scheme: only the margin carries tax, and never less than zero',
  document: 'document discount or surcharge: the amount sent, else the rate on the sum of the lines',
  entry: 'entry sent by the client, within the tolerance',
  given: 'amount sent without its list',
  payment: 'one instalment or none: it is the amount to pay',
  conversion: 'foreign currency: original amount x exchange_rate (euros per unit)',
  kept: 'imported and received invoices keep the amounts sent',
} as const

export const ZERO = exact(0)

/** One calculation of an invoice, and how its amounts are found in `data`. */
export interface Sheet {
  readonly invoice: CalculatedInvoice
  readonly calculation: Calculation
  /** The document as it was sent. */
  readonly sent: InvoiceBlock
  /** Minor units of the currency that it was sent in. */
  readonly sentDecimals: number
  /** The amounts of the sheet are those sent, converted at this rate. */
  readonly rate?: number | undefined
  /** Where an amount of the sheet stands in `data`; null where it does not. */
  readonly place: (path: string) => string | null
}

/** How an amount is worked out: what is done with which inputs, and what it gives exactly. */
export interface Working {
  readonly formula: string
  readonly inputs: readonly ExplanationInput[]
  readonly value: Exact
}

/** A row before its place in `data` is known. */
export interface Row extends Working {
  readonly path: string
  /** What stands in the document; an amount that it does not have needs no row. */
  readonly rounded: number | undefined
  readonly rule: string
  readonly lineByLine?: Exact | undefined
  /** What the parts of a spread amount add up to, in minor units. */
  readonly total?: number | undefined
}

export class Rows {
  readonly rows: ExplanationRow[] = []
  readonly invoice: CalculatedInvoice
  readonly decimals: number
  constructor(readonly sheet: Sheet) {
    this.invoice = sheet.invoice
    this.decimals = sheet.calculation.decimals
  }

  /** Rounded to the currency's minor units. */
  round(value: Exact): Exact {
    return roundExact(value, this.decimals)
  }

  /** Minor units as an amount. */
  amount(minor: number): Exact {
    return exact(minor).div(10 ** this.decimals)
  }

  add({ path, formula, inputs, value, rounded, rule, lineByLine, total }: Row): void {
    const place = this.sheet.place(path)
    if (place === null || rounded === undefined) return
    const row = { path: place, formula, inputs, exact: exactText(value), rounded, rule }
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

  /** An amount of the sheet as an input; at its own path where `data` has no other place for it. */
  input(path: string, value: number | undefined): ExplanationInput {
    return { path: this.sheet.place(path) ?? path, value: value ?? 0 }
  }

  line(index: number): CalculatedLine {
    return this.invoice.lines[index]!
  }

  amounts(index: number): LineAmounts {
    return this.sheet.calculation.lines[index]!
  }

  /** The amount that was sent in the entry that a row of the calculation stands for. */
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

  /** Inputs of a line: its own members, at their paths. */
  of(index: number, line: Line, ...names: (keyof Line)[]): ExplanationInput[] {
    return names
      .filter((name) => line[name] !== undefined)
      .map((name) => this.input(`/invoice/lines/${index}/${name}`, line[name] as number))
  }

  /** An amount of the document as it was sent, with the decimals that are kept. */
  sentInput(path: string, value: number): ExplanationInput {
    return { path, value: keepDecimals(value, this.sheet.sentDecimals) }
  }
}

export const percent = (value: number): Exact => exact(value).div(100)
export const rateOf = (group: TaxGroup): number => group.consumptionRate ?? group.rate

export const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
