/** Signature policy of the Spanish administration (AGE), version 1.9: the one the AEAT's specification names. */
export const AGE_POLICY = {
  identifier: 'urn:oid:2.16.724.1.3.1.1.2.1.9',
  uri: 'https://sede.administracion.gob.es/politica_de_firma_anexo_1.pdf',
  /** The only SHA-1 digest of a signature: the policy document's, as published. */
  hash: 'SHA-1',
  digest: 'G7roucf600+f03r/o0bAOQ6WAs0=',
} as const
