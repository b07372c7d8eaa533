/**
 * Writes the invoice formats in a compact notation, because UBL alone has a thousand elements: content models as in a
 * DTD, global elements by type, attributes as texts. `src/core/xml/notation.ts` reads this notation.
 */
import { dirname, resolve } from 'node:path'
import { childOf, facetsOf, occurrencesOf, parseFile, qualifierOf } from './schema.mjs'

/** Returns every global declaration of the files and their imports, by kind and qualified name. */
function declarationsOf({ files, prefixes, without = [] }, folder) {
  const prefixOf = new Map(Object.entries(prefixes).map(([prefix, uri]) => [uri, prefix]))
  const found = { element: new Map(), complexType: new Map(), simpleType: new Map() }
  const seen = new Set()
  const load = (file) => {
    if (seen.has(file)) return
    seen.add(file)
    const schema = parseFile(file)
    const { targetNamespace, elementFormDefault } = schema.attributes
    const own = { prefix: prefixOf.get(targetNamespace), qualified: elementFormDefault === 'qualified' }
    if (own.prefix === undefined) throw new Error(`no prefix for ${targetNamespace}`)
    for (const node of schema.children) {
      const { name, schemaLocation, namespace } = node.attributes
      if (node.name === 'import' || node.name === 'include') {
        if (!without.includes(namespace)) load(resolve(dirname(file), schemaLocation))
      } else found[node.name]?.set(`${own.prefix}:${name}`, { node, own })
    }
  }
  for (const file of files) load(`${folder}/${file}`)
  return { ...found, qualify: qualifierOf(prefixes) }
}

const SUFFIXES = { '0,1': '?', '0,null': '*', '1,null': '+', '1,1': '' }
const suffixOf = (particle) => {
  const [min, max] = occurrencesOf(particle)
  return SUFFIXES[`${min},${max}`] ?? `{${min},${max ?? ''}}`
}

class Compact {
  constructor(format, folder) {
    this.format = format
    this.declared = declarationsOf(format, folder)
    this.types = new Map()
    this.elements = new Map()
    this.keys = new Map()
  }

  /** Returns the short name of a type, without the vocabulary's namespace and the suffix. */
  key(qualified) {
    if (qualified.startsWith('xs:')) return qualified
    const { complexType, simpleType } = this.declared
    const known = (name) => complexType.has(name) || simpleType.has(name)
    const short = qualified.replace(/Type$/, '')
    const name = short === qualified || known(short) ? qualified : short
    return name.replace(`${this.format.own}:`, '')
  }

  /** Reads a named type once, and returns its key; for a type that only renames another type, the key of the latter. */
  named(qualified) {
    if (qualified.startsWith('xs:')) return qualified
    const known = this.keys.get(qualified)
    if (known) return known
    const key = this.key(qualified)
    this.keys.set(qualified, key)
    const found = this.declared.complexType.get(qualified) ?? this.declared.simpleType.get(qualified)
    if (!found) throw new Error(`type ${qualified} is not declared`)
    const alias = this.read(found.node, found.own, key)
    if (alias !== key) this.keys.set(qualified, alias)
    return alias
  }

  read(node, own, key) {
    const shape = node.name === 'simpleType' ? this.simple(node, key) : this.complex(node, own, key)
    const members = Object.keys(shape)
    if (members.length === 1 && members[0] === 'base') return shape.base
    this.types.set(key, shape)
    return key
  }

  simple(node, key) {
    const restriction = childOf(node, 'restriction')
    const base = this.named(this.declared.qualify(restriction.attributes.base, restriction))
    const { values, patterns, ...lengths } = facetsOf(restriction, key)
    return {
      base,
      ...lengths,
      ...(values && { values: values.some((value) => /\s|^$/.test(value)) ? values : values.join(' ') }),
      // The patterns of one restriction are alternatives.
      ...(patterns && { patterns: [patterns.join('|')] }),
    }
  }

