/** Generates the TypeScript types of the invoice from its schemas: input, canonical, and completed. */
import { compile } from 'json-schema-to-typescript'
import { fieldTextsOf } from './field-texts.mjs'
import { BANNER, resolved, write } from './files.mjs'

const nameOf = (file, def) => (def ? `${file.replace('.json', '')}__${def}` : file.replace('.json', ''))

/** Returns the fields that `completed.json` requires, by object of the canonical invoice. */
const completedMembers = (schemas) => {
  const file = 'completed.json'
  const required = new Map()
  const walk = (demand, target, from) => {
    const wanted = resolved(schemas, demand, file).node
    const { node, file: into } = resolved(schemas, target, from)
    if (wanted.required) required.set(node, wanted.required)
    if (wanted.items) walk(wanted.items, node.items, into)
    for (const [name, member] of Object.entries(wanted.properties ?? {}))
      walk(member, node.properties[name], into)
  }
  const { allOf, properties } = schemas.get(file)
  walk({ properties }, allOf[0], file)
  return required
}

/** Returns the name of a type. `input` types have no computed fields, `completed` types have all. */
const titleOf = (title, kind) => {
  if (kind === 'input') return `${title}Input`
  return kind === 'completed' ? `Completed${title.replace('Canonical', '')}` : title
}

/** Returns one schema with every file in `$defs`, as the type generator requires. */
const bundle = (schemas, entries, kind) => {
  const defs = {}
  const completed = kind === 'completed' ? completedMembers(schemas) : new Map()
  const walk = (node, file) => {
    if (Array.isArray(node)) return node.map((item) => walk(item, file))
    if (node === null || typeof node !== 'object') return node
    const result = {}
    for (const [key, value] of Object.entries(node)) {
      if (['$schema', '$id', '$defs', 'anyOf', 'oneOf'].includes(key)) continue
      if (key === '$ref') {
        const [target, fragment] = value.split('#')
        result.$ref = `#/$defs/${nameOf(target === '' ? file : target, fragment?.split('/')[2])}`
      } else if (key === 'properties') {
        result.properties = {}
        for (const [name, property] of Object.entries(value)) {
          if (kind === 'input' && property.readOnly) continue
          // An object with sibling keywords would become a separate type.
          const isObject = property.$ref && resolved(schemas, property, file).node.type === 'object'
          const description = isObject ? {} : { description: fieldTextsOf(node.title, name).en }
          result.properties[name] = { ...walk(property, file), ...description }
        }
      } else if (key === 'title' && node.type === 'object') result.title = titleOf(value, kind)
      else result[key] = walk(value, file)
    }
    const more = completed.get(node)
    if (more) result.required = [...(result.required ?? []), ...more]
    return result
  }
  for (const [file, schema] of schemas) {
    if (file.startsWith('validation-')) continue
    if (file === 'codes.json') {
      for (const [name, def] of Object.entries(schema.$defs))
        defs[nameOf(file, name)] = { type: 'string', description: def.description }
      continue
    }
    for (const [name, def] of Object.entries(schema.$defs ?? {})) defs[nameOf(file, name)] = walk(def, file)
    if (schema.type === 'object') defs[nameOf(file)] = walk(schema, file)
  }
  const properties = Object.fromEntries(entries.map((file) => [file, { $ref: `#/$defs/${nameOf(file)}` }]))
  const title = titleOf('Root', kind)
  return { title, type: 'object', additionalProperties: false, properties, $defs: defs }
}

export const types = async (schemas, kind, file) => {
  const text = await compile(bundle(schemas, ['json_1_1.json'], kind), 'Root', {
    bannerComment: `// ${BANNER}`,
    additionalProperties: false,
    unreachableDefinitions: false,
    format: false,
    strictIndexSignatures: true,
  })
  // Non-empty tuples of `minItems: 1` make arrays awkward to build; the validators check the length.
  const plain = text.replace(/\[(\w+), \.\.\.\(?\1\)?\[\]\]/g, '$1[]')
  write(`src/invoice/generated/${file}`, plain)
}
