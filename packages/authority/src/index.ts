/**
 * Electronic signature of fiscal records for systems that work as NO VERI*FACTU. Their records are not sent, so each
 * one is signed (XAdES enveloped, class EPES). VERI*FACTU records are not signed.
 *
 * The engine holds no keys. Code that stores records takes a signer, `RecordSigner`, which the host builds from its
 * key, its certificate and its clock:
 *
 *     import { type RecordSigner, signRecord } from './index.ts'
 *
 *     const sign: RecordSigner = (xml) =>
 *       signRecord(xml, { privateKey, certificate, timestamp: nowWithOffset() }) // 2027-01-02T10:00:00+01:00
 *
 * The order is: record, hash, signature, storage. The signed text is stored and later sent unchanged. `verifySignature`
 * performs the check of anomaly 02 (signature) of the event log; it checks neither the trust in the certificate nor its
 * revocation.
 */
export { SignatureError, type SignatureErrorCode, type SignatureFault } from './errors.ts'
export type { Finding, SignatureCheck, SignerCertificate, VerifyErrorCode } from './findings.ts'
export {
  type InvoiceSignature,
  type InvoiceSignatureOptions,
  type InvoiceSignatureState,
  type InvoiceSigner,
  type SignatureDoubt,
  type SignatureFailure,
  verifyInvoiceSignature,
} from './invoice-signature.ts'
export { AGE_POLICY, FACTURAE_POLICY } from './policy.ts'
export type { Policy } from './signature-parts.ts'
export { verifyFacturae, verifySignature } from './verify-signature.ts'
export { type SignOptions, signFacturae, signRecord } from './xades.ts'

/**
 * Signs a record before a NO VERI*FACTU system stores it: takes the XML text with its hash, returns the same text with
 * its signature.
 *
 * Rejects if the record was not signed: a record that requires a signature is never issued without it.
 */
export type RecordSigner = (xml: string) => Promise<string>
export { readCertificate } from './certificate.ts'
export { type CertificateFinding, certificateFindings, daysLeft } from './certificate-findings.ts'
export { CertificateError } from './errors.ts'
export type { Pkcs12 } from './pkcs12.ts'
export type { CallContext, Caller, NoResponse, SiiCaller, SiiSender, VerifactuSender } from './wires.ts'
