/** Replaces `fast-check` in tests: fewer cases, always the same, and no shrinking. */
import fc from 'fast-check'

const MOST = 15
const steady = (options) => ({
  seed: 1,
  ...options,
  numRuns: Math.min(options?.numRuns ?? MOST, MOST),
  endOnFailure: true,
})

export * from 'fast-check'
export default { ...fc, assert: (property, options) => fc.assert(property, steady(options)) }
