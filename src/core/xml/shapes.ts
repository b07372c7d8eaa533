/**
 * The structure of an XML vocabulary, as data that `scripts/xml-shapes.mjs` generates from the official schemas. A
 * value is a tree of plain objects with element names as members; repeated elements are arrays; leaves are texts,
 * exactly as in the XML. Writing, reading and validation use the same shapes, so they always agree.
 */
import { required } from '../errors/index.ts'
import { BUILT_IN, type BuiltIn } from './built-in.ts'
import { type ElementShape, type Particle, particlesOf } from './notation.ts'
import { type Model, modelOf } from './xml-content.ts'
import { pointerOf } from './xml-text.ts'

export interface TypeShape {
  readonly members?: readonly Particle[]
  /** The members in the notation of `notation.ts`. */
  readonly content?: string
  /** Whether text between the elements is allowed. */
  readonly mixed?: boolean
  /** Attributes: name, `!` if required, type and, after ` =`, the fixed value. */
  readonly attributes?: readonly string[]
  /** The allowed values: a list, or one text with the values separated by blanks. */
  readonly values?: readonly string[] | string
  readonly patterns?: readonly string[]
  readonly min?: number
  readonly max?: number
  readonly base?: string
}

export interface Shapes {
  readonly namespaces: Readonly<Record<string, string>>
  readonly roots: Readonly<Record<string, string>>
  /** Elements that are kept as text. */
  readonly foreign?: readonly string[]
  /** Global elements by type. The value has their names, separated by blanks. */
  readonly elements?: Readonly<Record<string, string>>
  readonly types: Readonly<Record<string, TypeShape>>
}

/** An element as a member of its parent. */
export interface Member {
  /** Local name, which is the member of the object. */
  readonly name: string
  readonly prefix: string
  readonly namespace: string
  /** Name as a segment of a JSON Pointer. */
  readonly pointer: string
  readonly type: Type
  readonly required: boolean
  readonly repeated: boolean
  /** Maximum repetitions; `Infinity` if the schema has no limit. */
  readonly max: number
  /** Position in the sequence. */
  readonly order: number
  /** Index of the choice that includes the member, or -1. */
  readonly choice: number
  /** Default value, used if the element is empty. */
  readonly value: string | undefined
}

export interface Choice {
  readonly members: readonly Member[]
  /** Whether one of the members is required. */
  readonly required: boolean
}

export interface Attribute {
  readonly name: string
  readonly type: Type
  readonly required: boolean
  /** Required value; null if the attribute has no fixed value. */
  readonly fixed: string | null
}

/** A wildcard: the type also allows elements of any name. */
export interface Wildcard {
  /** The namespace that is not allowed; null if all namespaces are allowed. */
  readonly not: string | null
  /** Whether elements that are not in the vocabulary are allowed. */
  readonly lax: boolean
}

export interface Type {
  readonly name: string
  /** Members of the element; null for a text. */
  readonly members: readonly Member[] | null
  readonly byName: ReadonlyMap<string, Member>
  /** Content model of the members; null for a text. */
  readonly content: Model | null
  /** Whether text between the elements is allowed. */
  readonly mixed: boolean
  readonly wildcard: Wildcard | null
  /** Null if the type has no attributes; its values are then plain texts. */
  readonly attributes: ReadonlyMap<string, Attribute> | null
  /** Whether the element is foreign XML that is kept as text (a signature). */
  readonly foreign: boolean
  /** Members that exclude each other. */
  readonly choices: readonly Choice[]
  readonly values: ReadonlySet<string> | null
  readonly patterns: readonly RegExp[]
  readonly min: number
  readonly max: number
  /** The built-in type that the type derives from. */
  readonly builtIn: BuiltIn & { readonly name: string }
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
  /** Returns the type of a global element, or null if unknown. */
  readonly globalType: (namespace: string, name: string) => Type | null
}

const NO_LIMIT = Number.POSITIVE_INFINITY
const STRING = { name: 'xs:string', ...required(BUILT_IN.get('xs:string')) }

/**
 * Patterns for the built-in types that are checked in the vocabularies of the authority. The authority's own rules
 * cover the others.
 */
