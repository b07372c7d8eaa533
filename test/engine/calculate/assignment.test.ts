/** The assignment of least total cost, held against every possible one. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { FORBIDDEN, leastCostAssignment } from '#engine/calculate/assignment.ts'

/** Every assignment of rows to columns with as many allowed pairs as the rows permit, by brute force. */
function* assignments(
  costs: readonly (readonly number[])[],
  taken: readonly number[] = [],
): Generator<number[]> {
  if (taken.length === costs.length) return yield [...taken]
  const row = costs[taken.length]!
  yield* assignments(costs, [...taken, -1])
  for (const [column, cost] of row.entries())
    if (cost < FORBIDDEN && !taken.includes(column)) yield* assignments(costs, [...taken, column])
}

const pairsOf = (found: readonly number[]) => found.filter((column) => column >= 0).length
const costOf = (costs: readonly (readonly number[])[], found: readonly number[]) =>
  found.reduce((total, column, row) => (column < 0 ? total : total + costs[row]![column]!), 0)

const tables = fc
  .tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 0, max: 4 }))
  .chain(([rows, columns]) =>
    fc.array(
      fc.array(fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constant(FORBIDDEN)), {
        minLength: columns,
        maxLength: columns,
      }),
      { minLength: rows, maxLength: rows },
    ),
  )

function check(costs: readonly (readonly number[])[]): void {
  const found = leastCostAssignment(costs)
  const all = [...assignments(costs)]
  const most = Math.max(...all.map(pairsOf))
  expect(all).toContainEqual(found)
  expect(pairsOf(found)).toBe(most)
  const least = Math.min(...all.filter((one) => pairsOf(one) === most).map((one) => costOf(costs, one)))
  expect(costOf(costs, found)).toBe(least)
}

it('of equally cheap assignments, the first columns are taken, so that results stay the same', () => {
  expect(leastCostAssignment([[5, 5, 5]])).toEqual([0])
  expect(
    leastCostAssignment([
      [5, 5, 5],
      [5, 5, 5],
    ]),
  ).toEqual([0, 1])
})

describe('an assignment has as many pairs as possible, each column once, at the least total cost', () => {
  it.each([
    [2, 3],
    [3, 2],
  ])('for every table of %i rows and %i columns of three costs', (rows, columns) => {
    for (let number = 0; number < 3 ** (rows * columns); number++) {
      const costAt = (cell: number) => required([1, 4, FORBIDDEN][Math.floor(number / 3 ** cell) % 3])
      check(
        Array.from({ length: rows }, (_, row) =>
          Array.from({ length: columns }, (_, column) => costAt(row * columns + column)),
        ),
      )
    }
  })

  it('for random tables', () => {
    fc.assert(fc.property(tables, check), { numRuns: 300 })
  })
})
