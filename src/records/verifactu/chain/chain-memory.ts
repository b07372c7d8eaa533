/**
 * Remembers the last records of a chain: their hashes, their order and their names. Memory is bounded: ring buffers of
 * texts, and two maps of hashes. When the newer map is full, the older map is dropped.
 */
/** Minimum number of recent records that are remembered, to distinguish forks and wrong order from gaps. */
export const MIN_REMEMBERED_RECORDS = 50_000
const RING = 2 * MIN_REMEMBERED_RECORDS

/** A remembered record, with its name in findings. */
export interface Remembered {
  /** Position in the input. */
  readonly at: number
  readonly name: string
  readonly stored: string
}

export class Memory {
  #young = new Map<string, number>()
  #old = new Map<string, number>()
  #count = 0
  readonly #positions: number[] = []
  readonly #hashes: string[] = []
  readonly #numbers: string[] = []
  readonly #dates: string[] = []
  readonly #issuers: string[] = []
  /** Last sequence number of each remembered invoice number. */
  readonly #sequences = new Map<string, number>()
  /** For each record, the sequence number of its successor plus one; 0 if there is no successor. */
  readonly #followers: number[] = []

  /** Sequence number of the last record, or -1. */
  get last(): number {
    return this.#count - 1
  }

  /** Returns the sequence number of the record with this hash, or -1. */
  find(hash: string): number {
    return this.#young.get(hash) ?? this.#old.get(hash) ?? -1
  }

  /** Returns the last record of an invoice, if remembered. */
  named(issuer: string, number: string, date: string): Remembered | undefined {
    const sequence = this.#sequences.get(number)
    if (sequence === undefined) return undefined
    const slot = sequence % RING
    return this.#dates[slot] === date && this.#issuers[slot] === issuer ? this.recall(sequence) : undefined
  }

  /**
   * Remembers a record by number and date (an event by type and timestamp). Returns its sequence number.
   */
  add(at: number, issuer: string, number: string, date: string, hash: string): number {
    const sequence = this.#count++
    const slot = sequence % RING
    const oldest = this.#numbers[slot]!
    if (this.#sequences.get(oldest) === sequence - RING) this.#sequences.delete(oldest)
    this.#sequences.set(number, sequence)
    this.#positions[slot] = at
    this.#hashes[slot] = hash
    this.#numbers[slot] = number
    this.#dates[slot] = date
    this.#issuers[slot] = issuer
    this.#followers[slot] = 0
    if (this.#young.size >= MIN_REMEMBERED_RECORDS) {
      this.#old = this.#young
      this.#young = new Map()
    }
    this.#young.set(hash, sequence)
    return sequence
  }

  recall(sequence: number): Remembered {
    const slot = sequence % RING
    return {
      at: this.#positions[slot]!,
      name: `${this.#numbers[slot]} (${this.#dates[slot]})`,
      stored: this.#hashes[slot]!,
    }
  }

  /** Returns the record that follows a record, if there is one and both are remembered. */
  followerOf(sequence: number): Remembered | undefined {
    const follower = this.#followers[sequence % RING] ?? 0
    return follower === 0 ? undefined : this.recall(follower - 1)
  }

  /**
   * Stores `follower` as the successor of the record `sequence`. The follower may be the record that is added next.
   * Does nothing if `sequence` is -1.
   */
  follow(sequence: number, follower: number): void {
    if (sequence >= 0) this.#followers[sequence % RING] = follower + 1
  }
}