const LENIENT: Readonly<Record<string, RegExp>> = {
  'xs:integer': /^[+-]?\d+$/,
  'xs:dateTime':
    /^-?\d{4,}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])T([01]\d|2[0-4]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]\d\d:\d\d)?$/,
}

const split = (qualified: string): [prefix: string, local: string] => {
  const colon = qualified.indexOf(':')
  return [qualified.slice(0, Math.max(colon, 0)), qualified.slice(colon + 1)]
}

/**
 * Builds a vocabulary. Types are resolved at first use, because some contain themselves and a document uses only a few.
 *
 * @example
 * const shapes = { namespaces: { a: 'urn:a' }, roots: { 'a:Root': 'a:T' }, types: { 'a:T': { max: 3 } } }
 * vocabularyOf(shapes).roots.get('Root')?.namespace // => 'urn:a'
 */
export function vocabularyOf(shapes: Shapes): Vocabulary {
  const linker = new Linker(shapes)
  const roots = new Map<string, Root>()
  for (const [qualified, type] of Object.entries(shapes.roots)) {
    const [prefix, name] = split(qualified)
    roots.set(name, { name, prefix, namespace: linker.namespaceOf(prefix), type: linker.typeOf(type) })
  }
  return {
    namespaces: shapes.namespaces,
    roots,
    globalType: (namespace, name) => linker.globalType(namespace, name),
  }
}

/** Returns a list, or the items of a text, as a set. */
const setOf = (values: readonly string[] | string): ReadonlySet<string> =>
  new Set(typeof values === 'string' ? values.split(' ') : values)

interface MutableChoice {
  readonly members: Member[]
  required: boolean
}

/**
 * Context of an element in a group: index of its choice (or -1), and whether the whole group is repeated or required.
 */
interface GroupContext {
  readonly choice: number
  readonly repeated: boolean
  readonly required: boolean
}

type Group = Exclude<Particle, ElementShape | { readonly any: string }>

class Linker {
  readonly #shapes: Shapes
  readonly #types = new Map<string, Type>()
  /** Types of the global elements by qualified name. */
  readonly #elements = new Map<string, string>()
  readonly #foreign = new Set<string>()

  constructor(shapes: Shapes) {
    this.#shapes = shapes
    for (const [type, names] of Object.entries(shapes.elements ?? {}))
      for (const name of names.split(' ')) this.#elements.set(name, type)
    for (const element of shapes.foreign ?? []) this.#foreign.add(this.#elements.get(element)!)
  }

  namespaceOf(prefix: string): string {
    return this.#shapes.namespaces[prefix] ?? ''
  }

