/**
 * Converts the schemas to a table of shapes (`src/core/invoice/shape.ts`) and a table of leaves (`leaf.ts`). Schema keywords
 * that shapes and leaves do not support stop the build.
 */

import { resolved } from './files.mjs'

/** The supported schema keywords of a leaf. A leaf is a number, text or boolean. */
const LEAF_KEYWORDS =
  'type minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength pattern format enum const'.split(
    ' ',
  )
const LEAF_TYPES = ['string', 'number', 'integer', 'boolean']
const FOR_PEOPLE = ['$schema', '$id', '$defs', 'title', 'description', 'readOnly']

/** Returns a function that returns the index of a row, and adds the row if it is new. */
const numberIn = (rows) => (row) => {
  const text = JSON.stringify(row)
  const at = rows.indexOf(text)
  return at >= 0 ? at : rows.push(text) - 1
}

export class Shapes {
  #schemas
  /** Patterns that the engine checks by code, with their format: texts of one line, and of several lines. */
  #formats
  #leaves = []
  #rows = []
  #leafNumber = numberIn(this.#leaves)
  #rowNumber = numberIn(this.#rows)

  constructor(schemas) {
    this.#schemas = schemas
    const { code, text } = schemas.get('common.json').$defs
    this.#formats = { [code.pattern]: 'line', [text.pattern]: 'text' }
  }

  /** The tables of all schemas converted so far. */
  get tables() {
    const parsed = (rows) => rows.map((text) => JSON.parse(text))
    return { leaves: parsed(this.#leaves), rows: parsed(this.#rows) }
  }

  /** Returns the leaf of a schema. An enum of `codes.json`, with up to 498 codes, becomes a look-up in the catalog. */
  #leafOf(node, file) {
    const { node: schema, file: from, name } = resolved(this.#schemas, node, file)
    if (from === 'codes.json') return this.#leafNumber({ type: 'string', format: name })
    if (!LEAF_TYPES.includes(schema.type) && !('const' in schema)) return undefined
    const entries = Object.entries(schema).filter(([key]) => !FOR_PEOPLE.includes(key))
    const unknown = entries.find(([key]) => !LEAF_KEYWORDS.includes(key))
    if (unknown) throw new Error(`${file}: no leaf has the keyword ${unknown[0]}`)
    const { pattern, ...rest } = Object.fromEntries(entries)
    const format = this.#formats[pattern]
    return this.#leafNumber(
      format || pattern === undefined ? { ...rest, ...(format && { format }) } : { ...rest, pattern },
    )
  }

  /** Returns the members of an object: forbidden names, computed names, shapes and leaves. */
  #members({ properties, additionalProperties }, file) {
    const [refused, computed, children, closed] = [[], [], {}, {}]
    for (const [name, value] of Object.entries(properties)) {
      if (value.readOnly) computed.push(name)
      const leaf = value === false ? undefined : this.#leafOf(value, file)
      if (value === false) refused.push(name)
      else if (leaf === undefined) children[name] = this.shapeOf(value, file)
      else if (additionalProperties === false) closed[leaf] = closed[leaf] ? `${closed[leaf]} ${name}` : name
      else children[name] = this.#rowNumber({ leaf })
    }
    return {
      ...(refused.length > 0 ? { refused: refused.join(' ') } : {}),
      ...(computed.length > 0 ? { computed: computed.join(' ') } : {}),
      ...(Object.keys(children).length > 0 ? { children } : {}),
      ...(additionalProperties === false ? { closed } : {}),
    }
  }

  /** Returns the index of the shape of a schema; a composed schema is a separate part. */
  shapeOf(reference, file, isPart = Boolean(reference.$ref)) {
    const { node, file: from } = resolved(this.#schemas, reference, file)
    const { type, required, oneOf, anyOf, properties, additionalProperties, items, ...rest } = node
    const { minItems, maxItems, ...others } = rest
    const unknown = Object.keys(others).find((key) => !FOR_PEOPLE.includes(key))
    if (unknown) throw new Error(`${from}: no shape has the keyword ${unknown}`)
    if (additionalProperties !== undefined && !(additionalProperties === false && properties))
      throw new Error(`${from}: an object is open, or closed and says what it may have`)
    const namesOf = (branches) => branches.map((branch) => branch.required[0]).join(' ')
    const members = properties ? this.#members(node, from) : {}
    const row = {
      type,
      part: (isPart && this.#isComposed(node, from)) || undefined,
      oneOf: oneOf && namesOf(oneOf),
      anyOf: anyOf && namesOf(anyOf),
      required: required?.join(' '),
      ...members,
      items: items && this.shapeOf(items, from),
      minItems,
      maxItems,
    }
    return this.#rowNumber(row)
  }

  /** Whether a schema refers to anything but leaves. */
  #isComposed(node, file) {
    if (node === null || typeof node !== 'object') return false
    if (node.$ref) return this.#leafOf(node, file) === undefined
    return Object.values(node).some((value) => this.#isComposed(value, file))
  }
}
