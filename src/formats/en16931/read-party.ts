/** Maps parties of the semantic model to parties of json_1_1. */
import { countryOf, isEuMember, subdivisionByName } from '#core/catalogs/index.ts'
import { checkPartyTaxId, checkTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import type { Id, Party, PostalAddress } from './en16931-model.ts'
import { withoutUndefined } from './tree.ts'

type Supplier = CanonicalInvoiceInput['invoice']['supplier']
type Customer = NonNullable<CanonicalInvoiceInput['invoice']['customer']>
type Identifier = NonNullable<Customer['identifiers']>[number]
type Address = NonNullable<NonNullable<Customer['company']>['address']>

/** ISO 3166 codes of common country codes that are not in ISO 3166, such as the VAT prefix `EL`. */
const OTHER_CODES: Readonly<Record<string, string>> = { EL: 'GR', XI: 'GB', UK: 'GB' }

const codeOf = (country: string): string | undefined => countryOf(OTHER_CODES[country] ?? country)?.code

/** Returns the country of a VAT number's prefix. */
const vatCountry = (vatId: string | undefined): string | undefined => {
  const [, prefix] = /^([A-Z]{2})[A-Z0-9+*]/.exec(vatId?.toUpperCase() ?? '') ?? []
  return prefix === undefined ? undefined : codeOf(prefix)
}

/** Whether a VAT number is Spanish: `ES` and a valid NIF, whatever the country of the address. */
const isSpanish = (vatId: string | undefined): boolean =>
  vatId !== undefined && /^\s*ES/i.test(vatId) && checkTaxId(vatId, 'ES').valid

/**
 * Returns the country of a party: Spain if its VAT number is Spanish, otherwise the country of its address, otherwise
 * the country of its VAT number.
 */
export const countryOfParty = ({ address, vatId }: Party): string | undefined =>
  isSpanish(vatId) ? 'ES' : (addressCountry(address) ?? vatCountry(vatId))

const addressCountry = (address: PostalAddress | undefined): string | undefined =>
  address?.country === undefined ? undefined : codeOf(address.country)

/** Returns the country of the address as written, if json_1_1 has no code for it. */
export const unknownCountryOf = ({ address }: Party): string | undefined =>
  address?.country === undefined || countryOf(address.country) ? undefined : address.country

/**
 * Returns the tax id in the format of json_1_1: without blanks, dots and hyphens and, if Spanish, without `ES`. Outside
 * the EU, these characters are part of the number and stay.
 */
function taxIdOf(raw: string, country: string | undefined): string {
  if (country !== undefined && !isEuMember(country)) return raw
  const text = raw.replace(/[\s.-]/g, '').toUpperCase()
  if (!text.startsWith('ES')) return text || raw
  const { valid } = checkTaxId(text.slice(2), 'ES')
  return valid ? text.slice(2) : text
}

/**
 * Returns the main identifier of a party: VAT number, other tax number, legal registration, or the first other
 * identifier.
 */
const chosenId = ({ vatId, taxId, legalId, ids }: Party): string | undefined =>
  vatId ?? taxId ?? legalId?.value ?? ids[0]?.value

/** Whether the party has neither a country nor a Spanish tax id. json_1_1 assumes that such a party is Spanish. */
export const isAssumedSpanish = (party: Party): boolean =>
  countryOfParty(party) === undefined && !checkTaxId(chosenId(party), 'ES').valid

/** Schemes of ISO 6523 that have a name in json_1_1. */
const SCHEMES: Readonly<Record<string, 'GLN' | 'DUNS'>> = { '0088': 'GLN', '0060': 'DUNS' }

const identifierOf = ({ value, scheme }: Id, role: Identifier['role']): Identifier => {
  const known = scheme === undefined ? undefined : SCHEMES[scheme]
  if (known) return { role, value, scheme_id: known }
  return { role, value, scheme_id: 'OTHER', ...(scheme === undefined ? {} : { scheme_name: scheme }) }
}

/** Returns the other identifiers of a party, each with its role. */
function identifiersOf(
  party: Party,
  taxId: string | undefined,
  country: string | undefined,
): Identifier[] | undefined {
  const { taxId: registration, legalId, ids } = party
  const isNew = (value: string): boolean => taxIdOf(value, country) !== taxId
  const found = [
    ...(registration !== undefined && isNew(registration)
      ? [identifierOf({ value: registration }, 'tax')]
      : []),
    ...(legalId && isNew(legalId.value) ? [identifierOf(legalId, 'legal')] : []),
    ...ids.filter(({ value }) => isNew(value)).map((id) => identifierOf(id, 'other')),
  ]
  return found.length === 0 ? undefined : found
}

function addressOf(address: PostalAddress | undefined, country: string | undefined): Address | undefined {
  if (address === undefined) return undefined
  const { line1, line2, line3, town, postCode, subdivision } = address
  // A province that is not in the catalog stays in the address.
  const isProvince = subdivision !== undefined && (country !== 'ES' || subdivisionByName(subdivision))
  const more = [line2, line3, isProvince ? undefined : subdivision].filter((text) => text !== undefined)
  const found = withoutUndefined({
    address: line1,
    address_2: more.length === 0 ? undefined : more.join(', '),
    post_code: postCode,
    town,
    country_code: country,
    country_subdivision: isProvince ? { name: subdivision } : undefined,
  })
  return Object.keys(found).length === 0 ? undefined : found
}

/** Scheme of an e-mail address, which has its own member in json_1_1. */
const MAIL_SCHEME = 'EM'

/** Whether the scheme is a code of the EAS list: four digits. */
const isEas = ({ scheme = '' }: Id): boolean => /^\d{4}$/.test(scheme)

const electronicOf = ({ endpoint }: Party) =>
  endpoint && isEas(endpoint) ? { value: endpoint.value, scheme_id: endpoint.scheme } : undefined

function partyOf(
  party: Party,
): Omit<Supplier, 'person_type_code' | 'name'> & { person_type_code?: 'F' | 'J' } {
  const country = countryOfParty(party)
  const raw = chosenId(party)
  const taxId = raw === undefined ? undefined : taxIdOf(raw, country)
  const check = taxId === undefined ? undefined : checkPartyTaxId(taxId, country ?? 'ES')
  const person = check?.valid && check.country === 'ES' ? check.person_type_code : null
  const address = addressOf(party.address, addressCountry(party.address) ?? country)
  const { endpoint, tradeName } = party
  const mail = endpoint?.scheme === MAIL_SCHEME ? endpoint.value : undefined
  const company = withoutUndefined({ trade_name: tradeName, address: person === 'F' ? undefined : address })
  return withoutUndefined({
    person_type_code: person ?? undefined,
    tax_id: taxId,
    country_code: country,
    telephone: party.telephone,
    electronic_mail: party.mail ?? mail,
    contact_persons: party.contact,
    company: Object.keys(company).length === 0 ? undefined : company,
    person: person === 'F' && address ? { address } : undefined,
    electronic_address: electronicOf(party),
    identifiers: identifiersOf(party, taxId, country),
  }) as ReturnType<typeof partyOf>
}

/** Whether json_1_1 has no field for the electronic address. */
export const hasUnmappedEndpoint = ({ endpoint, mail }: Party): boolean =>
  endpoint !== undefined &&
  !isEas(endpoint) &&
  !(endpoint.scheme === MAIL_SCHEME && (mail === undefined || mail === endpoint.value))

/** Maps the seller. It is a legal person, unless it has the Spanish tax id of a natural person. */
export const supplierOf = (party: Party): Supplier => {
  const { person_type_code = 'J', ...rest } = partyOf(party)
  return { person_type_code, name: party.name!, ...rest }
}

export const customerOf = (party: Party): Customer => ({ name: party.name!, ...partyOf(party) })
