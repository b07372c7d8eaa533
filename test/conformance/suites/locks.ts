/** Filed returns over HTTP: what they lock. The administrator files them. */

import { fileReturn, removeFiledReturn } from 'cuadra-server/service/invoice/filed-returns.ts'
import { expect } from 'vitest'
import type { TestCompany, TestServer } from '../harness.ts'
import { type Document, nextRef, received } from '../invoices.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const STAMP = '2026-11-20T10:00:00.000000'

export function locksSuite(server: () => TestServer): void {
  const { call } = stepsOf(server)
  const it = itWithCompany(server)
  const put = (company: TestCompany, body: Document, query = '') =>
    call('PUT', `/received-invoices${query}`, { key: company.key, body })
  const file = ({ id }: TestCompany, period: string) =>
    server().transaction((tx) => fileReturn(tx.of(id), period, STAMP))
  const remove = ({ key }: TestCompany, id: string) => call('DELETE', `/received-invoices/${id}`, { key })
  const statusOf = async ({ key }: TestCompany, id: string) =>
    (await call('GET', `/received-invoices/${id}`, { key })).json.status
  const receivedOn = (company: TestCompany, day: string, invoice: Record<string, unknown> = {}): Document => {
    const body = received({ taxId: company.data.tax_id, number: nextRef('L'), invoice })
    body.invoice.issue_data.receipt_date = day
    return body
  }
  const double = (body: Document): Document => {
    const changed = structuredClone(body)
    changed.invoice.lines[0].unit_price_without_tax = 200
    changed.invoice.totals = {
      total_gross_amount_before_taxes: 200,
      total_tax_outputs: 42,
      invoice_total: 242,
    }
    return changed
  }

  it('a received invoice in a filed return rejects changes of its fiscal data, and names the fields', async () => {
    const company = await server().company()
    const body = receivedOn(company, '2026-03-10')
    const { id } = (await put(company, body)).json
    await file(company, '2026-Q1')
    await file(company, '2026-03')
    const { status, json } = await put(company, double(body))
    expect([status, json.detail.code]).toEqual([409, 'received_invoice_fiscally_locked'])
    expect(json.detail.reasons).toEqual(['filed_return:2026-03', 'filed_return:2026-Q1'])
    expect(json.detail.locked_fields_changed).toEqual(
      expect.arrayContaining([
        '/invoice/lines/0/unit_price_without_tax',
        '/invoice/taxes_outputs/0/taxable_base',
        '/invoice/totals/invoice_total',
      ]),
    )
    const moved = structuredClone(body)
    moved.invoice.issue_data.receipt_date = '2026-04-10'
    expect((await put(company, moved)).json.detail.locked_fields_changed).toEqual([
      '/invoice/issue_data/receipt_date',
    ])
    const other = receivedOn(company, '2026-03-10')
    expect((await put(company, other, `?invoice_id=${id}`)).json.detail.locked_fields_changed).toEqual([
      '/invoice/header/invoice_number',
    ])
    const { json: summary } = await call('GET', `/received-invoices/${id}`, { key: company.key })
    expect(summary).toMatchObject({ total: 121, number: body.invoice.header.invoice_number })
  })

  it('data that is not fiscal may still be corrected', async ({ company }) => {
    const body = receivedOn(company, '2026-03-10')
    const { id } = (await put(company, body)).json
    await file(company, '2026-Q1')
    body.invoice.issue_data.invoice_description = 'Mejor descripción'
    body.invoice.lines[0].item_description = 'Mejor material'
    body.invoice.lines[0].article_code = 'ART-1'
    body.invoice.supplier.telephone = '964000000'
    body.invoice.payment_details = [{ installment_due_date: '2026-05-01', installment_amount: 121 }]
    body.meta.external_ref = 'LATER'
    expect((await put(company, body)).json).toEqual({ success: true, id, errors: [] })
    delete body.invoice.issue_data.receipt_date
    expect((await put(company, body)).status).toBe(201)
    // An error in other data does not remove the invoice from the books that were declared.
    body.invoice.payment_details = [{ installment_amount: 60 }, { installment_amount: 61 }]
    const wrong = (await put(company, body)).json
    expect(wrong).toMatchObject({ success: false, id })
    expect(wrong.errors[0].code).toBe('installment_due_date_required')
    expect(await statusOf(company, id)).toBe('received')
    const validated = await call('POST', `/received-invoices/${id}/validate`, { key: company.key })
    expect(validated.json).toMatchObject({ is_valid: false, status: 'received' })
  })

  it('an invoice is not moved into a filed return', async ({ company }) => {
    const body = receivedOn(company, '2026-04-10')
    await put(company, body)
    await file(company, '2026-Q1')
    body.invoice.issue_data.receipt_date = '2026-03-31'
    const { status, json } = await put(company, body)
    expect([status, json.detail.code]).toEqual([409, 'received_invoice_fiscally_locked'])
    expect(json.detail.reasons).toEqual(['filed_return:2026-Q1'])
    expect(json.detail.locked_fields_changed).toEqual(['/invoice/issue_data/receipt_date'])
  })

  it('the date of receipt determines the period, and each company files its own returns', async () => {
    const company = await server().company()
    const body = receivedOn(company, '2026-04-10')
    await put(company, body)
    await file(company, '2026-Q1')
    await file(await server().company(), '2026-Q2')
    expect((await put(company, double(body))).status).toBe(201)
    await file(company, '2026-04')
    expect((await put(company, body)).status).toBe(409)
    expect(await server().transaction((tx) => removeFiledReturn(tx.of(company.id), '2026-04'))).toBe(true)
    expect(await server().transaction((tx) => removeFiledReturn(tx.of(company.id), '2026-04'))).toBe(false)
    expect((await put(company, body)).status).toBe(201)
  })

  it('an invoice in a filed return is not deleted, but a draft, which was not declared, may be completed or deleted', async () => {
    const company = await server().company()
    const wrong = {
      totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 21, invoice_total: 5 },
    }
    const declared = (await put(company, receivedOn(company, '2026-03-10'))).json.id
    const pending = receivedOn(company, '2026-03-11', wrong)
    const finished = (await put(company, pending)).json
    const dropped = (await put(company, receivedOn(company, '2026-03-12', wrong))).json
    expect([finished.success, dropped.success]).toEqual([false, false])
    await file(company, '2026-Q1')
    const kept = await remove(company, declared)
    expect([kept.status, kept.json.detail.code]).toEqual([409, 'invoice_delete_not_allowed'])
    expect(kept.json.detail.reasons).toEqual(['filed_return:2026-Q1'])
    expect((await remove(company, dropped.id)).status).toBe(204)
    pending.invoice.totals.invoice_total = 121
    expect((await put(company, pending)).json).toEqual({ success: true, id: finished.id, errors: [] })
    expect(await statusOf(company, finished.id)).toBe('received')
    // From here on it is in the period like any other.
    expect((await put(company, double(pending))).json.detail.code).toBe('received_invoice_fiscally_locked')
  })

  it('a change sent while the return is being filed waits for it, and is refused', async ({ company }) => {
    const body = receivedOn(company, '2026-03-10')
    await put(company, body)
    const order: string[] = []
    let changing: ReturnType<typeof put> | undefined
    await server().transaction(async (tx) => {
      await fileReturn(tx.of(company.id), '2026-Q1', STAMP)
      changing = put(company, double(body))
      changing.then(() => order.push('changed'))
      // The server answers a later request.
      await fetch(`${server().url}/health`)
      order.push('filed')
    })
    expect((await changing)?.json.detail.code).toBe('received_invoice_fiscally_locked')
    expect(order).toEqual(['filed', 'changed'])
  })
}
