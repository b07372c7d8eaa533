/** Maps parties of json_1_1 to parties of the semantic model. */

import { rows as easCodes } from '#catalogs/eas-codes.json'
import { checkPartyTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { WritingReport } from '../model/index.ts'
import type { Id, Party, PostalAddress } from './en16931-model.ts'

type Supplier = CanonicalInvoice['invoice']['supplier']
type Customer = NonNullable<CanonicalInvoice['invoice']['customer']>
type Identifier = NonNullable<Customer['identifiers']>[number]

export interface PartyContext {
  readonly role: 'supplier' | 'customer'
  /** Whether no operation of the invoice is subject to tax. No party may then state a VAT number (BR-O-02). */
  readonly withoutVat: boolean
  readonly report: WritingReport
}

/**
 * Returns the VAT number of a tax id, with the prefix of its country. Returns undefined if it does not have the form of
 * a VAT number or, for an id without prefix, valid check digits. Otherwise a prefix could turn a registration or
 * customer number into another company's VAT number.
 */
export function vatIdOf(taxId: string, country: string): string | undefined {
  const { kind, normalized, valid, reason, country: of } = checkPartyTaxId(taxId, country)
  if (kind === null || kind === 'OTHER') return undefined
  const vatId = of === 'ES' ? `ES${normalized}` : normalized
  return valid || (reason === 'control' && vatId === taxId) ? vatId : undefined
}

const SCHEMES: Readonly<Record<string, string>> = { GLN: '0088', DUNS: '0060' }
/** Codes of ISO 6523 that BR-CL-10 does not allow because they are withdrawn. It allows 0002 to 0248. */
const WITHDRAWN: ReadonlySet<string> = new Set(['0092', '0103', '0181', '0182'])
const isIcd = (scheme: string): boolean =>
  /^0[0-2]\d\d$/.test(scheme) && scheme >= '0002' && scheme <= '0248' && !WITHDRAWN.has(scheme)

const schemeOf = ({ scheme_id, scheme_name }: Identifier): string | undefined =>
  SCHEMES[scheme_id] ?? (scheme_name !== undefined && isIcd(scheme_name) ? scheme_name : undefined)

const asId = (identifier: Identifier): Id => ({ value: identifier.value, scheme: schemeOf(identifier) })

let schemes: ReadonlySet<string> | undefined
const isEas = (scheme: string): boolean => {
  schemes ??= new Set(easCodes.map(({ code }) => code))
  return schemes.has(scheme)
}

/** Assigns identifiers other than the tax id to their business terms; `others` go into a note. */
function identifiersOf(party: Supplier | Customer, { role }: PartyContext, taken: readonly string[]) {
  const found: { legalId?: Id; taxId?: string; ids: Id[]; others: string[] } = { ids: [], others: [] }
  for (const identifier of party.identifiers ?? []) {
    if (taken.includes(identifier.value)) continue
    if (identifier.role === 'legal' && !found.legalId) found.legalId = asId(identifier)
    else if (identifier.role === 'tax' && role === 'supplier' && found.taxId === undefined)
      found.taxId = identifier.value
    // A buyer has only one identifier (UBL-SR-16).
    else if (role === 'supplier' || found.ids.length === 0) found.ids.push(asId(identifier))
    else found.others.push(`Identificador: ${identifier.value}`)
  }
  return found
}

function endpointOf(
  { electronic_address: address }: Supplier | Customer,
  context: PartyContext,
): Id | undefined {
  if (!address?.value || !address.scheme_id) return undefined
  const { value, scheme_id: scheme } = address
  if (!isEas(scheme)) {
    const at = `/invoice/${context.role}/electronic_address/scheme_id`
    context.report.refuse('unknown_code', at, { received: scheme })
  }
  return { value, scheme }
}

export interface WrittenParty {
  readonly party: Party
  /** Texts without a business term, which are written into a note. */
  readonly others: readonly string[]
}

export const countryOf = (party: Supplier | Customer): string =>
  party.country_code ?? party.party_country_code ?? 'ES'

function addressOf(party: Supplier | Customer): PostalAddress {
  const address = party.company?.address ?? party.person?.address ?? {}
  const country = address.country_code ?? countryOf(party)
  return {
    line1: address.address,
    line2: address.address_2,
    town: address.town,
    postCode: address.post_code,
    subdivision: address.country_subdivision?.name ?? address.country_subdivision?.code,
    country: country === 'EL' ? 'GR' : country,
  }
}

export function partyOf(party: Supplier | Customer, context: PartyContext): WrittenParty {
  const { role, withoutVat } = context
  const { company, tax_id: taxId } = party
  const country = countryOf(party)
  const vatId = taxId === undefined || withoutVat ? undefined : vatIdOf(taxId, country)
  const taken = [taxId, vatId].filter((id) => id !== undefined)
  const { legalId, taxId: registration, ids, others } = identifiersOf(party, context, taken)
  // Without a VAT number, the tax id is written as the legal registration. A seller also needs it as tax registration
  // (BR-S-02).
  const plain = vatId === undefined ? taxId : undefined
  // The original legal registration then becomes a further identifier, of which a buyer has only one.
  const displaced = plain === undefined ? undefined : legalId
  const fits = displaced && (role === 'supplier' || ids.length === 0)
  const legalName = company?.legal_name
  return {
    party: {
      name: party.name,
      tradeName: company?.trade_name === party.name ? undefined : company?.trade_name,
      ids: fits ? [displaced, ...ids] : ids,
      legalId: plain === undefined ? legalId : { value: plain },
      vatId,
      taxId: plain !== undefined && role === 'supplier' && !withoutVat ? plain : registration,
      endpoint: endpointOf(party, context),
      address: addressOf(party),
      contact: party.contact_persons,
      telephone: party.telephone,
      mail: party.electronic_mail,
    },
    others: [
      ...others,
      ...(displaced && !fits ? [`Registro: ${displaced.value}`] : []),
      ...(legalName !== undefined && legalName !== party.name ? [`Denominación social: ${legalName}`] : []),
    ],
  }
}
