/** How a record identifies a party: by its NIF, or by another identifier with its type. */
import { isEuMember } from '#core/catalogs/index.ts'
import { checkPartyTaxId, checkTaxId } from '#core/identifiers/index.ts'
import type { InvoiceBlock } from '#core/invoice/index.ts'

type Party = NonNullable<InvoiceBlock['customer']> | InvoiceBlock['supplier']

/**
 * List L7 of the record design: 02 EU VAT number, 03 passport, 04 official id of the country, 05 residence certificate,
 * 06 other, 07 not in census.
 */
export interface OtherId {
  readonly CodigoPais?: string
  readonly IDType: '02' | '03' | '04' | '05' | '06' | '07'
  readonly ID: string
}

export interface FiscalParty {
  readonly NombreRazon: string
  readonly NIF?: string
  readonly IDOtro?: OtherId
}

/** Country codes of ISO 3166-1 that are not in the authority's list, each with the code to use instead. */
const LISTED_UNDER: Readonly<Record<string, string>> = {
  AX: 'FI',
  BL: 'FR',
  GF: 'FR',
  GP: 'FR',
  MF: 'FR',
  MQ: 'FR',
  SJ: 'NO',
  EL: 'GR',
  XI: 'GB',
  // In the authority's list, `QU` means "other countries or territories".
  EH: 'QU',
  XK: 'QU',
}

/** Returns the code in the authority's country list. */
export const authorityCountryCode = (code: string): string => LISTED_UNDER[code] ?? code

const MAX_ID = 20
const MAX_NAME = 120

/** Returns the first `max` characters (code points), trimmed. */
export const truncate = (text: string, max: number): string => {
  const trimmed = text.trim()
  return trimmed.length <= max ? trimmed : [...trimmed].slice(0, max).join('').trimEnd()
}

/** Matches a residence certificate (issued by a tax office), but not a residence permit. */
const RESIDENCE = /certifica(?:d\w{0,9}|te)\s.{0,60}residen|residence\s+certificate/i

const numberOf = (id: string): string => id.replace(/[\s.\-/]/g, '').toUpperCase()

/**
 * Returns a Spanish NIF in the format of records (9 characters, upper case), or undefined if the text cannot be a NIF.
 */
export function spanishNif(taxId: string | undefined): string | undefined {
  if (taxId === undefined) return undefined
  const { normalized, valid, reason } = checkTaxId(taxId, 'ES')
  return (valid || reason === 'control_form' || reason === 'placeholder') && normalized.length === 9
    ? normalized
    : undefined
}

/**
 * Returns the party as a record identifies it, or undefined if nothing identifies it.
 *
 * A Spanish id becomes `NIF`, or `IDOtro` 07 if the caller knows that it is not in the census. The NIF of a foreign
 * entity (N) is treated in the same way, whatever the country. A valid EU VAT number becomes `IDOtro` 02 with its
 * prefix and without country; other foreign tax ids become 04. Further identifiers become 03 (passport), 05 (residence
 * certificate) or 06.
 *
 * Source: record design, list L7; validations 1.2.2 (codes 1111, 1122, 1126).
 */
export function fiscalParty(party: Party, { notInCensus = false } = {}): FiscalParty | undefined {
  const NombreRazon = truncate(party.name, MAX_NAME)
  const country = party.country_code ?? party.party_country_code ?? 'ES'
  const taxId = party.tax_id?.trim() ? party.tax_id : undefined
  if (taxId !== undefined && (country === 'ES' || checkPartyTaxId(taxId, country).country === 'ES')) {
    const NIF = spanishNif(taxId)
    if (NIF === undefined) return undefined
    return notInCensus
      ? { NombreRazon, IDOtro: { CodigoPais: 'ES', IDType: '07', ID: NIF } }
      : { NombreRazon, NIF }
  }
  const IDOtro =
    taxId === undefined ? furtherIdentifier(party.identifiers ?? [], country) : foreignTaxId(taxId, country)
  return IDOtro && { NombreRazon, IDOtro }
}

/** Returns a foreign tax id as a valid EU VAT number (02) or as any other id (04). */
function foreignTaxId(taxId: string, country: string): OtherId | undefined {
  // Northern Ireland has its own VAT numbers, under the country code of the United Kingdom.
  const northern = country === 'GB' && /^\s*XI/i.test(taxId)
  const check = checkTaxId(taxId, northern ? 'XI' : country)
  const european = isEuMember(country) || country === 'XI' || country === 'EL' || check.country === 'XI'
  if (european && check.valid && check.kind === 'EU_VAT') return { IDType: '02', ID: check.normalized }
  const ID = numberOf(taxId)
  if (ID === '' || ID.length > MAX_ID) return undefined
  return { CodigoPais: authorityCountryCode(country), IDType: '04', ID }
}

/** Returns the first identifier, other than the tax id, that fits a record. A Spanish identifier must be a passport. */
function furtherIdentifier(
  identifiers: NonNullable<Party['identifiers']>,
  country: string,
): OtherId | undefined {
  for (const {
    value = '',
    role,
    scheme_name: scheme = '',
    issuer_country_code: issuer = country,
  } of identifiers) {
    const ID = value.trim()
    const passport = /passport|pasaporte/i.test(scheme)
    if (ID === '' || ID.length > MAX_ID || role === 'local' || (issuer === 'ES' && !passport)) continue
    const IDType = passport ? '03' : RESIDENCE.test(scheme) ? '05' : '06'
    return { CodigoPais: authorityCountryCode(issuer), IDType, ID }
  }
  return undefined
}
