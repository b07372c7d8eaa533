/** Checks whether a text is a fiscal record that can be signed. */
import type { Element, Node } from '@xmldom/xmldom'
import { required } from '#core/errors/index.ts'
import { SignatureError } from './errors.ts'
import {
  isElement,
  isSignature,
  type RecordDocument,
  readFacturae,
  uniqueElementAt,
  walk,
  XMLNS,
} from './record-document.ts'

const HASH = /^[0-9A-F]{64}$/
const XSI = 'http://www.w3.org/2001/XMLSchema-instance'

/** Reads a Facturae without a signature. Throws a `SignatureError` for any other text. */
export function facturaeToSign(xml: string): RecordDocument {
  const record = readFacturae(xml)
  refuseSigned(record)
  return record
}

function unusualAttributeIn(element: Element): string | null {
  for (const { namespaceURI, nodeName, value } of Array.from(element.attributes)) {
    if (namespaceURI !== XMLNS && namespaceURI !== XSI)
      return `the attribute ${nodeName} of ${element.nodeName}`
    if (namespaceURI === XMLNS && (value === '' || /[\s"<&]/.test(value) || !/^[\w.:-]+$/.test(nodeName)))
      return `the namespace declaration ${nodeName}="${value}"`
  }
  return null
}

/** Describes a node that no fiscal record has and that tools canonicalise differently; null for other nodes. */
function unusualPartIn(node: Node): string | null {
  if (isElement(node)) return unusualAttributeIn(node)
  if (node.nodeType !== 7) return null
  if (node.nodeName !== 'xml') return `the processing instruction ${node.nodeName}`
  return /\bencoding\s*=\s*["'](?!utf-?8["'])/i.test(node.nodeValue ?? '')
    ? 'a declared encoding other than UTF-8'
    : null
}

function refuseSigned({ root, document }: RecordDocument): void {
  if (![...walk(document)].some(isSignature)) return
  throw new SignatureError('already_signed', {
    what: 'The record is already signed',
    where: root.nodeName,
    why: 'a signed record is never changed, and a second signature would cover the first',
    fix: 'Keep the signed record unchanged, or sign the text without its signature',
  })
}

/**
 * Returns the hash that the record contains. Throws if it is missing, if the record is already signed, or if it has
 * parts that no fiscal record has.
 */
export function hashToSign(record: RecordDocument): string {
  const { root, host } = record
  const where = root.nodeName
  refuseSigned(record)
  const odd = [...walk(record.document)].map(unusualPartIn).find((one) => one !== null)
  if (odd)
    throw new SignatureError('unsupported', {
      what: `The record has ${odd}`,
      where,
      why: 'no fiscal record has it, and signature tools treat it differently',
      fix: 'Remove it before hashing and signing',
    })
  const name = root === host ? 'Huella' : 'HuellaEvento'
  const hash = uniqueElementAt(host, required(host.namespaceURI), name)?.textContent ?? ''
  if (!HASH.test(hash))
    throw new SignatureError('missing_hash', {
      what: `The record has no ${name}`,
      where: `${host.nodeName}/${name}`,
      why: hash === '' ? 'it is missing or empty' : 'it is not 64 upper-case hexadecimal digits',
      fix: 'Compute the hash first, then sign: the signature covers it',
    })
  return hash
}
