/**
 * The library's XML signature, corrected where fiscal records need it:
 *
 * - Namespaces in scope of `SignedInfo` and `SignedProperties` come from the position of the signature. The library
 *   loses an unused default namespace. If an inner element binds a prefix again, the library still uses the root's
 *   binding.
 * - The caller removes a signature that is deeper than the root's children (`RegistroEvento/Evento`). The library's
 *   enveloped-signature transform considers only the root's children.
 * - XAdES properties are not read with the library, which fails on policy qualifiers.
 *
 * Canonicalisation, digests and the signature itself are the library's.
 */
import { webcrypto } from 'node:crypto'
import { DOMImplementation, DOMParser, type Document, type Element, XMLSerializer } from '@xmldom/xmldom'
import { Application, SignedXml, setNodeDependencies } from 'xadesjs'
import {
  CryptoConfig,
  type Reference,
  Transforms,
  XmlDsigC14NTransform,
  SignedXml as XmlSignedXml,
} from 'xmldsigjs'
import { required } from '#core/errors/index.ts'
import { ancestorsOf, DSIG, isElement, walk, XMLNS } from './record-document.ts'

setNodeDependencies({ XMLSerializer, DOMParser, DOMImplementation } as Parameters<
  typeof setNodeDependencies
>[0])
// The object is a copy, because the library adds a name to the engine that it receives.
Application.setEngine('NodeJS', {
  subtle: webcrypto.subtle,
  getRandomValues: (array: Uint8Array) => webcrypto.getRandomValues(array),
} as Parameters<typeof Application.setEngine>[1])

export const C14N = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'

/** Yields the namespaces that an element declares, and the namespace of the element itself. */
function* namespacesOf(element: Element): Generator<readonly [prefix: string, uri: string]> {
  for (const { namespaceURI, prefix, localName, value } of Array.from(element.attributes))
    if (namespaceURI === XMLNS) yield [prefix ? required(localName) : '', value]
  yield [element.prefix ?? '', element.namespaceURI ?? '']
}

/**
 * Returns the namespace declarations in scope at `element`, innermost first. If the signature is not inserted yet, the
 * declarations of `host` follow those of its own elements.
 */
function namespacesAt(element: Element, host: Element): Map<string, string> {
  const around = ancestorsOf(element)
  const isInserted = around.at(-1) === host.ownerDocument?.documentElement
  const all = around.flatMap((one) => [...namespacesOf(one)])
  if (!isInserted) all.push(['ds', DSIG], ...ancestorsOf(host).flatMap((one) => [...namespacesOf(one)]))
  const found = new Map<string, string>()
  for (const [prefix, uri] of all) if (prefix !== 'xml' && !found.has(prefix)) found.set(prefix, uri)
  return found
}

export class SignedRecord extends SignedXml {
  readonly #document: Document
  readonly #host: Element

  /** `host` is the element whose last child the signature is or will be. */
  constructor(document: Document, host: Element) {
    super(document as never)
    this.#document = document
    this.#host = host
  }

  /** Skips the XAdES properties: the library cannot read policy qualifiers, not even its own. */
  override LoadXml(value: never): void {
    XmlSignedXml.prototype.LoadXml.call(this, value)
  }

  /** Returns a detached copy of a part of the signature with all namespaces in scope. */
  #detached(element: Element): Element {
    const copy = element.cloneNode(true) as Element
    for (const [prefix, uri] of namespacesAt(element, this.#host)) {
      if (prefix === '' && uri === '') copy.removeAttribute('xmlns')
      else copy.setAttributeNS(XMLNS, prefix ? `xmlns:${prefix}` : 'xmlns', uri)
    }
    return copy
  }

  #find(id: string): Element {
    const parts: unknown[] = [this.XmlSignature.KeyInfo.GetXml()]
    this.XmlSignature.ObjectList.ForEach((object) => {
      parts.push(object.GetXml())
    })
    for (const part of parts as (Element | null)[])
      for (const node of part ? walk(part) : [])
        if (isElement(node) && node.getAttribute('Id') === id) return node
    throw new Error(`nothing in the signature has the Id ${id}`)
  }

  protected override async DigestReference(source: never, reference: Reference, hmac: boolean) {
    if (!reference.Uri) return super.DigestReference(source, reference, hmac)
    const part = this.#detached(this.#find(reference.Uri.slice(1))) as never
    const transforms = reference.Transforms
    let octets: unknown
    if (transforms && transforms.Count > 0) octets = this.ApplyTransforms(transforms, part)
    else {
      const c14n = CryptoConfig.CreateFromName(C14N)
      c14n.LoadInnerXml(part)
      octets = c14n.GetOutput()
    }
    return CryptoConfig.CreateHashAlgorithm(reference.DigestMethod.Algorithm).Digest(octets as never)
  }

  protected override TransformSignedInfo(): string {
    const { SignedInfo } = this.XmlSignature
    const c14n = CryptoConfig.CreateFromName(SignedInfo.CanonicalizationMethod.Algorithm)
    c14n.LoadInnerXml(this.#detached(SignedInfo.GetXml() as never as Element) as never)
    return c14n.GetOutput()
  }

  /** Adds the canonicalisation to the reference to the signed properties, as AEAT's own sample does. */
  protected override async ApplySignOptions(
    ...args: Parameters<SignedXml['ApplySignOptions']>
  ): Promise<void> {
    await super.ApplySignOptions(...args)
    this.XmlSignature.SignedInfo.References.ForEach((reference) => {
      if (!reference.Uri?.startsWith('#')) return
      reference.Transforms = new Transforms()
      reference.Transforms.Add(new XmlDsigC14NTransform())
    })
  }

  /** Whether the digest of a reference matches. The caller must have removed the signature from the document. */
  async holds(index: number): Promise<boolean> {
    const reference = this.XmlSignature.SignedInfo.References.Item(index)
    if (!reference) return false
    const digest = await this.DigestReference(this.#document as never, reference, false)
    return Buffer.from(digest).equals(Buffer.from(reference.DigestValue))
  }

  /** Whether the signature value over `SignedInfo` verifies with the public key. */
  async signedBy(key: webcrypto.CryptoKey): Promise<boolean> {
    return this.ValidateSignatureValue([key as never])
  }
}
