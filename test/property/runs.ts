/// <reference types="node" />
/**
 * How many cases a property is tried with: the sample on `npm test`, the long count on `npm run test:long`.
 */
export const LONG = process.env.CUADRA_LONG === '1'

export const runs = (sample: number, long: number): { numRuns: number } => ({ numRuns: LONG ? long : sample })

/** For the tests whose long count takes longer than the ordinary limit of a test. */
export const LIMIT = LONG ? 3_600_000 : 120_000
