/**
 * Decision tables: every combination of a few values with the codes that the authority reports for it. The tables are
 * files in `tables/`, so that a change of any of their results is visible in the review.
 */
import { expect } from 'vitest'
import type { ValidationItem } from '#core/invoice/index.ts'

/** Compares the lines with the file; `vitest -u` writes it. */
export const matchesTable = async (name: string, lines: readonly string[]): Promise<void> =>
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`tables/${name}.txt`)

/** Returns the codes of the items in their order, without `aeat.`; `-` if there are none. */
export const codesOf = (items: readonly ValidationItem[]): string =>
  items.map(({ code }) => code.replace('aeat.', '')).join('+') || '-'

/** Returns a line for each item with everything but its text. */
export const itemLines = (items: readonly ValidationItem[]): string[] =>
  items.map(({ severity, code, path, extra }) => `    ${severity} ${code} ${path} ${JSON.stringify(extra)}`)

/** Values of a dimension of a table, by name. */
export type Dimension<T> = Readonly<Record<string, T>>

/** Returns how a text appears in a table: in quotes if it is blank, and short if it repeats one character. */
function nameOf(text: string): string {
  const [first = '', ...rest] = text
  if (rest.length >= 16 && rest.every((character) => character === first))
    return `${first} x ${rest.length + 1}`
  return text.trim() === text && text !== '' ? JSON.stringify(text).slice(1, -1) : JSON.stringify(text)
}

export const byName = <T extends string | undefined>(texts: readonly T[]): Dimension<T> =>
  Object.fromEntries(texts.map((text) => [text === undefined ? 'none' : nameOf(text), text]))

/** Returns the line of each row: its name, and the names of the columns grouped by their results. */
export function table<R, C>(
  rows: Dimension<R>,
  columns: Dimension<C>,
  result: (row: R, column: C) => string,
): string[] {
  return Object.entries(rows).map(([name, row]) => {
    const groups = new Map<string, string[]>()
    for (const [column, value] of Object.entries(columns)) {
      const codes = result(row, value)
      groups.set(codes, [...(groups.get(codes) ?? []), column])
    }
    const results = [...groups].map(([codes, names]) =>
      groups.size === 1 ? codes : `${codes} (${names.join(', ')})`,
    )
    return `${name}: ${results.join('; ')}`
  })
}

/** Returns the product of two dimensions. */
export const product = <A, B>(one: Dimension<A>, other: Dimension<B>): Dimension<readonly [A, B]> =>
  Object.fromEntries(
    Object.entries(one).flatMap(([a, left]) =>
      Object.entries(other).map(([b, right]) => [`${a} ${b}`, [left, right] as const]),
    ),
  )
