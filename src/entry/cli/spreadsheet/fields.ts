/** The fields of `json_1_1` to which columns can be assigned, read from the schema. */

import { nearest, suggestedFields } from '#core/invoice/near.ts'
import schema from '#schemas/json_1_1.schema.json' with { type: 'json' }

export type FieldType = 'text' | 'number' | 'date' | 'boolean'

/**
 * The rate of the equivalence surcharge of a line: the only field of a mapping that does not exist in `json_1_1`. The
 * breakdown of the invoice (`taxes_outputs`) is built from this rate.
 */
export const SURCHARGE = '/invoice/lines/*/equivalence_surcharge'

interface Node {
  readonly $ref?: string
  readonly type?: string
  readonly readOnly?: boolean
  readonly allOf?: readonly Node[]
  readonly properties?: Readonly<Record<string, Node | boolean>>
  readonly items?: Node
}

const DEFINITIONS = schema.$defs as unknown as Readonly<Record<string, Node>>

const FIELD_TYPES: Readonly<Record<string, FieldType>> = {
  string: 'text',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
}

function addFields(node: Node, pointer: string, fields: Map<string, FieldType>): void {
  const name = node.$ref?.slice('#/$defs/'.length)
  const target = name === undefined ? undefined : DEFINITIONS[name]
  for (const part of [...(target ? [target] : []), ...(node.allOf ?? [])]) addFields(part, pointer, fields)
  for (const [member, child] of Object.entries(node.properties ?? {}))
    if (typeof child === 'object' && child.readOnly !== true && !member.startsWith('$'))
      addFields(child, `${pointer}/${member}`, fields)
  if (node.items) addFields(node.items, `${pointer}/*`, fields)
  const type = name === 'common.date' ? 'date' : FIELD_TYPES[node.type ?? '']
  if (type) fields.set(pointer, type)
}

let known: ReadonlyMap<string, FieldType> | undefined

/** Returns the type of each field by its pointer, in which `*` stands for an index. */
export function fieldTypes(): ReadonlyMap<string, FieldType> {
  if (known) return known
  const fields = new Map<string, FieldType>()
  addFields({ $ref: '#/$defs/json_1_1' }, '', fields)
  fields.set(SURCHARGE, 'number')
  known = fields
  return fields
}

/** Returns pointers to the fields that an unknown member name of an object was probably meant to be. */
function fieldsMeant(object: string, name: string): string[] {
  const known = fieldTypes()
  const inside = [...known.keys()].filter((field) => field.startsWith(`${object}/`))
  const names = new Set(inside.map((field) => field.slice(object.length + 1).replace(/\/.*/, '')))
  return suggestedFields(name, [...names], object)
    .map((found) => found.replaceAll('[]', '.0').replaceAll('.', '/'))
    .flatMap((path) => [`${object}/${path}`, `/invoice/${path}`])
    .filter((field) => known.has(withoutIndexes(field)))
}

/** Returns pointers to the fields that an unknown pointer was probably meant to be. */
export function similarFields(pointer: string): readonly string[] {
  const end = Math.max(pointer.lastIndexOf('/'), 0)
  const meant = fieldsMeant(withoutIndexes(pointer.slice(0, end)), pointer.slice(end + 1))
  if (meant.length > 0) return meant
  const near = nearest(withoutIndexes(pointer), [...fieldTypes().keys()])
  return near.length === 1 ? near : []
}

/** Returns pointers to the fields that a column name probably means: line fields, or else invoice fields. */
export function fieldsOfColumn(name: string): readonly string[] {
  const ofLines = fieldsMeant('/invoice/lines/*', name)
  return ofLines.length > 0 ? ofLines : fieldsMeant('/invoice/header', name)
}

/** Replaces the indexes of a pointer by `*`. */
export const withoutIndexes = (pointer: string): string => pointer.replace(/\/\d+(?=\/|$)/g, '/*')
