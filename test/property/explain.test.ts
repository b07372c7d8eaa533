/// <reference types="node" />
/** Every computed amount has a row, and the formula of a row can be evaluated with the inputs that it names. */

import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { taxKeyOf, taxKeyText, valueAt } from '#core/invoice/index.ts'
import { type CanonicalInvoice, type ExplanationRow, type Options, validate } from '#engine/index.ts'
import {
  abs,
  asText,
  compare,
  fromNumber,
  fromText,
  mul,
  round,
  sub,
  toNumber,
} from '../core/money/rational.ts'
import { figure } from '../figures.ts'
import { messageOf } from '../narrow.ts'
import { runs } from '../size.ts'
import { evaluate } from './formula.ts'
import { widened } from './widened.ts'

const read = (path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

// ------------------------------------------------------------------------------- the amounts of the schema

interface Schema {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly type?: string
}

/** Amounts and prices of the contract, as pointers with `*` for an index. */
function* amountsOf(schema: Schema, file: string, path: string): Generator<string> {
  if (schema.$ref !== undefined) {
    const [name, pointer] = schema.$ref.split('#')
    const last = required(path.split('/').at(-1))
    if (pointer === '/$defs/amount') yield path
    else if (pointer === '/$defs/decimal' && last.startsWith('unit_price')) yield path
    else if (pointer === undefined) yield* amountsOf(read(`../../schemas/${name}`), required(name), path)
    return
  }
  if (path.endsWith('/purchase_price_incl')) yield path
  for (const [name, member] of Object.entries(schema.properties ?? {}))
    yield* amountsOf(member, file, `${path}/${name}`)
  if (schema.items) yield* amountsOf(schema.items, file, `${path}/*`)
}

/** The amounts of the corrected invoice are euros in any currency: they are never converted or computed. */
const AMOUNTS = new Set(
  [...amountsOf({ $ref: 'invoice.json' }, '', '/invoice')].filter(
    (path) => !path.includes('/corrective/corrected_'),
  ),
)

const patternOf = (path: string): string => path.replace(/\/\d+(?=\/|$)/g, '/*')

/** Every amount of a document, by its path. */
function* amountsIn(value: unknown, path: string): Generator<readonly [path: string, amount: number]> {
  if (typeof value === 'number' && AMOUNTS.has(patternOf(path))) yield [path, value]
  else if (value !== null && typeof value === 'object')
    for (const [name, member] of Object.entries(value)) yield* amountsIn(member, `${path}/${name}`)
}

// ---------------------------------------------------------------------------------------------- the checks

/** Members that are computed whatever was sent. */
const COMPUTED =
  /\/totals\/(?!rounding_amount)\w+$|\/lines\/\d+\/(?:total|gross|tax_output|tax_withheld|consumption)\w+$|\/taxes_(?:outputs|withheld)\/\d+\/(?:taxable_base|tax_amount)$/

const MINOR: Readonly<Record<string, number>> = { JPY: 0 }

/** Amounts with more decimals than are kept were reported, and rounded. */
const sentDecimals = (data: CanonicalInvoice): number =>
  data.meta.direction === 'issued'
    ? 2
    : (MINOR[data.invoice.issue_data.invoice_currency?.invoice_currency_code ?? 'EUR'] ?? 2)

function checkComplete(
  sent: CanonicalInvoice,
  data: CanonicalInvoice,
  rows: readonly ExplanationRow[],
): void {
  const explained = rows.map((row) => row.path)
  expect(explained.length, 'one row an amount').toBe(new Set(explained).size)
  const known = new Set(explained)
  const missing = [...amountsIn(data.invoice, '/invoice')].filter(([path, amount]) => {
    if (known.has(path)) return false
    if (COMPUTED.test(path)) return true
    const own = path.replace('/invoice_currency/', '/')
    const same = (value: unknown) =>
      typeof value === 'number' && Math.abs(value - amount) <= 0.500001 / 10 ** sentDecimals(data)
    return !same(valueAt(sent, path)) && !same(valueAt(sent, own))
  })
  expect(missing, 'computed amounts without a row').toEqual([])
}

const decimalsOf = (path: string, data: CanonicalInvoice): number => {
  if (path.includes('/unit_price')) return 8
  if (!path.includes('/invoice_currency/')) return 2
  return MINOR[required(required(data.invoice.issue_data.invoice_currency).invoice_currency_code)] ?? 2
}

/** Each input stands in `data`, in the document sent, or was replaced by an amount that was sent. */
function checkInputs(
  row: ExplanationRow,
  sent: CanonicalInvoice,
  data: CanonicalInvoice,
  kept: Set<string>,
): void {
  for (const { path, value } of row.inputs) {
    const amount = valueAt(sent, path)
    const used = typeof amount === 'number' && toNumber(round(fromNumber(amount), sentDecimals(data)))
    const known = valueAt(data, path) === value || used === value
    if (!known && !kept.has(path)) throw new Error(`${row.path}: no input ${value} at ${path}`)
  }
}

/** Rows whose formula was evaluated with their inputs, and all rows. */
const evaluated = { rows: 0, all: 0 }

/**
 * How much larger the lines of a tax group, or of the whole invoice, are than their sum. A discount of the document is
 * spread by that sum: if the lines nearly cancel out, its rounding grows with their size.
 */
function growth(lines: CanonicalInvoice['invoice']['lines']): number {
  const groups = new Map<string, number[]>()
  for (const line of lines)
    for (const key of ['', taxKeyText(taxKeyOf(line, line.tax_output_rate ?? 0))])
      groups.set(key, [...(groups.get(key) ?? []), line.gross_amount_without_tax ?? 0])
  const added = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0)
  const factors = [...groups.values()].map((amounts) => {
    const size = added(amounts.map(Math.abs))
    return size / (Math.abs(toNumber(round(fromNumber(added(amounts)), 2))) || size || 1)
  })
  return Math.max(1, ...factors)
}

