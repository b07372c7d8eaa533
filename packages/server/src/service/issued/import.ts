/**
 * Imports invoices that another system issued. Errors do not prevent saving; they are stored and reported. An import
 * creates no fiscal record and is not reported to the SII, because the issuing system is responsible for both (API
 * specification, "Import request").
 */
import { randomUUID } from 'node:crypto'
import type { SaveResult } from '../../shapes/schemas.ts'
import { canonicalIn, documentToValidate, type InvoiceRow, lockInvoice } from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'
import { withIssuerAddress } from '../../work/issuer-address.ts'
import type { Call } from '../access/call.ts'
import { invoiceAddress } from '../company/company-address.ts'
import {
  displayedAddressOf,
  importAsStored,
  validateInheriting,
  withoutNewRegistrationItems,
} from '../invoice/as-stored.ts'
import { withCorrectionWarnings } from '../invoice/correction-warnings.ts'
import { actionOf } from '../invoice/events.ts'
import { preventFiling, requireNotFiled } from '../invoice/filed-returns.ts'
import { numberedColumns } from '../invoice/invoice-columns.ts'
import { assignImportedNumber, lockSeries, numberRowOf } from '../invoice/numbering.ts'
import { concurrentChangeError, updateRefused } from '../invoice/refusals.ts'
import { insertValidated, updateValidated } from '../invoice/save-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { requireStorable, type Validated, validateSent } from '../invoice/validate-sent.ts'
import { idByReference } from './drafts.ts'

/** Validates a document, changed by `complete`, as an import of this company. Throws if it cannot be saved. */
export const validateImport = (
  db: Rows,
  call: Call,
  document: unknown,
  complete = (one: unknown) => one,
): Promise<Validated> =>
  validateInheriting(db, document, async (one) =>
    requireStorable(
      await validateSent(call, complete(one), 'import', {
        totals: 'check',
        issuerAddress: invoiceAddress(call.company.data),
      }),
    ),
  )

/** Validates an import with the values that were deduced when the invoice that it replaces was stored. */
async function validateAgain(tx: Tx, call: Call, sent: unknown, row: InvoiceRow): Promise<Validated> {
  const document = await documentToValidate(tx, row.invoice_id)
  const stored = withIssuerAddress(canonicalIn(document), displayedAddressOf(row, call.company.data))
  const validation = await validateImport(tx, call, sent, (one) => importAsStored(one, stored))
  return withoutNewRegistrationItems(validation, document)
}

/** Throws if an import with the same number may not replace the invoice (API specification, "Import request"). */
function requireReplaceable(row: InvoiceRow, seriesCode: string): void {
  if (row.imported !== 1) throw updateRefused('issued_here', row.invoice_id)
  if (!isInForce(row.status)) throw updateRefused('cancelled', row.invoice_id)
  if (row.series !== seriesCode) throw updateRefused('other_series', row.invoice_id)
}

/** Locks the imported invoice with this number; undefined if there is none. Throws if it cannot be replaced. */
async function invoiceToReplace(
  tx: Tx,
  number: string,
  seriesCode: string,
  externalRef: string | null,
): Promise<InvoiceRow | undefined> {
  const holder = await numberRowOf(tx, number)
  const row = holder?.invoice_id ? await lockInvoice(tx, holder.invoice_id) : undefined
  if (holder?.invoice_id && row?.number !== number) throw concurrentChangeError()
  if (row) requireReplaceable(row, seriesCode)
  const referred = await idByReference(tx, externalRef)
  if (referred !== undefined && referred !== row?.invoice_id) {
    // A concurrent request may have imported the same invoice after the number was read.
    if (!row && (await numberRowOf(tx, number))?.invoice_id === referred) throw concurrentChangeError()
    throw updateRefused('other_ref', referred)
  }
  return row
}

/** Writes a validated import over the imported invoice with the same number, or as a new invoice. */
export async function importInvoice(
  tx: Tx,
  call: Call,
  sent: unknown,
  validated: Validated,
  details: Readonly<Record<string, unknown>> = {},
): Promise<SaveResult> {
  const who = actionOf(call)
  const columns = numberedColumns(validated.data, 'issued')
  const { issue_date } = columns
  const number = columns.number ?? ''
  const seriesCode = columns.series ?? ''
  await preventFiling(tx)
  const row = await invoiceToReplace(tx, number, seriesCode, columns.external_ref)
  const series = await lockSeries(tx, seriesCode, who.stamp)
  const eventDetails = { issue_date, series: seriesCode, number, ...details }
  const validation = await withCorrectionWarnings(
    tx,
    call.locale,
    row ? await validateAgain(tx, call, sent, row) : validated,
    row?.invoice_id,
  )
  const written = { validation, sent, details: eventDetails }
  if (row) {
    await requireNotFiled(tx, row, validation.data)
    await updateValidated(tx, who, 'updated', row, numberedColumns(validation.data, 'issued'), written)
    return { success: true, id: row.invoice_id, errors: validation.errors }
  }
  // Another request may have taken the number before this one locked the series.
  if (tx.locks && (await numberRowOf(tx, number))?.invoice_id) throw concurrentChangeError()
  const invoice_id = randomUUID()
  await assignImportedNumber(tx, series, number, invoice_id, issue_date ?? '')
  const kind = { invoice_id, direction: 'issued', status: 'issued', imported: 1 } as const
  await insertValidated(tx, who, 'imported', { ...kind, ...columns }, written)
  return { success: true, id: invoice_id, errors: validation.errors }
}
