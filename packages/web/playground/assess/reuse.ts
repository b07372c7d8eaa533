/** Structural sharing: unchanged parts stay the same object, so that they are not rendered again. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'

/** Maximum depth, to protect against hostile documents. Invoices have six levels. */
const MAX_DEPTH = 40

/**
 * Returns `next` with every part that equals its counterpart in `previous` replaced by that counterpart. Modifies
 * `next`, because a copy would take ten times as long.
 */
export function reuseEqualParts<T>(previous: unknown, next: T, depth = 0): T {
  if (Object.is(previous, next)) return next
  if (depth > MAX_DEPTH || !isObject(previous) || !isObject(next)) return next
  if (Array.isArray(next) !== Array.isArray(previous)) return next
  const keys = Object.keys(next)
  let same = keys.length === Object.keys(previous).length
  for (const key of keys) {
    if (!Object.hasOwn(previous, key)) {
      same = false
      continue
    }
    const value = reuseEqualParts(previous[key], next[key], depth + 1)
    if (value !== previous[key]) same = false
    // `Reflect.set` has no effect on frozen objects, and does not throw.
    else if (value !== next[key]) Reflect.set(next, key, value)
  }
  return same ? (previous as T) : next
}
