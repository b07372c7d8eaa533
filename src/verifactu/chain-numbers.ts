/**
 * Where an invoice number stood last: a table of places that costs less than a map, since it is asked for each record
 * of a chain. What is too old to be remembered ends a search by itself: the newest place of a bucket comes first.
 */
export class Numbers {
  /** Newest place of each bucket, plus one. */
  #heads = new Int32Array(256)
  /** The place before it in the same bucket, plus one. */
  readonly #before: number[] = []
  readonly #ring: number
  readonly #numberAt: (slot: number) => string | undefined

  /** `numberAt` gives the number remembered in a slot of the ring. */
  constructor(ring: number, numberAt: (slot: number) => string | undefined) {
    this.#ring = ring
    this.#numberAt = numberAt
  }

  /** The last place of a number among the last `ring` of `count`, or -1. */
  find(number: string, count: number): number {
    let place = this.#heads[this.#bucketOf(number)]! - 1
    while (place >= 0 && place >= count - this.#ring) {
      const slot = place % this.#ring
      if (this.#numberAt(slot) === number) return place
      place = this.#before[slot]! - 1
    }
    return -1
  }

  /** Remembers the number that is about to stand at a place. */
  add(number: string, place: number): void {
    if (place >= this.#heads.length && this.#heads.length < this.#ring) this.#grow(place)
    const bucket = this.#bucketOf(number)
    this.#before[place % this.#ring] = this.#heads[bucket]!
    this.#heads[bucket] = place + 1
  }

  #grow(count: number): void {
    this.#heads = new Int32Array(this.#heads.length * 2)
    for (let place = Math.max(0, count - this.#ring); place < count; place++)
      this.add(this.#numberAt(place % this.#ring)!, place)
  }

  #bucketOf(number: string): number {
    let hash = 0
    for (let i = 0; i < number.length; i++) hash = (hash * 31 + number.charCodeAt(i)) | 0
    return (hash ^ (hash >>> 15)) & (this.#heads.length - 1)
  }
}
