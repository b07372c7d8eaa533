/**
 * Writes every field of the invoice, from the schemas, field texts, examples and catalogs: `docs/reference/invoice.md` in
 * English, and the same page of the site in Spanish.
 */
import { readdirSync } from 'node:fs'
import { definitionOf, unitOf } from '../generate/bundle.mjs'
import { fieldTextsOf } from '../generate/field-texts.mjs'
import { readSchemas, resolved } from '../generate/files.mjs'
import { code, heading, page, path, prose, readJson, readText, table } from './text.mjs'

const MESSAGES = readJson('scripts/docs/invoice.json')

/** Replaces each `{}` in a text by the next value. */
const filled = (text, ...values) => text.replace(/\{\}/g, () => values.shift())

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

/** Returns which operations require a member, and which reject it. The others allow it. */
function obligationOf(byOperation, name, messages) {
  const rejects = (nodes) => step(nodes, name).some(({ node }) => node === false)
  const requires = (nodes) => nodes.some(({ node }) => node !== false && node.required?.includes(name))
  const those = (test) => OPERATIONS.filter((operation) => test(byOperation.get(operation)))
  const listed = (operations) => operations.map(code).join(', ')
  const rejecting = those(rejects)
  if (rejecting.length === OPERATIONS.length) return messages.never
  const allowing = OPERATIONS.filter((operation) => !rejecting.includes(operation))
  const requiring = those(requires).filter((operation) => allowing.includes(operation))
  if (requiring.length === OPERATIONS.length) return messages.always
  if (rejecting.length > allowing.length) return filled(messages.only, listed(allowing))
  return [listed(requiring), rejecting.length > 0 && filled(messages.not_in, listed(rejecting))]
    .filter(Boolean)
    .join('<br>')
}

function typeOf(node, file, messages) {
  if (node.type === 'array' && node.items) {
    const items = resolve(node.items, file)
    return messages.lists[items.node.type ?? 'string']
  }
  if (node.const !== undefined) return code(JSON.stringify(node.const))
  const type = messages.types[node.type ?? 'string']
  return node.maxLength ? filled(messages.at_most, type, node.maxLength) : type
}

/** Maximum number of values that are listed. The values of longer lists are in a catalog. */
const MOST_VALUES = 12
const valuesOf = ({ enum: values }) =>
  values && values.length <= MOST_VALUES ? values.map((value) => code(value)).join(', ') : null

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

function computedOf(property, texts, messages) {
  if (property.readOnly) return messages.computed.read_only
  return messages.computed[texts.computed]
}

/** Returns the row of a member. */
function rowOf({ names, name, title, property, file, byOperation }, locale) {
  const messages = MESSAGES[locale]
  const { node } = resolve(property, file)
  const texts = fieldTextsOf(title, name)
  const reference = property.$ref ? definitionOf(property.$ref, file) : undefined
  const euros = title.endsWith('CurrencyBlock') ? exampleAt([...names.slice(0, -1), name]) : undefined
  const example = exampleAt([...names, name]) ?? texts.example ?? euros
  const isPart = node.type === 'object' || (node.items && resolve(node.items, file).node.type === 'object')
  const values = valuesOf(node)
  const notes = [
    texts[locale],
    messages.units[unitOf(title, texts, reference)],
    values && filled(messages.values, values),
    texts.catalog && filled(messages.catalog, catalogLink(texts.catalog)),
    computedOf(property, texts, messages),
  ]
  const shown =
    isPart || example === undefined ? '' : `<br>${filled(messages.example, code(JSON.stringify(example)))}`
  const type = reference === 'common.date' ? messages.types.date : typeOf(node, file, messages)
  return [
    `${code(name)}<br>${type}`,
    obligationOf(byOperation, name, messages),
    `${notes.filter(Boolean).join(' ')}${shown}`,
  ]
}

const titleAt = (names) => names.join('.').replaceAll('.*', '[]')

/** Returns the sections in document order: each object with its members, then its nested objects. */
function sectionsOf(nodeAt, names, seen, locale) {
  const { node, file } = nodeAt
  const messages = MESSAGES[locale]
  const byOperation = new Map(
    OPERATIONS.map((operation) => {
      const start = expand({ node: schemas.get(`${operation}.json`), file: `${operation}.json` })
      return [operation, names.reduce((nodes, name) => step(nodes, name), start)]
    }),
  )
  const rows = Object.entries(node.properties).map(([name, property]) =>
    rowOf({ names, name, title: node.title, property, file, byOperation }, locale),
  )
  const choice = (node.oneOf ?? node.anyOf)?.map(({ required }) => code(required[0])).join(messages.or)
  const sections = [
    names.length === 0 ? `## ${messages.document}` : headingAt(names),
    choice ? filled(node.oneOf ? messages.exactly_one : messages.at_least_one, choice) : null,
    table(messages.head, rows),
  ]
  for (const [name, property] of Object.entries(node.properties)) {
    const inner = resolve(property, file)
    const entry =
      inner.node.type === 'array' && inner.node.items ? resolve(inner.node.items, inner.file) : inner
    if (entry.node.type !== 'object' || !entry.node.properties) continue
    const at = [...names, name, ...(inner.node.type === 'array' ? ['*'] : [])]
    const known = seen.get(entry.node)
    if (known) sections.push(headingAt(at), filled(messages.same, code(known)))
    else {
      seen.set(entry.node, titleAt(at))
      sections.push(sectionsOf(entry, at, seen, locale))
    }
  }
  return sections
}

/** Returns the heading of a part; its level is the depth of the part. */
const headingAt = (names) =>
  `${'#'.repeat(1 + names.filter((name) => name !== '*').length)} ${code(titleAt(names))}`

/** Returns the page in a language. The code of the Spanish page is that of the English one, which tests run. */
export function invoicePage(locale = 'en') {
  const messages = MESSAGES[locale]
  const canonical = { node: schemas.get('json_1_1.json'), file: 'json_1_1.json' }
  const [schema, settings, member] = readText('scripts/docs/invoice.md').match(/^```[\s\S]*?^```$/gm)
  return page(
    heading(messages.title, 'schemas/, schemas/texts/fields.json and examples/'),
    prose(messages.prose, { schema, settings, member }),
    sectionsOf(canonical, [], new Map(), locale),
  )
}
