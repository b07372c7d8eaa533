/** Returns a value that has to be there. A missing one is a mistake of the program, never of its caller. */
export function required<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('a value that has to be there is missing')
  return value
}
