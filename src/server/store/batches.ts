/** A long list in parts, for statements that hold so many values at a time. */
export function* inBatches<T>(all: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < all.length; start += size) yield all.slice(start, start + size)
}
