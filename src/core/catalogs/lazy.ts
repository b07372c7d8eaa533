/**
 * Returns a function that computes a value on first use and keeps it. All indexes of catalogs are lazy, so that
 * importing the package takes no time and bundlers can drop unused indexes.
 */
export function lazy<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** Freezes a JSON value with everything below it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

/** Returns a lazy index of rows by a unique key. */
export function indexBy<T>(rows: () => readonly T[], key: (row: T) => string): () => ReadonlyMap<string, T> {
  return lazy(() => new Map(rows().map((row) => [key(row), row])))
}

/** Returns a lazy index of rows by a shared key, in catalog order. */
export function groupBy<T>(
  rows: () => readonly T[],
  key: (row: T) => string,
): () => ReadonlyMap<string, readonly T[]> {
  return lazy(() => {
    const groups = new Map<string, T[]>()
    for (const row of rows()) {
      const group = groups.get(key(row))
      if (group) group.push(row)
      else groups.set(key(row), [row])
    }
    for (const group of groups.values()) Object.freeze(group)
    return groups
  })
}

/** Caches the last result of a lookup by day, because all lines of an invoice look up the same day. */
export function keepLast<T>(find: (on?: string) => T): (on?: string) => T {
  let last: { readonly on: string | undefined; readonly found: T } | undefined
  return (on) => {
    if (last === undefined || last.on !== on) last = { on, found: find(on) }
    return last.found
  }
}

/** The shared empty list that lookups return if they find nothing. */
export const EMPTY_LIST: readonly never[] = /* @__PURE__ */ Object.freeze([])
