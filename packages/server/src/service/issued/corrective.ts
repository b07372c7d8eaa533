/**
 * Drafts a corrective invoice of type 03 or 04 from the corrected invoice (API specification, "Corrective invoices";
 * art. 15 RD 1619/2012). The draft is then issued like any other draft.
 */
import { isCorrectionReason } from '#core/catalogs/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { LINE_AMOUNTS } from '#core/invoice/terms.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { CorrectiveRequest, SaveResult } from '../../shapes/schemas.ts'
import { documentToValidate, type InvoiceRow, isIssuedKind, lockInvoice } from '../../store/invoices.ts'
import type { Tx } from '../../store/store.ts'
import { fromJson } from '../../store/stored-json.ts'
import { without } from '../../work/without-computed.ts'
import type { Call } from '../access/call.ts'
import { deducedIssueDataOf } from '../invoice/as-stored.ts'
import { referenceTakenError, updateRefused } from '../invoice/refusals.ts'
import { requireLocked } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { taxableBase, taxWithoutSurcharge } from '../invoice/tax-amounts.ts'
import { type Validated, validateOnEventLoop } from '../invoice/validate-sent.ts'
import { cannotCorrect, differenceLines, withSurcharge } from './corrective-lines.ts'
import { idByReference, saveDraft, validateDraft } from './drafts.ts'

type Members = Readonly<Record<string, unknown>>

/** The corrected invoice: its row, the document that the client sent, and the canonical one. */
interface Original {
  readonly row: InvoiceRow
  readonly sent: CanonicalInvoice
  readonly canonical: CanonicalInvoice
}

/** Throws if the request has members that its type of correction does not allow. */
function requireConsistent({
  correction_type,
  reason_code,
  lines,
  corrected_taxable_base,
  corrected_tax_amount,
}: CorrectiveRequest): void {
  if (!isCorrectionReason(reason_code))
    throw cannotCorrect(
      'corrective_reason_unknown',
      {
        en: 'Send a reason_code from 01 to 25 (catalog correction-reasons).',
        es: 'Envíe un reason_code de 01 a 25 (catálogo correction-reasons).',
      },
      { received: reason_code },
    )
  const hasLines = lines != null && lines.length > 0
  if (correction_type === 'D' && !hasLines)
    throw cannotCorrect('lines_required_for_differences', {
      en: 'Send lines with the differences, positive for increases and negative for decreases.',
      es: 'Envíe lines con las diferencias, en positivo los aumentos y en negativo las disminuciones.',
    })
  if (correction_type === 'S' && hasLines)
    throw cannotCorrect('lines_only_for_differences', {
      en: 'A correction by substitution copies the lines of the original. Omit lines, and change the draft with PUT /drafts.',
      es: 'Una rectificación por sustitución toma las líneas de la original. No envíe lines y cambie el borrador con PUT /drafts.',
    })
  if (correction_type === 'D' && (corrected_taxable_base ?? corrected_tax_amount) != null)
    throw cannotCorrect('corrected_amounts_only_for_substitution', {
      en: 'A correction by differences states only the differences. Omit corrected_taxable_base and corrected_tax_amount.',
      es: 'Una rectificación por diferencias indica solo las diferencias. No envíe corrected_taxable_base ni corrected_tax_amount.',
    })
}

/** Members of the totals that the client can send. */
const TOTALS_INPUTS = [
  'general_discounts',
  'general_surcharges',
  'payments_on_account',
  'reimbursable_expenses',
  'rounding_amount',
]
const NO_TOTALS = { total_gross_amount_before_taxes: 0, total_tax_outputs: 0, invoice_total: 0 }

const header = ({ row, sent, canonical }: Original, request: CorrectiveRequest): Members => {
  const { references } = sent.invoice.header
  return {
    invoice_type_code: canonical.invoice.header.is_simplified ? '04' : '03',
    invoice_series_code: request.series_code,
    ...(references && { references }),
    corrective: {
      reason_code: request.reason_code,
      ...(request.reason_description != null && { reason_description: request.reason_description }),
      invoice_number: row.number,
      invoice_series_code: row.series,
      invoice_issue_date: row.issue_date,
      correction_type: request.correction_type,
      ...(request.correction_type === 'S' && {
        corrected_taxable_base: request.corrected_taxable_base ?? taxableBase(canonical),
        corrected_tax_amount: request.corrected_tax_amount ?? taxWithoutSurcharge(canonical),
      }),
    },
  }
}

