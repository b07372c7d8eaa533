/**
 * Where an invoice number stood last. It is asked for each record of a chain, and nearly always the number is above
 * all before it, which settles the question; only where one is not are the numbers put into a table, which costs less
 * than a map. What is too old to be remembered ends a search by itself: the newest place of a bucket comes first.
 */
export class Numbers {
  /** Newest place of each bucket, plus one. */
  #heads = new Int32Array(256)
  /** The place before it in the same bucket, plus one. */
  readonly #before: number[] = []
  /** Places below this one are in the table, as far as they are remembered. */
  #tabled = 0
  /** No number so far, be it added or asked for, is above this one. */
  #highest = ''
  readonly #ring: number
  readonly #numberAt: (slot: number) => string | undefined

  /** `numberAt` gives the number remembered in a slot of the ring. */
  constructor(ring: number, numberAt: (slot: number) => string | undefined) {
    this.#ring = ring
    this.#numberAt = numberAt
  }

  /** The last place of a number among the last `ring` of `count`, or -1. */
  find(number: string, count: number): number {
    if (this.#isAbove(number)) {
      // It is about to be added: so it is compared once.
      this.#highest = number
      return -1
    }
    this.#tabulate(count)
    let place = this.#heads[this.#bucketOf(number)]! - 1
    while (place >= 0 && place >= count - this.#ring) {
      const slot = place % this.#ring
      if (this.#numberAt(slot) === number) return place
      place = this.#before[slot]! - 1
    }
    return -1
  }

  /** Takes note of a number that the ring remembers from now on. */
  add(number: string): void {
    if (this.#isAbove(number)) this.#highest = number
  }

  /** Longer numbers are above shorter ones: 10 comes after 9. */
  #isAbove(number: string): boolean {
    const highest = this.#highest
    if (number === highest) return false
    return number.length === highest.length ? number > highest : number.length > highest.length
  }

  /** Brings the table up to the last of `count` places. */
  #tabulate(count: number): void {
    let size = this.#heads.length
    while (size < count && size < this.#ring) size *= 2
    if (size > this.#heads.length) {
      this.#heads = new Int32Array(size)
      this.#tabled = 0
    }
    for (let place = Math.max(this.#tabled, count - this.#ring); place < count; place++) {
      const slot = place % this.#ring
      const bucket = this.#bucketOf(this.#numberAt(slot)!)
      this.#before[slot] = this.#heads[bucket]!
      this.#heads[bucket] = place + 1
    }
    this.#tabled = count
  }

  #bucketOf(number: string): number {
    let hash = 0
    for (let i = 0; i < number.length; i++) hash = (hash * 31 + number.charCodeAt(i)) | 0
    return (hash ^ (hash >>> 15)) & (this.#heads.length - 1)
  }
}
