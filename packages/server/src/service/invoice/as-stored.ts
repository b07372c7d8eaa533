/**
 * A stored invoice keeps the values that were deduced from its company when it was stored: tax group, territory and
 * address. A later change of the company changes neither the tax that was charged (art. 89 Ley 37/1992) nor the
 * document that the customer has (arts. 8 and 19 RD 1619/2012). A corrective invoice corrects that tax, so it inherits
 * the tax group and the territory of the corrected invoice.
 */
import { isDeepStrictEqual } from 'node:util'
import {
  type Address,
  type CanonicalInvoice,
  operationDay,
  type ValidationItem,
} from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { createItem } from '#core/messages/index.ts'
import { CHANGED } from '../../generated/texts/invoices.ts'
import { canonicalIn, type InvoiceRow, type StoredDocument } from '../../store/invoices.ts'
import type { Rows } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import { invoiceAddress, isInVatTerritory } from '../company/company-address.ts'
import { type CompanyData, isMembers, type Members } from '../company/company-shape.ts'
import { NUMBERED } from './corrections.ts'
import { correctedInvoices } from './replaced-invoice.ts'
import type { Validation } from './validate-sent.ts'

/** Returns a copy of the document with a changed block. Returns the document itself if it does not have the block. */
export function withMember(document: unknown, block: string, change: (old: Members) => Members): unknown {
  if (!isMembers(document)) return document
  const [first = '', ...rest] = block.split('/')
  const old = document[first]
  if (!isMembers(old)) return document
  const fresh = rest.length > 0 ? withMember(old, rest.join('/'), change) : change(old)
  return { ...document, [first]: fresh }
}

/** Adds members of `issue_data` that the document does not have. */
export const withIssueData = (document: unknown, members: object): unknown =>
  withMember(document, 'invoice/issue_data', (sent) => ({ ...members, ...sent }))

/** Returns the members of `issue_data` that may be deduced from the company, or from the corrected invoice. */
export const deducedIssueDataOf = ({ invoice: { issue_data: issue } }: CanonicalInvoice) => ({
  tax_group_code: issue.tax_group_code,
  tax_country_code: issue.tax_country_code,
  is_tai: issue.is_tai,
})

/** Returns the values that a corrective invoice inherits; undefined if the corrected invoice is not stored. */
async function inheritedBy(db: Rows, data: CanonicalInvoice) {
  const originals = await correctedInvoices(db, data, undefined, NUMBERED)
  const [first, ...others] = originals.map((one) => deducedIssueDataOf(one.data))
  // If several invoices have this number with different values, it is unknown which of them is corrected.
  return others.every((one) => isDeepStrictEqual(one, first)) ? first : undefined
}

/** Returns a corrective invoice with its inherited values. If none differs, returns the document itself. */
export async function withInherited(
  db: Rows,
  document: unknown,
  { data }: Pick<Validation, 'data'>,
): Promise<unknown> {
  const inherited = data && (await inheritedBy(db, data))
  if (!inherited) return document
  const own: Members = { ...data.invoice.issue_data }
  const isSame = Object.entries(inherited).every(([name, value]) => own[name] === value)
  return isSame ? document : withIssueData(document, inherited)
}

/** Validates a document. A corrective invoice is validated with the values that it inherits. */
export async function validateInheriting<V extends Validation>(
  db: Rows,
  document: unknown,
  validate: (document: unknown) => Promise<V>,
): Promise<V> {
  const validation = await validate(document)
  const complete = await withInherited(db, document, validation)
  return complete === document ? validation : validate(complete)
}

/** Returns a saved draft with the values that were deduced when it was last saved. */
export const draftAsSaved = ({ sent, canonical }: Pick<StoredDocument, 'sent' | 'canonical'>): unknown => {
  const draft: unknown = fromJson(sent)
  return canonical === null ? draft : withIssueData(draft, deducedIssueDataOf(fromJson(canonical)))
}

/** Returns an address in the form that a client could send, without computed members. */
function withoutComputed({ country_subdivision: province, ...address }: Address): Address {
  if (!province) return address
  const { subdivision_type: _, ...country_subdivision } = province
  return { ...address, country_subdivision }
}

/** Whether a document states the address of its issuer, or a given part of that address. */
const statesAddress = (document: unknown, part = ''): boolean =>
  ['company', 'person'].some(
    (block) => valueAt(document, `/invoice/supplier/${block}/address${part}`) !== undefined,
  )

