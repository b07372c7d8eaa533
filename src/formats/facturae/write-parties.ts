/** Writes seller and buyer. Facturae requires a complete address, including the province. */
import { countryOf, isEuMember, subdivisionOf } from '#core/catalogs/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import type { Address, Customer, Supplier } from '#core/invoice/index.ts'
import { undefinedIfEmpty } from './facturae-cursor.ts'
import type { Writer } from './write-context.ts'

type Party = Supplier | Customer

const SPAIN = 'ES'
const MAX_PROVINCE = 20

/** Returns `R` for Spain, `U` for a member state on that date, `E` for other countries. */
const residenceOf = (country: string, day: string | undefined): string =>
  country === SPAIN ? 'R' : isEuMember(country, day) ? 'U' : 'E'

/** Returns the name of a province, or an alias if the name is too long ("Tenerife"). */
function provinceName({ country_subdivision: named }: Address): string | undefined {
  const known = named?.code === undefined ? undefined : subdivisionOf(named.code)
  const name = named?.name ?? known?.name
  if (name === undefined || name.length <= MAX_PROVINCE) return name
  return known?.aliases?.find((alias) => alias.length <= MAX_PROVINCE) ?? name
}

function addressOf(writer: Writer, address: Address, country: string, path: string) {
  const lines = [address.address, address.address_2].filter(Boolean).join(', ')
  const code = countryOf(country)?.alpha3
  if (code === undefined) writer.report.refuse('unknown_code', `${path}/country_code`, { received: country })
  const common = { Address: writer.need(lines, 80, `${path}/address`), CountryCode: code ?? '' }
  const province = provinceName(address)
  if (country === SPAIN)
    return {
      AddressInSpain: {
        ...common,
        PostCode: writer.needOf(address, 'post_code', 5, path),
        Town: writer.needOf(address, 'town', 50, path),
        Province: writer.need(province, MAX_PROVINCE, `${path}/country_subdivision`),
      },
    }
  const town = writer.needOf(address, 'town', 50, path)
  const location = [address.post_code, town].filter(Boolean).join(' ')
  return {
    OverseasAddress: {
      ...common,
      PostCodeAndTown: writer.need(location, 50, `${path}/town`),
      // A foreign address without a province gets the town as province.
      Province: writer.need(
        province ?? town,
        MAX_PROVINCE,
        `${path}/${province === undefined ? 'town' : 'country_subdivision'}`,
      ),
    },
  }
}

/** Returns the country of the address, otherwise of the party, otherwise Spain. */
const countryOfParty = (party: Party): string =>
  (party.company?.address ?? party.person?.address)?.country_code ?? party.country_code ?? SPAIN

function personTypeOf(party: Party): 'F' | 'J' | undefined {
  if (party.person_type_code) return party.person_type_code
  const check = party.tax_id === undefined ? null : checkTaxId(party.tax_id, party.country_code)
  if (check?.valid && check.person_type_code) return check.person_type_code
  return party.person?.first_name ? 'F' : undefined
}

/** Returns the tax id, with the prefix of Spain if the other party is in another member state. */
function taxIdOf(writer: Writer, party: Party, withPrefix: boolean, path: string): string {
  const id = party.tax_id
  const domestic = id !== undefined && checkTaxId(id, SPAIN).valid
  return writer.need(withPrefix && domestic ? `${SPAIN}${id}` : id, 30, `${path}/tax_id`)
}

function contactOf(writer: Writer, party: Party, path: string) {
  return undefinedIfEmpty({
    Telephone: writer.textOf(party, 'telephone', 15, path),
    ElectronicMail: writer.textOf(party, 'electronic_mail', 60, path),
    ContactPersons: writer.textOf(party, 'contact_persons', 40, path),
  })
}

function centresOf(writer: Writer, party: Party, address: object, path: string) {
  const centres = 'administrative_centres' in party ? (party.administrative_centres ?? []) : []
  return undefinedIfEmpty(
    centres.map((centre, index) => {
      const at = `${path}/administrative_centres/${index}`
      return {
        CentreCode: writer.needOf(centre, 'centre_code', 10, at),
        RoleTypeCode: writer.textOf(centre, 'role_type_code', 2, at),
        ...address,
        CentreDescription: writer.textOf(centre, 'centre_description', 2500, at),
      }
    }),
  )
}

function partyOf(writer: Writer, party: Party, path: string, withPrefix: boolean) {
  const type = personTypeOf(party)
  if (type === undefined) writer.report.refuse('missing', `${path}/person_type_code`)
  const block = party.company?.address ? 'company' : party.person?.address ? 'person' : 'company'
  const sent = party.company?.address ?? party.person?.address
  const country = countryOfParty(party)
  const where = `${path}/${block}/address`
  if (sent === undefined) writer.report.refuse('missing', where)
  const address = sent === undefined ? {} : addressOf(writer, sent, country, where)
  const reached = { ...address, ContactDetails: contactOf(writer, party, path) }
  const person = party.person
  const entity =
    type === 'F'
      ? {
          Individual: {
            Name: writer.needOf(person, 'first_name', 40, `${path}/person`),
            FirstSurname: writer.needOf(person, 'first_surname', 40, `${path}/person`),
            SecondSurname: writer.textOf(person, 'second_surname', 40, `${path}/person`),
            ...reached,
          },
        }
      : {
          LegalEntity: {
            CorporateName: writer.needOf(party, 'name', 80, path),
            TradeName: writer.textOf(party.company, 'trade_name', 40, `${path}/company`),
            ...reached,
          },
        }
  const centres = centresOf(writer, party, address, path)
  return {
    TaxIdentification: {
      PersonTypeCode: type ?? 'J',
      ResidenceTypeCode: residenceOf(country, writer.invoice.issue_data.issue_date),
      TaxIdentificationNumber: taxIdOf(writer, party, withPrefix, path),
    },
    AdministrativeCentres: centres && { AdministrativeCentre: centres },
    ...entity,
  }
}

/** A DIR3 code: one or two letters and the digits of the unit, nine characters in total. */
const DIR3 = /^(?=.{9}$)[A-Z]{1,2}\d+$/

/** Refuses a customer without the administrative centres that its profile requires. */
export function checkCentres({ invoice, report }: Writer, roles: readonly string[]): void {
  const centres = invoice.customer?.administrative_centres ?? []
  for (const role of roles) {
    const index = centres.findIndex(({ role_type_code }) => role_type_code === role)
    const path = '/invoice/customer/administrative_centres'
    const received = centres[index]?.centre_code
    if (received === undefined) report.refuse('centre', path, { role })
    else if (!DIR3.test(received)) report.refuse('not_in_form', `${path}/${index}/centre_code`, { received })
  }
}

export function partiesOf(writer: Writer): object {
  const { supplier, customer, issue_data: issue } = writer.invoice
  if (!customer) writer.report.refuse('missing', '/invoice/customer')
  const abroad = (party: Party | undefined): boolean =>
    party !== undefined && residenceOf(countryOfParty(party), issue.issue_date) === 'U'
  return {
    SellerParty: partyOf(writer, supplier, '/invoice/supplier', abroad(customer)),
    BuyerParty: customer && partyOf(writer, customer, '/invoice/customer', abroad(supplier)),
  }
}