  globalType(namespace: string, name: string): Type | null {
    for (const [prefix, uri] of Object.entries(this.#shapes.namespaces))
      if (uri === namespace) {
        const qualified = `${prefix}:${name}`
        const type = this.#elements.get(qualified) ?? this.#shapes.roots[qualified]
        return type === undefined ? null : this.typeOf(type)
      }
    return null
  }

  typeOf(name: string): Type {
    let type = this.#types.get(name)
    if (!type) {
      type = this.#link(name)
      this.#types.set(name, type)
    }
    return type
  }

  #link(name: string): Type {
    const shape: TypeShape = this.#shapes.types[name] ?? {}
    const { mixed = false } = shape
    const builtInName = shape.base ?? name
    const found = this.#shapes.elements ? BUILT_IN.get(builtInName) : undefined
    const inherited: Partial<Type> =
      shape.base && this.#shapes.types[shape.base] ? this.typeOf(shape.base) : {}
    const {
      patterns = [],
      attributes = null,
      values = null,
      min = 0,
      max = NO_LIMIT,
      builtIn = STRING,
    } = inherited
    const particles = this.#particlesOf(shape)
    const members: Member[] = []
    const choices: MutableChoice[] = []
    if (particles)
      this.#addMembers(members, particles, { choice: -1, repeated: false, required: true }, choices)
    const wildcard = particles && this.#wildcardOf(particles)
    let content: Model | null = null
    return {
      name,
      members: particles && members,
      byName: new Map(members.map((member) => [member.name, member])),
      get content() {
        content ??= particles && modelOf(particles)
        return content
      },
      mixed,
      wildcard,
      attributes: shape.attributes ? this.#attributesOf(shape.attributes) : attributes,
      foreign: name === 'xml' || wildcard !== null || this.#foreign.has(name),
      choices,
      values: shape.values ? setOf(shape.values) : values,
      patterns: [...patterns, ...this.#ownPatterns(shape, builtInName)],
      min: shape.min ?? min,
      max: shape.max ?? max,
      builtIn: found ? { name: builtInName, ...found } : builtIn,
    }
  }

  #ownPatterns({ patterns = [] }: TypeShape, builtInName: string): RegExp[] {
    const own = patterns.map((pattern) => new RegExp(`^(?:${pattern})$`, 'u'))
    const loose = this.#shapes.elements ? undefined : LENIENT[builtInName]
    return loose ? [loose, ...own] : own
  }

  #particlesOf({ members, content }: TypeShape): readonly Particle[] | null {
    if (members || content === undefined) return members ?? null
    return particlesOf(content, (element) => this.#elements.get(element)!)
  }

  #attributesOf(texts: readonly string[]): ReadonlyMap<string, Attribute> {
    return new Map(
      texts.map((text) => {
        const [, name = '', isRequired, type = '', fixed] = required(
          /^([^ !]+)(!?) ([^ ]+)(?: =(.*))?$/s.exec(text),
        )
        const attribute = {
          name,
          type: this.typeOf(type),
          required: isRequired === '!',
          fixed: fixed ?? null,
        }
        return [attribute.name, attribute]
      }),
    )
  }

  #wildcardOf(particles: readonly Particle[]): Wildcard | null {
    for (const particle of particles) {
      if ('length' in particle) continue
      if ('any' in particle) {
        const [kind, prefix = ''] = particle.any.split(':')
        return { not: kind === 'other' ? this.namespaceOf(prefix) : null, lax: particle.process === 'lax' }
      }
      const inner = this.#wildcardOf('choice' in particle ? particle.choice : particle.sequence)
      if (inner) return inner
    }
    return null
  }

  #addMembers(
    into: Member[],
    particles: readonly Particle[],
    around: GroupContext,
    choices: MutableChoice[],
  ): void {
    for (const particle of particles) {
      if (!('length' in particle)) {
        if (!('any' in particle)) this.#addGroup(into, particle, around, choices)
        continue
      }
      const member = this.#member(particle, into.length, around)
      // An element that occurs in two alternatives becomes one member.
      if (into.some(({ name, prefix }) => name === member.name && prefix === member.prefix)) continue
      into.push(member)
      if (around.choice < 0) continue
      const group = required(choices[around.choice])
      group.members.push(member)
      if (particle[2] === 0) group.required = false
    }
  }

  #addGroup(into: Member[], group: Group, around: GroupContext, choices: MutableChoice[]): void {
    const repeated = around.repeated || (group.max !== undefined && group.max !== 1)
    const required = around.required && group.min !== 0
    if ('sequence' in group) {
      this.#addMembers(into, group.sequence, { ...around, repeated, required }, choices)
      return
    }
    // Repeatable alternatives do not exclude each other.
    const choice = repeated ? -1 : choices.length
    if (!repeated) choices.push({ members: [], required })
    this.#addMembers(into, group.choice, { choice, repeated, required: false }, choices)
  }

  #member(
    [qualified, type, min = 1, max = 1, value]: ElementShape,
    order: number,
    { choice, repeated, required }: GroupContext,
  ): Member {
    const [prefix, name] = split(qualified)
    const linker = this
    let linked: Type | undefined
    return {
      name,
      prefix,
      namespace: this.namespaceOf(prefix),
      pointer: pointerOf(name),
      get type() {
        linked ??= linker.typeOf(type)
        return linked
      },
      required: required && choice < 0 && min > 0,
      repeated: repeated || max !== 1,
      max: repeated ? NO_LIMIT : (max ?? NO_LIMIT),
      order,
      choice,
      value,
    }
  }
}