function checkRows(sent: CanonicalInvoice, data: CanonicalInvoice, rows: readonly ExplanationRow[]): void {
  const { lines, taxes_outputs = [] } = sent.invoice
  const grown = Math.ceil(growth(data.invoice.lines))
  const parts = fromNumber(grown * (lines.length + taxes_outputs.length))
  const kept = new Set(
    rows.filter((row) => /^(?:amount|total) sent$/.test(row.formula)).map((row) => row.path),
  )
  for (const row of rows) {
    const shown = JSON.stringify(row)
    expect(valueAt(data, row.path), shown).toBe(row.rounded)
    checkInputs(row, sent, data, kept)
    const decimals = decimalsOf(row.path, data)
    // What follows a total that was sent is not computed from it alone.
    const value = row.formula === 'total sent' ? null : evaluate(row)
    evaluated.all += 1
    if (value) {
      evaluated.rows += 1
      expect(asText(value), shown).toBe(row.exact)
    }
    const ideal = round(fromText(row.exact.replace('…', '')), decimals)
    const away = sub(fromNumber(row.rounded), ideal)
    expect(compare(away, fromNumber(row.remainder?.difference ?? 0)), shown).toBe(0)
    // An entry sent in another currency is within the tolerance of that currency.
    if (/ sent .* x exchange_rate$/.test(row.formula)) continue
    // A share is less than a minor unit from its ideal, and a group less than one for each line and each entry sent.
    expect(compare(abs(mul(away, fromNumber(10 ** decimals))), parts), shown).toBeLessThanOrEqual(0)
  }
}

function check(sent: CanonicalInvoice, options: Options): readonly ExplanationRow[] {
  const { data, explanation } = validate(sent, { ...options, explain: true })
  if (!data) return []
  checkComplete(sent, data, required(explanation))
  checkRows(sent, data, required(explanation))
  return required(explanation)
}

// ----------------------------------------------------------------------------------------------- the tests

const CASES = new URL('../cases/', import.meta.url)

