/**
 * Shapes of the schemas: the constraints of one object or list. `scripts/generate` creates their table. The compiled
 * validators first call `fits`, which walks the value once. Only if it returns false does `collectErrors` determine the
 * errors.
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

/** A row of the table. Names are separated by blanks; leaves and other shapes are referenced by number. */
export interface ShapeSchema {
  readonly type?: 'object' | 'array'
  /** A separate schema, which counts its own problems. */
  readonly part?: true
  /** Exactly one (`oneOf`) or at least one (`anyOf`) of these members is required. */
  readonly oneOf?: string
  readonly anyOf?: string
  readonly required?: string
  /** Members that are refused regardless of their value. */
  readonly refused?: string
  /** Members that results have and clients must not send. */
  readonly computed?: string
  readonly children?: Readonly<Record<string, number>>
  /** All other members that a closed object may have, by their leaf. */
  readonly closed?: Readonly<Record<number, string>>
  readonly items?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly leaf?: number
}

interface Required {
  readonly name: string
  readonly isMissing: (value: unknown) => boolean
}

interface Member {
  readonly name: string
  readonly leaf: Leaf | null
  readonly shape: Shape | null
  /**
   * Weight that `fits` adds if the member is present: for a required member, a member of a choice, a forbidden member,
   * or 0.
   */
  readonly weight: number
}

/** Weights are small integers, for speed. The members of a choice never add up to the weight of a required member. */
const CHOSEN = 1
const REQUIRED = 1 << 8
const FORBIDDEN = -(1 << 20)

export interface Shape {
  readonly schema: ShapeSchema
  readonly choice: readonly Required[]
  readonly required: readonly Required[]
  readonly refused: readonly string[]
  readonly children: ReadonlyArray<{ readonly name: string; readonly shape: Shape }>
  readonly members: ReadonlyMap<string, Member> | null
  /**
   * The members of the previous object, in its order. The next object usually has the same members, which saves
   * lookups.
   */
  readonly lastMembers: Member[]
  readonly items: Shape | undefined
  /** Maximum number of entries of any list in the table. */
  readonly longest: number
  readonly leaf: Leaf | undefined
}

const namesOf = (names: string | undefined): readonly string[] => (names ? names.split(' ') : [])

const isUndefined = (value: unknown): boolean => value === undefined

/**
 * Creates the shapes of a table in which each row follows the rows it refers to. The members in `texts` must not be
 * blank.
 */
export function makeShapes(
  leafSchemas: readonly LeafSchema[],
  texts: string,
  rows: readonly ShapeSchema[],
): readonly Shape[] {
  const leaves = leafSchemas.map(makeLeaf)
  const isText = new Set(namesOf(texts))
  const shapes: Shape[] = []
  const requiredOf = (names: string | undefined): Required[] =>
    namesOf(names).map((name) => ({ name, isMissing: isText.has(name) ? isAbsent : isUndefined }))
  const membersOf = ({ closed, children, ...row }: ShapeSchema) => {
    if (!closed) return null
    const [computed, required, choice] = [row.computed, row.required, row.oneOf ?? row.anyOf].map(namesOf)
    const members = new Map<string, Member>()
    const add = (name: string, leaf: Leaf | null, shape: Shape | null) => {
      const weight = computed!.includes(name)
        ? FORBIDDEN
        : required!.includes(name)
          ? REQUIRED
          : choice!.includes(name)
            ? CHOSEN
            : 0
      members.set(name, { name, leaf, shape, weight })
    }
    for (const [name, shape] of Object.entries(children ?? {})) add(name, null, shapes[shape]!)
    for (const [leaf, names] of Object.entries(closed))
      for (const name of namesOf(names)) add(name, leaves[Number(leaf)]!, null)
    return members
  }
  const longest = Math.max(...rows.map(({ maxItems = 0 }) => maxItems))
  for (const row of rows)
    shapes.push({
      schema: row,
      choice: requiredOf(row.oneOf ?? row.anyOf),
      required: requiredOf(row.required),
      refused: namesOf(row.refused),
      children: Object.entries(row.children ?? {}).map(([name, at]) => ({ name, shape: shapes[at]! })),
      members: membersOf(row),
      lastMembers: [],
      items: row.items === undefined ? undefined : shapes[row.items],
      longest,
      leaf: row.leaf === undefined ? undefined : leaves[row.leaf],
    })
  return shapes
}

