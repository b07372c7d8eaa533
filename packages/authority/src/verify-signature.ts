/** Verifies the signature of a fiscal record or a Facturae, and describes the problems that it finds. */
import type { Element } from '@xmldom/xmldom'
import { required } from '#core/errors/index.ts'
import { keyLengthOf, type ParsedCertificate, publicKeyOf } from './certificate.ts'
import { SignatureError } from './errors.ts'
import type { Finding, SignatureCheck, VerifyErrorCode } from './findings.ts'
import { CHANGED } from './generated/texts/certificates.ts'
import { AGE_POLICY, FACTURAE_POLICY } from './policy.ts'
import {
  elementsOf,
  isDocumentCode,
  isElement,
  isSignature,
  type RecordDocument,
  readFacturae,
  readRecord,
  walk,
  XADES,
} from './record-document.ts'
import { isNamedBy, readSignature, SIGNATURE_METHODS, type SignatureParts } from './signature-parts.ts'
import { SignedRecord } from './signed-record.ts'
import { CANONICALIZATIONS, classifyReferences } from './signed-references.ts'

const NOTHING: SignatureCheck = {
  valid: false,
  references: 0,
  verified_references: 0,
  profile: null,
  policy: null,
  signing_time: null,
  signed_by: null,
  trust: 'not_checked',
  errors: [],
}

/** Minimum bits of an RSA key that the specification accepts in existing signatures. */
const MIN_BITS = 1024

const isCounterSignature = ({ parentNode }: Element): boolean =>
  isElement(parentNode) && parentNode.namespaceURI === XADES && parentNode.localName === 'CounterSignature'

/** Returns the only signature of the record if it is in the correct position, otherwise the finding. */
function locate({ document, host }: RecordDocument): Element | Finding {
  const found = [...walk(document)].filter(isSignature)
  const [signature] = found
  if (signature === undefined) return { code: 'no_signature', message: 'The record carries no signature.' }
  if (found.slice(1).some((one) => !isCounterSignature(one)))
    return {
      code: 'several_signatures',
      message: `The record carries ${found.length} signatures; it must carry exactly one, without another inside it.`,
    }
  if (found.length > 1)
    return { code: 'countersigned', message: 'The signature carries counter-signatures, which are not read.' }
  if (elementsOf(host).at(-1) !== signature)
    return {
      code: 'place',
      message: `The signature is not the last child of ${host.nodeName}, where it must be.`,
    }
  return signature
}

/** Calls `check` while the signature is removed. A reference to the whole document covers exactly this content. */
async function withoutSignature(signature: Element, check: () => Promise<boolean>): Promise<boolean> {
  const host = required(signature.parentNode)
  const next = signature.nextSibling
  host.removeChild(signature)
  try {
    return await check()
  } finally {
    host.insertBefore(signature, next)
  }
}

/** Returns the certificate that the signed properties identify, otherwise the first certificate. */
async function signerOf({ certificates, certificateDigest }: SignatureParts, findings: Finding[]) {
  if (certificateDigest !== null)
    for (const certificate of certificates)
      if (await isNamedBy(certificate, certificateDigest)) return certificate
  const [first] = certificates
  if (first === undefined)
    findings.push({ code: 'certificate', message: 'KeyInfo holds no X.509 certificate.' })
  else
    findings.push({
      code: 'certificate_digest',
      message: certificateDigest
        ? 'No certificate in KeyInfo has the digest of the signed SigningCertificate: it was replaced.'
        : 'The signed properties name no signing certificate: anyone could replace the one in KeyInfo.',
    })
  return first ?? null
}

function checkPeriod({ notBefore, notAfter }: ParsedCertificate, { signingTime }: SignatureParts): Finding[] {
  const instant = Date.parse(signingTime ?? '')
  if (Number.isNaN(instant) || (instant >= notBefore.getTime() && instant <= notAfter.getTime())) return []
  const message = `The signing time ${signingTime} lies outside the certificate's validity, ${notBefore.toISOString()} to ${notAfter.toISOString()}.`
  return [{ code: 'certificate_period', message }]
}

function checkPolicy({ policy }: SignatureParts): Finding[] {
  const known = [AGE_POLICY, FACTURAE_POLICY].find(
    ({ identifier, hash }) => policy?.identifier === identifier && policy.hash === hash,
  )
  if (!policy || !known || policy.digest === known.digest) return []
  const { identifier, hash, digest } = known
  return [
    {
      code: 'policy',
      message: `The policy ${identifier} has the ${hash} digest ${digest}, not ${policy.digest}.`,
    },
  ]
}

