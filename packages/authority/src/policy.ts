/** A signature policy, as a signature states it. */
export interface SignaturePolicy {
  readonly identifier: string
  /** Address of the policy document (SPURI); null if the signature does not state it. */
  readonly uri: string | null
  /** Algorithm of the published digest of the policy document. Signatures use SHA-1 for nothing else. */
  readonly hash: 'SHA-1'
  readonly digest: string
}

/** Signature policy of the Spanish administration (AGE), version 1.9, which the AEAT's specification requires. */
export const AGE_POLICY = {
  identifier: 'urn:oid:2.16.724.1.3.1.1.2.1.9',
  uri: 'https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf',
  hash: 'SHA-1',
  digest: 'G7roucf600+f03r/o0bAOQ6WAs0=',
} as const satisfies SignaturePolicy

/** Signature policy of Facturae, version 3.1. */
export const FACTURAE_POLICY = {
  identifier:
    'http://www.facturae.es/politica_de_firma_formato_facturae/politica_de_firma_formato_facturae_v3_1.pdf',
  uri: null,
  hash: 'SHA-1',
  digest: 'Ohixl6upD6av8N7pEvDABhEL6hM=',
} as const satisfies SignaturePolicy
