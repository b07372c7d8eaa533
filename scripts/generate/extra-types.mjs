/**
 * Derives the types of `extra` by code from the results of the golden cases (`test/cases`), which have every code and
 * its special cases. A member is required if every item of the code has it.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { root } from './files.mjs'

const CASES = `${root}test/cases`

/** Codes whose `received` may be any scalar value of the document, of which the golden cases have only texts. */
const ANY_SCALAR = [
  'schema.const',
  'unsupported_schema_version',
  'invoice_number_not_allowed',
  'issue_date_not_allowed',
]
const SCALARS = ['boolean', 'null', 'number']

export const typeOf = (value) => (value === null ? 'null' : Array.isArray(value) ? 'list' : typeof value)

/** Returns the TypeScript type of a list with these entries. */
const listOf = (entries) => {
  const types = [...new Set(entries.map(typeOf))].sort()
  return types.length === 0 ? 'unknown' : types.join(' | ')
}

/** Returns the type of a member from its values in all items. */
function memberType(values, wider) {
  const types = [...new Set([...values.map(typeOf), ...wider])].sort()
  const entries = values.filter(Array.isArray).flat()
  return types.map((type) => (type === 'list' ? `readonly (${listOf(entries)})[]` : type)).join(' | ')
}

/** Returns every `extra` of each code in the golden cases. */
function extrasByCode() {
  const extras = new Map()
  for (const folder of readdirSync(CASES).sort()) {
    const file = `${CASES}/${folder}/expected.json`
    if (!existsSync(file)) continue
    for (const { code, extra } of JSON.parse(readFileSync(file, 'utf8')).errors ?? [])
      extras.set(code, [...(extras.get(code) ?? []), extra])
  }
  return extras
}

/**
 * Returns the members of `extra` by code: `{ type, isRequired }` by name; null if the code never has values.
 *
 * @returns {Map<string, Record<string, { type: string, isRequired: boolean }> | null>}
 */
export function extraShapes() {
  const shapes = new Map()
  for (const [code, extras] of extrasByCode()) {
    const present = extras.filter((extra) => extra !== null)
    const names = [...new Set(present.flatMap(Object.keys))].sort()
    const members = names.map((name) => {
      const values = present.filter((extra) => name in extra).map((extra) => extra[name])
      const isRequired = values.length === extras.length
      return [
        name,
        {
          type: memberType(values, name === 'received' && ANY_SCALAR.includes(code) ? SCALARS : []),
          isRequired,
        },
      ]
    })
    shapes.set(code, present.length === 0 ? null : Object.fromEntries(members))
  }
  return shapes
}

/** Returns the members of an interface that has the type of `extra` for each code. */
export function extraMembers(codes) {
  const shapes = extraShapes()
  return codes.map((code) => {
    const shape = shapes.get(code)
    if (shape === undefined) return `  '${code}': Extra | null`
    if (shape === null) return `  '${code}': null`
    const members = Object.entries(shape).map(
      ([name, { type, isRequired }]) => `readonly ${name}${isRequired ? '' : '?'}: ${type}`,
    )
    return `  '${code}': Extra & { ${members.join('; ')} }`
  })
}
