/** `GET /issued-invoices/{invoice_id}/export`: an issued invoice in a format of other systems. */
import type { FormatCode } from '../../../formats/index.ts'
import type { CanonicalInvoice } from '../../../invoice/index.ts'
import { attachmentNamed } from '../../documents/header-value.ts'
import { safeFileName } from '../../documents/names.ts'
import { ApiError } from '../../errors/api-error.ts'
import { documentOf, isIssuedKind } from '../../store/invoices.ts'
import type { Encoded } from '../access/answer.ts'
import type { Call } from '../access/call.ts'
import type { CompanyData } from '../company/company-shape.ts'
import { requireInvoice } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'

/**
 * The issuer with the company's own address where the invoice does not state one: Facturae has no invoice without, and
 * RD 1619/2012, art. 6.1.e wants it of both sides.
 */
function withIssuerAddress(document: CanonicalInvoice, { address }: CompanyData): CanonicalInvoice {
  const { invoice } = document
  const { supplier } = invoice
  const kind = supplier.person_type_code === 'F' ? 'person' : 'company'
  if (supplier[kind]?.address || address.line === null || address.province_code === null) return document
  const own = {
    address: address.line,
    ...(address.post_code === null ? {} : { post_code: address.post_code }),
    ...(address.town === null ? {} : { town: address.town }),
    country_code: 'ES',
    country_subdivision: { code: address.province_code },
  }
  return {
    ...document,
    invoice: { ...invoice, supplier: { ...supplier, [kind]: { ...supplier[kind], address: own } } },
  }
}

export async function exportInvoice(call: Call, invoiceId: string, format: FormatCode): Promise<Encoded> {
  const row = await requireInvoice(call.store, invoiceId, isIssuedKind)
  if (!isInForce(row.status))
    throw new ApiError('invalid_status_transition', { from: row.status, to: 'exported' })
  const { canonical } = await documentOf(call.store, invoiceId)
  if (canonical === null) throw new ApiError('canonical_not_available')
  const document = withIssuerAddress(JSON.parse(canonical) as CanonicalInvoice, call.company.data)
  const text = JSON.stringify(document)
  const { xml, errors } = await call.app.work.writeInvoice({ text, format, locale: call.locale })
  if (xml === null)
    throw new ApiError('export_not_possible', { format, reason: errors[0]?.extra?.reason, errors })
  return {
    status: 200,
    text: xml,
    headers: {
      'Content-Type': 'application/xml; charset=utf-8',
      'Content-Disposition': attachmentNamed(
        safeFileName(`${(row.number ?? row.invoice_id).replaceAll(/[/\\]/g, '-')}.xml`),
      ),
      'Content-Security-Policy': "default-src 'none'; sandbox",
    },
  }
}
