/** Writes `docs/reference/invoice.md`: every field of the invoice, from the schemas, field texts, examples and catalogs. */
import { readdirSync } from 'node:fs'
import { definitionOf, unitOf } from '../generate/bundle.mjs'
import { fieldTextsOf } from '../generate/field-texts.mjs'
import { readSchemas, resolved } from '../generate/files.mjs'
import { code, heading, page, path, prose, readJson, table } from './text.mjs'

const OPERATIONS = ['draft', 'issue', 'import', 'received']
const schemas = readSchemas()

const resolve = (node, file) => resolved(schemas, node, file)

/** Returns all schemas that apply to a node: itself, its references, and its parts. */
function expand({ node, file }) {
  if (node === false) return [{ node, file }]
  const own = node.$ref ? expand(resolve(node, file)) : []
  const parts = (node.allOf ?? []).flatMap((part) => expand({ node: part, file }))
  return [{ node, file }, ...own, ...parts]
}

const step = (nodes, name) =>
  nodes.flatMap(({ node, file }) => {
    const next = node === false ? undefined : name === '*' ? node.items : node.properties?.[name]
    return next === undefined ? [] : expand({ node: next, file })
  })

/** Returns whether an operation requires a member, forbids it, or allows it. */
function obligationOf(nodes, name) {
  const of = step(nodes, name)
  if (of.some(({ node }) => node === false)) return 'no'
  return nodes.some(({ node }) => node !== false && node.required?.includes(name)) ? 'yes' : ''
}

const typeOf = (node, file) => {
  if (node.type === 'array')
    return node.items ? `list of ${typeOf(resolve(node.items, file).node, file)}` : 'list'
  if (node.const !== undefined) return code(JSON.stringify(node.const))
  const most = node.maxLength ? `, at most ${node.maxLength}` : ''
  return `${node.type ?? 'string'}${most}`
}

/** Maximum number of values that are listed. The values of longer lists are in a catalog. */
const MOST_VALUES = 12
const valuesOf = ({ enum: values }) =>
  values && values.length <= MOST_VALUES ? values.map((value) => code(value)).join(' ') : null

const { validate } = await import(path('dist/index.js'))

const sent = readdirSync(path('examples'))
  .filter((file) => file.endsWith('.json'))
  .map((file) => readJson(`examples/${file}`))

/** The examples as sent, then as completed by the engine, so that input fields come before computed fields. */
const documents = [...sent, ...sent.flatMap((document) => validate(document).data ?? [])]

/** Returns the first value of a field in the examples of the package. */
function exampleAt(names) {
  const into = (value, rest) => {
    if (value === undefined || value === null || rest.length === 0) return value
    const [name, ...others] = rest
    if (name !== '*') return into(value[name], others)
    for (const entry of value) {
      const found = into(entry, others)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const document of documents) {
    const found = into(document, names)
    if (found !== undefined && (typeof found !== 'object' || found === null)) return found
  }
  return undefined
}

/** Returns a link to the values of a catalog. */
const catalogLink = (name) => `[${name}](catalogs.md#${name})`

function computedOf(property, texts) {
  if (property.readOnly) return 'always; must not be sent'
  if (texts.computed === 'always') return 'always; a value sent is compared'
  return texts.computed === 'if_absent' ? 'if absent' : null
}

/** Returns the row of a member. */
function rowOf({ names, name, title, property, file, byOperation }) {
  const { node } = resolve(property, file)
  const texts = fieldTextsOf(title, name)
  const reference = property.$ref ? definitionOf(property.$ref, file) : undefined
  const unit = unitOf(title, texts, reference)
  const euros = title.endsWith('CurrencyBlock') ? exampleAt([...names.slice(0, -1), name]) : undefined
  const example = exampleAt([...names, name]) ?? texts.example ?? euros
  const notes = [
    texts.en,
    `*${texts.es}*`,
    unit && unit !== 'YYYY-MM-DD' ? `Unit: ${unit}.` : null,
    valuesOf(node) ? `Values: ${valuesOf(node)}.` : null,
    texts.catalog ? `Catalog: ${catalogLink(texts.catalog)}.` : null,
    computedOf(property, texts) ? `Computed: ${computedOf(property, texts)}.` : null,
  ]
  const isPart = node.type === 'object' || (node.items && resolve(node.items, file).node.type === 'object')
  return [
    code(name),
    notes.filter(Boolean).join('<br>'),
    reference === 'common.date' ? 'date' : typeOf(node, file),
    ...OPERATIONS.map((operation) => obligationOf(byOperation.get(operation), name)),
    isPart || example === undefined ? '' : code(JSON.stringify(example)),
  ]
}

/** Returns the sections in document order: each object with its members, then its nested objects. */
function sectionsOf(nodeAt, names, seen) {
  const { node, file } = nodeAt
  const byOperation = new Map(
    OPERATIONS.map((operation) => {
      const start = expand({ node: schemas.get(`${operation}.json`), file: `${operation}.json` })
      return [operation, names.reduce((nodes, name) => step(nodes, name), start)]
    }),
  )
  const title = names.length === 0 ? 'The document' : names.join('.').replaceAll('.*', '[]')
  const rows = Object.entries(node.properties).map(([name, property]) =>
    rowOf({ names, name, title: node.title, property, file, byOperation }),
  )
  const choice = (node.oneOf ?? node.anyOf)?.map(({ required }) => code(required[0])).join(' or ')
  const sections = [
    [
      `## ${names.length === 0 ? title : code(title)}`,
      choice ? `${node.oneOf ? 'Exactly' : 'At least'} one of ${choice} is required.` : null,
      table(['Field', 'Description', 'Type', ...OPERATIONS, 'Example'], rows),
    ],
  ]
  for (const [name, property] of Object.entries(node.properties)) {
    const inner = resolve(property, file)
    const entry =
      inner.node.type === 'array' && inner.node.items ? resolve(inner.node.items, inner.file) : inner
    if (entry.node.type !== 'object' || !entry.node.properties) continue
    const at = [...names, name, ...(inner.node.type === 'array' ? ['*'] : [])]
    const known = seen.get(entry.node)
    if (known) sections.push([`## ${code(at.join('.').replaceAll('.*', '[]'))}`, `Same as ${code(known)}.`])
    else {
      seen.set(entry.node, at.join('.').replaceAll('.*', '[]'))
      sections.push(...sectionsOf(entry, at, seen))
    }
  }
  return sections
}

export function invoicePage() {
  const canonical = { node: schemas.get('json_1_1.json'), file: 'json_1_1.json' }
  return page(
    heading('Fields of the invoice', 'schemas/, schemas/texts/fields.json and examples/'),
    prose('invoice'),
    sectionsOf(canonical, [], new Map()),
  )
}
