/**
 * What the audit remembers of a chain: the hashes of its last records, who follows whom, and how to name them. Its
 * size is bounded: rings of texts, and two maps of hashes of which the older is dropped when the younger is full.
 */
/** At least this many records are remembered, to tell forks and wrong order from gaps. */
export const WINDOW = 50_000
const RING = 2 * WINDOW

/** How findings speak of another record. */
export interface Remembered {
  /** Position in the input. */
  readonly at: number
  readonly name: string
  readonly stored: string
  /** NIF of the issuer; empty for events. */
  readonly issuer: string
}

export class Memory {
  #young = new Map<string, number>()
  #old = new Map<string, number>()
  #count = 0
  /** Places below this one are in the maps, as far as they are remembered. */
  #indexed = 0
  readonly #positions: number[] = []
  readonly #hashes: string[] = []
  readonly #numbers: string[] = []
  readonly #dates: string[] = []
  readonly #issuers: string[] = []
  /** The last place of each number that is remembered. */
  readonly #places = new Map<string, number>()
  /** Place of the record that follows each, plus one; 0 for none. */
  readonly #followers: number[] = []

  /** The place of the record remembered last, or -1. */
  get last(): number {
    return this.#count - 1
  }

  /** The place of a record with this hash, or -1. */
  find(hash: string): number {
    this.#index()
    return this.#young.get(hash) ?? this.#old.get(hash) ?? -1
  }

  /** True where a record of an invoice with this number is remembered. */
  knows(number: string): boolean {
    return this.#places.has(number)
  }

  /** The last record of an invoice, if it is remembered. */
  named(issuer: string, number: string, date: string): Remembered | undefined {
    const place = this.#places.get(number)
    if (place === undefined) return undefined
    const slot = place % RING
    return this.#dates[slot] === date && this.#issuers[slot] === issuer ? this.recall(place) : undefined
  }

  /** Remembers a record by number and date (an event by type and moment, without issuer); its place. */
  add(at: number, issuer: string, number: string, date: string, hash: string): number {
    const place = this.#count++
    const slot = place % RING
    const oldest = this.#numbers[slot]
    if (oldest !== undefined && this.#places.get(oldest) === place - RING) this.#places.delete(oldest)
    this.#places.set(number, place)
    this.#positions[slot] = at
    this.#hashes[slot] = hash
    this.#numbers[slot] = number
    this.#dates[slot] = date
    this.#issuers[slot] = issuer
    this.#followers[slot] = 0
    return place
  }

  /** Puts what came since the last search into the maps: a chain without faults is never searched, and pays nothing. */
  #index(): void {
    for (let place = Math.max(this.#indexed, this.#count - RING); place < this.#count; place++) {
      if (this.#young.size >= WINDOW) {
        this.#old = this.#young
        this.#young = new Map()
      }
      this.#young.set(this.#hashes[place % RING]!, place)
    }
    this.#indexed = this.#count
  }

  recall(place: number): Remembered {
    const slot = place % RING
    return {
      at: this.#positions[slot]!,
      name: `${this.#numbers[slot]} (${this.#dates[slot]})`,
      stored: this.#hashes[slot]!,
      issuer: this.#issuers[slot]!,
    }
  }

  followerOf(place: number): Remembered | undefined {
    const follower = place < 0 ? 0 : this.#followers[place % RING]!
    return follower === 0 || follower > this.#count ? undefined : this.recall(follower - 1)
  }

  /** Says that a record, remembered or about to be, follows the one at `place`. */
  follow(place: number, hash: string): void {
    if (place < 0) return
    // The next one, unless it is remembered already: then it comes before the one that it follows.
    const own = place === this.last ? -1 : this.find(hash)
    this.#followers[place % RING] = (own < 0 ? this.#count : own) + 1
  }

  /** The next record follows the last one. */
  followLast(): void {
    if (this.#count > 0) this.#followers[(this.#count - 1) % RING] = this.#count + 1
  }
}
