/** Reads the vocabularies of VeriFactu and the SII as lists of members: `[name, type, min, max]`, choices, optional parts. */
import { childOf, facetsOf, occurrencesOf, parseFile, qualifierOf } from './schema.mjs'

/** Calls a function with each element of a list of members. */
function eachElement(members, visit) {
  for (const part of members)
    Array.isArray(part) ? visit(part) : eachElement(part.choice ?? part.optional, visit)
}

class Book {
  types = {}
  roots = {}
  /** The base type of each type that is an extension. */
  bases = new Map()

  constructor(namespaces) {
    this.qualify = qualifierOf(namespaces)
  }

  /** Returns `[name, type, min, max]`; trailing min and max of 1 are omitted. */
  element(node, own, owner) {
    const { name, ref, type } = node.attributes
    const [min, max] = occurrencesOf(node)
    const numbers = max !== 1 ? [min, max] : min !== 1 ? [min] : []
    if (ref) {
      const target = this.qualify(ref, node)
      // The signature is optional in every shape, because it is added after the record is written.
      return target === 'ds:Signature' ? [target, 'xml', 0] : [target, `element ${target}`, ...numbers]
    }
    if (type) return [`${own}:${name}`, this.qualify(type, node), ...numbers]
    const anonymous = `${owner}.${name}`
    this.read(childOf(node, 'complexType', 'simpleType'), anonymous, own)
    return [`${own}:${name}`, anonymous, ...numbers]
  }

  members(node, own, owner) {
    return (node?.children ?? []).flatMap((part) => {
      const [min, max] = occurrencesOf(part)
      if (part.name === 'element') return [this.element(part, own, owner)]
      if (part.name === 'annotation') return []
      const inner = this.members(part, own, owner)
      if (part.name === 'sequence') return min === 1 ? inner : [{ optional: inner }]
      if (part.name !== 'choice') throw new Error(`cannot read ${part.name} in ${owner}`)
      return [{ choice: inner, ...(min === 0 && { min }), ...(max !== 1 && { max }) }]
    })
  }

  read(node, name, own) {
    if (node.name === 'simpleType') {
      const restriction = childOf(node, 'restriction')
      const base = this.qualify(restriction.attributes.base, restriction)
      this.types[name] = { ...(base !== 'xs:string' && { base }), ...facetsOf(restriction, name) }
      return
    }
    const content = childOf(node, 'complexContent')
    const extension = content && childOf(content, 'extension')
    const group = childOf(extension ?? node, 'sequence', 'choice')
    const body = group?.name === 'choice' ? { children: [group] } : group
    this.types[name] = { members: this.members(body, own, name) }
    if (extension) this.bases.set(name, this.qualify(extension.attributes.base, extension))
  }

  readFile(file, prefix) {
    for (const node of parseFile(file).children)
      if (node.name === 'element') {
        const [name, type] = this.element(node, prefix, prefix)
        this.roots[name] = type
      } else if (node.name === 'complexType' || node.name === 'simpleType')
        this.read(node, `${prefix}:${node.attributes.name}`, prefix)
  }

  /** Puts the members of the base type before the members of a type. A base type may be an extension too. */
  extend(name) {
    const base = this.bases.get(name)
    if (!this.bases.delete(name)) return
    this.extend(base)
    this.types[name].members = [...this.types[base].members, ...this.types[name].members]
  }

  /** Returns the names of the types reachable from the roots, and replaces references to elements by their types. */
  reached() {
    const reached = new Set()
    const reach = (name) => {
      if (reached.has(name) || name.startsWith('xs:') || name === 'xml') return
      if (!this.types[name]) throw new Error(`type ${name} is not declared`)
      reached.add(name)
      const { members = [], base } = this.types[name]
      eachElement(members, (part) => {
        if (part[1].startsWith('element ')) part[1] = this.roots[part[1].slice(8)]
        reach(part[1])
      })
      if (base) reach(base)
    }
    for (const type of Object.values(this.roots)) reach(type)
    return reached
  }
}

export function bookShapes({ base, files, others }, folder) {
  const own = Object.fromEntries(Object.entries(files).map(([prefix, file]) => [prefix, base + file]))
  const namespaces = { ...own, ...others }
  const book = new Book(namespaces)
  for (const [prefix, file] of Object.entries(files)) book.readFile(`${folder}/${file}`, prefix)
  for (const name of [...book.bases.keys()]) book.extend(name)
  const reached = book.reached()
  const types = Object.fromEntries(Object.entries(book.types).filter(([name]) => reached.has(name)))
  return { namespaces, roots: book.roots, types }
}
