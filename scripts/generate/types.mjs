/** Generates the TypeScript types of the invoice from the bundle of its schemas: input, canonical, and completed. */
import { compile } from 'json-schema-to-typescript'
import { BANNER, write } from './files.mjs'

/** Functions that name the types. `input` types have no computed fields, `completed` types have all of them. */
const TITLES = {
  working: (title) => title,
  input: (title) => `${title}Input`,
  completed: (title) => `Completed${title.replace('Canonical', '')}`,
}

/** Returns the schema that a node refers to. */
const targetOf = ($defs, node) =>
  node.$ref ? targetOf($defs, $defs[node.$ref.slice('#/$defs/'.length)]) : node

/** Adds the fields that `completed` requires to the objects of the canonical invoice. */
function complete($defs, demand, reference) {
  const [wanted, node] = [demand, reference].map((one) => targetOf($defs, one))
  if (wanted.required) node.required = [...new Set([...(node.required ?? []), ...wanted.required])]
  if (wanted.items) complete($defs, wanted.items, node.items)
  for (const [name, member] of Object.entries(wanted.properties ?? {}))
    complete($defs, member, node.properties[name])
}

/** Changes a schema and its parts for a kind of types: `working`, `input` or `completed`. */
function adapt($defs, node, kind) {
  if (node === null || typeof node !== 'object') return
  // The validators check which of several members an object has.
  delete node.anyOf
  delete node.oneOf
  if (node.type === 'object' && node.title) node.title = TITLES[kind](node.title)
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    if (kind === 'input' && property.readOnly) delete node.properties[name]
    // An object with sibling keywords would become a separate type.
    else if (property.$ref && targetOf($defs, property).type === 'object') delete property.description
  }
  for (const part of Object.values(node)) adapt($defs, part, kind)
}

const LINE = /export interface LineInput \{\n([\s\S]*?)\n\}\n/
const PRICES = ['unit_price_without_tax', 'unit_price_with_tax']

/**
 * Declares that a line has exactly one of both prices, as the schema requires. Each price keeps its description in both
 * alternatives, for editors.
 */
function withOnePrice(text) {
  const [whole, body] = LINE.exec(text)
  const declared = PRICES.map(
    (name) => new RegExp(`/\\*\\*\\n(?: \\*.*\\n)+${name}\\?: number\\n`).exec(body)[0],
  )
  const others = declared.reduce((rest, declaration) => rest.replace(declaration, ''), body)
  const alternative = (required) =>
    `{\n${declared.map((one, index) => one.replace('?: number', index === required ? ': number' : '?: never')).join('')}}`
  return text.replace(
    whole,
    () => `export interface LineWithoutPriceInput {
${others}
}
/** A line with exactly one of both prices. */
export type LineInput = LineWithoutPriceInput & (${PRICES.map((_, index) => alternative(index)).join(' | ')})
`,
  )
}

export async function types(bundle, kind, file) {
  const { $defs } = JSON.parse(bundle)
  // The types declare codes as strings, because the lists are long.
  for (const [name, { description }] of Object.entries($defs))
    if (name.startsWith('codes.')) $defs[name] = { type: 'string', description }
  delete $defs.json_1_1.properties.$schema
  if (kind === 'completed') complete($defs, { properties: $defs.completed.properties }, $defs.json_1_1)
  adapt($defs, $defs, kind)
  const properties = { 'json_1_1.json': { $ref: '#/$defs/json_1_1' } }
  const root = { title: TITLES[kind]('Root'), type: 'object', additionalProperties: false, properties, $defs }
  const text = await compile(root, 'Root', {
    bannerComment: `// ${BANNER}`,
    additionalProperties: false,
    unreachableDefinitions: false,
    format: false,
    strictIndexSignatures: true,
  })
  // `minItems: 1` gives tuple types, with which arrays are awkward to build. The validators check the length.
  const plain = text.replace(/\[(\w+), \.\.\.\(?\1\)?\[\]\]/g, '$1[]')
  write(`src/core/invoice/generated/${file}`, kind === 'input' ? withOnePrice(plain) : plain)
}
