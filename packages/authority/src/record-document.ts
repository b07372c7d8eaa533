/**
 * Reads the XML of a fiscal record for signing and verifying, and locates its signature. The text is parsed twice:
 * strictly with saxes, then to a DOM with xmldom. Alone, xmldom accepts unescaped ampersands and repeated end tags.
 */
import { DOMParser, type Document, type Element, type Node } from '@xmldom/xmldom'
import { SaxesParser } from 'saxes'
import { required } from '#core/errors/index.ts'
import { SignatureError } from './errors.ts'

const BASE =
  'https://www2.agenciatributaria.gob.es/static_files/common/internet/dep/aplicaciones/es/aeat/tike/cont/ws/'
export const RECORD_NAMESPACES = {
  record: `${BASE}SuministroInformacion.xsd`,
  event: `${BASE}EventosSIF.xsd`,
}
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#'
export const XADES = 'http://uri.etsi.org/01903/v1.3.2#'
export const XMLNS = 'http://www.w3.org/2000/xmlns/'

const ROOT_NAMESPACES: Readonly<Record<string, string>> = {
  RegistroAlta: RECORD_NAMESPACES.record,
  RegistroAnulacion: RECORD_NAMESPACES.record,
  RegistroEvento: RECORD_NAMESPACES.event,
}

/** Maximum depth of elements, which limits every recursion over the tree. A signed record has about 15 levels. */
const MAX_DEPTH = 100
/** Maximum number of nodes, such as elements and attributes. In the DOM, each takes half a kilobyte of memory. */
const MAX_NODES = 500_000
/** Maximum number of attributes of an element, because the DOM compares each with all others. */
const MAX_ATTRIBUTES = 50

/** Error codes of texts that are not the expected document. */
const DOCUMENT_CODES = ['xml', 'doctype', 'root'] as const
type DocumentCode = (typeof DOCUMENT_CODES)[number]

/** The expected document, for error messages. */
interface Wanted {
  readonly what: string
  readonly fixes: Readonly<Record<DocumentCode, string>>
}

const RECORD: Wanted = {
  what: 'Not a fiscal record that can be signed',
  fixes: {
    xml: 'Write the record with an XML writer and give the text unchanged',
    doctype: 'Remove the document type; a fiscal record has none',
    root: 'Give one RegistroAlta, RegistroAnulacion or RegistroEvento in its official namespace, without the message around it',
  },
}
const FACTURAE: Wanted = {
  what: 'Not a Facturae that can be signed',
  fixes: { ...RECORD.fixes, root: 'Give a Facturae in the namespace of its version' },
}

export const isDocumentCode = (code: string): code is DocumentCode =>
  DOCUMENT_CODES.some((one) => one === code)

type Refuse = (code: DocumentCode, where: string, why: string) => SignatureError

const refusing =
  ({ what, fixes }: Wanted): Refuse =>
  (code, where, why) =>
    new SignatureError(code, { what, where, why, fix: fixes[code] })

export interface RecordDocument {
  readonly document: Document
  readonly root: Element
  /**
   * The parent of the signature: the record itself, or the `Evento` of a `RegistroEvento`. The signature is its last
   * child.
   */
  readonly host: Element
  /** Offset of the host's end tag in the text. */
  readonly hostEnd: number
}

/** Parses the whole text strictly. Returns the offsets of the end tags of the root and of the last `Evento`. */
function scan(text: string, refuse: Refuse): { root: number; event: number } {
  const ends = { root: -1, event: -1 }
  const parser = new SaxesParser({ xmlns: true, position: true })
  const fail = (code: DocumentCode, why: string): never => {
    throw refuse(code, `line ${parser.line}, column ${parser.column}`, why)
  }
  let depth = 0
  let nodes = 0
  const count = (more = 1): void => {
    nodes += more
    if (nodes > MAX_NODES) fail('xml', `more than ${MAX_NODES} elements, attributes and comments`)
  }
  parser.on('doctype', () => fail('doctype', 'a document type is never read'))
  parser.on('error', ({ message }) => fail('xml', message.replace(/^(?:[^:]*:)?\d+:\d+: /, '')))
  for (const event of ['cdata', 'comment', 'processinginstruction'] as const) parser.on(event, () => count())
  parser.on('opentag', ({ attributes }) => {
    const own = Object.keys(attributes).length
    if (own > MAX_ATTRIBUTES) fail('xml', `more than ${MAX_ATTRIBUTES} attributes of an element`)
    count(1 + own)
    if (++depth > MAX_DEPTH) fail('xml', `more than ${MAX_DEPTH} levels of elements`)
  })
  parser.on('closetag', ({ local }) => {
    if (depth === 1) ends.root = parser.position
    else if (depth === 2 && local === 'Evento') ends.event = parser.position
    depth--
  })
  const lone = /\p{Surrogate}/u.exec(text)
  if (lone) throw refuse('xml', `character ${lone.index + 1}`, 'a lone surrogate (half a character)')
  parser.write(text).close()
  return ends
}

