/** Validates received invoices. Sets their direction, and looks up the exchange rate of a foreign currency. */
import { checkTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoice, CanonicalInvoiceInput, Finding, Options } from '#core/invoice/index.ts'
import { valueAt } from '#core/invoice/pointer.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { Rows } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { isMembers } from '../company/company-shape.ts'
import { rateDayOf, rateForDocument } from '../company/exchange-rates.ts'
import {
  deducedIssueDataOf,
  validateInheriting,
  withInherited,
  withIssueData,
  withMember,
} from '../invoice/as-stored.ts'
import {
  requireStorable,
  type Validated,
  type Validation,
  validateOnEventLoop,
  validateSent,
} from '../invoice/validate-sent.ts'

/** Sets `meta.direction` to `received`, regardless of the value sent (API specification, "Registration rules"). */
export const asReceived = (document: unknown): unknown =>
  withMember(document, 'meta', (meta) => ({ ...meta, direction: 'received' }))

/** Returns the document of a saved invoice. If it lacks date of receipt or tax group, the stored value is added. */
export function receivedAsStored(document: unknown, { invoice }: CanonicalInvoice): unknown {
  const { receipt_date, tax_group_code } = invoice.issue_data
  return withIssueData(document, { ...(receipt_date && { receipt_date }), tax_group_code })
}

/** Matches `-` or blanks, which clients send for an unknown id. Suppliers with this id would count as one supplier. */
const NO_ID = /^[\s\p{P}\p{S}]*$/u

/**
 * Reports a missing tax id of the supplier, which is part of the identity of a received invoice (API specification,
 * "Registration rules"). The engine does not report it if the id is a dash, or if the document violates the schema.
 */
function missingIdentity(document: unknown): readonly Finding[] {
  const supplier = valueAt(document, '/invoice/supplier')
  if (!isMembers(supplier)) return []
  const { tax_id = '' } = supplier
  if (typeof tax_id !== 'string' || !NO_ID.test(tax_id)) return []
  const path = '/invoice/supplier/tax_id'
  return [{ code: 'missing_required_field', path, extra: { missing: 'tax_id' } }]
}

const SIMPLIFIED: readonly unknown[] = ['02', '04']

/**
 * Returns the options for a simplified invoice from XML, which may state another buyer (API specification, "XML import
 * rules"). The company is then not required as the customer, and a warning states the buyer.
 */
function otherBuyer(
  call: Call,
  document: unknown,
): { readonly company?: Options['company']; readonly known: readonly Finding[] } {
  const isSimplified = SIMPLIFIED.includes(valueAt(document, '/invoice/header/invoice_type_code'))
  if (!isSimplified || valueAt(document, '/meta/original_format') === undefined) return { known: [] }
  const { tax_id: expected, ...company } = call.company.data
  const path = '/invoice/customer/tax_id'
  const received = valueAt(document, path)
  const isOther =
    typeof received === 'string' &&
    checkTaxId(received, 'ES').normalized !== checkTaxId(expected, 'ES').normalized
  const extra = { expected, received }
  return {
    company,
    known: isOther ? [{ code: 'recipient_tax_id_mismatch', path, extra, severity: 'warning' }] : [],
  }
}

/** Returns the input of `POST /received-invoices/validate`. */
export async function receivedInput(call: Call, sent: unknown) {
  const document = asReceived(sent)
  const options: Options = { exchange_rate: await rateForDocument(call.store.shared, document) }
  const known = missingIdentity(document)
  if (valueAt(document, '/invoice/header/corrective') === undefined) return { document, options, known }
  const validation = await validateSent(call, document, 'received', options, known)
  return { document: await withInherited(call.store, document, validation), options, known }
}

/** Validates a received invoice, changed by `complete`, before it is stored. Throws if it cannot be stored. */
export async function validateReceived(
  db: Rows,
  call: Call,
  document: unknown,
  complete = (one: unknown) => one,
): Promise<Validated> {
  const exchange_rate = await rateForDocument(db.shared, complete(document))
  const { known, ...company } = otherBuyer(call, document)
  const options: Options = { totals: 'check', exchange_rate, ...company }
  const validation = await validateInheriting(db, document, (one) =>
    validateSent(call, complete(one), 'received', options, [...missingIdentity(document), ...known]),
  )
  const { refusal } = validation
  if (refusal?.code === 'exchange_rate_not_available') {
    const { path, ...extra } = refusal.extra
    throw new ApiError(refusal.code, { ...extra, date: rateDayOf(document), path })
  }
  return requireStorable(validation)
}

/**
 * Validates a proposal, which is not stored. Returns its problems instead of throwing them. `data` is null if required
 * members are missing.
 */
export async function validateProposal(call: Call, document: CanonicalInvoiceInput): Promise<Validation> {
  const size = JSON.stringify(document).length
  const exchange_rate = await rateForDocument(call.store.shared, document)
  const known = missingIdentity(document)
  return validateInheriting(call.store, document, (one) =>
    validateSent({ ...call, size }, one, 'received', { totals: 'check', exchange_rate }, known),
  )
}

/** Validates a saved invoice as of today, with the deduced values and the exchange rate of the stored document. */
export function validateSaved(call: Call, sent: unknown, saved: CanonicalInvoice): Validation {
  const { invoice_currency } = saved.invoice.issue_data
  const { exchange_rate, exchange_rate_date } = invoice_currency ?? {}
  const { known, ...company } = otherBuyer(call, sent)
  const options: Options = {
    totals: 'check',
    exchange_rate: exchange_rate && exchange_rate_date ? { exchange_rate, exchange_rate_date } : null,
    ...company,
  }
  const document = withIssueData(asReceived(sent), deducedIssueDataOf(saved))
  return validateOnEventLoop(call, receivedAsStored(document, saved), 'received', options, known)
}
