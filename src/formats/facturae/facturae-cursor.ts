/** A node in the tree of a document, with its path. */
import type { Tree } from '../model/index.ts'

export class Cursor {
  constructor(
    readonly tree: Tree,
    /** JSON Pointer from the root. */
    readonly path: string,
  ) {}

  /** Returns the path of a member. */
  at(name: string): string {
    return `${this.path}/${name}`
  }

  /** Returns a block, or undefined if absent. */
  block(name: string): Cursor | undefined {
    const value = this.tree[name]
    return value === undefined ? undefined : new Cursor(value as Tree, this.at(name))
  }

  /** Returns a block that the schema requires. */
  need(name: string): Cursor {
    return new Cursor(this.tree[name] as Tree, this.at(name))
  }

  /** Returns the blocks of a list inside a block, such as `InvoiceLine` of `Items`. */
  list(block: string, name: string): Cursor[] {
    const values = (this.tree[block] as Tree | undefined)?.[name] as readonly Tree[] | undefined
    return (values ?? []).map((value, index) => new Cursor(value, `${this.at(block)}/${name}/${index}`))
  }

  /** Returns a trimmed text; undefined if absent or empty. */
  text(name: string): string | undefined {
    const value = this.tree[name]
    return typeof value === 'string' ? value.trim() || undefined : undefined
  }

  /** Returns the day of a date. Its time zone is ignored. */
  date(name: string): string | undefined {
    return this.text(name)?.slice(0, 10)
  }

  number(name: string): number | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : Number(text)
  }

  /** Returns the amount of an `AmountType`. */
  amount(name: string): number | undefined {
    return this.block(name)?.number('TotalAmount')
  }
}

/** Returns an object with the member, or an empty object if the value is undefined. */
export const optional = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [N in Name]?: Value } => (value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value }))

/** Returns undefined if all members are undefined. */
export const undefinedIfEmpty = <T extends object>(value: T): T | undefined =>
  Object.values(value).every((member) => member === undefined) ? undefined : value
