/** A place in the tree of a document, and the way there. */
import type { Tree } from '../model/index.ts'

export class Cursor {
  constructor(
    readonly tree: Tree,
    /** JSON Pointer from the root. */
    readonly path: string,
  ) {}

  /** Path of a member. */
  at(name: string): string {
    return `${this.path}/${name}`
  }

  /** A block that may be absent. */
  block(name: string): Cursor | undefined {
    const value = this.tree[name]
    return value === undefined ? undefined : new Cursor(value as Tree, this.at(name))
  }

  /** A block that the schema requires. */
  need(name: string): Cursor {
    return new Cursor(this.tree[name] as Tree, this.at(name))
  }

  /** The blocks of a list inside a block: `Items`, `InvoiceLine`. */
  list(block: string, name: string): Cursor[] {
    const values = (this.tree[block] as Tree | undefined)?.[name] as readonly Tree[] | undefined
    return (values ?? []).map((value, index) => new Cursor(value, `${this.at(block)}/${name}/${index}`))
  }

  /** A text without the blanks around it; undefined where nothing is left. */
  text(name: string): string | undefined {
    const value = this.tree[name]
    return typeof value === 'string' ? value.trim() || undefined : undefined
  }

  /** The day of a date: a zone is not converted through. */
  date(name: string): string | undefined {
    return this.text(name)?.slice(0, 10)
  }

  number(name: string): number | undefined {
    const text = this.text(name)
    return text === undefined ? undefined : Number(text)
  }

  /** The amount of an `AmountType`. */
  amount(name: string): number | undefined {
    return this.block(name)?.number('TotalAmount')
  }
}

/** A member where there is a value for it. */
export const optional = <Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { [N in Name]?: Value } => (value === undefined ? {} : ({ [name]: value } as { [N in Name]?: Value }))

/** Undefined where all members are. */
export const orNothing = <T extends object>(value: T): T | undefined =>
  Object.values(value).every((member) => member === undefined) ? undefined : value
