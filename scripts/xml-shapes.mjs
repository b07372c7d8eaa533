/**
 * Converts the official XML schemas of VeriFactu, SII and the invoice formats to data: `schemas/xml/*.json`.
 * Maintainers run it when a new version is published. The output is in git.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { readOptions, wrongUsage } from './options.mjs'
import { FORMATS, formatShapes, printFormat } from './xml-shapes/formats.mjs'
import { childOf as child, occurrences as number, parseFile, SIGNATURE, XSD } from './xml-shapes/schema.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const {
  values: { check },
  positionals: [reference],
} = readOptions({
  about:
    'Converts the official XML schemas in FOLDER (verifactu/xsd, sii/xsd, formats/xsd) to schemas/xml/*.json.',
  options: { check: { type: 'boolean', about: 'write nothing; exit 1 if a file differs from the schemas' } },
  operands: 'FOLDER',
})
if (reference === undefined) wrongUsage('Name the folder with verifactu/xsd, sii/xsd and formats/xsd.')

const BOOKS = {
  verifactu: {
    base: 'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/',
    files: {
      sf: 'SuministroInformacion.xsd',
      sfLR: 'SuministroLR.xsd',
      sfR: 'RespuestaSuministro.xsd',
      con: 'ConsultaLR.xsd',
      tikLRRC: 'RespuestaConsultaLR.xsd',
      tikV: 'RespuestaValRegistNoVeriFactu.xsd',
      ev: 'EventosSIF.xsd',
    },
  },
  sii: {
    base: 'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/ssii/fact/ws/',
    files: {
      sii: 'SuministroInformacion.xsd',
      siiLR: 'SuministroLR.xsd',
      siiR: 'RespuestaSuministro.xsd',
      siiC: 'ConsultaLR.xsd',
      siiRC: 'RespuestaConsultaLR.xsd',
    },
  },
}

function shapesOf({ base, files }, folder) {
  const namespaces = Object.fromEntries(Object.entries(files).map(([prefix, file]) => [prefix, base + file]))
  namespaces.ds = SIGNATURE
  const prefixOf = Object.fromEntries(Object.entries(namespaces).map(([prefix, uri]) => [uri, prefix]))
  prefixOf[XSD] = 'xs'
  const types = {}
  const roots = {}
  const pending = []

  const qualified = (name, node) => {
    const [prefix, local] = name.includes(':') ? name.split(':') : ['', name]
    const uri = node.scope[prefix] ?? ''
    if (!(uri in prefixOf)) throw new Error(`unknown namespace ${uri} of ${name}`)
    return `${prefixOf[uri]}:${local}`
  }

  /** `[name, type, min, max]`; trailing min and max of 1 are omitted. */
  const elementOf = (node, own, owner) => {
    const { name, ref, type, minOccurs, maxOccurs } = node.attributes
    const min = number(minOccurs, 1)
    const max = number(maxOccurs, 1)
    let entry
    if (ref) {
      const target = qualified(ref, node)
      // A signature is added after the record is written, so no shape requires it.
      if (target === 'ds:Signature') return [target, 'xml', 0]
      entry = [target, `element ${target}`]
    } else if (type) entry = [`${own}:${name}`, qualified(type, node)]
    else {
      const anonymous = `${owner}.${name}`
      readType(
        node.children.find((c) => c.name === 'complexType' || c.name === 'simpleType'),
        anonymous,
        own,
      )
      entry = [`${own}:${name}`, anonymous]
    }
    if (max !== 1) entry.push(min, max)
    else if (min !== 1) entry.push(min)
    return entry
  }

  const particles = (node, own, owner) => {
    const result = []
    for (const part of node?.children ?? []) {
      if (part.name === 'element') result.push(elementOf(part, own, owner))
      else if (part.name === 'sequence') {
        const inner = particles(part, own, owner)
        if (number(part.attributes.minOccurs, 1) === 1) result.push(...inner)
        else result.push({ optional: inner })
      } else if (part.name === 'choice') {
        const choice = { choice: particles(part, own, owner) }
        if (number(part.attributes.minOccurs, 1) === 0) choice.min = 0
        if (number(part.attributes.maxOccurs, 1) !== 1) choice.max = number(part.attributes.maxOccurs, 1)
        result.push(choice)
      } else if (part.name !== 'annotation') throw new Error(`cannot read ${part.name} in ${owner}`)
    }
    return result
  }

  function readType(node, name, own) {
    if (node.name === 'simpleType') {
      const restriction = child(node, 'restriction')
      const type = { base: qualified(restriction.attributes.base, restriction) }
      for (const facet of restriction.children) {
        const { value } = facet.attributes
        const add = (list) => {
          type[list] = [...(type[list] ?? []), value]
        }
        if (facet.name === 'enumeration') add('values')
        else if (facet.name === 'pattern') add('patterns')
        else if (facet.name === 'length') [type.min, type.max] = [Number(value), Number(value)]
        else if (facet.name === 'minLength') type.min = Number(value)
        else if (facet.name === 'maxLength') type.max = Number(value)
        else if (facet.name !== 'annotation') throw new Error(`cannot read facet ${facet.name} of ${name}`)
      }
      if (type.base === 'xs:string') delete type.base
      types[name] = type
      return
    }
    const content = child(node, 'complexContent')
    const extension = content && child(content, 'extension')
    const body = extension ?? node
    const group = child(body, 'sequence') ?? child(body, 'choice')
    const own_ =
      group?.name === 'choice' ? particles({ children: [group] }, own, name) : particles(group, own, name)
    types[name] = { members: own_ }
    if (extension) pending.push([name, qualified(extension.attributes.base, extension)])
  }

  for (const [prefix, file] of Object.entries(files)) {
    const schema = parseFile(`${folder}/${file}`)
    for (const node of schema.children) {
      if (node.name === 'element') {
        const [name, type] = elementOf(node, prefix, prefix)
        roots[name] = type
      } else if (node.name === 'complexType' || node.name === 'simpleType')
        readType(node, `${prefix}:${node.attributes.name}`, prefix)
    }
  }
  // Extensions: members of the base come first. Bases may be extensions themselves.
  const extended = new Map(pending)
  const resolve = (name) => {
    const parent = extended.get(name)
    if (parent === undefined) return
    extended.delete(name)
    resolve(parent)
    types[name].members = [...types[parent].members, ...types[name].members]
  }
  for (const [name] of pending) resolve(name)
  // References to elements become their types.
  const settle = (members) => {
    for (const part of members)
      if (Array.isArray(part)) {
        if (part[1].startsWith('element ')) part[1] = roots[part[1].slice(8)]
      } else settle(part.choice ?? part.optional)
  }
  for (const type of Object.values(types)) if (type.members) settle(type.members)
  // Keeps only types reachable from a root.
  const reached = new Set()
  const reach = (name) => {
    if (reached.has(name) || name.startsWith('xs:') || name === 'xml') return
    if (!types[name]) throw new Error(`type ${name} is not declared`)
    reached.add(name)
    const visit = (members) => {
      for (const part of members)
        if (Array.isArray(part)) reach(part[1])
        else visit(part.choice ?? part.optional)
    }
    if (types[name].members) visit(types[name].members)
    else if (types[name].base) reach(types[name].base)
  }
  for (const type of Object.values(roots)) reach(type)
  const used = Object.fromEntries(Object.entries(types).filter(([name]) => reached.has(name)))
  return { namespaces, roots, types: used }
}

