/// <reference types="node" />
import { it } from 'vitest'

/**
 * How much of each random, stress or many-document test runs: a sample with `npm test`, its full size with
 * `npm run test:all`, hours of random cases with `npm run test:long`. `CUADRA_TEST_SIZE` is `sample`, `all` or `long`.
 */
const SIZES = ['sample', 'all', 'long'] as const

const asked = process.env.CUADRA_TEST_SIZE ?? 'sample'
const size = SIZES.find((one) => one === asked)
if (size === undefined) throw new Error(`CUADRA_TEST_SIZE is "${asked}". Use ${SIZES.join(', ')}.`)

/** Whether everything runs in its full size: in `npm run test:all` and `npm run test:long`. */
export const ALL = size !== 'sample'

/** Whether the long random runs are asked for: `npm run test:long`. */
export const LONG = size === 'long'

/** Returns the value for the size of this run. */
export const sized = <T>(sample: T, all: T, long: T = all): T => (LONG ? long : ALL ? all : sample)

/**
 * Returns how many cases fast-check tries a property with: `full` in `npm run test:all`, a fifth of them in the sample.
 */
export const runs = (full: number, long: number): { numRuns: number } => ({
  numRuns: sized(Math.ceil(full / 5), full, long),
})

/** A test for `npm run test:all` and `npm run test:long`; elsewhere it is skipped, and named at the end. */
export const itInAll: typeof it = ALL ? it : (it.skip as typeof it)
