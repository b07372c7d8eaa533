/** Exact decimal amounts, rounding, and allocation by largest remainder. */
export { allocate, percentRatio, spread, type TieBreaker } from './allocate.ts'
export { type Exact, exact, exactNumber, exactText, roundExact } from './exact.ts'
export {
  convertPrice,
  fromEuros,
  keepDecimals,
  type Minor,
  multiply,
  netOf,
  percentOf,
  sum,
  toleranceOf,
  toMinor,
  toNumber,
} from './money.ts'
export { MAX_DECIMALS, scaleOf } from './scale.ts'
