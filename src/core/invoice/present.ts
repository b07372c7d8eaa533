/**
 * Returns a copy of an object without its undefined members, in the same order. `of` maps each of the other members.
 */
export function withoutUndefined<T extends object>(
  members: T,
  of = <M>(member: M, _name: string): M => member,
): T {
  const there = {} as T
  for (const name in members) if (members[name] !== undefined) there[name] = of(members[name], name)
  return there
}
