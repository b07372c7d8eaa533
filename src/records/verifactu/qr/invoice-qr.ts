/** Builds the QR code of an invoice as printed on it. */

import type { CanonicalInvoice, Locale, ValidationItem } from '#core/invoice/index.ts'
import { itemCollectorOf, type ListCode } from '#core/messages/index.ts'
import { checkMembers } from '../../fiscal/check-options.ts'
import type { Validated } from '../../fiscal/fiscal-document.ts'
import { chargedTotal } from '../../fiscal/fiscal-operation.ts'
import { toFecha, toImporte } from '../../fiscal/literals.ts'
import { QR_CODES as QR_CODES_TEXTS } from '../generated/texts/records.ts'
import { INVOICE_CODES } from '../model/invoice-items.ts'
import { issuedInvoice } from '../record/issued-invoice.ts'
import { QrError } from './fault.ts'
import { legendsOf, type QrLegends } from './legends.ts'
import { type QrSvgOptions, qrSvg } from './svg.ts'
import { type QrAddress, qrUrl } from './url.ts'

/** Address and drawing of the code, and the language of `items`. */
export interface InvoiceQrOptions extends QrAddress, QrSvgOptions {
  readonly locale?: Locale | undefined
}

/** The code and texts to print. */
export interface InvoiceQr {
  readonly url: string
  /** The code as an SVG document, in millimetres. */
  readonly svg: string
  readonly legends: QrLegends
}

/** Codes of the items that prevent a QR code. */
export type InvoiceQrCode = keyof typeof QR_CODES | ListCode

export interface InvoiceQrResult {
  /** `null` if `items` prevent the code. */
  readonly qr: InvoiceQr | null
  readonly items: readonly ValidationItem<InvoiceQrCode>[]
}

const OPTIONS = {
  environment: ['production', 'test'],
  verifiable: 'boolean',
  size: 'number',
  quietZone: 'number',
  legend: 'any',
  fontSize: 'number',
  locale: ['en', 'es'],
} as const

const QR_CODES = { ...QR_CODES_TEXTS, ...INVOICE_CODES }

/**
 * Builds the QR code of an issued invoice: address, drawing and legends.
 *
 * `invoice` is the result of `validate(sent, { operation: 'issue' })` or `'import'`, with number and date, or its
 * `data`. The amount is that of the registration record: without foreign one-stop-shop tax, withholding and
 * disbursements. The address shows the invoice only after the record has been sent to the tax authority.
 *
 * `items` state why there is no code. Throws a `TypeError` for an unknown option, and a `QrError` for a size that the
 * law does not allow. Source: RD 1619/2012 art. 6.5; Orden HAC/1177/2024 arts. 20 and 21.
 *
 * @example
 * invoiceQr({ is_valid: false, errors: [], data: null }).items.map((item) => item.code) // => ['record.invalid_invoice']
 */
export function invoiceQr(
  invoice: CanonicalInvoice | Validated,
  options: InvoiceQrOptions = {},
): InvoiceQrResult {
  checkMembers(options, OPTIONS, 'options of invoiceQr')
  const { environment, verifiable = true, locale = 'en', ...drawing } = options
  const { items, refuse } = itemCollectorOf(QR_CODES, locale)
  const issued = issuedInvoice(invoice, refuse)
  if (!issued?.issuer || items.length > 0) return { qr: null, items }
  const { block, issuer } = issued
  const numSerie = block.header.invoice_number!.trim()
  const importe = toImporte(chargedTotal(block))
  let url: string
  try {
    const fecha = toFecha(block.issue_data.issue_date!)
    url = qrUrl({ nif: issuer, numSerie, fecha, importe, environment, verifiable })
  } catch (error) {
    const field = error instanceof QrError ? error.field : undefined
    if (field === 'numSerie')
      refuse('qr.invoice_number', '/invoice/header/invoice_number', { received: numSerie })
    else if (field === 'importe') refuse('qr.amount', '/invoice/totals/invoice_total', { received: importe })
    else throw error
    return { qr: null, items }
  }
  return { qr: { url, svg: qrSvg(url, drawing), legends: legendsOf(verifiable) }, items }
}
