/** Tests that recognition reads the PDFs of issued golden invoices without a tax QR, for every template. */

import { renderPdf, TEMPLATES } from 'cuadra-pdf/index.ts'
import { getDocumentProxy } from 'unpdf'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { validate } from '#engine/index.ts'
import { type GoldenInvoice, goldenInvoices } from '#test/engine/golden-invoices.ts'
import { invoiceOf, LINE } from '#test/formats/invoice.ts'
import { sized } from '#test/size.ts'
import { viewOf } from '#view/index.ts'
import { proposeInvoice, statusOf } from '../src/fields/index.ts'
import type { Page } from '../src/index.ts'
import { textLayerOf } from '../src/reader/text-layer.ts'

const CUSTOMER = 'B77777779'
/** The sample prints every n-th invoice with each template. */
const STEP = sized(TEMPLATES.length * 8, 4, 1)

/** Those whose amounts in two currencies contradict each other have no total that could be read correctly. */
const golden = goldenInvoices().filter(
  ({ name, invoice: { meta, invoice } }) =>
    meta.direction === 'issued' &&
    invoice.customer?.tax_id === CUSTOMER &&
    !name.startsWith('invoice_currency_mismatch'),
)

async function pagesOf(pdf: Uint8Array): Promise<Page[]> {
  const document = await getDocumentProxy(Uint8Array.from(pdf), { verbosity: 0 })
  const pages: Page[] = []
  for (let at = 1; at <= document.numPages; at++) {
    const { page } = await textLayerOf(await document.getPage(at))
    if (page) pages.push(page)
  }
  await document.destroy()
  return pages
}

async function proposalOf({ invoice }: GoldenInvoice, template: string) {
  const view = viewOf(invoice, { language: 'es', direction: 'issued', status: 'issued' })
  const pdf = await renderPdf(view, { template, timestamp: '2027-06-30T00:00:00Z' })
  const company = {
    tax_id: CUSTOMER,
    legal_name: invoice.invoice.customer?.name ?? '',
    person_type_code: 'J',
    default_tax_group: invoice.invoice.issue_data.tax_group_code ?? 'IVA',
  } as const
  const material = { kind: 'pdf', pages: await pagesOf(pdf), xml: null, codes: [] } as const
  return proposeInvoice(material, { company, today: '2028-01-01' })
}

/**
 * Returns the fields that must be read correctly: number, date, tax ids and total. The print of an invoice in another
 * currency has the total in both; `currency` is the one that was read.
 */
function fieldsOf(document: unknown, currency?: string) {
  const { invoice } = document as GoldenInvoice['invoice']
  const original = currency === undefined ? undefined : invoice.totals?.invoice_currency
  return {
    number: invoice.header.invoice_number,
    date: invoice.issue_data.issue_date,
    supplier: invoice.supplier.tax_id,
    customer: invoice.customer?.tax_id,
    total: original?.invoice_total ?? invoice.totals?.invoice_total,
  }
}

describe.each(TEMPLATES.map((template, at) => [template, at] as const))('template %s', (template, at) => {
  const own = golden.filter((_, index) => (index + at) % STEP === 0)

  it('prints number, date, tax ids and total so that recognition reads them correctly', async () => {
    expect(own.length).toBeGreaterThan(2)
    const wrong: unknown[] = []
    for (const one of own) {
      const proposal = await proposalOf(one, template)
      const currency = proposal.document?.invoice.issue_data.invoice_currency?.invoice_currency_code
      const [read, printed] = [fieldsOf(proposal.document), fieldsOf(one.invoice, currency)]
      const differing = Object.entries(printed).filter(([name, value]) => read[name as 'number'] !== value)
      if (differing.length > 0 || statusOf(proposal, true) === 'recognized_rejected')
        wrong.push([one.name, differing, read])
    }
    expect(wrong).toEqual([])
  })
})

describe('a printed invoice in another currency', () => {
  const printed = (invoice_currency_code: string, exchange_rate: number) => {
    const invoice_currency = { invoice_currency_code, exchange_rate, exchange_rate_date: '2026-03-13' }
    const document = invoiceOf({ lines: [LINE], issue_data: { issue_date: '2026-03-16', invoice_currency } })
    const { data } = validate(document, { operation: 'import' })
    return { name: invoice_currency_code, invoice: required(data) } as GoldenInvoice
  }

  it.each([
    ['USD', 0.92],
    ['GBP', 1.17],
    ['CHF', 1.05],
  ] as const)('is read in %s with its exchange rate, and not as euros', async (code, rate) => {
    const one = printed(code, rate)
    const proposal = await proposalOf(one, required(TEMPLATES[0]))
    const { issue_data, totals } = required(proposal.document).invoice
    expect(issue_data.invoice_currency).toEqual({
      invoice_currency_code: code,
      exchange_rate: rate,
      exchange_rate_date: '2026-03-13',
    })
    expect(totals.invoice_total).toBe(one.invoice.invoice.totals.invoice_currency?.invoice_total)
    expect(proposal.reasons).toContain('currency_foreign')
  })

  it('is read in euros if only its amounts in euros are legible', async () => {
    const proposal = await proposalOf(printed('JPY', 0.0061), required(TEMPLATES[0]))
    expect(required(proposal.document).invoice.totals.invoice_total).toBe(181.5)
    expect(required(proposal.document).invoice.issue_data.invoice_currency).toBeUndefined()
  })
})
