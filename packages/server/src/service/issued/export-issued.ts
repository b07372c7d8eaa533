/** `GET /issued-invoices/{invoice_id}/export`: exports an issued invoice to another invoice format. */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import type { FormatCode, ProfileCode } from '#formats/index.ts'
import { spanishTimestamp } from '#records/fiscal/index.ts'
import { invoiceFileName } from '../../documents/file-names.ts'
import { attachmentDisposition } from '../../documents/header-value.ts'
import { ApiError, wrongStatus } from '../../errors/api-error.ts'
import { type InvoiceRow, isIssuedKind } from '../../store/invoices.ts'
import { fromJson, type Json } from '../../store/stored-json.ts'
import { withIssuerAddress } from '../../work/issuer-address.ts'
import { type Call, clientOf } from '../access/call.ts'
import type { EncodedResponse } from '../access/http-response.ts'
import { validCertificate } from '../company/certificates.ts'
import { displayedAddressOf } from '../invoice/as-stored.ts'
import { readDocument } from '../invoice/read-document.ts'
import { requireInvoice } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'
import { logAndListFailure, signingKeyOf } from '../verifactu/signing.ts'

const refused = (format: FormatCode, reason: string, more: object = {}): ApiError =>
  new ApiError('export_not_possible', { format, reason, ...more })

/** Signs with the company's certificate under the signature policy of Facturae. */
async function signed(call: Call, format: FormatCode, xml: string): Promise<string> {
  const { app, store } = call
  if (format !== 'facturae_3_2_2') throw refused(format, 'not_signed')
  const certificate = await validCertificate(store, app, app.clock.now())
  if (!certificate) throw refused(format, 'no_certificate')
  try {
    const key = await signingKeyOf(store, call, certificate)
    const { signFacturae } = await import('cuadra-authority/index.ts')
    return await signFacturae(xml, { ...key, timestamp: spanishTimestamp(app.clock.now()) })
  } catch (error) {
    throw refused(format, 'not_signed', { errors: logAndListFailure(call, error) })
  }
}

/** Writes an invoice in another format. Throws `export_not_possible` if the format cannot represent all its data. */
export async function invoiceXml(
  call: Call,
  row: InvoiceRow,
  canonical: Json<CanonicalInvoice>,
  format: FormatCode,
  profile?: ProfileCode,
): Promise<string> {
  const stored = fromJson(canonical)
  const document = withIssuerAddress(stored, displayedAddressOf(row, call.company.data))
  const text = document === stored ? canonical : JSON.stringify(document)
  const { xml, errors } = await call.app.work.writeInvoice(
    { text, format, profile, locale: call.locale },
    clientOf(call),
  )
  if (xml === null) throw refused(format, String(errors[0]?.extra?.reason), { errors })
  return xml
}

/** Returns an issued invoice as a file in another format. Throws if the format cannot represent all its data. */
export async function exportInvoice(
  call: Call,
  invoiceId: string,
  {
    format,
    profile,
    sign = false,
  }: {
    readonly format: FormatCode
    readonly profile?: ProfileCode | undefined
    readonly sign?: boolean | undefined
  },
): Promise<EncodedResponse> {
  const row = await requireInvoice(call.store, invoiceId, isIssuedKind)
  if (!isInForce(row.status)) throw wrongStatus(row.status, 'exported')
  const { canonical } = await readDocument(call, invoiceId)
  if (canonical === null) throw new ApiError('canonical_not_available')
  const xml = await invoiceXml(call, row, canonical, format, profile)
  return {
    status: 200,
    text: sign ? await signed(call, format, xml) : xml,
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Content-Disposition': attachmentDisposition(
        invoiceFileName(row.number ?? row.invoice_id, sign ? 'xsig' : 'xml'),
      ),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  }
}
