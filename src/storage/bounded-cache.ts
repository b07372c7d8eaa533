/** Values that are made once for each key. When there are `most` all are forgotten: those in use are soon there again. */
export class BoundedCache<Value> {
  readonly #values = new Map<string, Value>()

  constructor(readonly most: number) {}

  get(key: string, make: () => Value): Value {
    const known = this.#values.get(key)
    if (known !== undefined) return known
    const made = make()
    if (this.#values.size >= this.most) this.#values.clear()
    this.#values.set(key, made)
    return made
  }
}
