/// <reference types="node" />
/**
 * The worked examples of the tax reference, calculated by the engine to the cent: figures from the tax authority's
 * manuals and from tests of other projects. `tax-examples.json` has the facts; `asInvoice` writes each as a canonical
 * invoice.
 */
import { existsSync, readFileSync } from 'node:fs'
import { afterAll, describe, expect, it, test } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import {
  add,
  div,
  fromNumber,
  HUNDRED,
  mul,
  type Rational,
  round,
  sub,
  toNumber,
  ZERO,
} from '../core/money/rational.ts'
import { invoiceOf } from '../property/documents.ts'
import { shared } from '../shared.ts'
import { tokens } from '../tokens.ts'
import examples from './tax-examples.json' with { type: 'json' }

type Members = Record<string, unknown>
interface Line extends Members {
  readonly quantity: number
  readonly unit_price_without_tax?: number
  readonly unit_price_with_tax?: number
}
interface Discount {
  readonly rate: number
  readonly chained?: boolean
}
interface Example {
  readonly id: string
  readonly title: string
  readonly document?: Members & {
    readonly reimbursable_expenses?: readonly number[]
    readonly general_discounts?: readonly Discount[]
  }
  readonly lines: readonly Line[]
  readonly groups: readonly Members[]
  readonly totals: Record<string, number>
}
const EXAMPLES = examples as unknown as readonly Example[]

/** A notation for which the specification has no fields, named in the message. */
class NotExpressible extends Error {}

const percent = (amount: Rational, rate: number): Rational => div(mul(amount, fromNumber(rate)), HUNDRED)
const cents = (amount: Rational): number => toNumber(round(amount, 2))

/** Chained rates as one unrounded amount, since the rates of the specification do not chain. */
function chained(amount: Rational, rates: readonly number[]): number {
  let net = amount
  for (const rate of rates) net = sub(net, percent(net, rate))
  return cents(sub(amount, net))
}

/** Several discounts or charges of a line: a single rate stays a rate, several become an amount. */
function adjustment(
  cost: Rational,
  rates: readonly number[],
  amounts: readonly number[],
  name: string,
): Members {
  if (rates.length === 0 && amounts.length === 0) return {}
  if (rates.length === 1 && amounts.length === 0) return { [`${name}_rate`]: rates[0] }
  const parts = [...rates.map((rate) => percent(cost, rate)), ...amounts.map(fromNumber)]
  return { [`${name}_amount`]: cents(parts.reduce(add, ZERO)) }
}

const LINE_MEMBERS = new Set(tokens`quantity unit_price_without_tax unit_price_with_tax tax_output_rate
  tax_treatment_code tax_regime_key non_taxable_reason exemption_reason_code consumption_country_code
  consumption_tax_rate purchase_price_incl deduction_rate item_type`)
/** Members of a line that are stated elsewhere: in the breakdown, in an amount, or in the recipient's books. */
const ELSEWHERE = new Set(tokens`discount_rates discount_amounts charge_rates chained_discount_rates
  equivalence_surcharge self_assessed_rate`)

const listOf = (value: unknown): readonly number[] => (value ?? []) as readonly number[]

function lineOf(line: Line): Members {
  const members: Members = {}
  for (const [name, value] of Object.entries(line)) {
    if (LINE_MEMBERS.has(name)) members[name] = value
    else if (!ELSEWHERE.has(name)) throw new NotExpressible(`a line has no ${name}`)
  }
  const price = required(line.unit_price_without_tax ?? line.unit_price_with_tax)
  const cost = mul(fromNumber(line.quantity), fromNumber(price))
  if (line.consumption_country_code !== undefined)
    Object.assign(members, { consumption_rate_type: 'standard', supply_type: 'services' })
  if (line.chained_discount_rates !== undefined)
    members.discount_amount = chained(cost, listOf(line.chained_discount_rates))
  return {
    ...members,
    ...adjustment(cost, listOf(line.discount_rates), listOf(line.discount_amounts), 'discount'),
    ...adjustment(cost, listOf(line.charge_rates), [], 'charge'),
  }
}

/** Document discounts: rates on the sum of the lines or, if they chain, the resulting amount. */
function discountsOf(entries: readonly Discount[], gross: number): Members[] {
  return entries.some((entry) => entry.chained)
    ? [
        {
          discount_amount: chained(
            fromNumber(gross),
            entries.map((entry) => entry.rate),
          ),
        },
      ]
    : entries.map((entry) => ({ discount_rate: entry.rate }))
}

const DOCUMENT_MEMBERS = new Set(tokens`direction operation_date corrective correction_type
  corrected_taxable_base corrected_tax_amount general_discounts reimbursable_expenses`)

