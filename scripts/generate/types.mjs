/** TypeScript types of the canonical invoice, from its schemas. */
import { compile } from 'json-schema-to-typescript'
import { BANNER, write } from './files.mjs'

/** One schema with every file in `$defs`, the way the type generator wants it. `input` drops readOnly fields. */
const bundle = (schemas, entries, input) => {
  const defs = {}
  const nameOf = (file, def) => (def ? `${file.replace('.json', '')}__${def}` : file.replace('.json', ''))
  const walk = (node, file) => {
    if (Array.isArray(node)) return node.map((item) => walk(item, file))
    if (node === null || typeof node !== 'object') return node
    const result = {}
    for (const [key, value] of Object.entries(node)) {
      if (
        ['$schema', '$id', '$defs', 'anyOf', 'oneOf'].includes(key) &&
        !(key === 'oneOf' && file === 'validation-result.json')
      )
        continue
      if (key === '$ref') {
        const [target, fragment] = value.split('#')
        const into = target === '' ? file : target
        result.$ref = `#/$defs/${nameOf(into, fragment?.split('/')[2])}`
      } else if (key === 'properties') {
        result.properties = {}
        for (const [name, property] of Object.entries(value))
          if (!(input && property.readOnly)) result.properties[name] = walk(property, file)
      } else if (key === 'title' && input && node.type === 'object') result.title = `${value}Input`
      else result[key] = walk(value, file)
    }
    return result
  }
  for (const [file, schema] of schemas) {
    if (file === 'codes.json') {
      for (const [name, def] of Object.entries(schema.$defs))
        defs[nameOf(file, name)] = { type: 'string', description: def.description }
      continue
    }
    for (const [name, def] of Object.entries(schema.$defs ?? {})) defs[nameOf(file, name)] = walk(def, file)
    if (schema.type === 'object') defs[nameOf(file)] = walk(schema, file)
  }
  const properties = Object.fromEntries(entries.map((file) => [file, { $ref: `#/$defs/${nameOf(file)}` }]))
  return {
    title: input ? 'InputRoot' : 'Root',
    type: 'object',
    additionalProperties: false,
    properties,
    $defs: defs,
  }
}

export const types = async (schemas, entries, input, file) => {
  const text = await compile(bundle(schemas, entries, input), 'Root', {
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
