/** Holds a value against its shape: everything that the official schema would refuse, and where. */
import { required } from '../errors/index.ts'
import { normalised } from './built-in.ts'
import type { Choice, Member, Type } from './shapes.ts'
import { firstForbiddenCharacter, pointerOf } from './text.ts'

export type ViolationKind =
  /** A mandatory element is absent (or `null`). */
  | 'missing'
  /** A member that the schema does not know. */
  | 'unknown'
  /** A text where a block belongs, a block where a text belongs, one value where a list belongs. */
  | 'kind'
  /** A text outside the closed list. */
  | 'value'
  /** A text that does not match the pattern. */
  | 'pattern'
  /** A text that is too short or too long. */
  | 'length'
  /** Two elements that exclude each other. */
  | 'exclusive'
  /** More repetitions than allowed, or an empty list. */
  | 'count'
  /** A character that XML 1.0 cannot carry. */
  | 'character'

export interface Violation {
  readonly kind: ViolationKind
  /** JSON Pointer from the value that was checked. */
  readonly path: string
  /** Element concerned. */
  readonly field: string
  /** Element that contains it. */
  readonly parent: string
  readonly received: unknown
  /** What would be allowed: a list, a length, a pattern. */
  readonly allowed?: unknown
}

/** The member that holds the text of an element which has attributes. */
export const TEXT = '#'

/** At most this many values of a closed list are repeated. */
const MAX_LISTED = 30

const isBlock = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Every way in which `value` is not of `type`, in the order of the schema. `field` and `parent` name it.
 *
 * Lengths count characters (code points), as XML Schema does.
 */
export function violationsOf(value: unknown, type: Type, field: string, path = ''): Violation[] {
  const found: Violation[] = []
  walk(value, type, field, '', path, found)
  return found
}

function walk(
  value: unknown,
  type: Type,
  field: string,
  parent: string,
  path: string,
  found: Violation[],
): void {
  const report = (kind: ViolationKind, allowed?: unknown): void => {
    found.push({ kind, path, field, parent, received: value, ...(allowed === undefined ? {} : { allowed }) })
  }
  if (type.members === null || type.foreign) {
    const text = type.attributes && !type.foreign && isBlock(value) ? value[TEXT] : value
    if (typeof text !== 'string') report('kind', 'text')
    else if (!type.foreign) checkText(text, type, report)
    if (type.attributes && !type.foreign)
      checkAttributes(isBlock(value) ? value : {}, type, field, path, found)
    return
  }
  if (!isBlock(value)) {
    report('kind', 'block')
    return
  }
  if (type.attributes) checkAttributes(value, type, field, path, found)
  for (const member of type.members) checkMember(value, member, field, path, found)
  for (const choice of type.choices) checkChoice(value, choice, field, path, found)
  for (const name of Object.keys(value))
    if (!type.byName.has(name) && value[name] !== undefined && !(type.attributes && name.startsWith('@')))
      found.push({
        kind: 'unknown',
        path: path + pointerOf(name),
        field: name,
        parent: field,
        received: value[name],
      })
}

/** The attributes of a block or of a text that has some; beside them a text has nothing else. */
function checkAttributes(
  value: Record<string, unknown>,
  type: Type,
  field: string,
  path: string,
  found: Violation[],
): void {
  const at = (name: string) => ({ path: path + pointerOf(name), field: name, parent: field })
  for (const attribute of required(type.attributes).values()) {
    const name = `@${attribute.name}`
    const received = value[name]
    if (received === undefined || received === null) {
      if (attribute.required) found.push({ kind: 'missing', ...at(name), received })
    } else if (typeof received !== 'string')
      found.push({ kind: 'kind', ...at(name), received, allowed: 'text' })
    else if (attribute.fixed !== null && received !== attribute.fixed)
      found.push({ kind: 'value', ...at(name), received, allowed: [attribute.fixed] })
    else
      checkText(received, attribute.type, (kind, allowed) =>
        found.push({ kind, ...at(name), received, ...(allowed === undefined ? {} : { allowed }) }),
      )
  }
  for (const name of Object.keys(value)) {
    const known = name.startsWith('@')
      ? required(type.attributes).has(name.slice(1))
      : name === TEXT || type.members
    if (!known && value[name] !== undefined)
      found.push({ kind: 'unknown', ...at(name), received: value[name] })
  }
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
    const base = { kind, path: at, field: member.name, parent, received }
    found.push(allowed === undefined ? base : { ...base, allowed })
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
  const present = members.filter((member) => block[member.name] !== undefined && block[member.name] !== null)
  const [, second] = present
  const names = members.map((member) => member.name)
  if (present.length === 0 && required)
    found.push({
      kind: 'missing',
      path,
      field: names.join('|'),
      parent: field,
      received: undefined,
      allowed: names,
    })
  else if (second)
    found.push({
      kind: 'exclusive',
      path: `${path}/${second.name}`,
      field: second.name,
      parent: field,
      received: present.map((member) => member.name),
      allowed: names,
    })
}

/** What a text breaks first; its spaces are those that its type sees. */
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
  // A text of at most `max` UTF-16 units has at most `max` characters: counting is for the others.
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
