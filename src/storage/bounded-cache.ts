/** Caches values by key. When it holds `max` values it is cleared; those in use return soon. */
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
