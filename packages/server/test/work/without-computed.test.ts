/** Every golden invoice as `GET .../canonical?computed=false` returns it. */
import { beforeAll, describe, expect, it } from 'vitest'
import { COMPUTED_TOTALS, LINE_AMOUNTS } from '#core/invoice/index.ts'
import { type Options, validate } from '#engine/index.ts'
import type { Document } from '#test/conformance/invoices.ts'
import { goldenInputs } from '#test/engine/golden-invoices.ts'
import { withoutComputed as withoutComputedMembers } from '#test/property/documents.ts'
import { withoutComputed } from '../../src/work/without-computed.ts'

const plain = (value: unknown): Document => JSON.parse(JSON.stringify(value))

const REQUIRED = ['total_gross_amount_before_taxes', 'total_tax_outputs', 'invoice_total']
/** Totals without their list are inputs. */
const INPUTS = /^total_(general|payments|reimbursable)/
const AMOUNTS = [...COMPUTED_TOTALS, ...LINE_AMOUNTS].filter((name) => !INPUTS.test(name))

interface Item {
  readonly code: string
  readonly path: string
}
const textOf = ({ code, path }: Item) => `${code} ${path}`

interface Case {
  readonly name: string
  readonly data: unknown
  /** The document without what is computed. */
  readonly document: Document
  readonly again: unknown
  /** Items that the invoice as sent does not have: when the document is sent unchanged, and with other quantities. */
  readonly fresh: readonly string[]
  readonly changed: readonly string[]
}

function caseOf(name: string, input: unknown, saving: Options): Case | undefined {
  const { data, errors, is_valid } = validate(input, saving)
  if (!is_valid) return undefined
  const isDraft = saving.operation === undefined || saving.operation === 'draft'
  const texts = { sent: JSON.stringify(input), canonical: JSON.stringify(data), isDraft, options: saving }
  const document = JSON.parse(withoutComputed(texts))
  const known = new Set(errors.map(textOf))
  const itemsOf = (items: readonly Item[]) => items.map(textOf).filter((text) => !known.has(text))
  const again = validate(document, saving)
  const halved = plain(document)
  for (const line of halved.invoice.lines) line.quantity /= 2
  const changed = itemsOf(validate(halved, saving).errors)
  return {
    name,
    data: plain(data),
    document,
    again: plain(again.data),
    fresh: itemsOf(again.errors),
    changed,
  }
}

/** Whether an invoice states amounts that its lines cannot give: a breakdown, instalments, cents of the supplier. */
function statesAmounts({ document: { invoice } }: Case): boolean {
  const { taxes_outputs, taxes_withheld, payment_details = [], totals, lines } = invoice
  const own = (part: Document, names: readonly string[]) => names.some((name) => part?.[name] !== undefined)
  return (
    (taxes_outputs ?? taxes_withheld) !== undefined ||
    payment_details.length > 1 ||
    own(
      totals,
      AMOUNTS.filter((name) => !REQUIRED.includes(name)),
    ) ||
    lines.some((line: unknown) => own(line, AMOUNTS)) ||
    [totals, ...lines].some(({ invoice_currency: block }) => own(block, AMOUNTS))
  )
}

describe.each([
  ['as sent', (input: unknown) => input, 400],
  // The client sends what it received, without the members that are refused.
  [
    'with every amount stated',
    (input: unknown, options: Options) => withoutComputedMembers(validate(input, options).data),
    390,
  ],
])('a golden invoice %s, without what is computed', (_, stated, most) => {
  const cases: Case[] = []
  beforeAll(() => {
    for (const { name, input, options } of goldenInputs()) {
      const saving: Options = { ...options, totals: 'check' }
      const one = caseOf(name, stated(input, saving), saving)
      if (one) cases.push(one)
    }
  }, 60_000)

  it('gives the same canonical document and no new item when it is sent back', () => {
    expect(cases.length).toBeGreaterThan(most)
    for (const { name, data, again, fresh } of cases)
      expect({ name, again, fresh }).toEqual({ name, again: data, fresh: [] })
  })

  it('has only its three totals to correct after a change of quantities, unless it states other amounts of its own', () => {
    const simple = cases.filter((one) => !statesAmounts(one))
    expect(simple.length).toBeGreaterThan(most)
    const totals = new RegExp(`^totals_mismatch /invoice/totals/(${REQUIRED.join('|')})$`)
    const others = simple.map(({ name, changed }) => ({
      name,
      items: changed.filter((text) => !totals.test(text)),
    }))
    expect(others.filter(({ items }) => items.length > 0)).toEqual([])
  })
})
