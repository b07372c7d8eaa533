/** The assignment of breakdown entries to groups: its work, counted and not timed, and its independence of any order. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import type { Line, TaxOutput } from '#core/invoice/index.ts'
import type { TaxGroup } from '#engine/calculate/calculation-model.ts'
import { matchEntries } from '#engine/calculate/matching.ts'

const groupOf = (own: Partial<TaxGroup>): TaxGroup => ({
  treatment: 'TAXABLE_NON_EXEMPT',
  rate: 21,
  regimeKey: '01',
  reason: undefined,
  consumptionCountry: undefined,
  consumptionRate: undefined,
  consumptionRateType: undefined,
  supplyType: undefined,
  withTax: false,
  first: {} as Line,
  lines: [0],
  margin: false,
  charged: 0,
  gross: 100,
  ownBase: 100,
  share: 0,
  base: 100,
  tax: 0,
  consumptionTax: 0,
  rows: [],
  ...own,
})

it('gives the entries to the same groups in any order, of few or many entries', () => {
  // Few different bases, so that many are equally near.
  const bases = fc.integer({ min: -3, max: 8 }).map((base) => base * 100)
  const keys = fc.constantFrom(undefined, '01', '11', '05')
  const entries = fc.oneof(
    fc.array(fc.record({ base: bases, key: keys }), { maxLength: 8 }),
    fc.array(fc.record({ base: bases, key: fc.constant(undefined) }), { minLength: 65, maxLength: 70 }),
  )
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.constantFrom('01', '11', '05', '07'), { minLength: 1 }),
      fc.array(bases, { minLength: 4, maxLength: 4 }),
      entries,
      (groupKeys, groupBases, chosen) => {
        const groups = groupKeys.map((regimeKey, at) =>
          groupOf({ regimeKey, base: required(groupBases[at]) }),
        )
        const namesIn = (order: typeof chosen) => {
          const sent = order.map(({ base, key }) => ({
            tax_rate: 21,
            taxable_base: base / 100,
            tax_amount: 0,
            ...(key && { tax_regime_key: key }),
          }))
          const { byGroup } = matchEntries(sent, groups, 2)
          return byGroup.map((taken) =>
            taken.map((index) => `${required(order[index]).key} ${required(order[index]).base}`).sort(),
          )
        }
        expect(namesIn(chosen.toReversed())).toEqual(namesIn(chosen))
        expect(namesIn([...chosen].sort((a, b) => a.base - b.base))).toEqual(namesIn(chosen))
      },
    ),
    { numRuns: 500 },
  )
})

/** Returns all ways to choose one of `columns` for each of `rows`, none twice. */
const choices = (rows: number, columns: readonly number[]): number[][] =>
  rows === 0
    ? [[]]
    : columns.flatMap((column) =>
        choices(
          rows - 1,
          columns.filter((other) => other !== column),
        ).map((rest) => [column, ...rest]),
      )

it('gives entries without a key to the groups with the least distance beyond the tolerances, then the least distance', () => {
  // The distances of all entries add up to less than 1,000 cents.
  const base = fc.integer({ min: 0, max: 240 })
  fc.assert(
    fc.property(
      fc.array(fc.record({ base, lines: fc.integer({ min: 1, max: 60 }) }), { minLength: 1, maxLength: 4 }),
      fc.array(base, { minLength: 1, maxLength: 4 }),
      (groupsGiven, basesGiven) => {
        const bases = basesGiven.slice(0, groupsGiven.length)
        const groups = groupsGiven.map(({ base: own, lines }, at) =>
          groupOf({
            regimeKey: required(['02', '05', '07', '11'][at]),
            base: own,
            lines: Array.from({ length: lines }, (_, line) => line),
          }),
        )
        const sent = bases.map((own) => ({ tax_rate: 21, taxable_base: own / 100, tax_amount: 0 }))
        const distanceOf = (chosen: readonly number[]) => {
          const pairs = chosen.map((group, entry) => ({
            distance: Math.abs(required(bases[entry]) - required(groups[group]).base),
            tolerance: required(groups[group]).lines.length,
          }))
          const sumOf = (of: (pair: (typeof pairs)[number]) => number) =>
            pairs.reduce((sum, pair) => sum + of(pair), 0)
          return [
            sumOf(({ distance, tolerance }) => Math.max(0, distance - tolerance)),
            sumOf(({ distance }) => distance),
          ] as const
        }
        const least = choices(bases.length, [...groups.keys()])
          .map(distanceOf)
          .sort((a, b) => a[0] - b[0] || a[1] - b[1])[0]
        const { byGroup } = matchEntries(sent, groups, 2)
        const chosen = bases.map((_, entry) => byGroup.findIndex((taken) => taken.includes(entry)))
        expect(distanceOf(chosen)).toEqual(least)
      },
    ),
    { numRuns: 500 },
  )
})

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
    counted({ tax_rate: 0, taxable_base: 1 + i, tax_amount: 0 }),
  )
  const groups = Array.from({ length: COUNT }, (_, i) =>
    groupOf({
      treatment: 'NON_TAXABLE',
      rate: 0,
      regimeKey: '17',
      reason: 'LOCATION_RULES',
      consumptionCountry: 'FR',
      consumptionRate: i / 100,
      first: { consumption_tax_rate: i / 100 } as Line,
      base: 100 + i * 100,
    }),
  )
  const { byGroup } = matchEntries(entries, groups, 2)
  expect(byGroup.flat()).toHaveLength(COUNT)
  expect(reads).toBeLessThan(50 * COUNT)
})
