/** Writes a value as XML, in the order and namespaces of its shape. */
import { CuadraError, required } from '../errors/index.ts'
import type { Type, Vocabulary } from './shapes.ts'
import { SOAP_NAMESPACE } from './soap.ts'
import { TEXT, type Violation, violationsOf } from './validate-xml.ts'
import { escapeAttribute, escapeText } from './xml-text.ts'

/** Thrown for a value that the schema does not allow; nothing is written. */
export class XmlWriteError extends CuadraError {
  readonly violations: readonly Violation[]
  constructor(root: string, violations: readonly Violation[]) {
    const first = required(violations[0])
    super(
      `${root} was not written: ${violations.length} violation(s) of the official schema, first ${first.path || '/'} (${first.kind}). Validate the record before writing it.`,
    )
    this.name = 'XmlWriteError'
    this.violations = violations
  }
}

export interface WriteOptions {
  /** Wraps the message in a SOAP 1.1 envelope. Default false. */
  readonly soap?: boolean
  /**
   * Number of spaces per level. 0 (default) writes everything on one line, the form in which records are signed and
   * stored.
   */
  readonly indent?: number
  /** Starts with `<?xml version="1.0" encoding="UTF-8"?>`. Default true. */
  readonly declaration?: boolean
}

export interface DocumentOptions extends WriteOptions {
  /** Makes the namespace of the root the default namespace, so that the root has no prefix. Default false. */
  readonly bare?: boolean
  /** Further attributes of the root, such as declarations of namespaces that foreign content uses. */
  readonly rootAttributes?: Readonly<Record<string, string>>
}

/** Collects the prefixes of the elements of a value, in order of appearance. */
const prefixesOf = (type: Type, value: unknown, used: Set<string>): void => {
  if (type.members === null || type.foreign || typeof value !== 'object' || value === null) return
  for (const member of type.members) {
    const inner = (value as Record<string, unknown>)[member.name]
    // Foreign content has its own declarations.
    if (inner === undefined || member.type.foreign) continue
    used.add(member.prefix)
    for (const one of listOf(inner)) prefixesOf(member.type, one, used)
  }
}

const attributesOf = (type: Type, content: unknown): string => {
  if (!type.attributes || typeof content !== 'object') return ''
  let text = ''
  for (const name of type.attributes.keys()) {
    const value = (content as Record<string, unknown>)[`@${name}`]
    if (typeof value === 'string') text += ` ${name}="${escapeAttribute(value)}"`
  }
  return text
}

/** Returns the value as a list. In a valid value, exactly the repeatable members are lists. */
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [value])

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : required((content as Record<string, string>)[TEXT])

/**
 * Writes `value` as the root element `root`: XML text in UTF-8, with one prefix for each namespace.
 *
 * Throws `XmlWriteError` with every violation if the document is not valid against the official schema. Nothing is
 * written then.
 */
export function writeXml(
  vocabulary: Vocabulary,
  root: string,
  value: unknown,
  { soap = false, indent = 0, declaration = true, bare = false, rootAttributes = {} }: DocumentOptions = {},
): string {
  const shape = vocabulary.roots.get(root)
  if (!shape)
    throw new TypeError(
      `"${root}" is not a root element; use one of ${[...vocabulary.roots.keys()].join(', ')}`,
    )
  const violations = violationsOf(value, shape.type, root)
  if (violations.length > 0) throw new XmlWriteError(root, violations)

  const used = new Set([shape.prefix])
  prefixesOf(shape.type, value, used)
  // Members without a namespace must not inherit the default namespace.
  const plain = used.delete('') || !bare ? null : shape.prefix
  const tagOf = (prefix: string, name: string): string =>
    prefix === '' || prefix === plain ? name : `${prefix}:${name}`
  // The envelope declares its own prefix, which a fault also uses.
  if (soap && vocabulary.namespaces.soapenv === SOAP_NAMESPACE) used.delete('soapenv')
  const namespaces = [...used]
    .map((prefix) => ` xmlns${prefix === plain ? '' : `:${prefix}`}="${vocabulary.namespaces[prefix]}"`)
    .concat(Object.entries(rootAttributes).map(([name, text]) => ` ${name}="${escapeAttribute(text)}"`))
    .join('')
  const out: string[] = []
  const line = indent > 0 ? '\n' : ''
  const margin = (depth: number): string => (indent > 0 ? ' '.repeat(indent * depth) : '')

  const element = (name: string, declared: string, type: Type, content: unknown, depth: number): void => {
    if (type.foreign) {
      out.push(`${margin(depth)}${content as string}${line}`)
      return
    }
    const attributes = declared + attributesOf(type, content)
    if (type.members === null) {
      out.push(`${margin(depth)}<${name}${attributes}>${escapeText(textOf(content))}</${name}>${line}`)
      return
    }
    out.push(`${margin(depth)}<${name}${attributes}>${line}`)
    for (const member of type.members) {
      const inner = (content as Record<string, unknown>)[member.name]
      if (inner === undefined) continue
      const qualified = tagOf(member.prefix, member.name)
      for (const one of listOf(inner)) element(qualified, '', member.type, one, depth + 1)
    }
    out.push(`${margin(depth)}</${name}>${line}`)
  }

  if (declaration) out.push(`<?xml version="1.0" encoding="UTF-8"?>${line}`)
  const name = tagOf(shape.prefix, root)
  if (soap) {
    out.push(`<soapenv:Envelope xmlns:soapenv="${SOAP_NAMESPACE}"${namespaces}>${line}`)
    out.push(`${margin(1)}<soapenv:Header/>${line}${margin(1)}<soapenv:Body>${line}`)
    element(name, '', shape.type, value, 2)
    out.push(`${margin(1)}</soapenv:Body>${line}</soapenv:Envelope>${line}`)
  } else element(name, namespaces, shape.type, value, 0)
  return out.join('')
}
