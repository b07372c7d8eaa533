/** How a party of an invoice is identified to the tax authority: NIF, or another identifier with its type. */
import { isEuMember } from '../catalogs/index.ts'
import { checkTaxId, partyTaxId } from '../identifiers/index.ts'
import type { InvoiceBlock } from '../invoice/index.ts'

type Party = NonNullable<InvoiceBlock['customer']> | InvoiceBlock['supplier']

/** List L7 of the record design: 02 EU VAT number, 03 passport, 04 id of the country, 06 other, 07 not in census. */
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

/** The authority's country list lacks these codes of ISO 3166-1; each goes with the state that it belongs to. */
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
  // "Other countries or territories" of the authority's list.
  EH: 'QU',
  XK: 'QU',
}

/** Code of the authority's country list. */
export const listedCountry = (code: string): string => LISTED_UNDER[code] ?? code

const MAX_ID = 20
const MAX_NAME = 120

/** The first `max` characters (code points), without spaces at the ends. */
export const cut = (text: string, max: number): string => {
  const trimmed = text.trim()
  return trimmed.length <= max ? trimmed : [...trimmed].slice(0, max).join('').trimEnd()
}

/** A residence certificate, not a residence permit: what the tax office of a country certifies. */
const RESIDENCE = /(certificad\w*|certificate)\s.*residen|residence\s+certificate/i

const numberOf = (id: string): string => id.replace(/[\s.\-/]/g, '').toUpperCase()

/** A Spanish NIF as the records want it: 9 characters, upper case; undefined if it cannot be one. */
export function spanishNif(taxId: string | undefined): string | undefined {
  if (taxId === undefined) return undefined
  const { normalized, valid, reason } = checkTaxId(taxId, 'ES')
  return (valid || reason === 'control_form' || reason === 'placeholder') && normalized.length === 9
    ? normalized
    : undefined
}

/**
 * The party as a record names it; undefined where nothing identifies it.
 *
 * A Spanish id gives `NIF` (or `IDOtro` 07 if the caller knows that it is not in the census), that of a foreign entity
 * (N) whatever its country; a valid EU VAT number `IDOtro` 02 with its prefix and without country, another foreign
 * tax id 04, a further identifier 03 (a passport), 05 (a residence certificate) or 06. Source: record design, list L7; validations 1.2.2 (codes 1111, 1122, 1126).
 */
export function fiscalParty(party: Party, { notInCensus = false } = {}): FiscalParty | undefined {
  const NombreRazon = cut(party.name, MAX_NAME)
  const country = party.country_code ?? party.party_country_code ?? 'ES'
  if (party.tax_id !== undefined && party.tax_id.trim() !== '') {
    if (country === 'ES' || partyTaxId(party.tax_id, country).country === 'ES') {
      const NIF = spanishNif(party.tax_id)
      if (NIF === undefined) return undefined
      return notInCensus
        ? { NombreRazon, IDOtro: { CodigoPais: 'ES', IDType: '07', ID: NIF } }
        : { NombreRazon, NIF }
    }
    // Northern Ireland has VAT numbers of its own, under the country code of the United Kingdom.
    const northern = country === 'GB' && /^\s*XI/i.test(party.tax_id)
    const check = checkTaxId(party.tax_id, northern ? 'XI' : country)
    const european = isEuMember(country) || country === 'XI' || country === 'EL' || check.country === 'XI'
    if (european && check.valid && check.kind === 'EU_VAT')
      return { NombreRazon, IDOtro: { IDType: '02', ID: check.normalized } }
    const ID = numberOf(party.tax_id)
    if (ID === '' || ID.length > MAX_ID) return undefined
    return { NombreRazon, IDOtro: { CodigoPais: listedCountry(country), IDType: '04', ID } }
  }
  for (const identifier of party.identifiers ?? []) {
    const ID = identifier.value.trim()
    if (ID === '' || ID.length > MAX_ID || identifier.role === 'local') continue
    const scheme = identifier.scheme_name ?? ''
    const passport = /passport|pasaporte/i.test(scheme)
    const issuer = identifier.issuer_country_code ?? country
    if (issuer === 'ES' && !passport) continue
    const IDType = passport ? '03' : RESIDENCE.test(scheme) ? '05' : '06'
    return { NombreRazon, IDOtro: { CodigoPais: listedCountry(issuer), IDType, ID } }
  }
  return undefined
}
