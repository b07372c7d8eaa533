/** `GET .../canonical?computed=false` over HTTP: what it returns can be sent back. */

import { updateCompany } from 'cuadra-server/service/company/company.ts'
import { expect } from 'vitest'
import type { TestServer } from '../harness.ts'
import { type Document, draft, imported, nextRef, received, receivedXml } from '../invoices.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const STAMP = '2026-11-21T10:15:30.123456'
const RATE = { invoice_currency_code: 'USD', exchange_rate: 0.92, exchange_rate_date: '2026-03-02' }

/** Amounts that the client states although the engine computes them: of the line, of the breakdown, of the totals. */
const STATED = {
  lines: [
    {
      item_description: 'Alquiler',
      quantity: 2,
      unit_price_without_tax: 50,
      tax_output_rate: 21,
      tax_withheld_rate: 19,
      total_cost_without_tax: 100,
      tax_output_amount: 21,
    },
  ],
  taxes_outputs: [{ tax_rate: 21, taxable_base: 100, tax_amount: 21, tax_regime_key: '07' }],
  taxes_withheld: [{ tax_rate: 19, taxable_base: 100, tax_amount: 19 }],
  totals: {
    total_gross_amount: 100,
    total_gross_amount_before_taxes: 100,
    total_tax_outputs: 21,
    invoice_total: 121,
    total_taxes_withheld: 19,
    total_executable_amount: 102,
  },
  payment_details: [{ installment_due_date: '2026-12-31', installment_amount: 102 }],
}