/**
 * Normalises line ends as XML 1.0 does, on which C14N is based. The parser follows XML 1.1 and would also change
 * U+2028.
 */
const normalizeLineEndings = (text: string): string => text.replace(/\r\n?/g, '\n')

function parse(text: string, refuse: Refuse): Document {
  const onError = (level: string, message: string) => {
    throw new Error(`${level}: ${message}`)
  }
  try {
    return new DOMParser({ onError, normalizeLineEndings, locator: false }).parseFromString(text, 'text/xml')
  } catch (error) {
    throw refuse('xml', 'the text', (error as Error).message)
  }
}

export const isElement = (node: Node | null): node is Element => node?.nodeType === 1

export const elementsOf = (parent: Node): Element[] => Array.from(parent.childNodes).filter(isElement)

export const childrenOf = (parent: Node, namespace: string, name: string): Element[] =>
  elementsOf(parent).filter((child) => child.namespaceURI === namespace && child.localName === name)

/** Returns the element at the end of a path of names in one namespace, or null if it is missing or not unique. */
export function uniqueElementAt(
  parent: Element | null,
  namespace: string,
  ...names: string[]
): Element | null {
  let at = parent
  for (const name of names) {
    if (at === null) return null
    const [child, second] = childrenOf(at, namespace, name)
    at = child === undefined || second !== undefined ? null : child
  }
  return at
}

/** Yields the node and its descendants in document order. */
export function* walk(start: Node): Generator<Node> {
  const waiting = [start]
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    yield node
    for (let child = node.lastChild; child; child = child.previousSibling) waiting.push(child)
  }
}

/** Returns an element and its ancestors, innermost first. */
export function ancestorsOf(start: Node | null): Element[] {
  const all: Element[] = []
  for (let node = start; isElement(node); node = node.parentNode) all.push(node)
  return all
}

export const isSignature = (node: Node): node is Element =>
  isElement(node) && node.namespaceURI === DSIG && node.localName === 'Signature'

/** Parses the whole text strictly. Returns its root and the positions of the end tags. */
function open(xml: unknown, wanted: Wanted) {
  const refuse = refusing(wanted)
  if (typeof xml !== 'string') throw refuse('xml', 'the argument', 'the record is not a text')
  const bom = xml.startsWith('\uFEFF') ? 1 : 0
  const text = xml.slice(bom)
  const ends = scan(text, refuse)
  const document = parse(text, refuse)
  const root = required(document.documentElement)
  const endAt = (end: number) => bom + text.lastIndexOf('</', end - 1)
  const wrongRoot = (): SignatureError =>
    refuse('root', `root element ${root.nodeName}`, `in namespace ${root.namespaceURI ?? '(none)'}`)
  return { document, root, name: root.localName ?? root.nodeName, ends, endAt, refuse, wrongRoot }
}

/** Reads a fiscal record. Throws a `SignatureError` with a `DocumentCode` if `xml` is not a fiscal record. */
export function readRecord(xml: string): RecordDocument {
  const { document, root, name, ends, endAt, refuse, wrongRoot } = open(xml, RECORD)
  if (ROOT_NAMESPACES[name] === undefined || ROOT_NAMESPACES[name] !== root.namespaceURI) throw wrongRoot()
  const event = name === 'RegistroEvento'
  const host = event ? uniqueElementAt(root, RECORD_NAMESPACES.event, 'Evento') : root
  if (host === null) throw refuse('root', root.nodeName, 'it does not have exactly one Evento')
  return { document, root, host, hostEnd: endAt(event ? ends.event : ends.root) }
}

/** Reads a Facturae, whose signature is the last child of its root. Throws the same errors as `readRecord`. */
export function readFacturae(xml: string): RecordDocument {
  const { document, root, name, ends, endAt, wrongRoot } = open(xml, FACTURAE)
  if (name !== 'Facturae' || !/facturae/i.test(root.namespaceURI ?? '')) throw wrongRoot()
  return { document, root, host: root, hostEnd: endAt(ends.root) }
}
