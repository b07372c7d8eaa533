/**
 * How many invoices there are more, or less, of each kind that lists count. What a transaction changes is written with
 * its last statement: until then it would hold rows that everybody else has to write too.
 */
import type { Direction, Status } from './tables.ts'

export interface Counted {
  readonly direction: Direction
  readonly status: Status
  readonly document_series: string | null
}

export interface CountChange {
  readonly direction: Direction
  readonly status: Status
  readonly series: string
  readonly n: number
}

const keyOf = ({ direction, status, series }: Omit<CountChange, 'n'>): string =>
  `${direction}/${status}/${series}`

export class Counts {
  readonly #byCompany = new Map<string, Map<string, CountChange>>()

  add(companyId: string, { direction, status, document_series }: Counted, by: 1 | -1): void {
    this.#put(companyId, { direction, status, series: document_series ?? '', n: by })
  }

  /** Takes over what a part of the transaction has changed. */
  join(part: Counts): void {
    for (const [companyId, changes] of part.#byCompany)
      for (const change of changes.values()) this.#put(companyId, change)
  }

  /** The changes of each company, always in the same order: of two that write the same rows none waits for the other twice. */
  *changes(): Generator<readonly [companyId: string, changes: readonly CountChange[]]> {
    for (const companyId of [...this.#byCompany.keys()].sort()) {
      const all = [...(this.#byCompany.get(companyId)?.entries() ?? [])].sort(([a], [b]) => (a < b ? -1 : 1))
      const changes = all.map(([, change]) => change).filter(({ n }) => n !== 0)
      if (changes.length > 0) yield [companyId, changes]
    }
  }

  #put(companyId: string, change: CountChange): void {
    const own = this.#byCompany.get(companyId) ?? new Map<string, CountChange>()
    this.#byCompany.set(companyId, own)
    const key = keyOf(change)
    own.set(key, { ...change, n: change.n + (own.get(key)?.n ?? 0) })
  }
}