export function withoutComputedSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issued } = stepsOf(server)

  /** Returns both forms of an invoice, and a function that sends the one without what is computed. */
  const formsOf = async (key: string, path: string) => {
    const full = await call('GET', `${path}/canonical`, { key })
    const bare = await call('GET', `${path}/canonical?computed=false`, { key })
    expect([full.status, bare.status], bare.text).toEqual([200, 200])
    // Compression makes a tag weak.
    const [etag = '', tag] = [bare, full].map(({ headers }) => headers.get('etag')?.replace('W/', ''))
    expect(etag).toBe(tag)
    return { full: full.json, bare: bare.json, etag }
  }
  /** Sends the document back, and expects that nothing changes; then with another quantity. Returns both responses. */
  const sendBack = async (key: string, path: string, method: 'PUT' | 'POST', to: string) => {
    const { full, bare } = await formsOf(key, path)
    const again = await call(method, to, { key, body: bare })
    expect(again.status, again.text).toBe(201)
    expect((await formsOf(key, path)).full).toEqual(full)
    const changed: Document = structuredClone(bare)
    changed.invoice.lines[0].quantity += 1
    const late = await call(method, to, { key, body: changed })
    return { bare, items: again.json.errors, changed: late.json.errors }
  }
  const pathsOf = (items: readonly { readonly code: string; readonly path: string }[]) =>
    items.map(({ code, path }) => `${code} ${path}`)
  const TOTALS = ['total_gross_amount_before_taxes', 'total_tax_outputs', 'invoice_total']
  const MISMATCHES = TOTALS.map((name) => `totals_mismatch /invoice/totals/${name}`)
  const REQUIRED = { total_gross_amount_before_taxes: 100, total_tax_outputs: 21, invoice_total: 121 }

  it('a draft without what is computed has only its inputs, and after a change only its totals are wrong', async () => {
    const { key, id: companyId } = await server().company()
    await server().transaction((all) =>
      updateCompany(all.of(companyId), { cash_basis: [{ start_date: '2020-01-01' }] }, STAMP),
    )
    const id = await saved(key, draft({ invoice: STATED }))
    const { bare, items, changed } = await sendBack(key, `/drafts/${id}`, 'PUT', `/drafts?invoice_id=${id}`)
    const { lines, totals, payment_details } = bare.invoice
    expect(lines).toEqual([
      {
        item_description: 'Alquiler',
        quantity: 2,
        unit_price_without_tax: 50,
        tax_output_rate: 21,
        tax_withheld_rate: 19,
        tax_regime_key: '07',
      },
    ])
    expect([totals, payment_details]).toEqual([REQUIRED, [{ installment_due_date: '2026-12-31' }]])
    for (const name of ['taxes_outputs', 'taxes_withheld', 'legal_literals'])
      expect(bare.invoice).not.toHaveProperty(name)
    expect([items, pathsOf(changed)]).toEqual([[], MISMATCHES])
  })

  it('a draft without what is computed is 304 with its tag, and no other value of the parameter is accepted', async () => {
    const { key } = await server().company()
    const id = await saved(key)
    const { etag } = await formsOf(key, `/drafts/${id}`)
    const get = (query: string, headers = {}) =>
      call('GET', `/issued-invoices/${id}/canonical?${query}`, { key, headers })
    expect((await get('computed=false', { 'If-None-Match': etag })).status).toBe(304)
    expect((await get('computed=true')).json).toEqual((await get('')).json)
    expect((await get('computed=no')).json.detail.code).toBe('request_validation_error')
  })

  it('a draft without what is computed keeps the tax group that was deduced before the company changed', async () => {
    const { key, id: companyId } = await server().company()
    const lines = [
      { item_description: 'Servicio', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 0 },
    ]
    const totals = { total_gross_amount_before_taxes: 100, total_tax_outputs: 0, invoice_total: 100 }
    const id = await saved(key, draft({ invoice: { lines, totals } }))
    expect((await formsOf(key, `/drafts/${id}`)).bare.invoice.issue_data).not.toHaveProperty('tax_group_code')
    await server().transaction((all) =>
      updateCompany(all.of(companyId), { default_tax_group: 'IGIC' }, STAMP),
    )
    await sendBack(key, `/drafts/${id}`, 'PUT', `/drafts?invoice_id=${id}`)
  })

  it('an invoice in dollars without what is computed keeps both its currencies', async ({ key }) => {
    const issue_data = { invoice_description: 'Servicios de prueba', invoice_currency: RATE }
    const id = await saved(key, draft({ invoice: { ...STATED, taxes_outputs: undefined, issue_data } }))
    const { bare, items, changed } = await sendBack(key, `/drafts/${id}`, 'PUT', `/drafts?invoice_id=${id}`)
    expect(bare.invoice.totals).toEqual(REQUIRED)
    expect(pathsOf(changed)).toEqual([...pathsOf(items), ...MISMATCHES])
  })

  it('an issued invoice without what is computed has number and date, and its corrective has neither', async () => {
    const { key } = await server().company()
    const { id } = await issued(key, draft({ invoice: { ...STATED, taxes_outputs: undefined } }))
    const { full, bare } = await formsOf(key, `/issued-invoices/${id}`)
    expect(bare.invoice.header.invoice_number).toBe(full.invoice.header.invoice_number)
    expect(bare.invoice.issue_data.issue_date).toBe(full.invoice.issue_data.issue_date)
    expect(bare.invoice.totals).toEqual(REQUIRED)
    const body = { correction_type: 'S', reason_code: '01', series_code: 'R', external_ref: nextRef() }
    const corrective = await call('POST', `/issued-invoices/${id}/corrective`, { key, body })
    expect(corrective.status, corrective.text).toBe(201)
    const of = corrective.json.id
    const sent = await sendBack(key, `/drafts/${of}`, 'PUT', `/drafts?invoice_id=${of}`)
    expect(sent.bare.invoice.header).not.toHaveProperty('invoice_number')
    expect(sent.bare.invoice.issue_data).not.toHaveProperty('issue_date')
    expect(pathsOf(sent.changed)).toEqual([...pathsOf(sent.items), ...MISMATCHES])
  })

  it('an import without what is computed can be imported again', async ({ key, data }) => {
    const body = imported({
      taxId: data.tax_id,
      number: nextRef('I'),
      invoice: { ...STATED, taxes_outputs: undefined },
    })
    const { id } = (await call('POST', '/issued-invoices/import', { key, body })).json
    const { bare, items, changed } = await sendBack(
      key,
      `/issued-invoices/${id}`,
      'POST',
      '/issued-invoices/import',
    )
    expect([bare.invoice.totals, items, pathsOf(changed)]).toEqual([REQUIRED, [], MISMATCHES])
  })

  it('a received invoice without what is computed is in the currency in which it was sent', async () => {
    const { key, data } = await server().company()
    const invoice = { issue_data: { issue_date: '2026-03-02', invoice_currency: RATE } }
    const body = received({ taxId: data.tax_id, number: nextRef('R'), invoice })
    const { id } = (await call('PUT', '/received-invoices', { key, body })).json
    const path = `/received-invoices/${id}`
    const { bare, items, changed } = await sendBack(key, path, 'PUT', `/received-invoices?invoice_id=${id}`)
    expect([bare.invoice.totals, items, pathsOf(changed)]).toEqual([REQUIRED, [], MISMATCHES])
  })

  it.each(['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const)(
    'an invoice received as %s, without what is computed, can be sent as JSON',
    async (format) => {
      const { key, data } = await server().company()
      const xml = receivedXml({ taxId: data.tax_id, number: nextRef('X') }, format)
      const { id } = (
        await call('POST', `/received-invoices/import?format=${format}`, {
          key,
          body: xml,
          headers: { 'Content-Type': 'application/xml' },
        })
      ).json
      const path = `/received-invoices/${id}`
      const { bare, items, changed } = await sendBack(key, path, 'PUT', `/received-invoices?invoice_id=${id}`)
      expect(bare.invoice.totals).toEqual(REQUIRED)
      expect(pathsOf(changed)).toEqual([...pathsOf(items), ...MISMATCHES])
    },
  )
}