/** Whether a document states the province of its issuer, which determines the territory. */
const statesProvince = (document: unknown): boolean =>
  statesAddress(document, '/country_subdivision') || statesAddress(document, '/post_code')

/**
 * Returns an import with the values that were deduced when the invoice that it replaces was stored. Also keeps the
 * reference of that invoice, unless the import states another one.
 */
export function importAsStored(document: unknown, stored: CanonicalInvoice): unknown {
  const { tax_group_code, is_tai } = deducedIssueDataOf(stored)
  const { company, person } = stored.invoice.supplier
  const [block, address] = company?.address ? ['company', company.address] : ['person', person?.address]
  const addressed =
    address && !statesAddress(document)
      ? withMember(document, 'invoice/supplier', (supplier) => ({
          ...supplier,
          [block]: { ...Object(supplier[block]), address: withoutComputed(address) },
        }))
      : document
  const { external_ref } = stored.meta
  const referred = withMember(addressed, 'meta', (meta) => ({
    ...meta,
    ...(external_ref && !meta.external_ref && { external_ref }),
  }))
  return withIssueData(referred, statesProvince(document) ? { tax_group_code } : { tax_group_code, is_tai })
}

/** Codes of the items that depend on whether the company uses the cash basis or the one-stop shop. */
const OF_REGISTRATION = [
  'recc_key_mismatch',
  'recc_margin_regime_not_supported',
  'oss_regime_not_registered',
  'oss_regime_not_effective',
]

/** Returns the values on which items of `OF_REGISTRATION` depend: taxation and day of operation of each line. */
const taxationOf = ({ invoice: { header, issue_data: issue, lines } }: CanonicalInvoice): readonly string[] =>
  lines.map(({ tax_regime_key, tax_treatment_code, exemption_reason_code }) =>
    JSON.stringify([
      operationDay(header, issue, issue.issue_date)?.day ?? issue.issue_date,
      issue.tax_group_code,
      tax_regime_key,
      tax_treatment_code,
      exemption_reason_code,
    ]),
  )

/**
 * Returns the validation of an invoice that is sent again, without new items about cash basis or the one-stop shop.
 * Such an item stays if the invoice already had it when it was stored, or if the taxation or the day of a line has
 * changed.
 */
export function withoutNewRegistrationItems<V extends Validation>(validation: V, stored: StoredDocument): V {
  const known = new Set(fromJson(stored.errors).map(({ code }) => code))
  const before = new Set(taxationOf(canonicalIn(stored)))
  const isSame = validation.data && taxationOf(validation.data).every((line) => before.has(line))
  if (!isSame) return validation
  const errors = validation.errors.filter(({ code }) => known.has(code) || !OF_REGISTRATION.includes(code))
  return { ...validation, errors, is_valid: !errors.some(({ severity }) => severity === 'error') }
}

/**
 * Returns the address to show on an invoice that states none. Issuing writes the address into the invoice. Invoices
 * issued by versions that did not yet do so show the first address that was stored for the company.
 */
export const displayedAddressOf = ({ status }: InvoiceRow, data: CompanyData): Address | undefined =>
  (status !== 'draft' && status !== 'queued' && data.first_address) || invoiceAddress(data)

/** Returns a warning for each value of a saved draft that would be deduced differently if it were saved today. */
export async function companyChangeWarnings(
  db: Rows,
  { company: { data }, locale }: Call,
  sent: unknown,
  saved: CanonicalInvoice,
): Promise<readonly ValidationItem[]> {
  const kept = deducedIssueDataOf(saved)
  const is_tai = (statesProvince(sent) ? undefined : isInVatTerritory(data)) ?? kept.is_tai
  const today = (await inheritedBy(db, saved)) ?? { tax_group_code: data.default_tax_group, is_tai }
  return (['tax_group_code', 'is_tai'] as const).flatMap((name) => {
    const path = `/invoice/issue_data/${name}`
    const [received, expected] = [kept[name], today[name]]
    if (received === expected || valueAt(sent, path) !== undefined) return []
    const item = {
      code: 'company_changed',
      path,
      extra: { expected, received },
      severity: 'warning',
    } as const
    return [createItem(CHANGED, item, locale, { field: `issue_data.${name}` })]
  })
}
