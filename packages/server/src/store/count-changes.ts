/**
 * Collects the changes that a transaction makes to the counts of invoices. The last statement of the transaction writes
 * them. Changes that cancel each other out are not written. If a member of a shared transaction is rolled back, its
 * changes are dropped.
 */
import { randomUUID } from 'node:crypto'
import type { CountedList, Row } from './tables.ts'

/** The columns of an invoice that determine which counts include it. */
export type Counted = Pick<
  Row<'invoices'>,
  | 'invoice_id'
  | 'direction'
  | 'status'
  | 'document_series'
  | 'issue_date'
  | 'created_at'
  | 'sort_series'
  | 'sort_number'
>

/** A row of `invoices` before and after a statement. An insert has only `after`, a deletion only `before`. */
export interface RowChange {
  readonly before?: Counted
  readonly after?: Counted
}

/**
 * A change by `n` of the number of invoices with the same list, status, series and dates. `n` is negative if the number
 * decreases.
 */
export type Note = Omit<Row<'invoice_changes'>, 'company_id' | 'change_id'>

/**
 * Name of the group of numbered invoices, which sorts after all ids. Other invoices are grouped by the first two digits
 * of their ids. Ids are random, so these groups are of about the same size.
 */
export const SHARE_OF_NUMBERED = '~'
const shareOf = ({ invoice_id, sort_number }: Counted): string =>
  sort_number === '' ? invoice_id.slice(0, 2) : SHARE_OF_NUMBERED

const listOf = ({ direction, sort_series }: Counted): CountedList =>
  direction === 'received' ? 'received' : sort_series === '1' ? 'draft' : 'numbered'

export function noteOf(row: Counted, n: number): Note {
  const list = listOf(row)
  return {
    list,
    status: row.status,
    series: row.document_series ?? '',
    day: row.issue_date ?? '',
    created: row.created_at.slice(0, 16),
    share: list === 'draft' ? shareOf(row) : '',
    n,
  }
}

const keyOf = ({ list, status, series, day, created, share }: Note): string =>
  JSON.stringify([list, status, series, day, created, share])

export class Notes {
  readonly #byCompany = new Map<string, Map<string, Note>>()

  add(companyId: string, { before, after }: RowChange): void {
    if (before) this.#put(companyId, noteOf(before, -1))
    if (after) this.#put(companyId, noteOf(after, 1))
  }

  /** Adds the count changes of one member of the shared transaction. */
  join(part: Notes): void {
    for (const [companyId, all] of part.#byCompany) for (const one of all.values()) this.#put(companyId, one)
  }

  /** Yields the rows to write for each company. */
  *rows(): Generator<
    readonly [companyId: string, rows: readonly Omit<Row<'invoice_changes'>, 'company_id'>[]]
  > {
    for (const [companyId, all] of this.#byCompany) {
      const rows = [...all.values()].filter(({ n }) => n !== 0)
      if (rows.length > 0) yield [companyId, rows.map((one) => ({ change_id: randomUUID(), ...one }))]
    }
  }

  #put(companyId: string, note: Note): void {
    const own = this.#byCompany.get(companyId) ?? new Map<string, Note>()
    this.#byCompany.set(companyId, own)
    const key = keyOf(note)
    own.set(key, { ...note, n: note.n + (own.get(key)?.n ?? 0) })
  }
}
