/** Returns the entry of a table that data names. */
export function named<Value>(table: Readonly<Record<string, Value>>, name: string): Value {
  const value = table[name]
  if (value === undefined) throw new Error(`No "${name}"`)
  return value
}
