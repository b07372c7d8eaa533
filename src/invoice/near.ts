/** Suggestions for a misspelled name. */
/** Returns the number of letters to insert, delete, change or swap (optimal string alignment). */
function editDistance(a: string, b: string): number {
  const rows = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    rows[i] = [i]
    for (let j = 1; j <= b.length; j++) {
      const isSwap = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      rows[i]![j] = Math.min(
        at(i - 1, j) + 1,
        at(i, j - 1) + 1,
        at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1),
        isSwap ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY,
      )
    }
  }
  return at(a.length, b.length)
}

/**
 * Returns at most five names similar to `wrong`: the names that contain it, or else the names with the fewest differing
 * letters. At most a third of the letters may differ.
 *
 * @example
 * nearest('tax-ratess', ['tax-rates', 'units']) // => ['tax-rates']
 */
export function nearest(wrong: string, names: readonly string[]): readonly string[] {
  const plain = wrong.toLowerCase()
  if (plain.length > 100) return []
  const containing = plain.length < 3 ? [] : names.filter((name) => name.includes(plain))
  if (containing.length > 0) return containing.slice(0, 5)
  const ranked = names
    .map((name) => ({ name, distance: editDistance(plain, name.toLowerCase()) }))
    .filter(
      ({ name, distance }) => distance <= Math.max(1, Math.floor(Math.max(plain.length, name.length) / 3)),
    )
  const least = Math.min(...ranked.map(({ distance }) => distance))
  return ranked
    .filter(({ distance }) => distance === least)
    .map(({ name }) => name)
    .slice(0, 5)
}
