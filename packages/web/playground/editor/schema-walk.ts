/** Finds the definitions of the schemas at a path of the document. */

import { required } from '#core/errors/index.ts'
import type { Operation } from '#engine/index.ts'

/** A schema and its file. References are relative to that file. */
interface Node {
  readonly schema: Schema | false
  readonly file: string
}

/** Returns a schema with all schemas that it references or combines. */
function expand({ schema, file }: Node): Node[] {
  if (schema === false) return [{ schema, file }]
  const parts: Node[] = [{ schema, file }]
  for (const part of schema.allOf ?? []) parts.push(...expand({ schema: part, file }))
  if (schema.$ref) {
    const [name, pointer = ''] = schema.$ref.split('#')
    const target = name || file
    const definition = pointer.split('/').at(-1)
    const whole = required(SCHEMAS[target])
    parts.push(
      ...expand({ schema: definition ? required(required(whole.$defs)[definition]) : whole, file: target }),
    )
  }
  return parts
}

const step = (nodes: readonly Node[], segment: string | number): Node[] =>
  nodes.flatMap(({ schema, file }) => {
    if (schema === false) return []
    const next = typeof segment === 'number' ? schema.items : schema.properties?.[segment]
    return next === undefined ? [] : expand({ schema: next, file })
  })

const size = ({ schema }: Node): number =>
  schema === false ? 0 : Object.keys(schema.properties ?? {}).length

export interface Member {
  readonly name: string
  readonly required: boolean
  readonly description: string | undefined
  readonly type: string | undefined
}

/** All schemas that apply at a path. Array indexes in the path are numbers. */
export class SchemaLocation {
  readonly #nodes: readonly Node[]
  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes
  }

  static at(operation: Operation, path: readonly (string | number)[]): SchemaLocation {
    const start = expand({ schema: required(SCHEMAS[`${operation}.json`]), file: `${operation}.json` })
    return new SchemaLocation(path.reduce<Node[]>(step, start))
  }

  /** Returns the members that a client may send here, required members first. */
  members(): readonly Member[] {
    const names = new Set<string>()
    const forbidden = new Set<string>()
    const required = new Set<string>()
    // The schema with the most members determines the order.
    for (const { schema } of this.#nodes.toSorted((a, b) => size(b) - size(a))) {
      if (schema === false) continue
      for (const [name, member] of Object.entries(schema.properties ?? {})) {
        names.add(name)
        if (member === false || member.readOnly) forbidden.add(name)
      }
      for (const name of schema.required ?? []) required.add(name)
    }
    const members = [...names]
      .filter((name) => !forbidden.has(name))
      .map((name) => {
        const place = new SchemaLocation(step(this.#nodes, name))
        return { name, required: required.has(name), description: place.description, type: place.type }
      })
    return [...members.filter((member) => member.required), ...members.filter((member) => !member.required)]
  }

  #first<Key extends keyof Schema>(key: Key): Schema[Key] | undefined {
    for (const { schema } of this.#nodes)
      if (schema !== false && schema[key] !== undefined) return schema[key]
    return undefined
  }

  get description(): string | undefined {
    return this.#first('description')
  }

  /** Titles of the schemas at this location, such as `Line` or `Address`. */
  get titles(): readonly string[] {
    return this.#nodes.flatMap(({ schema }) => (schema !== false && schema.title ? [schema.title] : []))
  }

  get type(): string | undefined {
    return this.#first('type')
  }

  get format(): string | undefined {
    return this.#first('format')
  }

  /**
   * Values of `enum` or, without `enum`, of `const`. `enum` has precedence, because an operation may add a `const` that
   * allows only one of its values.
   */
  get values(): readonly (string | number)[] {
    const constant = this.#first('const')
    return this.#first('enum') ?? (constant === undefined ? [] : [constant])
  }
}

/** The keywords that completion reads. The schema `false` forbids the member. */
export interface Schema {
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
  readonly allOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema | false>>
  readonly items?: Schema
  readonly required?: readonly string[]
  readonly type?: string
  readonly enum?: readonly (string | number)[]
  readonly const?: string | number
  readonly description?: string
  readonly title?: string
  readonly format?: string
  readonly readOnly?: boolean
}

/** All schema files, except the schemas of responses and the bundled schema. */
const FILES = import.meta.glob<Schema>(
  ['../../../../schemas/*.json', '!../../../../schemas/{completed,*.schema,validation-*}.json'],
  { import: 'default', eager: true },
)

export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(FILES).map(([file, schema]) => [file.slice(file.lastIndexOf('/') + 1), schema]),
)
