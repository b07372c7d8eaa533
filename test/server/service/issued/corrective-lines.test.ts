/** The taxation of a corrective line by differences, where the corrected invoice leaves it open. */
import { describe, expect, it } from 'vitest'
import type { CanonicalInvoice } from '../../../../src/invoice/index.ts'
import { differenceLines } from '../../../../src/server/service/issued/corrective-lines.ts'

const line = (tax_output_rate: number, tax_regime_key: string) => ({
  item_description: 'Caldera',
  quantity: 1,
  unit_price_without_tax: 100,
  tax_output_rate,
  tax_regime_key,
})

const detailOf = (lines: readonly object[], tax_output_rate: number | null): unknown => {
  const original = { invoice: { lines } } as unknown as CanonicalInvoice
  const difference = { description: 'Caldera', quantity: -1, unit_price_without_tax: 10, tax_output_rate }
  try {
    return differenceLines(original, [difference])
  } catch (error) {
    return (error as { extra: unknown }).extra
  }
}

describe('a line of a correction by differences', () => {
  it('must state its rate if the corrected invoice has several', () => {
    expect(detailOf([line(21, '01'), line(10, '01')], null)).toMatchObject({
      reason: 'tax_rate_ambiguous',
      allowed: [21, 10],
    })
  })
  it.each([21, null])('cannot be built if lines at one rate differ in regime key (rate sent: %s)', (rate) => {
    expect(detailOf([line(21, '01'), line(21, '11')], rate)).toMatchObject({
      reason: 'taxation_ambiguous',
      hint: { en: expect.stringContaining('PUT /drafts') },
    })
  })
})
