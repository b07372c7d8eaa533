/**
 * Routes of PDFs. Issued invoices and drafts are rendered as they are now, received invoices as they were registered.
 */
import { createHash } from 'node:crypto'
import { TEMPLATES } from 'cuadra-pdf/designs.ts'
import { isKnown } from '#entry/web/index.ts'
import { VIEW_LANGUAGES } from '#view/index.ts'
import { inlineDisposition } from '../../documents/header-value.ts'
import type { EncodedResponse } from '../../service/access/http-response.ts'
import { type RenderingOptions, renderedInvoice } from '../../service/invoice/rendering.ts'
import { requireInvoice } from '../../service/invoice/require-invoice.ts'
import { flag, oneOf } from '../../shapes/builders.ts'
import { type InvoiceRow, isIssuedKind, isReceivedKind } from '../../store/invoices.ts'
import { type Route, type RouteCall, route } from '../request/route.ts'

const TEMPLATE = {
  template: {
    schema: oneOf(...TEMPLATES),
    description:
      'Design and style, such as `classic-blue`. Default: the design of the series, otherwise of the company, otherwise `classic-blue`.',
  },
  language: {
    schema: oneOf(...VIEW_LANGUAGES),
    description:
      'Language of the PDF. Default: Spanish if the customer is from a Spanish-speaking country or missing, otherwise Spanish and English.',
  },
} as const

const FACTURX = {
  facturx: {
    schema: flag,
    description:
      'Returns PDF/A-3a with the invoice embedded as CII (Factur-X). Available only for invoices that are not drafts or cancelled.',
  },
} as const

interface PdfPath {
  readonly invoice_id: string
}

/** Renders an invoice as PDF, or returns 304. Rendering the same invoice always produces the same bytes. */
async function pdfOf(
  call: RouteCall<PdfPath>,
  options: RenderingOptions,
  isKind: (row: InvoiceRow) => boolean,
): Promise<EncodedResponse> {
  const row = await requireInvoice(call.store, call.params.invoice_id, isKind)
  const { pdf, language, fileName } = await renderedInvoice(call, row, options)
  const tag = `"${createHash('sha256').update(pdf).digest('hex')}"`
  const kept = { ETag: tag, 'Cache-Control': 'private, no-cache' }
  if (isKnown(call.incoming.headers['if-none-match'] ?? null, tag)) return { status: 304, headers: kept }
  return {
    status: 200,
    pieces: [pdf],
    headers: {
      ...kept,
      'Content-Type': 'application/pdf',
      'Content-Language': language.replace('-', ', '),
      'Content-Disposition': inlineDisposition(fileName),
    },
  }
}

export const PDF_ROUTES: readonly Route[] = [
  route('get /issued-invoices/{invoice_id}/pdf', {
    summary: 'Issued invoice as PDF',
    scope: 'invoices:read',
    query: { ...TEMPLATE, ...FACTURX },
    responses: { 200: 'application/pdf', 304: null },
    errors: ['canonical_not_available', 'invalid_status_transition', 'export_not_possible'],
    handle: (call) => pdfOf(call, call.query, isIssuedKind),
  }),
  route('get /received-invoices/{invoice_id}/pdf', {
    summary: 'Received invoice as PDF',
    scope: 'invoices:read',
    query: TEMPLATE,
    responses: { 200: 'application/pdf', 304: null },
    errors: ['canonical_not_available'],
    handle: (call) => pdfOf(call, call.query, isReceivedKind),
  }),
]
