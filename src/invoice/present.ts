/** Returns a copy of an object without its undefined members, in the same order. `of` returns the other members. */
export function present<T extends object>(members: T, of = <M>(member: M): M => member): T {
  const there = {} as T
  for (const name in members) if (members[name] !== undefined) there[name] = of(members[name])
  return there
}

/** Returns a part of a document as JSON carries it: without undefined members at any depth, which the schema limits. */
export const asJson = <T>(part: T): T =>
  Array.isArray(part)
    ? (part.map(asJson) as T)
    : typeof part === 'object'
      ? (present(part as object, asJson) as T)
      : part