/** Writes one line per root and type, for readable diffs of new versions. */
const print = ({ namespaces, roots, types }) => {
  const lines = (object) =>
    Object.entries(object)
      .map(([key, value]) => `    ${JSON.stringify(key)}: ${JSON.stringify(value)}`)
      .join(',\n')
  return `{\n  "namespaces": {\n${lines(namespaces)}\n  },\n  "roots": {\n${lines(roots)}\n  },\n  "types": {\n${lines(types)}\n  }\n}\n`
}

const keep = (name, text, counts) => {
  const file = `${root}schemas/xml/${name}.json`
  if (!check) writeFileSync(file, text)
  else if (readFileSync(file, 'utf8') !== text) process.exitCode = 1
  process.stdout.write(`schemas/xml/${name}.json: ${counts}\n`)
}

for (const [name, book] of Object.entries(BOOKS)) {
  const shapes = shapesOf(book, `${reference}/${name}/xsd`)
  const counts = `${Object.keys(shapes.roots).length} roots, ${Object.keys(shapes.types).length} types`
  keep(name, print(shapes), counts)
}
for (const [name, format] of Object.entries(FORMATS)) {
  const shapes = formatShapes(format, `${reference}/formats/xsd`)
  const counts = `${Object.keys(shapes.roots).length} roots, ${Object.keys(shapes.types).length} types`
  keep(name, printFormat(shapes), counts)
}
