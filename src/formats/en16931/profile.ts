/** Applies a profile to the semantic model: adds the data that it requires, and refuses the data that it forbids. */

import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { multiply, toMinor, toNumber } from '#core/money/index.ts'
import type { Profile, WritingReport } from '../model/index.ts'
import type { EnInvoice, Line, Note, Party, Payment } from './en16931-model.ts'
import { countryOf, vatIdOf } from './write-party.ts'

/** EAS scheme of an electronic address that is a Spanish VAT number. */
const SPANISH_VAT = '9920'
const DIRECT_DEBITS: ReadonlySet<string> = new Set(['49', '59'])

const asOne = (notes: readonly Note[]): Note[] =>
  notes.length === 0 ? [] : [{ text: notes.map(({ text }) => text).join('\n') }]

function withEndpoint(
  party: Party,
  sent: CanonicalInvoice['invoice']['supplier' | 'customer'],
  role: 'supplier' | 'customer',
  report: WritingReport,
): Party {
  if (party.endpoint) return party
  // `party.vatId` is absent in an invoice that is not subject to tax, so the VAT number is built from the tax id.
  const vatId = sent?.tax_id === undefined ? undefined : vatIdOf(sent.tax_id, countryOf(sent))
  if (vatId?.startsWith('ES')) return { ...party, endpoint: { value: vatId, scheme: SPANISH_VAT } }
  report.refuse('missing', `/invoice/${role}/electronic_address`)
  return party
}

function withMandate(payment: Payment | undefined, report: WritingReport): Payment | undefined {
  if (payment?.code === undefined || !DIRECT_DEBITS.has(payment.code)) return payment
  if (payment.reference === undefined)
    report.refuse('missing', '/invoice/payment_details/0/payment_reconciliation_reference')
  return { ...payment, mandate: payment.reference }
}

/** Refuses lines whose price was rounded so much that quantity x price is not the amount of the line. */
function checkLine(line: Line, index: number, report: WritingReport): void {
  let expected = multiply(line.quantity, line.price)
  for (const { amount, isCharge } of line.allowances) expected += (isCharge ? 1 : -1) * toMinor(amount)
  if (Math.abs(expected - toMinor(line.net)) > 2)
    report.refuse('sums', `/invoice/lines/${index}/gross_amount_without_tax`, {
      received: line.net,
      expected: toNumber(expected),
    })
}

export function withProfile(
  invoice: EnInvoice,
  { supplier, customer }: CanonicalInvoice['invoice'],
  profile: Profile,
  report: WritingReport,
): EnInvoice {
  const { documentTypes, oneNote, endpoints, mandate, exactLines } = profile
  if (documentTypes && !documentTypes.includes(invoice.typeCode))
    report.refuse('document_type', '/invoice/header/invoice_type_code', { received: invoice.typeCode })
  if (exactLines)
    invoice.lines.forEach((line, index) => {
      checkLine(line, index, report)
    })
  return {
    ...invoice,
    notes: oneNote ? asOne(invoice.notes) : invoice.notes,
    seller: endpoints ? withEndpoint(invoice.seller, supplier, 'supplier', report) : invoice.seller,
    buyer: endpoints ? withEndpoint(invoice.buyer, customer, 'customer', report) : invoice.buyer,
    payment: mandate ? withMandate(invoice.payment, report) : invoice.payment,
  }
}
