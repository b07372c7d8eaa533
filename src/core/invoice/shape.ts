/**
 * Shapes of the schemas: the constraints of one object or list. `scripts/generate` creates their table. The compiled
 * validators call `collectErrors`.
 */
import { isAbsent } from './blank.ts'
import { type Leaf, type LeafSchema, makeLeaf } from './leaf.ts'

/** A problem in terms of JSON Schema: the broken keyword, its path and its parameters. */
export interface SchemaError {
  instancePath: string
  readonly keyword: string
  readonly params: Readonly<Record<string, unknown>>
}

type Errors = SchemaError[] | null

/** A row of the table. Names are separated by blanks. Leaves and other shapes are referenced by their number. */
export interface ShapeSchema {
  readonly type?: 'object' | 'array'
  /** True for a part of the schema with its own limit on the number of problems. */
  readonly part?: true
  /** Exactly one (`oneOf`) or at least one (`anyOf`) of these members is required. */
  readonly oneOf?: string
  readonly anyOf?: string
  readonly required?: string
  /** Members that are refused regardless of their value. */
  readonly refused?: string
  /** Members that only results have; clients must not send them. */
  readonly computed?: string
  readonly children?: Readonly<Record<string, number>>
  /** All other members that a closed object may have, by the number of their leaf. */
  readonly closed?: Readonly<Record<number, string>>
  readonly items?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly leaf?: number
}

interface Member {
  readonly leaf: Leaf | null
  /** Whether only results have the member; clients must not send it. */
  readonly computed: boolean
}

export interface Shape {
  readonly schema: ShapeSchema
  readonly choice: readonly string[]
  readonly required: readonly string[]
  readonly refused: readonly string[]
  readonly children: ReadonlyArray<{ readonly name: string; readonly shape: Shape }>
  readonly members: ReadonlyMap<string, Member> | null
  readonly items: Shape | undefined
  /** Maximum number of entries of any list in the table. */
  readonly longest: number
  readonly leaf: Leaf | undefined
}

/** Names of the members that are texts of one line, in every object that has them. `makeShapes` adds them. */
export const oneLineMembers = new Set<string>()

const namesOf = (names: string | undefined): readonly string[] => (names ? names.split(' ') : [])

/** Creates the shapes of a table. Each row must come after the rows that it refers to. */
export function makeShapes(
  leafSchemas: readonly LeafSchema[],
  rows: readonly ShapeSchema[],
): readonly Shape[] {
  const leaves = leafSchemas.map(makeLeaf)
  const shapes: Shape[] = []
  const membersOf = ({ closed, children, ...row }: ShapeSchema) => {
    if (!closed) return null
    const computed = namesOf(row.computed)
    const members = new Map<string, Member>()
    const add = (name: string, leaf: Leaf | null) =>
      members.set(name, { leaf, computed: computed.includes(name) })
    for (const name of Object.keys(children ?? {})) add(name, null)
    for (const [leaf, names] of Object.entries(closed))
      for (const name of namesOf(names)) {
        add(name, leaves[Number(leaf)]!)
        if (leafSchemas[Number(leaf)]!.format === 'line') oneLineMembers.add(name)
      }
    return members
  }
  const longest = Math.max(...rows.map(({ maxItems = 0 }) => maxItems))
  for (const row of rows)
    shapes.push({
      schema: row,
      choice: namesOf(row.oneOf ?? row.anyOf),
      required: namesOf(row.required),
      refused: namesOf(row.refused),
      children: Object.entries(row.children ?? {}).map(([name, at]) => ({ name, shape: shapes[at]! })),
      members: membersOf(row),
      items: row.items === undefined ? undefined : shapes[row.items],
      longest,
      leaf: row.leaf === undefined ? undefined : leaves[row.leaf],
    })
  return shapes
}

let maxProblems: number
let needsCopy: boolean

const isEnough = (errors: Errors): boolean => errors !== null && errors.length > maxProblems

/**
 * Runs a compiled validator, in which each part of a schema stops after `count` problems. Returns whether it accepts
 * the document, and whether the document must be copied: undefined members count as absent, and one-line texts are
 * trimmed.
 */
