/** What the server stores is what verification expects, for every document that it accepts. */
import { describe, expect, it } from 'vitest'
import { type CanonicalInvoice, type Operation, type Options, validate } from '#engine/index.ts'
import { goldenInputs } from '#test/engine/golden-invoices.ts'
import { differencesOf } from '../../admin/verify/verify-amounts.ts'

/** Returns the differences in a document that is stored as the server does, or undefined if it would be refused. */
function stored(input: unknown, options: Options, operation: Operation) {
  // The server keeps the amounts of imported and received invoices.
  const totals = operation === 'issue' ? 'recalculate' : 'check'
  const { is_valid, data, errors } = validate(input, { ...options, operation, totals })
  if (!is_valid) return undefined
  return differencesOf({ canonical: JSON.stringify(data), sent: JSON.stringify(input), errors, operation })
}

/** Returns a copy with more decimals in every total than an amount has. */
function finer(input: unknown): unknown {
  const copy = structuredClone(input) as CanonicalInvoice
  const { totals } = copy.invoice
  for (const [name, value] of Object.entries(totals))
    if (typeof value === 'number') Object.assign(totals, { [name]: value + 0.0049 })
  return copy
}

describe('verification finds no difference', () => {
  for (const operation of ['issue', 'import', 'received'] as const)
    it(`in the golden cases, stored by ${operation}, also with totals of more than two decimals`, () => {
      let compared = 0
      for (const { name, input, options } of goldenInputs())
        for (const document of [input, finer(input)]) {
          const differences = stored(document, options, operation)
          if (differences === undefined) continue
          expect(differences, name).toEqual([])
          compared++
        }
      expect(compared).toBeGreaterThan(50)
    })
})

describe('verification finds', () => {
  it('an amount to pay that does not follow from the invoice total that was kept', () => {
    const kept = goldenInputs().find(({ name }) => name === 'check-import-kept')
    const { data, errors } = validate(kept?.input, { operation: 'import', totals: 'check' })
    const canonical = JSON.stringify(data).replace(
      '"total_executable_amount":121.01',
      '"total_executable_amount":121',
    )
    const sent = JSON.stringify(kept?.input)
    expect(differencesOf({ canonical, sent, errors, operation: 'import' })).toEqual([
      {
        code: 'total_differs',
        path: '/invoice/totals/total_executable_amount',
        received: 121,
        expected: 121.01,
      },
    ])
  })
})
