/** Reads XML Schema files as trees, with names resolved to their namespaces. */
import { readFileSync } from 'node:fs'
import { SaxesParser } from 'saxes'

export const XSD = 'http://www.w3.org/2001/XMLSchema'
export const SIGNATURE = 'http://www.w3.org/2000/09/xmldsig#'

/** Reads a schema file as a tree of `{ name, attributes, children, scope }`, without documentation. */
export const parse = (text) => {
  const parser = new SaxesParser({ xmlns: true })
  const stack = [{ children: [] }]
  parser.on('opentag', (tag) => {
    const attributes = Object.fromEntries(Object.values(tag.attributes).map((a) => [a.name, a.value]))
    const node = { name: tag.uri === XSD ? tag.local : '', attributes, children: [], resolve: { ...tag.ns } }
    node.scope = { ...stack.at(-1).scope, ...tag.ns }
    stack.at(-1).children.push(node)
    stack.push(node)
  })
  parser.on('closetag', () => stack.pop())
  parser.write(text).close()
  return stack[0].children[0]
}

export const parseFile = (file) => parse(readFileSync(file, 'utf8').replace(/^\uFEFF/, ''))

export const childOf = (node, ...names) => node.children.find((child) => names.includes(child.name))

/** Parses a number of occurrences; `null` is unbounded. */
export const occurrences = (text, absent) =>
  text === undefined ? absent : text === 'unbounded' ? null : Number(text)
