/** Splits a long list into batches, because a statement accepts a limited number of values. */
export function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
