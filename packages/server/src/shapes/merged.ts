/**
 * Resolves schemas of the form "all of this schema, but narrower" to a single shape. References are followed, members
 * that are not allowed are removed, and additional requirements are merged. Client generators and readers of the
 * OpenAPI document do not do this themselves.
 */

export type Schema = Readonly<Record<string, unknown>>

/** A schema in which all references to other files are resolved. */
export interface Shape {
  /** The name of the definition. It becomes the name of the component. */
  readonly name?: string
  /** Keywords with simple values, such as `type` and `maxLength`. */
  readonly keywords: Schema
  /** A description that is stated next to the reference, and not in the definition itself. */
  readonly description?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly required?: readonly string[]
  readonly items?: Shape
  /**
   * Requirements that are not shapes: for example, one of two members is required, or one member depends on another.
   */
  readonly conditions?: readonly Schema[]
}

/** Changes that narrow a shape. `null` forbids a member. */
interface Narrowing extends Omit<Shape, 'properties'> {
  readonly properties?: Readonly<Record<string, Narrowing | null>>
}

/** Schema files by name. */
export type Files = Readonly<Record<string, Schema>>

const pascal = (name: string): string =>
  name.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())

const HANDLED = ['$schema', '$id', '$ref', '$defs', 'title', 'description', 'allOf', 'anyOf', 'oneOf', 'if']
const OF_MEMBERS = ['then', 'else', 'properties', 'required', 'items']

/** Merges two lists of members. The members of the second list narrow those of the first. */
function narrowedMembers(
  a: Shape['properties'] = {},
  b: Narrowing['properties'] = {},
): Record<string, Narrowing | null> {
  const members: Record<string, Narrowing | null> = { ...a }
  for (const [name, by] of Object.entries(b)) {
    const known = members[name]
    members[name] = by === null || !known ? by : intersection(known, by)
  }
  return members
}

/** Removes undefined members and empty lists. */
function withoutEmpty<T extends object>(shape: { [Name in keyof T]: T[Name] | undefined }): T {
  const isThere = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(shape).filter(([, value]) => isThere(value))) as T
}

/** Merges two narrowings. Keywords of the second one replace those of the first. */
function intersection(a: Narrowing, b: Narrowing): Narrowing {
  const { enum: values, ...others } = a.keywords
  const kept = values === undefined || 'const' in b.keywords ? {} : { enum: values }
  const properties = narrowedMembers(a.properties as Shape['properties'], b.properties)
  return withoutEmpty<Narrowing>({
    name: a.name ?? b.name,
    keywords: { ...others, ...kept, ...b.keywords },
    description: b.description ?? a.description,
    properties: Object.keys(properties).length > 0 ? properties : undefined,
    required: [...new Set([...(a.required ?? []), ...(b.required ?? [])])],
    items: a.items && b.items ? (intersection(a.items, b.items) as Shape) : (a.items ?? b.items),
    conditions: [...(a.conditions ?? []), ...(b.conditions ?? [])],
  })
}

/** Returns the target of a reference, its file, and the name of the definition. */
function definition(files: Files, ref: string, file: string): readonly [Schema, string, string | undefined] {
  const [name = '', pointer = ''] = ref.split('#')
  const target = name === '' ? file : name
  const at = pointer.split('/').slice(1)
  const found = at.reduce<unknown>((schema, member) => (schema as Schema)?.[member], files[target])
  if (typeof found !== 'object' || found === null)
    throw new Error(`schemas: ${file} refers to ${ref}, which is nowhere`)
  return [found as Schema, target, at.at(-1)]
}

const isShape = (schema: Schema): boolean =>
  '$ref' in schema || 'properties' in schema || 'required' in schema

/** Resolves a schema in a file, with all its references. */
function narrowing(files: Files, schema: Schema, file: string): Narrowing {
  const inner = (one: Schema) => narrowing(files, one, file)
  let shape: Narrowing = { keywords: {} }
  if (typeof schema.$ref === 'string') {
    const [target, at, name] = definition(files, schema.$ref, file)
    // If a definition only references another definition, it takes the name of that definition.
    const named = '$ref' in target || name === undefined ? {} : { name: pascal(name) }
    shape = { ...named, ...narrowing(files, target, at) }
  }
  const parts = (schema.allOf ?? []) as readonly Schema[]
  for (const part of parts.filter((one) => isShape(one) && !('if' in one)))
    shape = intersection(shape, inner(part))
  const conditions = [
    ...parts.filter((one) => !isShape(one) || 'if' in one),
    ...['anyOf', 'oneOf'].filter((name) => name in schema).map((name) => ({ [name]: schema[name] })),
  ]
  const keywords = Object.entries(schema).filter(
    ([name]) => !HANDLED.includes(name) && !OF_MEMBERS.includes(name),
  )
  const { properties, required, items, title, description } = schema
  const members = Object.entries((properties ?? {}) as Record<string, Schema | false>)
  const own = withoutEmpty<Narrowing>({
    name: title === undefined ? undefined : String(title),
    keywords: Object.fromEntries(keywords),
    description,
    properties: Object.fromEntries(members.map(([name, one]) => [name, one === false ? null : inner(one)])),
    required: required as string[] | undefined,
    items: items === undefined ? undefined : (inner(items as Schema) as Shape),
    conditions,
  })
  return intersection(shape, own)
}

/** Removes the forbidden members. Throws if the shape accepts unknown members, because it would accept them again. */
function withoutRefused({ properties, items, ...shape }: Narrowing): Shape {
  const kept = Object.entries(properties ?? {}).filter(([, one]) => one !== null)
  if (kept.length < Object.keys(properties ?? {}).length && shape.keywords.additionalProperties !== false)
    throw new Error(`schemas: ${shape.name} refuses members, and takes members that it does not name`)
  return {
    ...shape,
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(kept.map(([name, one]) => [name, withoutRefused(one as Narrowing)])),
        }),
    ...(items === undefined ? {} : { items: withoutRefused(items) }),
  }
}

/** Returns the first shape, narrowed by the requirements of the second. */
export const narrowed = (shape: Shape, by: Shape): Shape => withoutRefused(intersection(shape, by))

/** Returns the resolved shape of a schema file. */
export const shapeOf = (files: Files, file: string): Shape =>
  withoutRefused(narrowing(files, files[file] as Schema, file))