function asInvoice({ document = {}, lines }: Example): unknown {
  for (const name of Object.keys(document))
    if (!DOCUMENT_MEMBERS.has(name)) throw new NotExpressible(`an invoice has no ${name}`)
  const received = document.direction === 'received'
  const plain = invoiceOf(lines.map(lineOf))
  const { invoice, meta } = plain
  if (received) {
    meta.direction = 'received'
    invoice.header.invoice_number = 'F-1'
    invoice.issue_data.issue_date = '2025-03-10'
  }
  if (document.operation_date !== undefined) invoice.issue_data.operation_date = document.operation_date
  if (document.corrective || document.correction_type) {
    invoice.header.invoice_type_code = '03'
    invoice.header.corrective = {
      reason_code: '01',
      reason_description: 'Número de la factura',
      invoice_number: 'F-0',
      invoice_issue_date: '2025-01-10',
      correction_type: document.correction_type ?? 'D',
      ...(document.correction_type === 'S'
        ? {
            corrected_taxable_base: document.corrected_taxable_base,
            corrected_tax_amount: document.corrected_tax_amount,
          }
        : {}),
    }
  }
  const country = lines.find((line) => line.consumption_country_code)?.consumption_country_code
  if (country !== undefined)
    invoice.customer = {
      person_type_code: 'F',
      name: 'Alex Martin',
      country_code: country,
      person: {
        first_name: 'Alex',
        first_surname: 'Martin',
        address: { address: '1', post_code: '10115', town: 'Ville', country_code: country },
      },
    }
  const expenses = document.reimbursable_expenses
  if (expenses)
    invoice.totals.reimbursable_expenses = expenses.map((amount) => ({
      reimbursable_expenses_amount: amount,
    }))
  const first = required(validate(plain).data?.invoice)
  const discounts = document.general_discounts
  if (discounts)
    Object.assign(invoice.totals, {
      general_discounts: discountsOf(discounts, required(first.totals.total_gross_amount)),
    })
  // A surcharge is sent in the computed breakdown, with the percentage of the lines of its rate.
  if (lines.some((line) => line.equivalence_surcharge !== undefined))
    Object.assign(invoice, {
      taxes_outputs: required(first.taxes_outputs).map(({ tax_rate, taxable_base, tax_amount }) => ({
        tax_rate,
        taxable_base,
        tax_amount,
        equivalence_surcharge: required(lines.find((line) => line.tax_output_rate === tax_rate))
          .equivalence_surcharge,
      })),
    })
  return plain
}

const agreed: string[] = []
const notExpressible: string[] = []

describe('the worked examples of the tax reference', () => {
  test.each(EXAMPLES.map((example) => [example.id, example.title, example] as const))(
    '%s: %s',
    (id, _, example) => {
      let document: unknown
      try {
        document = asInvoice(example)
      } catch (error) {
        if (!(error instanceof NotExpressible)) throw error
        notExpressible.push(`${id} (${error.message})`)
        return
      }
      const { data, errors } = validate(document)
      expect(errors.filter((item) => item.severity === 'error')).toEqual([])
      expect(data?.invoice.taxes_outputs).toMatchObject(example.groups)
      expect(data?.invoice.taxes_outputs).toHaveLength(example.groups.length)
      expect(data?.invoice.totals).toMatchObject(example.totals)
      agreed.push(id)
    },
  )
  it('have every id once', () => {
    expect(new Set(EXAMPLES.map(({ id }) => id)).size).toBe(EXAMPLES.length)
  })
})

afterAll(() => {
  const left = notExpressible.length === 0 ? '' : `: ${notExpressible.join(', ')}`
  console.log(
    `tax examples: ${agreed.length} of ${EXAMPLES.length} agree, ${notExpressible.length} not expressible${left}`,
  )
})

// ------------------------------------------------------------------------------------- the file it was taken from

const source = shared('reference/tax/examples.json')

/** Converts every amount to a number, and omits members without a value. */
const plainly = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== null)
      .map(([name, value]) => [
        name,
        typeof value === 'string' &&
        /(rate|base|amount|total\w*|taxes|surcharge|outputs|expenses|discounts)$/.test(name)
          ? Number(value) + 0
          : value,
      ]),
  )

describe('our copy of the examples', () => {
  it.skipIf(!existsSync(source))('has the ids and figures of ../shared/reference/tax/examples.json', () => {
    const theirs: {
      examples: { id: string; expected: { taxes_outputs: Members[]; totals: Members } }[]
    } = JSON.parse(readFileSync(source, 'utf8'))
    expect(EXAMPLES.map(({ id, groups, totals }) => ({ id, groups, totals }))).toEqual(
      theirs.examples.map(({ id, expected }) => ({
        id,
        groups: expected.taxes_outputs.map(plainly),
        totals: plainly(expected.totals),
      })),
    )
  })
})
