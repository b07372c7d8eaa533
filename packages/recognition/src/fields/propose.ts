/**
 * Proposes an invoice from a document. The way: pages, their text in cells (`cells`), candidates for each field
 * (`candidates`), the fields on which they agree with score and reasons (`agreement`), the invoice (`proposal`).
 */
import { type CanonicalInvoiceInput, collapseLines } from '#core/invoice/index.ts'
import { toMinor } from '#core/money/index.ts'
import type { FileContent, Page } from '../material.ts'
import {
  fieldsOf,
  mandatoryOf,
  type ProposalContext,
  reasonsFor,
  when,
  withStated,
} from './agreement/agree.ts'
import type { Proposal } from './agreement/score.ts'
import { readStatedCii } from './agreement/stated.ts'
import { differencesFromKnownSupplier } from './agreement/supplier-memory.ts'
import { INVOICE_WORD, kindReasons } from './candidates/document-kind.ts'
import { figuresIn } from './candidates/figure-kinds.ts'
import { taxQrOfInvoice, taxQrsOf } from './candidates/qr-fields.ts'
import { type DocumentCells, documentCellsOf } from './cells/cells.ts'
import type { ReasonCode } from './field-reasons.ts'
import { TRUST } from './found.ts'
import { writeDocument } from './proposal/document-fields.ts'

/** Number of mandatory fields that identify an invoice. */
const CORE = 4

/**
 * Returns the cells of the pages with text, if the others are only pictures, such as advertising: the text has a title
 * and a total. Otherwise returns the cells of all pages.
 */
function invoiceSheetOf(pages: readonly Page[], whole: DocumentCells): DocumentCells {
  const texts = pages.filter(({ source }) => source === 'text')
  if (texts.length === 0 || texts.length === pages.length) return whole
  const sheet = documentCellsOf(texts)
  const isInvoice = INVOICE_WORD.test(sheet.plain) && figuresIn(sheet).some(({ isStated }) => isStated)
  return isInvoice ? sheet : whole
}

/** Returns the proposal from the text, OCR and tax QR of a document, and from an embedded XML without lines. */
export function proposeInvoice(material: FileContent, context: ProposalContext): Proposal {
  const whole = documentCellsOf(material.pages)
  const sheet = invoiceSheetOf(material.pages, whole)
  const codes = taxQrsOf(material.codes)
  const figures = figuresIn(sheet)
  const chosen = taxQrOfInvoice(codes, sheet, figures)
  const printed = fieldsOf(sheet, figures, chosen, context)
  const stated = material.xml ? readStatedCii(material.xml.bytes) : undefined
  const fields = stated ? withStated(printed.fields, stated, figures, context) : printed.fields
  const isAddressed = printed.isAddressed || stated?.customerTaxId === context.company.tax_id
  const { document, scores } = writeDocument(fields, material.kind)
  const { number, supplierName, amounts } = fields
  const mandatory = mandatoryOf(fields)
  const core = mandatory.slice(0, CORE).map(({ score }) => score)
  // The title of a photographed ticket is often cut off or misread.
  const isTicket = sheet.source === 'ocr' && figures.length > 1
  const isInvoice = codes.length > 0 || INVOICE_WORD.test(sheet.plain) || amounts !== undefined || isTicket
  return {
    document: collapseLines(document),
    scores,
    mandatory,
    // If the supplier's name needs a review, its score is included.
    weakest: Math.min(...core.filter((score) => score > 0), supplierName?.reasons ? supplierName.score : 1),
    reasons: [
      ...kindReasons(whole, number?.value, codes.length > 0),
      ...reasonsFor(fields, isAddressed, sheet),
      ...when(chosen?.isConfirmed === false, 'code_unconfirmed'),
      ...when(codes.length > 1, 'several_codes'),
      ...differencesFromKnownSupplier(document, context.known),
    ],
    isRead: isInvoice && core.some((score) => score > 0),
  }
}

/** Yields the JSON Pointer of every leaf of a value. */
function* leavesOf(value: unknown, at: string): Generator<string> {
  if (value === null || typeof value !== 'object') yield at
  else for (const [name, one] of Object.entries(value)) yield* leavesOf(one, `${at}/${name}`)
}

/** Returns the reasons why an invoice in XML may not be one that the company received. */
function xmlReasons({ invoice }: CanonicalInvoiceInput, { company }: ProposalContext): ReasonCode[] {
  const { customer, supplier, header, issue_data } = invoice
  const currency = issue_data.invoice_currency?.invoice_currency_code ?? 'EUR'
  return [
    ...when(supplier.tax_id === company.tax_id, 'supplier_is_company'),
    ...when(customer?.tax_id !== undefined && customer.tax_id !== company.tax_id, 'customer_is_other'),
    ...when(customer?.tax_id === undefined, 'customer_not_found'),
    ...when(header.invoice_type_code === '03', 'corrective'),
    ...when(currency !== 'EUR', 'currency_foreign'),
  ]
}

/** Returns the proposal from an embedded XML, whose fields need no interpretation. */
export function proposeXml(
  document: CanonicalInvoiceInput,
  material: FileContent,
  context: ProposalContext,
): Proposal {
  const pointers = [...leavesOf(document.invoice, '/invoice')]
  const scores = Object.fromEntries(pointers.map((pointer) => [pointer, TRUST.certain as number]))
  const { invoice_total, total_executable_amount } = document.invoice.totals
  const sheet = documentCellsOf(material.pages)
  const printed = figuresIn(sheet).map(({ value }) => value)
  const totals = [invoice_total, total_executable_amount ?? invoice_total].map((amount) => toMinor(amount))
  const isDenied = printed.length > 0 && !totals.some((total) => printed.includes(total))
  if (isDenied) scores['/invoice/totals/invoice_total'] = TRUST.found
  const { header, issue_data, supplier } = document.invoice
  const core = [header.invoice_number, issue_data.issue_date, supplier.tax_id]
  const missing = ['number_missing', 'date_missing', 'supplier_missing'] as const
  const mandatory = [...core.map((one) => (one ? TRUST.certain : 0)), isDenied ? TRUST.found : TRUST.certain]
  return {
    document: collapseLines(document),
    scores,
    mandatory: mandatory.map((score, at) => ({
      score,
      least: TRUST.named,
      doubt: missing[at] ?? 'xml_contradicted',
    })),
    weakest: Math.min(...mandatory.filter((score) => score > 0)),
    reasons: [
      ...kindReasons(sheet, header.invoice_number, true),
      ...xmlReasons(document, context),
      ...when(isDenied, 'xml_contradicted'),
      ...differencesFromKnownSupplier(document, context.known),
    ],
    isRead: true,
  }
}