/** Checks the signature value. */
async function checkValue(
  signed: SignedRecord,
  signer: ParsedCertificate,
  { method, canonicalization }: SignatureParts,
): Promise<Finding[]> {
  const hash = SIGNATURE_METHODS[method]
  if (hash === undefined)
    return [
      {
        code: 'algorithm',
        message: `The signature method is ${method}; RSA with SHA-256, SHA-384 or SHA-512 is accepted.`,
      },
    ]
  if (!CANONICALIZATIONS.has(canonicalization))
    return [
      { code: 'algorithm', message: `The canonicalization method ${canonicalization} is not accepted.` },
    ]
  const key = await publicKeyOf(signer, hash)
  if (key === null)
    return [{ code: 'certificate', message: 'The certificate has no RSA key that can be read.' }]
  if (keyLengthOf(key) < MIN_BITS)
    return [
      { code: 'key_size', message: `The RSA key has ${keyLengthOf(key)} bits; the minimum is ${MIN_BITS}.` },
    ]
  if (await signed.signedBy(key)) return []
  const message =
    "SignedInfo or the signature value was changed, or another key than the certificate's produced it."
  return [{ code: 'signature_value', message }]
}

/** The result of a check, with the parts read from the signature. `parts` is null if they could not be read. */
export interface Inspection {
  readonly check: SignatureCheck
  readonly parts: SignatureParts | null
  readonly signer: ParsedCertificate | null
}

async function inspect(record: RecordDocument, signature: Element): Promise<Inspection> {
  const parts = readSignature(signature)
  const { covered, findings } = classifyReferences(record, signature, parts)
  const signed = new SignedRecord(record.document, record.host)
  signed.LoadXml(signature as never)
  let verified = 0
  for (const [index, what] of covered.entries()) {
    if (what === null) continue
    const holds = () => signed.holds(index)
    if (await (what === 'record' ? withoutSignature(signature, holds) : holds())) verified++
    else findings.push(CHANGED[what])
  }
  const signer = await signerOf(parts, findings)
  if (signer) findings.push(...(await checkValue(signed, signer, parts)), ...checkPeriod(signer, parts))
  findings.push(...checkPolicy(parts))
  const check: SignatureCheck = {
    ...NOTHING,
    valid: findings.length === 0 && verified === covered.length,
    references: covered.length,
    verified_references: verified,
    profile: parts.epes ? 'EPES' : 'BES',
    policy: parts.policy,
    signing_time: parts.signingTime,
    signed_by: signer && {
      subject: signer.subject,
      issuer: signer.issuer,
      serial: signer.serial,
      not_before: signer.notBefore.toISOString(),
      not_after: signer.notAfter.toISOString(),
    },
    errors: findings,
  }
  return { check, parts, signer }
}

/**
 * Verifies the signature of a `RegistroAlta`, `RegistroAnulacion` or `RegistroEvento`. Checks every reference and the
 * signature value, and that the references cover the whole record and the signed properties. Never throws for any text;
 * `errors` lists the findings, each with a `code`.
 *
 * Not checked, as `trust` states: the chain to a trusted root, revocation, qualification, and whether the certificate
 * belongs to the taxpayer. SHA-1 is accepted only to identify a certificate or the policy, as in AEAT's own sample, and
 * rejected for content and signature.
 *
 * @param xml One signed record as stored, without the message or envelope around it.
 * @see https://www.w3.org/TR/xmldsig-core1/ and ETSI EN 319 132-1
 * For example:
 * (await verifySignature(signed)).valid // => true
 * (await verifySignature(signed.replace('121.00', '21.00'))).errors[0].code // => 'content_changed'
 */
export const verifySignature = async (xml: string): Promise<SignatureCheck> =>
  (await inspected(() => readRecord(xml))).check

/**
 * Verifies the signature of a Facturae as `verifySignature` does for a record: the whole invoice and the signed
 * properties are covered and unchanged. Never throws for any text; trust is not checked.
 */
export const verifyFacturae = async (xml: string): Promise<SignatureCheck> =>
  (await inspectFacturae(xml)).check

/** Verifies like `verifyFacturae`. Also returns the parts of the signature and its certificate. */
export const inspectFacturae = (xml: string): Promise<Inspection> => inspected(() => readFacturae(xml))

async function inspected(open: () => RecordDocument): Promise<Inspection> {
  const failed = (code: VerifyErrorCode, message: string): Inspection => ({
    check: { ...NOTHING, errors: [{ code, message }] },
    parts: null,
    signer: null,
  })
  try {
    const record = open()
    const located = locate(record)
    return 'code' in located ? failed(located.code, located.message) : await inspect(record, located)
  } catch (error) {
    if (error instanceof SignatureError && isDocumentCode(error.code))
      return failed(error.code, `${error.where}: ${error.why}.`)
    return failed('structure', `The signature cannot be read: ${(error as Error).message}`)
  }
}
