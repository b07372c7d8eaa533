/**
 * What the audit remembers of a chain: the hashes of its last records, who follows whom, and how to name them. Its
 * size is fixed: a ring of names, and two maps of hashes of which the older is dropped when the younger is full.
 */
import type { Entry } from './chain-entry.ts'

/** At least this many records are remembered, to tell forks and wrong order from gaps. */
export const WINDOW = 50_000
const RING = 2 * WINDOW

/** Enough of a record to name it. */
export type Remembered = Pick<Entry, 'at' | 'kind' | 'values' | 'moment' | 'stored'>

export class Memory {
  #young = new Map<string, number>()
  #old = new Map<string, number>()
  #count = 0
  readonly #entries: (Remembered | undefined)[] = []
  /** Place of the record that follows each, plus one; 0 for none. */
  readonly #followers: number[] = []

  /** The place of the record remembered last, or -1. */
  get last(): number {
    return this.#count - 1
  }

  /** The place of a record with this hash, or -1. */
  find(hash: string): number {
    return this.#young.get(hash) ?? this.#old.get(hash) ?? -1
  }

  /** Remembers a record; its place. */
  add(entry: Entry): number {
    const place = this.#count++
    if (this.#young.size >= WINDOW) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(entry.stored, place)
    const { at, kind, values, moment, stored } = entry
    this.#entries[place % RING] = { at, kind, values, moment, stored }
    this.#followers[place % RING] = 0
    return place
  }

  recall(place: number): Remembered {
    return this.#entries[place % RING]!
  }

  followerOf(place: number): Remembered | undefined {
    const follower = place < 0 ? 0 : this.#followers[place % RING]!
    return follower === 0 ? undefined : this.#entries[(follower - 1) % RING]
  }

  /** Says that `entry`, remembered or about to be, follows the record at `place`. */
  follow(place: number, entry: Entry): void {
    if (place < 0) return
    // The next one, unless it is remembered already: then it comes before the one that it follows.
    const own = place === this.last ? -1 : this.find(entry.stored)
    this.#followers[place % RING] = (own < 0 ? this.#count : own) + 1
  }
}
