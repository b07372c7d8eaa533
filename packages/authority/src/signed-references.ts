/**
 * Determines which content each reference of a signature covers. Only transforms are accepted that are known to
 * preserve all content.
 */
import type { Element } from '@xmldom/xmldom'
import type { Finding, VerifyErrorCode } from './findings.ts'
import {
  ancestorsOf,
  childrenOf,
  DSIG,
  isElement,
  RECORD_NAMESPACES,
  type RecordDocument,
  uniqueElementAt,
  walk,
} from './record-document.ts'
import { CONTENT_DIGESTS, requireElement, type SignatureParts } from './signature-parts.ts'
import { C14N } from './signed-record.ts'

export type CoveredContent = 'record' | 'properties' | 'part'

const ENVELOPED = `${DSIG}enveloped-signature`
const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#'
/** Canonicalisations that preserve the text. Some remove comments, which readers of records ignore anyway. */
export const CANONICALIZATIONS: ReadonlySet<string> = new Set([
  C14N,
  `${C14N}#WithComments`,
  EXCLUSIVE,
  `${EXCLUSIVE}WithComments`,
])
/** Matches the type of the reference to the signed properties. Some programs include the version of XAdES in it. */
const SIGNED_PROPERTIES = /^http:\/\/uri\.etsi\.org\/01903(?:\/v\d\.\d\.\d)?#SignedProperties$/

/** Returns the elements by Id. An Id that occurs several times has several elements. */
function idsOf(record: RecordDocument): Map<string, Element[]> {
  const ids = new Map<string, Element[]>()
  for (const node of walk(record.document)) {
    if (!isElement(node)) continue
    for (const { localName, value } of Array.from(node.attributes))
      if (/^id$/i.test(localName ?? '')) ids.set(value, [...(ids.get(value) ?? []), node])
  }
  return ids
}

const transformsOf = (reference: Element): string[] => {
  const list = uniqueElementAt(reference, DSIG, 'Transforms')
  return list ? childrenOf(list, DSIG, 'Transform').map((one) => one.getAttribute('Algorithm') ?? '') : []
}

type Find = (code: VerifyErrorCode, message: string) => null

/** The signature, its signed properties and the elements by Id, for checking references. */
interface Known {
  readonly signature: Element
  readonly properties: Element | null
  readonly ids: ReadonlyMap<string, readonly Element[]>
  /** Adds a finding. */
  readonly find: Find
}

function coveredPart(
  reference: Element,
  uri: string | null,
  shown: string,
  { signature, properties, ids, find }: Known,
): CoveredContent | null {
  if (!uri?.startsWith('#'))
    return find('reference', `${shown} points outside the record, which is not fetched.`)
  const [target, ...others] = ids.get(uri.slice(1)) ?? []
  if (!target || others.length > 0)
    return find('reference', `${shown} has ${target ? others.length + 1 : 0} targets.`)
  if (target === signature || !ancestorsOf(target).includes(signature))
    return find('not_covered', `${shown} covers only a part, ${target.nodeName}.`)
  const isProperties = target === properties && SIGNED_PROPERTIES.test(reference.getAttribute('Type') ?? '')
  return isProperties ? 'properties' : 'part'
}

function coveredBy(reference: Element, known: Known): CoveredContent | null {
  const { find } = known
  const uri = reference.getAttribute('URI')
  const shown = uri === null ? 'A reference without URI' : `The reference "${uri}"`
  requireElement(reference, 'DigestValue')
  const method = requireElement(reference, 'DigestMethod').getAttribute('Algorithm') ?? ''
  if (CONTENT_DIGESTS[method] === undefined)
    return find(
      'algorithm',
      `${shown} uses the digest method ${method}; only SHA-256, SHA-384 and SHA-512 are accepted.`,
    )
  const transforms = transformsOf(reference)
  const whole = uri === ''
  const [first, ...rest] = whole ? transforms : [ENVELOPED, ...transforms]
  const unknown = transforms.filter((one) => one !== ENVELOPED && !CANONICALIZATIONS.has(one))
  if (unknown.length > 0)
    return find('algorithm', `${shown} has transforms that may omit parts: ${unknown.join(', ')}.`)
  if (first !== ENVELOPED || rest.length > 1 || rest.includes(ENVELOPED))
    return find(
      whole ? 'not_covered' : 'reference',
      `${shown} has other transforms than a signature of its form: ${transforms.join(', ') || 'none'}.`,
    )
  return whole ? 'record' : coveredPart(reference, uri, shown, known)
}

/**
 * Returns which content each reference covers, in order, with the findings. Exactly one reference must cover the whole
 * document except the signature. Another one must cover the signed properties that are read.
 */
export function classifyReferences(
  record: RecordDocument,
  signature: Element,
  { references, properties }: SignatureParts,
): { covered: (CoveredContent | null)[]; findings: Finding[] } {
  const findings: Finding[] = []
  const find: Find = (code, message) => {
    findings.push({ code, message })
    return null
  }
  const known = { signature, properties, ids: idsOf(record), find }
  const covered = references.map((reference) => coveredBy(reference, known))
  const whole = covered.filter((one) => one === 'record').length
  if (whole !== 1)
    find('not_covered', `${whole} references cover the whole ${record.root.nodeName}; exactly one must.`)
  if (!covered.includes('properties'))
    find(
      'properties_not_covered',
      properties
        ? 'No reference covers the signed properties.'
        : 'The signature has no signed properties of its own.',
    )
  const smuggled = [...walk(signature)].find(
    (node) => isElement(node) && Object.values(RECORD_NAMESPACES).includes(node.namespaceURI ?? ''),
  )
  if (smuggled) find('not_covered', `${smuggled.nodeName} is inside the signature, where it is not signed.`)
  return { covered, findings }
}
