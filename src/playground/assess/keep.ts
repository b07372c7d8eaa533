/** Structural sharing: what did not change stays the same object, so that nothing is drawn twice. */
const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object'

/** Invoices are six deep; a hostile document is not worth following. */
const DEEPEST = 40

/**
 * `next`, with every part of it that equals its counterpart in `previous` taken from there. `next` is handed
 * over: its members are replaced in place, which costs a tenth of copying them.
 */
export function keep<T>(previous: unknown, next: T, depth = 0): T {
  if (Object.is(previous, next)) return next
  if (depth > DEEPEST || !isObject(previous) || !isObject(next)) return next
  if (Array.isArray(next) !== Array.isArray(previous)) return next
  const keys = Object.keys(next)
  let same = keys.length === Object.keys(previous).length
  for (const key of keys) {
    if (!Object.hasOwn(previous, key)) {
      same = false
      continue
    }
    const value = keep(previous[key], next[key], depth + 1)
    if (value !== previous[key]) same = false
    // What is frozen stays as it is.
    else if (value !== next[key]) Reflect.set(next, key, value)
  }
  return same ? (previous as T) : next
}
