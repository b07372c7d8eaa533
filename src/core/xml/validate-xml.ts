/** Validates a value against its shape and returns every violation of the official schema with its location. */
import { required } from '../errors/index.ts'
import { normalised } from './built-in.ts'
import type { Attribute, Choice, Member, Type } from './shapes.ts'
import { firstForbiddenCharacter, pointerOf } from './xml-text.ts'

export type ViolationKind =
  /** A mandatory element is absent (or `null`). */
  | 'missing'
  /** A member that the schema does not have. */
  | 'unknown'
  /** A value of another kind (text, block or list) than the schema requires. */
  | 'kind'
  /** A text that is not in the list of values. */
  | 'value'
  /** A text that does not match the pattern. */
  | 'pattern'
  /** A text that is too short or too long. */
  | 'length'
  /** Two elements that exclude each other. */
  | 'exclusive'
  /** Too many repetitions, or an empty list. */
  | 'count'
  /** A character that XML 1.0 does not allow. */
  | 'character'

/** Problems of a document. The tolerant reader still reads elements out of order or in the wrong namespace. */
export type XmlProblemKind =
  /** Not well-formed XML; the rest is not read. */
  | 'malformed'
  /** A document type declaration. Entities and external files are never read. */
  | 'doctype'
  /** A declaration of an encoding other than that of the bytes; the tolerant reader allows only UTF-8. */
  | 'encoding'
  /** The document has no element of this vocabulary. */
  | 'no_record'
  /** An element that its parent may not have; it is skipped. */
  | 'unknown_element'
  /** An element or attribute in the wrong namespace. */
  | 'namespace'
  /** An element out of order. */
  | 'order'
  /** A repetition of an element that may occur only once (the first is kept), or a duplicate `xs:ID`. */
  | 'repeated'
  /** Text between elements. */
  | 'stray_text'
  /** More levels or characters than a valid document can have. */
  | 'limit'

export interface Violation {
  readonly kind: ViolationKind
  /** JSON Pointer from the validated value. */
  readonly path: string
  /** Name of the element with the violation. */
  readonly field: string
  /** Name of its parent element. */
  readonly parent: string
  readonly received: unknown
  /** What the schema allows: a list of values, a length or a pattern. */
  readonly allowed?: unknown
}

/** Member with the text of an element that has attributes. */
export const TEXT = '#'

/** Maximum number of values listed in a violation. */
const MAX_LISTED = 30

const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Returns every violation of `type` by `value`, in the order of the schema. `field` and `parent` name the element.
 *
 * Lengths count characters (code points), as in XML Schema.
 */
export function violationsOf(value: unknown, type: Type, field: string, path = ''): Violation[] {
  const found: Violation[] = []
  walk(value, type, field, '', path, found)
  return found
}

const violation = (
  kind: ViolationKind,
  path: string,
  field: string,
  parent: string,
  received: unknown,
  allowed?: unknown,
): Violation => ({ kind, path, field, parent, received, ...(allowed === undefined ? {} : { allowed }) })

function walk(
  value: unknown,
  type: Type,
  field: string,
  parent: string,
  path: string,
  found: Violation[],
): void {
  const report = (kind: ViolationKind, allowed?: unknown): void => {
    found.push(violation(kind, path, field, parent, value, allowed))
  }
  if (type.foreign) {
    if (typeof value !== 'string') report('kind', 'text')
    return
  }
  if (type.members === null) {
    const text = type.attributes && isBlock(value) ? value[TEXT] : value
    if (typeof text === 'string') checkText(text, type, report)
    else report('kind', 'text')
  } else if (!isBlock(value)) {
    report('kind', 'block')
    return
  }
  const block = isBlock(value) ? value : {}
  if (type.attributes) checkAttributes(block, type, field, path, found)
  if (type.members !== null) checkMembers(block, type, type.members, field, path, found)
}

