/** Scores under the places that their fields have once the engine has completed the document. */
import { valueAt } from '../../invoice/index.ts'

/** Lists whose entries the engine puts into an order of its own. */
const REORDERED = ['/invoice/taxes_outputs', '/invoice/taxes_withheld']
/** What tells their entries apart. */
const KEY = ['tax_rate', 'taxable_base'] as const

const entriesOf = (document: unknown, list: string): readonly unknown[] => {
  const entries = valueAt(document, list)
  return Array.isArray(entries) ? entries : []
}

const isSame = (a: unknown, b: unknown): boolean =>
  KEY.every((name) => valueAt(a, `/${name}`) === valueAt(b, `/${name}`))

/** Where a place of one document is in another; the same place, if it is in none of those lists. */
function placeIn(pointer: string, from: unknown, to: unknown): string {
  const list = REORDERED.find((one) => pointer.startsWith(`${one}/`))
  if (!list) return pointer
  const [at = '', ...rest] = pointer.slice(list.length + 1).split('/')
  const entry = entriesOf(from, list)[Number(at)]
  const now = entriesOf(to, list).findIndex((one) => isSame(one, entry))
  return `${list}/${now}/${rest.join('/')}`
}

/** A field that the engine sees otherwise than it was read has no score: it was not read like that. */
export function scoresIn(
  to: unknown,
  from: unknown,
  scores: Readonly<Record<string, number>>,
): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [pointer, score] of Object.entries(scores)) {
    const place = placeIn(pointer, from, to)
    const value = valueAt(to, place)
    if (value !== undefined && value === valueAt(from, pointer)) found[place] = score
  }
  return found
}
