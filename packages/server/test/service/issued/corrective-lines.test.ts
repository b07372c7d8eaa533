/** The taxation of a corrective line by differences, where the corrected invoice leaves it open. */
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { ApiError } from '../../../src/errors/api-error.ts'
import { differenceLines, withSurcharge } from '../../../src/service/issued/corrective-lines.ts'

type Line = Readonly<Record<string, unknown>>
const line = (tax_output_rate: number, tax_regime_key: string, others: object = {}): Line => ({
  item_description: 'Caldera',
  quantity: 1,
  unit_price_without_tax: 100,
  tax_output_rate,
  tax_regime_key,
  ...others,
})

const built = (lines: readonly object[], tax_output_rate: number | null) => {
  const original = { invoice: { lines } } as CanonicalInvoice
  const difference = { description: 'Caldera', quantity: -1, unit_price_without_tax: 10, tax_output_rate }
  return differenceLines(original, [difference])
}

/** Returns the detail of the refusal. */
const detailOf = (...of: Parameters<typeof built>) => {
  try {
    built(...of)
    return {}
  } catch (error) {
    if (error instanceof ApiError) return error.extra
    throw error
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

  it('at a rate that the corrected invoice lacks has the regime key and withholding of all its lines', () => {
    const withheld = { tax_withheld_rate: 15 }
    const [made] = built([line(21, '11', withheld), line(10, '11', withheld)], 4)
    expect(made).toMatchObject({ tax_output_rate: 4, tax_regime_key: '11', tax_withheld_rate: 15 })
    expect(detailOf([line(21, '01'), line(10, '11')], 4)).toMatchObject({ reason: 'taxation_ambiguous' })
    expect(detailOf([line(21, '01', withheld), line(10, '01')], 4)).toMatchObject({
      reason: 'withholding_ambiguous',
    })
  })

  it('is built at each rate that its refusal allows, with the taxation of the lines at that rate', () => {
    const lines = [
      line(21, '01'),
      line(21, '11'),
      line(10, '01'),
      line(10, '01', { tax_withheld_rate: 7 }),
      line(4, '03', { purchase_price_incl: 60 }),
      line(0, '01', { tax_treatment_code: 'TAXABLE_EXEMPT', exemption_reason_code: 'E1' }),
      line(0, '01'),
    ]
    for (let set = 1; set < 2 ** lines.length; set++) {
      const original = lines.filter((_, at) => set & (2 ** at))
      const { reason, allowed }: { reason?: unknown; allowed?: unknown } = detailOf(original, null)
      if (reason !== 'tax_rate_ambiguous') continue
      expect(allowed).not.toEqual([])
      for (const rate of [allowed].flat().map(Number)) {
        const [made] = built(original, rate)
        const { purchase_price_incl, item_description, quantity, unit_price_without_tax, ...taxation } =
          required(original.find(({ tax_output_rate }) => tax_output_rate === rate))
        expect(made).toMatchObject(taxation)
      }
    }
  })

  it('cannot be built at a rate whose equivalence surcharge the corrected invoice does not state', () => {
    const invoiceOf = (tax_rate: number, surcharge: object) =>
      ({ invoice: { taxes_outputs: [{ tax_rate, ...surcharge }] } }) as CanonicalInvoice
    const original = invoiceOf(21, { equivalence_surcharge: 5.2 })
    expect(withSurcharge(original, invoiceOf(21, {}))).toMatchObject([{ equivalence_surcharge: 5.2 }])
    expect(() => withSurcharge(original, invoiceOf(10, {}))).toThrow(
      expect.objectContaining({
        extra: expect.objectContaining({ reason: 'equivalence_surcharge_ambiguous' }),
      }),
    )
  })
})
