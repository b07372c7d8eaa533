/**
 * What a transaction has made of invoices, for the counts that lists show: how many have come, and how many have gone.
 * It is kept here until the last statement, which writes all of it at once: what came and went again in the same
 * transaction is not written, and what is undone with its savepoint is dropped with it.
 */
import { randomUUID } from 'node:crypto'
import type { CountedList, Row } from './tables.ts'

/** What the counts know of an invoice. */
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

/** A row of `invoices` as it was before a statement, and as it is after it: one of them where it came or went. */
export interface Written {
  readonly before?: Counted
  readonly after?: Counted
}

/** Invoices that the counts cannot tell from each other, and how many more there are: less than 0 where they are fewer. */
export type Note = Omit<Row<'invoice_changes'>, 'company_id' | 'change_id'>

/** Ids are random: their first two digits part them evenly. What has a number and no series comes after all of them. */
export const AFTER_IDS = '~'
const shareOf = ({ invoice_id, sort_number }: Counted): string =>
  sort_number === '' ? invoice_id.slice(0, 2) : AFTER_IDS

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

  add(companyId: string, { before, after }: Written): void {
    if (before) this.#put(companyId, noteOf(before, -1))
    if (after) this.#put(companyId, noteOf(after, 1))
  }

  /** Takes over those of a part of the transaction. */
  join(part: Notes): void {
    for (const [companyId, all] of part.#byCompany) for (const one of all.values()) this.#put(companyId, one)
  }

  /** What there is to write for each company, in rows of their own. */
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
