/** Builds the page of an invoice from its canonical document. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { breakdownOf } from './breakdown-view.ts'
import { linesOf } from './line-view.ts'
import { pageLanguageOf } from './page-language.ts'
import { partyOf } from './party-view.ts'
import { paymentOf } from './payment-view.ts'
import { subjectOf } from './subject.ts'
import { detailsOf, sumsOf } from './sums-view.ts'
import { correctedOf, factsOf } from './view-facts.ts'
import { PAGE, TITLES } from './view-labels.ts'
import type { InvoiceView, QrView, ViewLanguage } from './view-model.ts'
import { mentionsOf, notesOf } from './view-texts.ts'

/** Data of the page that the document does not have. */
export interface ViewOptions {
  readonly language: ViewLanguage
  readonly direction: 'issued' | 'received'
  /** `draft` and `cancelled` appear as a watermark, and the page shows no payment as due. */
  readonly status: 'draft' | 'issued' | 'received' | 'cancelled'
  /** The tax QR, if the invoice has a record. */
  readonly qr?: QrView | null
  /** Day on which a received invoice was registered, `YYYY-MM-DD`. */
  readonly registered?: string | undefined
  /** Lines at the foot of every page. */
  readonly foot?: readonly string[]
  /** Address where the invoice can be paid online. */
  readonly paymentLink?: string
}

/**
 * Builds the page of an invoice. The function is pure: the same document and options give the same texts in every
 * runtime.
 *
 * @param document The canonical document, with its computed amounts.
 */
export function viewOf({ invoice }: CanonicalInvoice, options: ViewOptions): InvoiceView {
  const { language, direction, status, qr = null, registered, foot = [], paymentLink = '' } = options
  const lang = pageLanguageOf(language)
  const subject = subjectOf(invoice, direction, lang)
  const { supplier, customer, header, issue_data: issue } = invoice
  const isInForce = status === 'issued' || status === 'received'
  return {
    language,
    direction,
    title: lang.label(TITLES[header.invoice_type_code] ?? required(TITLES['01'])),
    number: header.invoice_number ?? '',
    numberLabel: header.invoice_number ? lang.label(PAGE.number).text : '',
    watermark: isInForce ? null : lang.text(PAGE[status]),
    facts: factsOf(subject, isInForce, registered),
    supplier: partyOf(subject, PAGE.supplier, supplier, customer),
    customer: customer ? partyOf(subject, PAGE.customer, customer, supplier) : null,
    corrected: correctedOf(subject),
    about: issue.invoice_description ?? '',
    lines: linesOf(subject),
    breakdown: breakdownOf(subject),
    sums: sumsOf(subject),
    details: detailsOf(subject),
    payment: paymentOf(subject, isInForce, paymentLink),
    mentions: mentionsOf(subject),
    notes: notesOf(subject),
    qr,
    foot: direction === 'received' ? [lang.text(PAGE.fromRegister), ...foot] : foot,
    pageOf: lang.label(PAGE.pageOf),
  }
}
