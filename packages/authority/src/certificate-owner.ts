/**
 * Finds the holder of a Spanish certificate: an entity (seal), a person, or a person who represents an entity. Source:
 * ETSI EN 319 412-1, section 5.1 (semantics of identifiers); profiles of the FNMT and of other providers, which use
 * different formats in the common name.
 */
import { spanishTaxId } from '#core/identifiers/index.ts'

export interface CertificateHolder {
  /**
   * `seal`: the certificate of an entity itself (sello), which must use separate addresses of the tax authority.
   * `unknown`: the certificate contains no Spanish NIF.
   */
  readonly kind: 'person' | 'representative' | 'seal' | 'unknown'
  /** NIF of the entity or, if the certificate names no entity, of the person. */
  readonly taxId: string | null
  /** NIF of the person who holds the certificate. */
  readonly personTaxId: string | null
}

/** Values of a subject by attribute type, as they are in the certificate. */
export type Subject = ReadonlyMap<string, string>

export const COMMON_NAME = '2.5.4.3'
const SURNAME = '2.5.4.4'
const SERIAL_NUMBER = '2.5.4.5'
const GIVEN_NAME = '2.5.4.42'
const ORGANIZATION = '2.5.4.97'
/** Attribute type in which some providers store the NIF of the person. */
const OWN_NIF = '1.3.6.1.4.1.18838.1.1'

const NIF = '[A-Z0-9]\\d{7}[A-Z0-9]'

const found = (pattern: string, text: string | undefined): string | null => {
  const nif = new RegExp(pattern, 'i').exec(text ?? '')?.[1]?.toUpperCase()
  return nif !== undefined && spanishTaxId(nif).valid ? nif : null
}

const isEntity = (nif: string): boolean => spanishTaxId(nif).kind === 'CIF'

/** Reads `VATES-B12345674`, or only the number, which some providers write. */
const entityIn = (subject: Subject): string | null => {
  const bare = found(`^(?:VATES-)?(${NIF})$`, subject.get(SERIAL_NUMBER)?.trim())
  return (
    found(`^(?:VATES-|NTRES-)?(${NIF})$`, subject.get(ORGANIZATION)?.trim()) ??
    found(`\\(R: ?(${NIF})\\)`, subject.get(COMMON_NAME)) ??
    found(`\\bCIF[ :-]*(${NIF})\\b`, subject.get(COMMON_NAME)) ??
    (bare !== null && isEntity(bare) ? bare : null)
  )
}

/**
 * Reads `IDCES-12345678Z`, or the NIF in a common name: `12345678Z ANA PRUEBA (R: …)`, `PRUEBA ANA - 12345678Z`,
 * `NOMBRE ANA PRUEBA - NIF 12345678Z`.
 */
const personIn = (subject: Subject): string | null => {
  const name = subject.get(COMMON_NAME)?.trim()
  const one =
    found(`^(?:IDCES-|VATES-|TINES-)?(${NIF})$`, subject.get(SERIAL_NUMBER)?.trim()) ??
    found(`^(${NIF})$`, subject.get(OWN_NIF)?.trim()) ??
    found(`\\bNIF[ :-]*(${NIF})\\b`, name) ??
    found(`^(${NIF})\\b`, name) ??
    found(`- ?(${NIF})$`, name)
  return one !== null && !isEntity(one) ? one : null
}

/**
 * Returns the holder that a subject names. `isSeal` is the statement in the certificate (QcType of ETSI EN 319 412-5);
 * null if it has none.
 */
export function certificateHolderOf(subject: Subject, isSeal: boolean | null): CertificateHolder {
  const entity = entityIn(subject)
  const person = personIn(subject)
  const isNamed = person !== null || subject.has(SURNAME) || subject.has(GIVEN_NAME)
  const taxId = entity ?? person
  if (taxId === null) return { kind: isSeal ? 'seal' : 'unknown', taxId, personTaxId: null }
  if (isSeal ?? (entity !== null && !isNamed)) return { kind: 'seal', taxId, personTaxId: null }
  const kind = entity === null || entity === person ? 'person' : 'representative'
  return { kind, taxId, personTaxId: person }
}
