/** The payment on the page of an invoice with nothing to pay: a credit note, or an invoice paid in advance. */
import { describe, expect, it } from 'vitest'
import { viewOf } from '#view/index.ts'
import { issued, LINE } from '../formats/invoice.ts'

const IBAN = 'ES9121000418450200051332'
const page = (parts: Record<string, unknown>, language: 'es' | 'en' = 'es') =>
  viewOf(issued(parts), {
    language,
    direction: 'issued',
    status: 'issued',
    paymentLink: 'https://pagos.example/F26-0007',
  })
const payment_details = [
  { installment_due_date: '2026-04-16', payment_method_code: '04', iban_account_to_be_credited: IBAN },
]
const credited = { lines: [{ ...LINE, quantity: -3 }], payment_details }

describe('the page of a credit note', () => {
  it('asks for no payment, and states the refund', () => {
    const { payment } = page({ ...credited, payment_terms: 'Se abona en la cuenta del cliente.' })
    expect(payment).toMatchObject({
      label: { text: 'Devolución' },
      terms: 'Se abona en la cuenta del cliente.',
      link: null,
      transfers: [],
      instalments: [{ due: '16/04/2026', amount: '-181,50 €' }],
    })
    expect(payment?.columns[0].label.text).toBe('Fecha')
    expect(page(credited, 'en').payment?.label.text).toBe('Refund')
  })

  it('has no payment section if it states nothing about the refund', () => {
    expect(page({ lines: credited.lines }).payment).toBeNull()
  })

  it('names the amount to pay as an amount to refund', () => {
    const withheld = page({ lines: [{ ...credited.lines[0], tax_withheld_rate: 15 }] })
    expect(withheld.sums.at(-1)).toMatchObject({ label: { text: 'Total a devolver' }, weight: 'pay' })
  })
})

describe('the page of an invoice paid in advance', () => {
  const paid = {
    payment_details,
    payment_terms: 'Cobrada con tarjeta.',
    totals: {
      total_gross_amount_before_taxes: 0,
      total_tax_outputs: 0,
      invoice_total: 0,
      payments_on_account: [{ payment_on_account_date: '2026-03-01', payment_on_account_amount: 181.5 }],
    },
  }

  it('states its terms, and no due date, account, link or code', () => {
    expect(page(paid).payment).toMatchObject({
      label: { text: 'Nada pendiente de pago' },
      terms: 'Cobrada con tarjeta.',
      link: null,
      transfers: [],
      instalments: [],
    })
  })
})
