/** What somebody may have meant who wrote a name that there is not. */
import { required } from '../errors/index.ts'

/** How many letters to add, drop, change or swap (optimal string alignment). */
function steps(a: string, b: string): number {
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      row[j] = Math.min(
        required(last[j]) + 1,
        required(row[j - 1]) + 1,
        required(last[j - 1]) + (same ? 0 : 1),
      )
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        row[j] = Math.min(required(row[j]), required(before[j - 2]) + 1)
    }
    before = last
    last = row
  }
  return required(last[b.length])
}

/**
 * The names that come nearest to `wrong`, at most five: those that contain it, else those with the fewest different
 * letters, as long as no more than a third of them differ.
 *
 * @example
 * nearest('tax-ratess', ['tax-rates', 'units']) // => ['tax-rates']
 */
export function nearest(wrong: string, names: readonly string[]): readonly string[] {
  const plain = wrong.toLowerCase()
  if (plain.length > 100) return []
  const around = plain === '' ? [] : names.filter((name) => name.includes(plain))
  if (around.length > 0) return around.slice(0, 5)
  const ranked = names
    .map((name) => ({ name, far: steps(plain, name.toLowerCase()) }))
    .filter(({ name, far }) => far <= Math.max(1, Math.floor(Math.max(plain.length, name.length) / 3)))
  const least = Math.min(...ranked.map(({ far }) => far))
  return ranked
    .filter(({ far }) => far === least)
    .map(({ name }) => name)
    .slice(0, 5)
}
