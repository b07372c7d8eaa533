/** Reads XML Schema files as trees, with names resolved to their namespaces. */
import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'

export const XSD = 'http://www.w3.org/2001/XMLSchema'

/** Reads a schema file as a tree of `{ name, attributes, children, scope }`, without documentation. */
export function parseFile(file) {
  const parser = new SaxesParser({ xmlns: true })
  const stack = [{ children: [] }]
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.values(tag.attributes).map((a) => [a.name, a.value]))
    const node = { name: tag.uri === XSD ? tag.local : '', attributes, children: [] }
    node.scope = { ...stack.at(-1).scope, ...tag.ns }
    stack.at(-1).children.push(node)
    stack.push(node)
  })
  parser.on('closetag', () => stack.pop())
  parser.write(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')).close()
  return stack[0].children[0]
}

export const childOf = (node, ...names) => node.children.find((child) => names.includes(child.name))

/** Returns the minimum and maximum number of occurrences of a particle. A maximum of `null` is unbounded. */
export function occurrencesOf({ attributes: { minOccurs = '1', maxOccurs = '1' } }) {
  return [Number(minOccurs), maxOccurs === 'unbounded' ? null : Number(maxOccurs)]
}

/** Returns a function that resolves a name in a node, and returns it with the prefix of its namespace. */
export function qualifierOf(prefixes) {
  const prefixOf = new Map([...Object.entries(prefixes), ['xs', XSD]].map(([prefix, uri]) => [uri, prefix]))
  return (name, node) => {
    const [prefix, local] = name.includes(':') ? name.split(':') : ['', name]
    const uri = node.scope[prefix] ?? ''
    if (!prefixOf.has(uri)) throw new Error(`unknown namespace ${uri} of ${name}`)
    return `${prefixOf.get(uri)}:${local}`
  }
}

/** Returns those of `{ values, patterns, min, max }` that a restriction states. */
export function facetsOf({ children }, owner) {
  const facets = {}
  for (const { name, attributes } of children) {
    const { value } = attributes
    const list = { enumeration: 'values', pattern: 'patterns' }[name]
    if (list) facets[list] = [...(facets[list] ?? []), value]
    else if (name === 'length') [facets.min, facets.max] = [Number(value), Number(value)]
    else if (name === 'minLength') facets.min = Number(value)
    else if (name === 'maxLength') facets.max = Number(value)
    else if (name !== 'annotation') throw new Error(`cannot read facet ${name} of ${owner}`)
  }
  return facets
}

/** Returns shapes as JSON with one line per entry of a table, for readable diffs of new versions. */
export function printed(shapes) {
  const lines = (object) =>
    Object.entries(object)
      .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n')
  const blocks = Object.entries(shapes).map(([name, value]) =>
    Array.isArray(value) ? `  "${name}": ${JSON.stringify(value)}` : `  "${name}": {\n${lines(value)}\n  }`,
  )
  return `{\n${blocks.join(',\n')}\n}\n`
}
