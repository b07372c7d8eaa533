/** Parties: countries to alpha-2, provinces completed, tax ids cleaned, person type deduced. */
import {
  countryOf,
  type Subdivision,
  subdivisionByName,
  subdivisionByPostCode,
  subdivisionOf,
} from '../catalogs/index.ts'
import { partyTaxId, type TaxIdCheck } from '../identifiers/index.ts'
import type { Address, Customer, Supplier } from '../invoice/index.ts'
import type { Facts } from './facts.ts'

/** The alpha-2 code of a country in any of its three codes; the schema has let only known codes through. */
export const alpha2 = (code: string): string => countryOf(code)?.code ?? code

type Party = Supplier | Customer
type Stage = 'supplier' | 'customer'

/** Province that an address names, or that its post code lies in. */
export function provinceOf(address: Address | undefined): Subdivision | undefined {
  const named = address?.country_subdivision
  return (
    (named?.code !== undefined ? subdivisionOf(named.code) : undefined) ??
    (named?.name !== undefined ? subdivisionByName(named.name) : undefined) ??
    (address?.post_code !== undefined ? subdivisionByPostCode(address.post_code) : undefined)
  )
}

function normaliseAddress(sent: Address, partyCountry: string, path: string, facts: Facts): Address {
  const country = sent.country_code === undefined ? partyCountry : alpha2(sent.country_code)
  const province = country === 'ES' ? provinceOf(sent) : undefined
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
  const byPostCode = sent.post_code === undefined ? undefined : subdivisionByPostCode(sent.post_code)
  if (byPostCode && byPostCode.code !== province.code)
    facts.provinceConflicts.push({
      path: `${path}/post_code`,
      post_code: sent.post_code!,
      province: province.name,
      post_code_province: byPostCode.name,
    })
  return address
}

/** Address of a party: of its company data, else of its person data. */
export const addressOf = (party: Party | undefined): Address | undefined =>
  party?.company?.address ?? party?.person?.address

function normaliseParty<T extends Party>(sent: T, stage: Stage, facts: Facts): [T, TaxIdCheck | null] {
  const country = sent.country_code === undefined ? 'ES' : alpha2(sent.country_code)
  const check = sent.tax_id === undefined ? null : partyTaxId(sent.tax_id, country)
  const deduced = check?.valid && check.country === 'ES' ? check.person_type_code : null
  const party: T =
    deduced !== null && sent.person_type_code === undefined
      ? { person_type_code: deduced, country_code: country, ...sent }
      : { country_code: country, ...sent }
  party.country_code = country
  if (sent.party_country_code !== undefined) party.party_country_code = alpha2(sent.party_country_code)
  // An id that is wrong stays as it was sent: it has to be found again.
  if (check?.valid && check.kind !== 'OTHER')
    party.tax_id = check.country === 'ES' ? check.normalized : compact(sent.tax_id!)
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
  if (sent.identifiers)
    party.identifiers = sent.identifiers.map((identifier) =>
      identifier.issuer_country_code === undefined
        ? { ...identifier }
        : { ...identifier, issuer_country_code: alpha2(identifier.issuer_country_code) },
    )
  return [party, check]
}

/** A foreign id without its blanks, dots and hyphens; its prefix stays as the client has it. */
const compact = (id: string): string =>
  /^[A-Z0-9+*]*$/.test(id) ? id : id.toUpperCase().replace(/[\s.\-/]/g, '')

export function normaliseSupplier(sent: Supplier, facts: Facts): Supplier {
  const [supplier, check] = normaliseParty(sent, 'supplier', facts)
  facts.supplierId = check
  return supplier
}

export function normaliseCustomer(sent: Customer, facts: Facts): Customer {
  const [customer, check] = normaliseParty(sent, 'customer', facts)
  facts.customerId = check
  return customer
}