export function runValidator(
  validator: (document: unknown) => boolean,
  document: unknown,
  count: number,
): { accepts: boolean; needsCopy: boolean } {
  maxProblems = count
  needsCopy = false
  return { accepts: validator(document), needsCopy }
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function report(errors: Errors, keyword: string, params: SchemaError['params'] = {}, at = ''): SchemaError[] {
  const error = { instancePath: at, keyword, params }
  if (errors === null) return [error]
  errors.push(error)
  return errors
}

/**
 * Whether the value has an allowed number of members of a choice. A value that is not an object satisfies every choice.
 */
function isChosen({ choice, schema }: Shape, value: unknown): boolean {
  if (!isObject(value)) return true
  let there = choice.length
  for (const name of choice) if (isAbsent(value[name])) there--
  return schema.oneOf ? there === 1 : there > 0
}

/** Collects the errors of a child, with paths relative to the parent. */
function collectChildErrors(before: Errors, value: unknown, name: string | number, shape: Shape): Errors {
  const known = before?.length ?? 0
  const errors = collectErrors(before, value, shape)
  if (errors !== null)
    for (let at = known; at < errors.length; at++)
      errors[at]!.instancePath = `/${name}${errors[at]!.instancePath}`
  return errors
}

/** Collects errors of members: unknown members, computed members, and members with an invalid value. */
function collectMemberErrors(before: Errors, value: Members, members: ReadonlyMap<string, Member>): Errors {
  let errors = before
  for (const name in value) {
    if (isEnough(errors)) break
    const member = members.get(name)
    if (member === undefined) {
      errors = report(errors, 'additionalProperties', {
        additionalProperty: name,
        known: [...members.keys()],
      })
      continue
    }
    const { leaf, computed } = member
    const content = value[name]
    if (content === undefined) {
      needsCopy = true
      continue
    }
    if (typeof content === 'string' && content !== content.trim()) needsCopy = true
    if (computed) errors = report(errors, 'false schema', {}, `/${name}`)
    for (const { keyword, params } of leaf?.(content) ?? [])
      errors = report(errors, keyword, params, `/${name}`)
  }
  return errors
}

function collectObjectErrors(before: Errors, value: Members, shape: Shape): Errors {
  const { required, refused, children, members } = shape
  let errors = before
  for (const name of required)
    if (isAbsent(value[name])) {
      const { required: members = [] } = children.find((child) => child.name === name)?.shape ?? {}
      errors = report(errors, 'required', {
        missingProperty: name,
        ...(members.length > 0 && { members }),
      })
    }
  for (const name of refused)
    if (value[name] !== undefined) errors = report(errors, 'false schema', {}, `/${name}`)
  for (const child of children) {
    const content = value[child.name]
    if (content !== undefined) errors = collectChildErrors(errors, content, child.name, child.shape)
  }
  return members === null ? errors : collectMemberErrors(errors, value, members)
}

/**
 * Collects the errors of a list. If the list is longer than the schema allows for any list, its entries are not
 * checked. Checking stops at the maximum number of errors.
 */
function collectListErrors(
  before: Errors,
  list: readonly unknown[],
  { items, longest, schema }: Shape,
): Errors {
  const { minItems = 0, maxItems = longest } = schema
  let errors = before
  if (list.length > maxItems) errors = report(errors, 'maxItems', { limit: maxItems })
  if (list.length < minItems) errors = report(errors, 'minItems', { limit: minItems })
  if (!items || list.length > longest) return errors
  for (let index = 0; index < list.length && !isEnough(errors); index++)
    errors = collectChildErrors(errors, list[index], index, items)
  return errors
}

function collectContentErrors(before: Errors, value: unknown, shape: Shape): Errors {
  const { type } = shape.schema
  if (type && !(type === 'array' ? Array.isArray(value) : isObject(value)))
    return report(before, 'type', { type })
  if (Array.isArray(value)) return collectListErrors(before, value, shape)
  return isObject(value) ? collectObjectErrors(before, value, shape) : before
}

/** Appends the errors of a value to the errors found before. */
export function collectErrors(before: Errors, value: unknown, shape: Shape): Errors {
  const { schema, leaf } = shape
  let errors = schema.part ? null : before
  if (leaf) for (const { keyword, params } of leaf(value)) errors = report(errors, keyword, params)
  if (shape.choice.length > 0 && !isChosen(shape, value))
    errors = report(errors, schema.oneOf ? 'oneOf' : 'anyOf')
  errors = collectContentErrors(errors, value, shape)
  if (!schema.part || before === null || errors === null) return errors ?? before
  for (const error of errors) before.push(error)
  return before
}
