/** Reads seller and buyer. */
import { countryOf } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { type Cursor, optional, undefinedIfEmpty } from './facturae-cursor.ts'

type Supplier = CanonicalInvoiceInput['invoice']['supplier']
type Customer = NonNullable<CanonicalInvoiceInput['invoice']['customer']>

/** Returns a tax id without blanks, dots, hyphens and, if Spanish, without the prefix `ES`. */
function taxIdOf(text: string): string {
  const id = text.toUpperCase().replace(/[\s.\-/]/g, '')
  if (!id.startsWith('ES')) return id
  const home = checkTaxId(id.slice(2), 'ES')
  return home.valid ? home.normalized : id
}

/**
 * Splits post code and town, which have one common field in foreign addresses. The first word is the post code if it
 * has a digit.
 */
function codeAndTown(text: string | undefined): { post_code?: string; town?: string } {
  if (text === undefined) return {}
  const [first = '', rest = ''] = text.split(/\s+(.*)/s)
  if (!/\d/.test(first)) return { town: text }
  return rest === '' ? { post_code: text } : { post_code: first, town: rest }
}

function addressOf(entity: Cursor) {
  const home = entity.block('AddressInSpain')
  const location = home ?? entity.need('OverseasAddress')
  const code = location.text('CountryCode')
  const where = home
    ? { ...optional('post_code', home.text('PostCode')), ...optional('town', home.text('Town')) }
    : codeAndTown(location.text('PostCodeAndTown'))
  const named = location.text('Province')
  // In foreign addresses without a province, issuers repeat the town as the province.
  const province = home === undefined && named === where.town ? undefined : named
  return {
    ...optional('address', location.text('Address')),
    ...where,
    ...optional('country_code', code && (countryOf(code)?.code ?? code)),
    ...optional('country_subdivision', province === undefined ? undefined : { name: province }),
  }
}

function nameOf(legal: Cursor | undefined, person: Cursor | undefined) {
  if (legal) {
    const name = legal.text('CorporateName')
    return {
      name: name ?? '',
      company: {
        ...optional('legal_name', name),
        ...optional('trade_name', legal.text('TradeName')),
        address: addressOf(legal),
      },
    }
  }
  const names = {
    ...optional('first_name', required(person).text('Name')),
    ...optional('first_surname', required(person).text('FirstSurname')),
    ...optional('second_surname', required(person).text('SecondSurname')),
  }
  return {
    name: Object.values(names).join(' '),
    person: { ...names, address: addressOf(required(person)) },
  }
}

/** Returns the data common to both parties. */
export function partyOf(party: Cursor): Supplier {
  const [legal, person] = [party.block('LegalEntity'), party.block('Individual')]
  const identification = party.need('TaxIdentification')
  const named = nameOf(legal, person)
  const { country_code: country } = (named.company ?? named.person).address
  const contact = required(legal ?? person).block('ContactDetails')
  const taxId = identification.text('TaxIdentificationNumber')
  return {
    person_type_code: identification.text('PersonTypeCode') as 'F' | 'J',
    ...optional('tax_id', taxId && taxIdOf(taxId)),
    ...named,
    ...optional('country_code', country),
    ...optional('telephone', contact?.text('Telephone')),
    ...optional('electronic_mail', contact?.text('ElectronicMail')),
    ...optional('contact_persons', contact?.text('ContactPersons')),
  } as Supplier
}

/** Returns the customer with its administrative centres. The canonical invoice cannot have a centre without a code. */
export function customerOf(party: Cursor): Customer {
  const centres = party
    .list('AdministrativeCentres', 'AdministrativeCentre')
    .filter((centre) => centre.text('CentreCode') !== undefined)
    .map((centre) => ({
      centre_code: centre.text('CentreCode')!,
      ...optional('role_type_code', centre.text('RoleTypeCode')),
      ...optional('centre_description', centre.text('CentreDescription')),
    }))
  return {
    ...(partyOf(party) as Customer),
    ...optional('administrative_centres', undefinedIfEmpty(centres)),
  } as Customer
}
