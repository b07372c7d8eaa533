/** Caches values by key. It is cleared when it contains `max` values; values that are in use are soon cached again. */
export class BoundedCache<Value> {
  readonly #values = new Map<string, Value>()

  constructor(readonly max: number) {}

  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const made = make()
    if (this.#values.size >= this.max) this.#values.clear()
    this.#values.set(key, made)
    return made
  }
}
