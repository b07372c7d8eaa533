/** Saves drafts, identified by the client's reference. A draft may have business errors, but no schema errors. */
import { randomUUID } from 'node:crypto'
import type { ValidationItem } from '#core/invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { SavedValidateResult, SaveResult } from '../../shapes/schemas.ts'
import {
  documentToValidate,
  type InvoiceRow,
  isDraftKind,
  isIssuedKind,
  lockInvoice,
} from '../../store/invoices.ts'
import type { Rows, Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import type { Call } from '../access/call.ts'
import { deleteInvoiceWithFiles } from '../attachments/attached-documents.ts'
import { companyChangeWarnings, draftAsSaved, validateInheriting } from '../invoice/as-stored.ts'
import { correctionWarnings } from '../invoice/correction-warnings.ts'
import { actionOf } from '../invoice/events.ts'
import { draftColumns } from '../invoice/invoice-columns.ts'
import { lengthProblem, numberOf, seriesOf } from '../invoice/numbering.ts'
import { printWarnings } from '../invoice/print-warnings.ts'
import { concurrentChangeError, updateRefused } from '../invoice/refusals.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { insertValidated, updateValidated, updateValidationResult } from '../invoice/save-invoice.ts'
import {
  requireStorable,
  type Validated,
  type Validation,
  validateOnEventLoop,
  validateSent,
} from '../invoice/validate-sent.ts'
import { requireMatchingEtag } from '../invoice/version.ts'
import { recordProblems } from '../verifactu/trial-record.ts'
import { notReplacedWarning, replacementAtDate } from './replacement.ts'

/** Returns the id of the draft or issued invoice with this `external_ref`. */
export async function idByReference(tx: Tx, externalRef: string | null): Promise<string | undefined> {
  if (externalRef === null) return undefined
  const row = await tx
    .find('invoices', { direction: 'issued', external_ref: externalRef })
    .select('invoice_id')
    .executeTakeFirst()
  return row?.invoice_id
}

/**
 * Adds warnings about characters that the PDF cannot print, a next number that is too long, and other invoices that the
 * draft refers to. If the draft is valid, also adds the problems of its fiscal record.
 */
async function withWarnings(
  db: Rows,
  call: Call,
  { is_valid, data, errors }: Validation,
): Promise<readonly ValidationItem[]> {
  if (!data) return errors
  const printed = [...errors, ...printWarnings(call.locale, data)]
  const code = data.invoice.header.invoice_series_code
  if (code === undefined) return printed
  const series = await seriesOf(db, code)
  const number = numberOf(series, series.next_number)
  const tooLong = lengthProblem(number, 'warning', call.locale)
  const replacement = await replacementAtDate(db, call, data, call.app.clock.today())
  const own = [
    ...printed,
    ...(replacement ? notReplacedWarning(replacement, call.locale) : []),
    ...(await correctionWarnings(db, call.locale, data)),
  ]
  const replaces = replacement?.failed ? undefined : replacement?.replaced
  const ofRecord = is_valid ? await recordProblems(db, call, data, number, replaces) : []
  if (!tooLong) return [...own, ...ofRecord]
  // Skips findings of the fiscal record about the number, because `tooLong` already reports the problem.
  return [...own, tooLong, ...ofRecord.filter(({ path }) => path !== tooLong.path)]
}

/** Validates a document as a draft of this company. Throws if it cannot be saved. */
export async function validateDraft(db: Rows, call: Call, document: unknown): Promise<Validated> {
  const validated = await validateInheriting(db, document, async (one) =>
    requireStorable(await validateSent(call, one, 'draft', { totals: 'check' })),
  )
  return { ...validated, errors: await withWarnings(db, call, validated) }
}

/** Returns the draft that a document updates; undefined if the document is to be saved as a new draft. */
async function draftToUpdate(
  tx: Tx,
  externalRef: string | null,
  invoiceId: string | undefined,
): Promise<InvoiceRow | undefined> {
  const referred = await idByReference(tx, externalRef)
  const id = invoiceId ?? referred
  const row = id === undefined ? undefined : await lockInvoice(tx, id)
  if (invoiceId !== undefined && !row) throw new ApiError('invoice_not_found')
  if (row?.direction === 'received') throw updateRefused('received')
  if (invoiceId !== undefined && referred !== undefined && referred !== invoiceId)
    throw updateRefused('other_ref', referred)
  // During the wait for the lock, the invoice was deleted or its reference changed. The reference may be free now.
  if (id !== undefined && id === referred && row?.external_ref !== externalRef) throw concurrentChangeError()
  if (row?.status === 'queued') throw updateRefused('queued')
  if (row && !isDraftKind(row)) throw updateRefused('not_draft')
  return row
}

interface SaveOptions {
  /** Id of the draft to update. */
  readonly invoiceId?: string | undefined
  /** Details of the event. */
  readonly details?: Readonly<Record<string, unknown>>
}

/** Writes a validated document to its draft, or as a new draft. */
export async function saveDraft(
  tx: Tx,
  call: Call,
  sent: unknown,
  validated: Validated,
  { invoiceId, details = {} }: SaveOptions = {},
): Promise<SaveResult> {
  const columns = draftColumns(validated.data)
  const before = await draftToUpdate(tx, columns.external_ref, invoiceId)
  await requireMatchingEtag(tx, call, before?.invoice_id)
  const kind = { invoice_id: randomUUID(), direction: 'issued', status: 'draft', imported: 0 } as const
  const who = actionOf(call)
  const written = { validation: validated, sent, details }
  const { invoice_id } = before
    ? await updateValidated(tx, who, 'updated', before, columns, written)
    : await insertValidated(tx, who, 'created', { ...kind, ...columns }, written)
  return { success: validated.is_valid, id: invoice_id, errors: validated.errors }
}

/**
 * Validates a saved draft by today's rules, and stores the result. Values that were deduced from the company at the
 * last save do not change; a warning lists those that would be different today.
 */
export async function revalidateDraft(tx: Tx, call: Call, invoiceId: string): Promise<SavedValidateResult> {
  const row = await requireLocked(tx, invoiceId, isDraftKind)
  await requireMatchingEtag(tx, call, row.invoice_id)
  const document = await documentToValidate(tx, invoiceId)
  // Refusals are not thrown. If, for example, the company's tax id has changed, the mismatch is one of the errors.
  const validation = validateOnEventLoop(call, draftAsSaved(document), 'draft', { totals: 'check' })
  const { data, is_valid } = validation
  const changes = data ? await companyChangeWarnings(tx, call, fromJson(document.sent), data) : []
  const errors = [...(await withWarnings(tx, call, validation)), ...changes]
  const columns = data ? draftColumns(data) : {}
  await updateValidationResult(tx, actionOf(call), row, document, columns, { ...validation, errors })
  return { id: invoiceId, is_valid, status: row.status, errors }
}

export async function deleteDraft(tx: Tx, call: Call, invoiceId: string): Promise<void> {
  // The lock also finds issued invoices, which get their own error below instead of status 404.
  const row = await requireLocked(tx, invoiceId, isIssuedKind)
  if (row.status !== 'draft')
    throw new ApiError('invoice_delete_not_allowed', {
      reasons: [row.status === 'queued' ? 'queued' : 'not_a_draft'],
    })
  await requireMatchingEtag(tx, call, row.invoice_id)
  await deleteInvoiceWithFiles(tx, call, actionOf(call), row)
}