function checkMembers(
  block: Record<string, unknown>,
  type: Type,
  members: readonly Member[],
  field: string,
  path: string,
  found: Violation[],
): void {
  for (const member of members) checkMember(block, member, field, path, found)
  for (const choice of type.choices) checkChoice(block, choice, field, path, found)
  for (const name of Object.keys(block))
    if (!type.byName.has(name) && block[name] !== undefined && !(type.attributes && name.startsWith('@')))
      found.push(violation('unknown', path + pointerOf(name), name, field, block[name]))
}

/** Checks the attributes of a block, or of a text with attributes, which has no other members. */
function checkAttributes(
  value: Record<string, unknown>,
  type: Type,
  field: string,
  path: string,
  found: Violation[],
): void {
  const attributes = required(type.attributes)
  for (const attribute of attributes.values())
    checkAttribute(value[`@${attribute.name}`], attribute, field, path, found)
  for (const name of Object.keys(value)) {
    const known = name.startsWith('@') ? attributes.has(name.slice(1)) : name === TEXT || type.members
    if (!known && value[name] !== undefined)
      found.push(violation('unknown', path + pointerOf(name), name, field, value[name]))
  }
}

function checkAttribute(
  received: unknown,
  attribute: Attribute,
  parent: string,
  path: string,
  found: Violation[],
): void {
  const name = `@${attribute.name}`
  const report = (kind: ViolationKind, allowed?: unknown): void => {
    found.push(violation(kind, path + pointerOf(name), name, parent, received, allowed))
  }
  if (received === undefined || received === null) {
    if (attribute.required) report('missing')
  } else if (typeof received !== 'string') report('kind', 'text')
  else if (attribute.fixed !== null && received !== attribute.fixed) report('value', [attribute.fixed])
  else checkText(received, attribute.type, report)
}

function checkMember(
  block: Record<string, unknown>,
  member: Member,
  parent: string,
  path: string,
  found: Violation[],
): void {
  const value = Object.hasOwn(block, member.name) ? block[member.name] : undefined
  if (value === undefined && !member.required) return
  const at = path + member.pointer
  const report = (kind: ViolationKind, received: unknown, allowed?: unknown): void => {
    found.push(violation(kind, at, member.name, parent, received, allowed))
  }
  if (value === undefined || value === null) report('missing', value)
  else if (!member.repeated) walk(value, member.type, member.name, parent, at, found)
  else if (!Array.isArray(value)) report('kind', value, 'list')
  else {
    if (value.length > member.max || value.length === 0) report('count', value.length, member.max)
    const shown = Math.min(value.length, member.max)
    for (let i = 0; i < shown; i++) walk(value[i], member.type, member.name, parent, `${at}/${i}`, found)
  }
}

function checkChoice(
  block: Record<string, unknown>,
  { members, required }: Choice,
  field: string,
  path: string,
  found: Violation[],
): void {
  const present = members
    .map(({ name }) => name)
    .filter((name) => block[name] !== undefined && block[name] !== null)
  const names = members.map((member) => member.name)
  const [, second] = present
  if (present.length === 0 && required)
    found.push(violation('missing', path, names.join('|'), field, undefined, names))
  else if (second !== undefined)
    found.push(violation('exclusive', `${path}/${second}`, second, field, present, names))
}

/** Reports the first violation of a text, after the whitespace handling of its type. */
export function checkText(
  written: string,
  type: Type,
  report: (kind: ViolationKind, allowed?: unknown) => void,
): void {
  if (firstForbiddenCharacter(written) >= 0) report('character')
  const text = normalised(written, type.builtIn.spaces)
  if (type.values) {
    if (!type.values.has(text)) report('value', [...type.values].slice(0, MAX_LISTED))
    return
  }
  // A text of at most `max` UTF-16 units has at most `max` characters, so only other texts need counting.
  const length = text.length > type.max || type.min > 0 ? [...text].length : text.length
  if (length > type.max || length < type.min) {
    report('length', type.min === type.max ? type.max : { min: type.min, max: type.max })
    return
  }
  for (const pattern of type.patterns)
    if (!pattern.test(text)) {
      report('pattern', pattern.source)
      return
    }
  if (type.builtIn.test && !type.builtIn.test(text)) report('pattern', type.builtIn.name)
}