/** Returns the members that a correction by substitution copies: the lines, and the totals that the client sent. */
function substituted({ sent }: Original): Members {
  const { lines, taxes_outputs, taxes_withheld, totals, additional_data, payment_terms } = sent.invoice
  const given: Members = { ...totals }
  const inputs = TOTALS_INPUTS.map((name) => [name, given[name]] as const)
  return {
    lines: lines.map((line) => without(line, LINE_AMOUNTS)),
    ...(taxes_outputs && { taxes_outputs }),
    ...(taxes_withheld && { taxes_withheld }),
    ...(additional_data && { additional_data }),
    ...(payment_terms !== undefined && { payment_terms }),
    totals: { ...NO_TOTALS, ...Object.fromEntries(inputs.filter(([, value]) => value !== undefined)) },
  }
}

/** Builds the invoice of the draft, without the calculated totals. */
function draftOf(original: Original, request: CorrectiveRequest): Record<string, unknown> {
  const { supplier, customer, issue_data, legal_literals } = original.sent.invoice
  const byDifferences = request.correction_type === 'D'
  // The date of operation is copied, because tax rates depend on it. Tax group and territory are copied, because the
  // tax that was charged is corrected. The currency is not copied for differences, which are in euros.
  const left = ['issue_date', 'receipt_date', ...(byDifferences ? ['invoice_currency'] : [])]
  return {
    supplier,
    ...(customer && { customer }),
    header: header(original, request),
    issue_data: { ...deducedIssueDataOf(original.canonical), ...without(issue_data, left) },
    ...(legal_literals && { legal_literals }),
    ...(byDifferences
      ? { lines: differenceLines(original.canonical, request.lines ?? []), totals: NO_TOTALS }
      : substituted(original)),
  }
}

/** Builds the document as a client would send it, with the totals computed from its lines. */
function documentFor(call: Call, original: Original, request: CorrectiveRequest): unknown {
  const invoice = draftOf(original, request)
  const { source_system } = original.sent.meta
  const document = {
    schema_version: 'json_1_1',
    meta: { direction: 'issued', source_system, external_ref: request.external_ref },
    invoice,
  }
  const compute = () => validateOnEventLoop(call, document, 'draft').data
  let computed = compute()
  // If the totals cannot be computed, the validation of the draft reports the errors.
  if (!computed) return document
  const entries = request.correction_type === 'D' ? withSurcharge(original.canonical, computed) : undefined
  if (entries) {
    invoice.taxes_outputs = entries
    computed = compute() ?? computed
  }
  const { total_gross_amount_before_taxes, total_tax_outputs, invoice_total } = computed.invoice.totals
  invoice.totals = {
    ...Object(invoice.totals),
    total_gross_amount_before_taxes,
    total_tax_outputs,
    invoice_total,
  }
  return document
}

/** Validates the built draft. If it cannot be saved, throws `corrective_draft_invalid` with the code as the reason. */
async function validateBuilt(tx: Tx, call: Call, document: unknown): Promise<Validated> {
  try {
    return await validateDraft(tx, call, document)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    throw new ApiError('corrective_draft_invalid', { ...error.extra, reason: error.code })
  }
}

async function originalOf(tx: Tx, invoiceId: string): Promise<Original> {
  const row = await requireLocked(tx, invoiceId, isIssuedKind)
  if (!isInForce(row.status)) throw new ApiError('invoice_not_issued_for_correction', { from: row.status })
  const { sent, canonical } = await documentToValidate(tx, invoiceId)
  if (canonical === null) throw new ApiError('canonical_not_available')
  return {
    row,
    sent: fromJson(sent) as CanonicalInvoice,
    canonical: fromJson(canonical),
  }
}

/**
 * Throws if an invoice already has this reference. The error contains its id, since the request may be a repetition.
 */
async function requireFreeReference(tx: Tx, externalRef: string): Promise<void> {
  const referred = await idByReference(tx, externalRef)
  if (referred === undefined) return
  const row = await lockInvoice(tx, referred)
  throw row?.status === 'draft' ? referenceTakenError(referred) : updateRefused('other_ref', referred)
}

export async function createCorrectiveDraft(
  tx: Tx,
  call: Call,
  invoiceId: string,
  sent: CorrectiveRequest,
): Promise<SaveResult> {
  const request = {
    ...sent,
    reason_code: sent.reason_code.trim(),
    series_code: sent.series_code.trim(),
    external_ref: sent.external_ref.trim(),
  }
  const original = await originalOf(tx, invoiceId)
  await requireFreeReference(tx, request.external_ref)
  requireConsistent(request)
  const document = documentFor(call, original, request)
  const validated = await validateBuilt(tx, call, document)
  return saveDraft(tx, call, document, validated, {
    details: { corrects: { invoice_id: invoiceId, number: original.row.number } },
  })
}
