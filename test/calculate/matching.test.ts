/** The work of assigning breakdown entries to groups: counted, not timed. */
import { expect, it } from 'vitest'
import { matchEntries } from '../../src/calculate/matching.ts'
import type { TaxGroup } from '../../src/calculate/model.ts'
import type { Line, TaxOutput } from '../../src/invoice/index.ts'

it('reads an entry only a few times, whatever the number of groups and entries of its rate', () => {
  const COUNT = 480
  let reads = 0
  const counted = (entry: TaxOutput): TaxOutput =>
    new Proxy(entry, {
      get(target, member) {
        reads++
        return Reflect.get(target, member)
      },
    })
  const entries = Array.from({ length: COUNT }, (_, i) =>
    counted({ tax_rate: 0, taxable_base: 1 + i, tax_amount: 0 } as TaxOutput),
  )
  const groups = Array.from({ length: COUNT }, (_, i): TaxGroup => {
    const first = { consumption_tax_rate: i / 100 } as Line
    return {
      treatment: 'NON_TAXABLE',
      rate: 0,
      regimeKey: '17',
      reason: 'LOCATION_RULES',
      consumptionCountry: 'FR',
      consumptionRate: i / 100,
      consumptionRateType: undefined,
      supplyType: undefined,
      withTax: false,
      first,
      lines: [i],
      margin: false,
      charged: 0,
      gross: 100,
      ownBase: 100,
      share: 0,
      base: 100 + i * 100,
      tax: 0,
      consumptionTax: 0,
      rows: [],
    }
  })
  const { byGroup } = matchEntries(entries, groups, 2)
  expect(byGroup.flat()).toHaveLength(COUNT)
  expect(reads).toBeLessThan(50 * COUNT)
})