/** The golden invoices, and one in yen that has every kind of amount, received and issued. */
const CORPUS: readonly (readonly [name: string, document: CanonicalInvoice, options: Options])[] = [
  ...readdirSync(CASES)
    .sort()
    .map((name) => {
      const options = readdirSync(new URL(`${name}/`, CASES)).includes('options.json')
      return [
        name,
        read(`../cases/${name}/input.json`),
        options ? read(`../cases/${name}/options.json`) : {},
      ] as const
    }),
  ...['received', 'issued']
    .flatMap((direction) => [
      [direction, 'unit_price_without_tax'] as const,
      [direction, 'unit_price_with_tax'] as const,
    ])
    .map(([direction, price]) => {
      const document = read('../cases/currency-usd/input.json')
      const line = {
        item_description: 'Pieza',
        quantity: 3,
        [price]: 1234.5,
        tax_output_rate: 21,
        tax_withheld_rate: 15,
      }
      Object.assign(document.invoice.issue_data.invoice_currency, {
        invoice_currency_code: 'JPY',
        exchange_rate: 0.0061,
      })
      Object.assign(document.invoice, {
        header: {
          ...document.invoice.header,
          invoice_type_code: '03',
          corrective: { correction_type: 'S', corrected_taxable_base: 1000, corrected_tax_amount: 210 },
        },
        lines: [
          price === 'unit_price_with_tax' ? line : { ...line, discount_rate: 3.3, charge_amount: 77 },
          price === 'unit_price_with_tax' ? line : { ...line, discount_amount: 55, charge_rate: 1.7 },
          { ...line, tax_regime_key: '03', purchase_price_incl: 500 },
        ],
        totals: {
          ...document.invoice.totals,
          general_discounts: [{ discount_rate: 7 }, { discount_amount: 90 }],
          general_surcharges: [{ charge_rate: 1.5 }, { charge_amount: 33 }],
          payments_on_account: [{ payment_on_account_date: '2026-03-01', payment_on_account_amount: 11 }],
          reimbursable_expenses: [{ reimbursable_expenses_amount: 22 }],
          rounding_amount: 3,
        },
        taxes_outputs: [
          { tax_rate: 21, taxable_base: 0, tax_amount: 0, equivalence_surcharge: 5.2 },
          { tax_rate: 21, taxable_base: 0, tax_amount: 0, tax_regime_key: '03' },
        ],
        payment_details: [{ installment_amount: 100 }, { installment_amount: 200 }],
      })
      if (direction === 'received') return [`yen, ${price}`, document, {}] as const
      document.meta.direction = direction
      Object.assign(document.invoice.header, { invoice_series_code: 'F', invoice_number: 'F-1' })
      return [`issued in yen, ${price}`, document, { operation: 'import' }] as const
    }),
]

describe('explain', () => {
  it('has a row for every amount of the schema that can be computed', () => {
    const explained = new Set<string>()
    let rows = 0
    for (const [name, document, options] of CORPUS) {
      try {
        for (const row of check(document, options)) {
          explained.add(patternOf(row.path))
          rows += 1
        }
      } catch (error) {
        throw new Error(`${name}: ${messageOf(error)}`, { cause: error })
      }
    }
    expect([...AMOUNTS].filter((path) => !explained.has(path))).toEqual([])
    figure(
      `${AMOUNTS.size} amounts of the schema, ${CORPUS.length} invoices, ${rows} rows, ${evaluated.rows} of ${evaluated.all} formulas evaluated`,
    )
    expect(evaluated.rows / evaluated.all).toBeGreaterThan(0.9)
  })

  it('has formulas that can be evaluated with their inputs', () => {
    let rows = 0
    let documents = 0
    fc.assert(
      fc.property(widened(), ({ document, operation }) => {
        rows += check(document, { operation }).length
        documents += 1
      }),
      runs(120, 10_000),
    )
    figure(`${rows} rows of ${documents} random invoices`)
    expect(rows).toBeGreaterThan(documents)
  })

  it('states that an amount is kept as sent', () => {
    const tally = { rows: 0, kept: 0 }
    const cents = fc.integer({ min: -1, max: 1 })
    fc.assert(
      fc.property(widened(), cents, (sent, away) => {
        if (sent.operation !== 'import' && sent.operation !== 'received') return
        const { invoice } = sent.document
        const data = required(validate(sent.document, { operation: sent.operation }).data)
        const { invoice_currency, ...totals } = data.invoice.totals
        const computed: typeof totals = { ...totals, ...invoice_currency }
        const document = {
          ...sent.document,
          invoice: {
            ...invoice,
            totals: { ...invoice.totals, invoice_total: computed.invoice_total + away / 100 },
          },
        }
        const rows = check(document, { operation: sent.operation, totals: 'check' })
        const path = `/invoice/totals/${invoice_currency ? 'invoice_currency/' : ''}invoice_total`
        expect(rows.find((row) => row.path === path)).toMatchObject({
          formula: 'amount sent',
          rounded: toNumber(round(fromNumber(document.invoice.totals.invoice_total), sentDecimals(data))),
        })
        tally.rows += rows.length
        tally.kept += rows.filter((row) => row.formula === 'amount sent').length
      }),
      runs(80, 4_000),
    )
    figure(`${tally.rows} rows of imported and received invoices, ${tally.kept} amounts kept as sent`)
    expect(tally.kept).toBeGreaterThan(0)
  })
})
