/** `GET /issued-invoices/{invoice_id}/export`: an issued invoice in a format of other systems. */
import type { FormatCode } from '../../../formats/index.ts'
import { attachmentNamed } from '../../documents/header-value.ts'
import { safeFileName } from '../../documents/names.ts'
import { ApiError } from '../../errors/api-error.ts'
import { documentOf, isIssuedKind } from '../../store/invoices.ts'
import type { Encoded } from '../access/answer.ts'
import type { Call } from '../access/call.ts'
import { requireInvoice } from '../invoice/require-invoice.ts'
import { isInForce } from '../invoice/statuses.ts'

export async function exportInvoice(call: Call, invoiceId: string, format: FormatCode): Promise<Encoded> {
  const row = await requireInvoice(call.store, invoiceId, isIssuedKind)
  if (!isInForce(row.status))
    throw new ApiError('invalid_status_transition', { from: row.status, to: 'exported' })
  const { canonical } = await documentOf(call.store, invoiceId)
  if (canonical === null) throw new ApiError('canonical_not_available')
  const { xml, errors } = await call.app.work.writeInvoice({ text: canonical, format, locale: call.locale })
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
