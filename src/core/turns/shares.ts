/** Divides an amount, such as connections or bytes of memory, among companies. */
export class Shares {
  readonly #held = new Map<string, number>()
  #free: number

  constructor(amount: number) {
    this.#free = amount
  }

  /**
   * Takes a part for a company. Returns false if the company would then hold more than is free now. Alone, one company
   * can hold half of the amount; two companies can hold a third each. A part therefore stays free for another company.
   */
  take(companyId: string, part: number): boolean {
    const held = (this.#held.get(companyId) ?? 0) + part
    if (held > this.#free) return false
    this.#free -= part
    this.#held.set(companyId, held)
    return true
  }

  giveBack(companyId: string, part: number): void {
    this.#free += part
    const held = (this.#held.get(companyId) ?? 0) - part
    if (held > 0) this.#held.set(companyId, held)
    else this.#held.delete(companyId)
  }
}
