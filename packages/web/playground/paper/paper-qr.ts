/** The QR of a valid invoice, or the reason why it has no QR. */
import type { Locale } from '#engine/index.ts'
import { invoiceQr } from '#records/verifactu/qr/invoice-qr.ts'
import type { QrView } from '#view/index.ts'
import type { Assessment } from '../assess/assess.ts'
import { messagesOf } from '../messages/ui.ts'

export interface Qr extends QrView {
  readonly svg: string
}

export type QrResult = { readonly qr: Qr } | { readonly reason: string }

export function qrOf(
  { data, valid, readable, operation }: Assessment,
  locale: Locale,
  verifiable = true,
): QrResult {
  const { qrNeeds } = messagesOf(locale)
  if (!readable || !valid || !data) return { reason: qrNeeds.invalid }
  if (operation === 'received') return { reason: qrNeeds.received }
  const { header, issue_data } = data.invoice
  if (header.invoice_number === undefined || issue_data.issue_date === undefined)
    return { reason: qrNeeds.number }
  if (operation === 'draft') return { reason: qrNeeds.draft }
  const { qr, items } = invoiceQr(data, { locale, verifiable })
  if (!qr) return { reason: items.map(({ message }) => message).join(' ') }
  const { url, svg, legends } = qr
  return { qr: { content: url, svg, above: legends.above, below: legends.below?.short ?? '' } }
}