let maxProblems: number
let hasUndefined: boolean

const isEnough = (errors: Errors): boolean => errors !== null && errors.length > maxProblems

/**
 * Runs a compiled validator, in which each part of a schema stops after `count` problems. Returns whether it accepts the
 * document, and whether the document has undefined members, which count as absent.
 */
export function runValidator(
  validator: (document: unknown) => boolean,
  document: unknown,
  count: number,
): { accepts: boolean; hasUndefined: boolean } {
  maxProblems = count
  hasUndefined = false
  return { accepts: validator(document), hasUndefined }
}

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

function listFits(list: readonly unknown[], { schema, items, longest }: Shape): boolean {
  if (!items || list.length < (schema.minItems ?? 0) || list.length > (schema.maxItems ?? longest))
    return false
  for (const entry of list) if (!fits(entry, items)) return false
  return true
}

/**
 * Whether a value matches the shape of a closed object, or of a list of them, without computed and undefined members.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: every member of every document passes through this loop, and a call per member would slow it down
export function fits(value: unknown, shape: Shape): boolean {
  if (Array.isArray(value)) return listFits(value, shape)
  const { schema, members, required, lastMembers } = shape
  if (!members || typeof value !== 'object' || value === null) return false
  let weight = 0
  let at = 0
  for (const name in value) {
    let member = lastMembers[at]
    if (member === undefined || member.name !== name) {
      member = members.get(name)
      if (member === undefined) return false
      lastMembers[at] = member
    }
    at++
    const content = (value as Members)[name]
    const { leaf } = member
    if (leaf === null ? !fits(content, member.shape!) : !leaf(content)) return false
    weight += member.weight
  }
  const chosen = weight - required.length * REQUIRED
  return schema.oneOf ? chosen === CHOSEN : schema.anyOf ? chosen > 0 : chosen === 0
}

function report(errors: Errors, keyword: string, params: SchemaError['params'] = {}, at = ''): SchemaError[] {
  const error = { instancePath: at, keyword, params }
  if (errors === null) return [error]
  errors.push(error)
  return errors
}

/**
 * Whether the value has an allowed number of the members of a choice. A value that is not an object is treated as
 * having all of them.
 */
function isChosen({ choice, schema }: Shape, value: unknown): boolean {
  let there = choice.length
  if (isObject(value)) for (const { name, isMissing } of choice) if (isMissing(value[name])) there--
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

/** Collects unknown members, computed members and members whose leaf refuses the value. */
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
    const { leaf, weight } = member
    const content = value[name]
    if (content === undefined) {
      hasUndefined = true
      continue
    }
    if (weight === FORBIDDEN) errors = report(errors, 'false schema', {}, `/${name}`)
    if (leaf && !leaf(content)) errors = report(errors, 'leaf', { leaf }, `/${name}`)
  }
  return errors
}

function collectObjectErrors(before: Errors, value: Members, shape: Shape): Errors {
  const { required, refused, children, members } = shape
  let errors = before
  for (const { name, isMissing } of required)
    if (isMissing(value[name])) errors = report(errors, 'required', { missingProperty: name })
  for (const name of refused)
    if (value[name] !== undefined) errors = report(errors, 'false schema', {}, `/${name}`)
  for (const child of children) {
    const content = value[child.name]
    if (content !== undefined) errors = collectChildErrors(errors, content, child.name, child.shape)
  }
  return members === null ? errors : collectMemberErrors(errors, value, members)
}

/**
 * Collects the errors of a list. If the list is longer than any list may be, its entries are not checked. Checking
 * stops after enough errors.
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
  if (leaf) return leaf(value) ? before : report(before, 'leaf', { leaf })
  let errors = schema.part ? null : before
  if (shape.choice.length > 0 && !isChosen(shape, value))
    errors = report(errors, schema.oneOf ? 'oneOf' : 'anyOf')
  errors = collectContentErrors(errors, value, shape)
  if (!schema.part || before === null || errors === null) return errors ?? before
  for (const error of errors) before.push(error)
  return before
}
