/** What the schemas say of the place that a path leads to. */
import type { Operation } from '../../api/index.ts'
import { required } from '../../errors/index.ts'

/** A schema and the file it stands in, which its references start from. */
interface Node {
  readonly schema: Schema | false
  readonly file: string
}

/** The schema itself with everything it refers to or consists of. */
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

/** Everything that applies at a path; members by name, indexes of arrays as numbers. */
export class Place {
  readonly #nodes: readonly Node[]
  private constructor(nodes: readonly Node[]) {
    this.#nodes = nodes
  }

  static at(operation: Operation, path: readonly (string | number)[]): Place {
    const start = expand({ schema: required(SCHEMAS[`${operation}.json`]), file: `${operation}.json` })
    return new Place(path.reduce<Node[]>(step, start))
  }

  /** Members that may be sent here, the required ones first. */
  members(): readonly Member[] {
    const names = new Set<string>()
    const forbidden = new Set<string>()
    const required = new Set<string>()
    // The shape itself names the most members; in its order they are shown.
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
        const place = new Place(step(this.#nodes, name))
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

  /** Names of the objects that a member may belong to here: `Line`, `Address`. */
  get titles(): readonly string[] {
    return this.#nodes.flatMap(({ schema }) => (schema !== false && schema.title ? [schema.title] : []))
  }

  get type(): string | undefined {
    return this.#first('type')
  }

  get format(): string | undefined {
    return this.#first('format')
  }

  /** Values that the schema names. The list comes first: an operation may allow but one, and another be meant. */
  get values(): readonly (string | number)[] {
    const constant = this.#first('const')
    return this.#first('enum') ?? (constant === undefined ? [] : [constant])
  }
}

/** The keywords that completion reads. `false` as a schema forbids a member. */
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

/** All but the answers and the one that has everything in it. */
const FILES = import.meta.glob<Schema>(
  ['../../../schemas/*.json', '!../../../schemas/{completed,*.schema,validation-*}.json'],
  { import: 'default', eager: true },
)

export const SCHEMAS: Readonly<Record<string, Schema>> = Object.fromEntries(
  Object.entries(FILES).map(([file, schema]) => [file.slice(file.lastIndexOf('/') + 1), schema]),
)
