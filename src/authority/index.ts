/**
 * Electronic signature of fiscal records, for systems that work as NO VERI*FACTU: their records are not sent, so
 * each one is signed (XAdES enveloped, class EPES). VERI*FACTU records are not signed.
 *
 * The engine computes and holds no keys. Whatever stores records takes a signer, `RecordSigner`, which a host makes of
 * its key, its certificate and its clock:
 *
 *     import { type RecordSigner, signRecord } from './index.ts'
 *
 *     const sign: RecordSigner = (xml) =>
 *       signRecord(xml, { privateKey, certificate, moment: nowWithOffset() }) // 2027-01-02T10:00:00+01:00
 *
 * The order is: record, hash, signature, storage. What is stored and later sent is the signed text, unchanged.
 * `verifySignature` is the check of anomaly 02 (signature) of the event log; it looks neither at the trust in the
 * certificate nor at its revocation.
 */
export { SignatureError, type SignatureErrorCode, type SignatureFault } from './errors.ts'
export type { Finding, SignatureCheck, SignerCertificate, VerifyErrorCode } from './findings.ts'
export { AGE_POLICY, FACTURAE_POLICY } from './policy.ts'
export type { Policy } from './signature-parts.ts'
export { verifyFacturae, verifySignature } from './verify.ts'
export { type SignOptions, signFacturae, signRecord } from './xades.ts'

/**
 * What a system without VERI*FACTU calls before it stores a record: XML text of a record with its hash in, the same text with its signature out.
 * Rejects if the record was not signed; a record that must be signed is not issued without.
 */
export type RecordSigner = (xml: string) => Promise<string>
