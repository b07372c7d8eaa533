/**
 * What an XML vocabulary allows, as data: made from the official schemas by `scripts/xml-shapes.mjs`. A value is a
 * tree of plain objects whose members carry the element names; repeated elements are arrays; leaves are texts,
 * literally as in the XML. Writing, reading and checking all walk the same shape, so they cannot disagree.
 */

import { pointerOf } from './text.ts'

/** `[qualified name, type, min, max]`; min and max are 1 where absent, max `null` is unbounded. */
export type ElementShape = readonly [name: string, type: string, min?: number, max?: number | null]
export type Particle = ElementShape | { readonly choice: readonly Particle[]; readonly min?: number }

export interface TypeShape {
  readonly members?: readonly Particle[]
  readonly values?: readonly string[]
  readonly patterns?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly base?: string
}

export interface Shapes {
  readonly namespaces: Readonly<Record<string, string>>
  readonly roots: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, TypeShape>>
}

/** An element inside its parent, ready for a walk. */
export interface Member {
  /** Local name: the member of the object. */
  readonly name: string
  readonly prefix: string
  readonly namespace: string
  /** Its step in a JSON Pointer. */
  readonly pointer: string
  readonly type: Type
  readonly required: boolean
  readonly repeated: boolean
  /** Most repetitions; `Infinity` where the schema sets no limit. */
  readonly max: number
  /** Place in the sequence. */
  readonly order: number
  /** Number of the choice that it belongs to, or -1. */
  readonly choice: number
}

export interface Choice {
  readonly members: readonly Member[]
  /** True where one of them must be there. */
  readonly required: boolean
}

export interface Type {
  readonly name: string
  /** Null for a text. */
  readonly members: readonly Member[] | null
  readonly byName: ReadonlyMap<string, Member>
  /** True for foreign XML kept as text (a signature). */
  readonly foreign: boolean
  /** Members that exclude each other. */
  readonly choices: readonly Choice[]
  readonly values: ReadonlySet<string> | null
  readonly patterns: readonly RegExp[]
  readonly min: number
  readonly max: number
}

export interface Root {
  readonly name: string
  readonly prefix: string
  readonly namespace: string
  readonly type: Type
}

export interface Vocabulary {
  readonly namespaces: Readonly<Record<string, string>>
  /** Elements that a document may start with, by local name. */
  readonly roots: ReadonlyMap<string, Root>
}

const NO_LIMIT = Number.POSITIVE_INFINITY

/** Built-in types of XML Schema that occur, as patterns. */
const BUILT_IN: Readonly<Record<string, RegExp>> = {
  'xs:integer': /^[+-]?\d+$/,
  'xs:dateTime':
    /^-?\d{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-4]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
}

const split = (qualified: string): [prefix: string, local: string] => {
  const colon = qualified.indexOf(':')
  return [qualified.slice(0, colon), qualified.slice(colon + 1)]
}

/**
 * Resolves the names of a vocabulary once. Types are linked lazily, since some contain themselves.
 *
 * @example
 * const shapes = { namespaces: { a: 'urn:a' }, roots: { 'a:Root': 'a:T' }, types: { 'a:T': { max: 3 } } }
 * vocabularyOf(shapes).roots.get('Root')?.namespace // => 'urn:a'
 */
export function vocabularyOf(shapes: Shapes): Vocabulary {
  const made = new Map<string, Type>()

  const typeOf = (name: string): Type => {
    const known = made.get(name)
    if (known) return known
    const shape: TypeShape = shapes.types[name] ?? {}
    const base = shape.base && shapes.types[shape.base] ? typeOf(shape.base) : null
    const builtIn = BUILT_IN[shape.base ?? name]
    const own = (shape.patterns ?? []).map((pattern) => new RegExp(`^(?:${pattern})$`, 'u'))
    const type = {
      name,
      members: null as Member[] | null,
      byName: new Map<string, Member>(),
      foreign: name === 'xml',
      choices: [] as { members: Member[]; required: boolean }[],
      values: shape.values ? new Set(shape.values) : (base?.values ?? null),
      patterns: [...(base?.patterns ?? []), ...(builtIn ? [builtIn] : []), ...own],
      min: shape.min ?? base?.min ?? 0,
      max: shape.max ?? base?.max ?? NO_LIMIT,
    }
    made.set(name, type)
    if (shape.members) {
      type.members = []
      addMembers(type as Type & { members: Member[] }, shape.members, -1, type.choices)
      for (const member of type.members) type.byName.set(member.name, member)
    }
    return type
  }

  const addMembers = (
    into: { members: Member[] },
    particles: readonly Particle[],
    choice: number,
    choices: { members: Member[]; required: boolean }[],
  ): void => {
    for (const particle of particles) {
      if ('choice' in particle) {
        const number = choices.length
        choices.push({ members: [], required: particle.min !== 0 })
        addMembers(into, particle.choice, number, choices)
        continue
      }
      const [qualified, type, min = 1, max = 1] = particle
      const [prefix, name] = split(qualified)
      const member: Member = {
        name,
        prefix,
        namespace: shapes.namespaces[prefix]!,
        pointer: pointerOf(name),
        type: typeOf(type),
        required: choice < 0 && min > 0,
        repeated: max !== 1,
        max: max ?? NO_LIMIT,
        order: into.members.length,
        choice,
      }
      into.members.push(member)
      if (choice < 0) continue
      const group = choices[choice]!
      group.members.push(member)
      if (min === 0) group.required = false
    }
  }

  const roots = new Map<string, Root>()
  for (const [qualified, type] of Object.entries(shapes.roots)) {
    const [prefix, name] = split(qualified)
    roots.set(name, { name, prefix, namespace: shapes.namespaces[prefix]!, type: typeOf(type) })
  }
  return { namespaces: shapes.namespaces, roots }
}
