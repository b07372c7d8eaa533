/** Issuer and customer: names, tax ids, addresses and contacts. */
import { countryOf, subdivisionOf } from '#core/catalogs/index.ts'
import type { Address, Customer, Supplier } from '#core/invoice/index.ts'
import { countryName, roleName } from './display-names.ts'
import type { Pair } from './page-language.ts'
import type { Subject } from './subject.ts'
import { PARTY } from './view-labels.ts'
import type { PartyView } from './view-model.ts'

type Party = Supplier | Customer

/** Returns the addresses of a party. The address of its person type comes first. */
function addressesOf({ person_type_code: kind, company, person }: Party): Partial<Address>[] {
  const [own, other] = [company?.address, person?.address]
  return (kind === 'F' ? [other, own] : [own, other]).filter((one) => one !== undefined)
}

const countryCode = (party: Party): string =>
  addressesOf(party)[0]?.country_code ?? party.country_code ?? 'ES'

/** Returns the label of the tax id: `NIF` in Spain, `NIF-IVA` in other member states, a neutral label elsewhere. */
function taxIdLabel(party: Party): Pair {
  const country = party.country_code ?? 'ES'
  if (country === 'ES') return PARTY.nif
  return countryOf(country)?.vat_prefix ? PARTY.vat : PARTY.foreign
}

/** Returns the name of the province. If it is missing, looks it up by the code. */
function regionOf({ country_subdivision: region }: Partial<Address>): string {
  return region?.name ?? subdivisionOf(region?.code ?? '')?.name ?? ''
}

function addressLines({ lang }: Subject, address: Partial<Address>, isAbroad: boolean): string[] {
  const town = [address.post_code, address.town].filter(Boolean).join(' ')
  const region = regionOf(address)
  const townLine = [town, region && region !== address.town ? `(${region})` : ''].filter(Boolean).join(' ')
  const country = isAbroad && address.country_code ? lang.text(countryName(address.country_code)) : ''
  return [address.address, address.address_2, townLine, country].filter((line): line is string =>
    Boolean(line),
  )
}

/** Returns further names of the party: legal name, trade name, full name. */
function otherNames({ name, company, person }: Party): string[] {
  const whole = [person?.first_name, person?.first_surname, person?.second_surname].filter(Boolean).join(' ')
  const names = [company?.legal_name, company?.trade_name, whole]
  return [...new Set(names)].filter((one): one is string => Boolean(one) && one !== name)
}

function contactLines({ lang }: Subject, party: Party): string[] {
  const { telephone, electronic_mail, contact_persons, electronic_address: electronic } = party
  const value = electronic?.value
  return [
    contact_persons && `${lang.text(PARTY.contact)} ${contact_persons}`,
    telephone && `${lang.text(PARTY.telephone)} ${telephone}`,
    electronic_mail,
    value &&
      `${lang.text(PARTY.electronic_address)}: ${value}${electronic?.scheme_id ? ` (${electronic.scheme_id})` : ''}`,
  ].filter((line): line is string => Boolean(line))
}

const identifierLines = ({ identifiers = [] }: Party): string[] =>
  identifiers.map(({ scheme_name, scheme_id, value, issuer_country_code: country }) =>
    [`${scheme_name || scheme_id}:`, value, country && country !== 'ES' ? `(${country})` : '']
      .filter(Boolean)
      .join(' '),
  )

const centresOf = (party: Party) => ('administrative_centres' in party && party.administrative_centres) || []

const centreLines = ({ lang }: Subject, party: Party): string[] =>
  centresOf(party).map(({ centre_code, role_type_code, centre_description }) =>
    [
      `${lang.text(PARTY.centre)}:`,
      centre_code,
      [lang.text(roleName(role_type_code)), centre_description].filter(Boolean).join(', '),
    ]
      .filter(Boolean)
      .join(' '),
  )

/** Returns a party of the invoice. The country is shown if the parties are not both in Spain. */
export function partyOf(subject: Subject, role: Pair, party: Party, other: Party | undefined): PartyView {
  const country = countryCode(party)
  const isAbroad = country !== 'ES' || (other !== undefined && countryCode(other) !== country)
  const addresses = addressesOf(party)
  const shownAddresses = addresses.length > 0 ? addresses : [{ country_code: country }]
  const own = party.party_country_code
  return {
    role: subject.lang.label(role),
    name: party.name,
    lines: [
      ...otherNames(party),
      ...(party.tax_id ? [`${subject.lang.text(taxIdLabel(party))}: ${party.tax_id}`] : []),
      ...new Set(shownAddresses.flatMap((address) => addressLines(subject, address, isAbroad))),
      ...(own && own !== country ? [subject.lang.text(countryName(own))] : []),
      ...contactLines(subject, party),
      ...identifierLines(party),
      ...centreLines(subject, party),
    ],
  }
}
