/** Writes an invoice as rows: one row per line, in which the fields of the whole invoice are repeated. */
import { segmentsOf, valueAt } from '#core/invoice/pointer.ts'
import { writeCell } from './cell-values.ts'
import { unencodableCharacterOf } from './csv-table.ts'
import { SURCHARGE } from './fields.ts'
import { type Column, isOfLine, LINES_POINTER, type Mapping } from './mapping.ts'
import { FIRST_CELL_POSITION, type Problem } from './problem.ts'

interface Entry {
  readonly tax_rate?: unknown
  readonly equivalence_surcharge?: unknown
}

/**
 * Assigns list entries of the invoice to list entries of the mapping. Each mapping entry gets the first unassigned
 * entry of the invoice that has the constants of the mapping entry.
 */
class EntryFinder {
  readonly #found = new Map<string, ReadonlyMap<string, number>>()

  constructor(
    readonly document: unknown,
    readonly mapping: Mapping,
  ) {}

  /** Returns the indexes that the mapping uses in a list, in order. */
  #indexesIn(list: string): string[] {
    const pointers = [...this.mapping.columns.map(({ field }) => field), ...this.mapping.constants.keys()]
    const indexes = pointers
      .filter((pointer) => pointer.startsWith(`${list}/`))
      .map((pointer) => pointer.slice(list.length + 1).split('/')[0] ?? '')
    return [...new Set(indexes)].sort((one, other) => Number(one) - Number(other))
  }

  #fits(entry: unknown, mapped: string): boolean {
    for (const [pointer, value] of this.mapping.constants)
      if (pointer.startsWith(`${mapped}/`) && valueAt(entry, pointer.slice(mapped.length)) !== value)
        return false
    return true
  }

  /** Returns the entry of the invoice for each entry of the mapping. */
  #entriesOf(actual: string, mapped: string): ReadonlyMap<string, number> {
    const known = this.#found.get(actual)
    if (known) return known
    const entries = valueAt(this.document, actual)
    const found = new Map<string, number>()
    const used = new Set<number>()
    if (Array.isArray(entries))
      for (const index of this.#indexesIn(mapped)) {
        const at = entries.findIndex(
          (entry, one) => !used.has(one) && this.#fits(entry, `${mapped}/${index}`),
        )
        if (at < 0) continue
        used.add(at)
        found.set(index, at)
      }
    this.#found.set(actual, found)
    return found
  }

  /** Returns the value of a field in a line. */
  valueOf(field: string, line: number): unknown {
    let actual = ''
    let mapped = ''
    for (const segment of segmentsOf(field)) {
      const at = /^\d+$/.test(segment) ? this.#entriesOf(actual, mapped).get(segment) : undefined
      if (/^\d+$/.test(segment) && at === undefined) return undefined
      actual += `/${segment === '*' ? line : (at ?? segment)}`
      mapped += `/${segment}`
    }
    return valueAt(this.document, actual)
  }
}

/** Returns the surcharge rate of a line: the rate in the breakdown entry for the tax rate of the line. */
function surchargeOf(document: unknown, line: number): unknown {
  const rate = valueAt(document, `/invoice/lines/${line}/tax_output_rate`)
  const entries = valueAt(document, '/invoice/taxes_outputs')
  if (!Array.isArray(entries) || rate === undefined) return undefined
  return (entries as readonly Entry[]).find(
    (entry) => entry.tax_rate === rate && entry.equivalence_surcharge !== undefined,
  )?.equivalence_surcharge
}

/** Returns the rows of an invoice, and the values that the notation of the mapping cannot represent. */
export function writeRows(
  document: unknown,
  mapping: Mapping,
): { readonly rows: readonly string[][]; readonly problems: readonly Problem[] } {
  const lines = valueAt(document, '/invoice/lines')
  const finder = new EntryFinder(document, mapping)
  const problems: Problem[] = []
  const write = (column: Column, line: number): string => {
    const path = column.field.replace(LINES_POINTER, `/invoice/lines/${line}`)
    const value =
      column.field === SURCHARGE ? surchargeOf(document, line) : finder.valueOf(column.field, line)
    const cell = writeCell(value, column, mapping)
    const sign = cell === null ? undefined : unencodableCharacterOf(cell, mapping)
    // An unrepresentable value of the whole invoice is reported once, on its first row.
    if (line > 0 && !isOfLine(column.field)) return cell ?? ''
    const extra = { column: column.name, received: value }
    if (cell === null)
      problems.push({ code: 'csv.value_unlisted', path, extra, position: FIRST_CELL_POSITION })
    if (sign !== undefined)
      problems.push({
        code: 'csv.character',
        path,
        extra: { ...extra, character: sign },
        position: FIRST_CELL_POSITION,
      })
    return cell ?? ''
  }
  const count = Array.isArray(lines) ? lines.length : 0
  const rows = Array.from({ length: count }, (_, line) =>
    mapping.columns.map((column) => write(column, line)),
  )
  return { rows, problems }
}
