/**
 * Normalises parties: converts countries to alpha-2, completes provinces, normalises tax ids, and deduces the person
 * type.
 */
import {
  countryOf,
  isEuMember,
  type Subdivision,
  subdivisionByName,
  subdivisionByPostCode,
  subdivisionOf,
  vatTerritoryOf,
} from '#core/catalogs/index.ts'
import { checkPartyTaxId, checkTaxId, type TaxIdCheck } from '#core/identifiers/index.ts'
import type { Address, Customer, Supplier } from '#core/invoice/index.ts'
import type { NormalisationFacts } from './facts.ts'

/**
 * Returns the alpha-2 code of a country given as alpha-2 or alpha-3 code. The schema accepts only known codes.
 */
export const alpha2CodeOf = (code: string): string => countryOf(code)?.code ?? code

/** Returns the member state whose VAT territory includes a country of consumption, for example France for Monaco. */
export const consumptionState = (code: string): string => {
  const country = alpha2CodeOf(code)
  return isEuMember(country) ? vatTerritoryOf(country) : country
}

type Party = Supplier | Customer
type Stage = 'supplier' | 'customer'

const byCodeOf = ({ country_subdivision: named }: Address): Subdivision | undefined =>
  named?.code === undefined ? undefined : subdivisionOf(named.code)
const byNameOf = ({ country_subdivision: named }: Address): Subdivision | undefined =>
  named?.name === undefined ? undefined : subdivisionByName(named.name)
const byPostCodeOf = ({ post_code: postCode }: Address): Subdivision | undefined =>
  postCode === undefined ? undefined : subdivisionByPostCode(postCode)

/** Returns the province that an address states or, without a known one, the province of its post code. */
export const provinceOf = (address: Address | undefined): Subdivision | undefined =>
  address && (byCodeOf(address) ?? byNameOf(address) ?? byPostCodeOf(address))

/** Records provinces that are unknown, or contradict the code or the post code, so that a rule can report them. */
function noteProvince(
  sent: Address,
  province: Subdivision | undefined,
  path: string,
  facts: NormalisationFacts,
): void {
  const { code, name } = sent.country_subdivision ?? {}
  const used = province?.name ?? null
  const note = (member: 'code' | 'name', received: string, otherwise: boolean) =>
    facts.unknownProvinces.push({
      path: `${path}/country_subdivision/${member}`,
      received,
      used,
      ...(otherwise ? { case: 'other_name' } : {}),
    })
  const byCode = byCodeOf(sent)
  const byName = byNameOf(sent)
  // Without a code, there is a name, because the schema requires one of them.
  if (code === undefined && !byName) note('name', name!, false)
  else if (code !== undefined && !byCode) note('code', code, false)
  if (name !== undefined && byName && byName !== province) note('name', name, true)
  const byPostCode = byPostCodeOf(sent)
  if (province && byPostCode && byPostCode !== province)
    facts.provinceConflicts.push({
      path: `${path}/post_code`,
      post_code: sent.post_code!,
      province: province.name,
      post_code_province: byPostCode.name,
    })
}

function normaliseAddress(
  sent: Address,
  partyCountry: string,
  path: string,
  facts: NormalisationFacts,
): Address {
  const country = sent.country_code === undefined ? partyCountry : alpha2CodeOf(sent.country_code)
  const province = country === 'ES' ? provinceOf(sent) : undefined
  if (country === 'ES' && sent.country_subdivision) noteProvince(sent, province, path, facts)
  if (!province) {
    const address: Address = { country_code: country, ...sent }
    address.country_code = country
    return address
  }
  const address: Address = { country_code: country, country_subdivision: {}, ...sent }
  address.country_code = country
  address.country_subdivision = {
    code: province.code,
    name: province.name,
    subdivision_type: province.subdivision_type,
  }
  return address
}

/** Returns the address of a party from its company data, otherwise from its person data. */
export const addressOf = (party: Party | undefined): Address | undefined =>
  party?.company?.address ?? party?.person?.address

function normaliseParty<T extends Party>(
  sent: T,
  stage: Stage,
  facts: NormalisationFacts,
): [T, TaxIdCheck | null] {
  const country = sent.country_code === undefined ? 'ES' : alpha2CodeOf(sent.country_code)
  const check = sent.tax_id === undefined ? null : checkPartyTaxId(sent.tax_id, country)
  const deduced = check?.valid && check.country === 'ES' ? check.person_type_code : null
  const party: T =
    deduced !== null
      ? { person_type_code: deduced, country_code: country, ...sent }
      : { country_code: country, ...sent }
  party.country_code = country
  if (sent.party_country_code !== undefined) party.party_country_code = alpha2CodeOf(sent.party_country_code)
  // An invalid id stays as sent, so that the client recognises it in messages.
  if (sent.tax_id !== undefined && check?.valid && check.kind !== 'OTHER')
    party.tax_id = check.country === 'ES' ? check.normalized : compact(sent.tax_id)
  const path = `/invoice/${stage}`
  if (sent.company?.address)
    party.company = {
      ...sent.company,
      address: normaliseAddress(sent.company.address, country, `${path}/company/address`, facts),
    }
  if (sent.person?.address)
    party.person = {
      ...sent.person,
      address: normaliseAddress(sent.person.address, country, `${path}/person/address`, facts),
    }
  if (check?.valid === false && country === 'ES') facts.otherCountries[stage] = otherCountryOf(party)
  if (sent.identifiers)
    party.identifiers = sent.identifiers.map((identifier) =>
      identifier.issuer_country_code === undefined
        ? { ...identifier }
        : { ...identifier, issuer_country_code: alpha2CodeOf(identifier.issuer_country_code) },
    )
  return [party, check]
}

/** Returns the country, other than Spain, in which an id is valid: that of its prefix or of the party's address. */
const otherCountryOf = (party: Party): string | undefined =>
  [undefined, addressOf(party)?.country_code]
    .map((country) => checkTaxId(party.tax_id, country))
    .find(({ valid, country }) => valid && country !== 'ES')?.country ?? undefined

/** Returns a foreign id without blanks, dots and hyphens. Its prefix is kept as sent. */
const compact = (id: string): string =>
  /^[A-Z0-9+*]*$/.test(id) ? id : id.toUpperCase().replace(/[\s.\-/]/g, '')

export function normaliseSupplier(sent: Supplier, facts: NormalisationFacts): Supplier {
  const [supplier, check] = normaliseParty(sent, 'supplier', facts)
  facts.supplierId = check
  return supplier
}

export function normaliseCustomer(sent: Customer, facts: NormalisationFacts): Customer {
  const [customer, check] = normaliseParty(sent, 'customer', facts)
  facts.customerId = check
  return customer
}
