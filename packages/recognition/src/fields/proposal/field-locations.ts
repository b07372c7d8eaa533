/** Maps the scores of fields to their new locations after the engine has completed the document. */
import { valueAt } from '#core/invoice/pointer.ts'

/** Lists that the engine sorts. */
const REORDERED = ['/invoice/taxes_outputs', '/invoice/taxes_withheld']
/** Members that identify an entry. */
const KEY = ['tax_rate', 'taxable_base'] as const

const entriesOf = (document: unknown, list: string): readonly unknown[] => {
  const entries = valueAt(document, list)
  return Array.isArray(entries) ? entries : []
}

const isSame = (a: unknown, b: unknown): boolean =>
  KEY.every((name) => valueAt(a, `/${name}`) === valueAt(b, `/${name}`))

/** Translates a pointer into `from` to a pointer into `to`. Only pointers into the sorted lists change. */
function pointerIn(pointer: string, from: unknown, to: unknown): string {
  const list = REORDERED.find((one) => pointer.startsWith(`${one}/`))
  if (!list) return pointer
  const [at = '', ...rest] = pointer.slice(list.length + 1).split('/')
  const entry = entriesOf(from, list)[Number(at)]
  const now = entriesOf(to, list).findIndex((one) => isSame(one, entry))
  return `${list}/${now}/${rest.join('/')}`
}

/** Returns the scores of the fields that the engine did not change. Changed values were not read from the document. */
export function scoresIn(
  to: unknown,
  from: unknown,
  scores: Readonly<Record<string, number>>,
): Record<string, number> {
  const found: Record<string, number> = {}
  for (const [pointer, score] of Object.entries(scores)) {
    const moved = pointerIn(pointer, from, to)
    const value = valueAt(to, moved)
    if (value !== undefined && value === valueAt(from, pointer)) found[moved] = score
  }
  return found
}
