/**
 * A value computed on first use and kept. The catalogs are indexed this way, so that importing the package
 * costs nothing and a bundler can drop every index that is not used.
 */
export function lazy<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => {
    value ??= make()
    return value
  }
}

/** Freezes a value of JSON and everything below it, and returns it. */
export function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const member of Object.values(value)) deepFreeze(member)
  }
  return value
}

/** A lazy index of rows by one key. */
export function indexBy<T>(rows: () => readonly T[], key: (row: T) => string): () => ReadonlyMap<string, T> {
  return lazy(() => new Map(rows().map((row) => [key(row), row])))
}

/** A lazy index of rows that share a key, in the order of the catalog. */
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

/** A lookup by day that keeps its last answer: the lines of an invoice are all asked about on one day. */
export function keepLast<T>(find: (on?: string) => T): (on?: string) => T {
  let last: { readonly on: string | undefined; readonly found: T } | undefined
  return (on) => {
    if (last === undefined || last.on !== on) last = { on, found: find(on) }
    return last.found
  }
}

/** The answer of every lookup that finds nothing: one shared empty list. */
export const NONE: readonly never[] = /* @__PURE__ */ Object.freeze([])