  complex(node, own, key) {
    const simple = childOf(node, 'simpleContent')
    const complex = childOf(node, 'complexContent')
    const derivation = childOf(simple ?? complex ?? node, 'extension', 'restriction')
    const attributes = this.attributes(derivation ?? node)
    if (simple) {
      const base = this.named(this.declared.qualify(derivation.attributes.base, derivation))
      if (attributes.length === 0) return { base }
      const parent = this.types.get(base)
      const all = new Map(
        [...(parent?.attributes ?? []), ...attributes].map((text) => [text.split(/[! ]/)[0], text]),
      )
      const content = parent?.attributes ? { ...parent } : { base }
      return { ...content, attributes: [...all.values()] }
    }
    let content = ''
    const shape = {}
    if (complex) {
      if (derivation.name !== 'extension') throw new Error(`cannot read the restriction ${key}`)
      const base = this.named(this.declared.qualify(derivation.attributes.base, derivation))
      const group = this.group(derivation, own, key)
      const parent = this.types.get(base)
      if (group === '' && attributes.length === 0) return { base }
      Object.assign(shape, parent)
      content = `${parent.content} `
    }
    shape.content = `${content}${this.group(derivation ?? node, own, key)}`.trim()
    if (attributes.length > 0) shape.attributes = [...(shape.attributes ?? []), ...attributes]
    if (node.attributes.mixed === 'true') shape.mixed = true
    return shape
  }

  /** Returns the attributes of a node as texts: name, `!` if required, type, and fixed value. */
  attributes(node) {
    return node.children
      .filter(({ name }) => name === 'attribute')
      .map((attribute) => {
        const { name, type, use, fixed } = attribute.attributes
        const value = this.named(this.declared.qualify(type, attribute))
        return `${name}${use === 'required' ? '!' : ''} ${value}${fixed === undefined ? '' : ` =${fixed}`}`
      })
  }

  group(node, own, key) {
    const group = childOf(node, 'sequence', 'choice', 'all', 'group')
    if (!group) return ''
    const plain = group.name === 'sequence' && suffixOf(group) === ''
    return plain ? this.parts(group, own, key).join(' ') : this.particle(group, own, key)
  }

  parts(node, own, key) {
    return node.children
      .filter(({ name }) => name !== 'annotation')
      .map((part) => this.particle(part, own, key))
  }

  particle(part, own, key) {
    const suffix = suffixOf(part)
    if (part.name === 'element') return this.element(part, own, key) + suffix
    if (part.name === 'sequence') return `(${this.parts(part, own, key).join(' ')})${suffix}`
    if (part.name === 'choice') return `(${this.parts(part, own, key).join(' | ')})${suffix}`
    if (part.name === 'any') {
      const { namespace = '##any', processContents = 'strict' } = part.attributes
      return `<${namespace === '##other' ? `other:${own.prefix}` : 'any'} ${processContents}>${suffix}`
    }
    throw new Error(`cannot read ${part.name} in ${key}`)
  }

  element(part, own, key) {
    const { name, ref, type, default: value } = part.attributes
    if (ref) {
      const target = this.declared.qualify(ref, part)
      this.global(target)
      return target
    }
    const reads = type
      ? this.named(this.declared.qualify(type, part))
      : this.read(childOf(part, 'complexType', 'simpleType'), own, `${key}.${name}`)
    return `${own.qualified ? `${own.prefix}:` : ''}${name}=${reads}${value === undefined ? '' : `=${value}`}`
  }

  global(qualified) {
    if (this.elements.has(qualified)) return
    const { node, own } = this.declared.element.get(qualified)
    this.elements.set(qualified, '')
    const { type } = node.attributes
    const reads = type
      ? this.named(this.declared.qualify(type, node))
      : this.read(childOf(node, 'complexType', 'simpleType'), own, this.key(qualified))
    this.elements.set(qualified, reads)
  }
}

export function formatShapes(format, folder) {
  const compact = new Compact(format, folder)
  for (const name of [...format.roots, ...format.also]) compact.global(name)
  const roots = Object.fromEntries(format.roots.map((name) => [name, compact.elements.get(name)]))
  const elements = {}
  for (const [name, type] of compact.elements) {
    if (name in roots) continue
    elements[type] = elements[type] === undefined ? name : `${elements[type]} ${name}`
  }
  // Keeps only the types that the roots and elements use, directly or through other types.
  const used = new Set([...Object.values(roots), ...Object.keys(elements)])
  const visit = (key) => {
    const { content = '', base, attributes = [] } = compact.types.get(key) ?? {}
    const names = [...content.matchAll(/=([^\s|()?*+{}=]+)/g)].map(([, name]) => name)
    for (const name of [...names, ...attributes.map((text) => text.split(' ')[1]), ...(base ? [base] : [])])
      if (!used.has(name)) {
        used.add(name)
        visit(name)
      }
  }
  for (const key of [...used]) visit(key)
  const types = Object.fromEntries([...compact.types].filter(([key]) => used.has(key)))
  const needed = JSON.stringify([roots, elements, types])
  const namespaces = Object.fromEntries(
    Object.entries(format.prefixes).filter(([prefix]) => new RegExp(`[\\s"(:]${prefix}:`).test(needed)),
  )
  return { namespaces, roots, foreign: format.foreign, elements, types }
}
