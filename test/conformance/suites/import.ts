/** Import of invoices that were issued elsewhere. */

import { createClock } from 'cuadra-server/environment/clock.ts'
import { fileReturn, removeFiledReturn } from 'cuadra-server/service/invoice/filed-returns.ts'
import { expect } from 'vitest'
import { transition } from '../answers.ts'
import type { TestServer } from '../harness.ts'
import { type Document, draft, imported, nextRef } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

const STAMP = '2026-11-20T10:00:00.000000'
const DAY = 86_400_000
const tomorrow = createClock(() => Date.now() + DAY).today()

export function importSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, saved, issued, importing, get, canonical, eventsOf, cancel, become, seriesTemplate } =
    stepsOf(server)
  const post = (key: string, body: unknown) => call('POST', '/issued-invoices/import', { key, body })
  const doubled = { total_gross_amount_before_taxes: 200, total_tax_outputs: 42, invoice_total: 242 }
  const twoHundred = {
    lines: [{ item_description: 'Servicio', quantity: 2, unit_price_without_tax: 100, tax_output_rate: 21 }],
    totals: doubled,
  }

  it('an import is issued with its own series, number and date', async ({ company, key, data }) => {
    const answer = await importing(company, { number: 'OLD-7/2026', date: '2026-03-02' })
    expect(answer.status).toBe(201)
    expect(answer.json).toEqual({ success: true, id: answer.json.id, errors: [] })
    expect(await get(key, answer.json.id)).toMatchObject({
      status: 'issued',
      series: 'OLD',
      number: 'OLD-7/2026',
      issue_date: '2026-03-02',
      external_id: 'OLD-7/2026',
      supplier_tax_id: data.tax_id,
      total: 121,
      fiscal: { qr_url: null, legend: null, status: 'not_registered' },
    })
    expect(await eventsOf(key, answer.json.id)).toEqual([
      expect.objectContaining({
        event_type: 'state_transition',
        event_code: 'imported',
        from_status: null,
        to_status: 'ISSUED',
      }),
    ])
    const ref = nextRef()
    const named = await importing(company, { number: 'OLD-8', ref })
    expect((await get(key, named.json.id)).external_id).toBe(ref)
    transition('none -> import -> issued')
  })

  it('validation errors are reported and stored, with success true', async ({ company }) => {
    const lines = [
      { item_description: 'Servicio', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 20 },
    ]
    const totals = { total_gross_amount_before_taxes: 100, total_tax_outputs: 20, invoice_total: 121 }
    const { status, json } = await importing(company, { number: 'E-1', invoice: { lines, totals } })
    expect([status, json.success]).toEqual([201, true])
    const codes = json.errors.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(expect.arrayContaining(['tax_rate_unknown', 'totals_mismatch']))
    // The amounts of the issuing system are not changed.
    expect(await get(company.key, json.id)).toMatchObject({ status: 'issued', total: 121, total_tax: 20 })
  })

  it('no VeriFactu record is made, and nothing is pending for the SII', async () => {
    const company = await server().company({
      sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
    })
    await activateVerifactu(server(), company.id)
    const { json } = await importing(company, { number: 'N-1' })
    expect((await get(company.key, json.id)).fiscal.status).toBe('not_registered')
    const records = await call('GET', `/invoices/${json.id}/verifactu/records`, { key: company.key })
    expect(records.json).toEqual([])
    expect((await call('GET', '/sii/pending', { key: company.key })).json.total).toBe(0)
  })

  it('a refused import is not stored', async ({ key, data }) => {
    const changed = (change: (document: Document) => void): Document => {
      const document = structuredClone(imported({ taxId: data.tax_id, number: 'N-1' }))
      change(document)
      return document
    }
    const cases: [string, Document, Record<string, unknown>?][] = [
      ['unsupported_schema_version', changed((d) => (d.schema_version = '1.1'))],
      ['inferred_fields_not_allowed', changed((d) => (d.invoice.header.is_simplified = false))],
      [
        'missing_required_fields',
        changed((d) => {
          delete d.invoice.header.invoice_number
          delete d.invoice.header.invoice_series_code
          delete d.invoice.issue_data.issue_date
        }),
        { missing: ['header.invoice_number', 'header.invoice_series_code', 'issue_data.issue_date'] },
      ],
      ['schema_validation_failed', changed((d) => (d.invoice.issue_data.issue_date = '2026-02-30'))],
      ['schema_validation_failed', changed((d) => (d.invoice.header.invoice_number = 'N'.repeat(61)))],
      ['schema_validation_failed', changed((d) => (d.meta.direction = 'received'))],
      ['issuer_tax_id_required', changed((d) => delete d.invoice.supplier.tax_id), { expected: data.tax_id }],
      ['issuer_tax_id_mismatch', changed((d) => (d.invoice.supplier.tax_id = 'B12345674'))],
      [
        'future_issue_date',
        changed((d) => (d.invoice.issue_data.issue_date = tomorrow)),
        { received: tomorrow },
      ],
      // The company is checked before the date.
      [
        'issuer_tax_id_mismatch',
        changed((d) => {
          d.invoice.supplier.tax_id = 'B12345674'
          d.invoice.issue_data.issue_date = tomorrow
        }),
      ],
    ]
    for (const [code, document, extra = {}] of cases) {
      const answer = await post(key, document)
      expect([document, statusAndCode(answer)]).toEqual([document, `422 ${code}`])
      expect(answer.json.detail).toMatchObject(extra)
    }
    expect((await call('GET', '/issued-invoices', { key })).json.total).toBe(0)
    const today = imported({ taxId: data.tax_id, number: 'N-1', date: createClock().today() })
    expect((await post(key, today)).status).toBe(201)
  })

  it('a wrong issuer is reported even with a thousand other errors', async ({ key, data }) => {
    const wrong = { item_description: 'x', quantity: 1, unit_price_without_tax: 1, tax_output_rate: 20 }
    const document = imported({ taxId: 'B12345674', number: 'N-1' })
    const { supplier, ...rest } = document.invoice
    document.invoice = { ...rest, lines: Array.from({ length: 1200 }, () => wrong) }
    // Errors are reported in document order.
    document.invoice.supplier = supplier
    expect(statusAndCode(await post(key, document))).toBe('422 issuer_tax_id_mismatch')
    document.invoice.supplier = { ...supplier, tax_id: data.tax_id }
    expect(statusAndCode(await post(key, document))).toBe('201')
  })

  it('an import of the same number updates the invoice, its summary, the lists and the events', async () => {
    const company = await server().company()
    const { key } = company
    const first = await importing(company, { number: 'N-1', ref: nextRef() })
    const ref = nextRef()
    const again = await importing(company, { number: 'N-1', date: '2026-04-05', ref, invoice: twoHundred })
    expect([again.status, again.json]).toEqual([201, { success: true, id: first.json.id, errors: [] }])
    expect(await get(key, first.json.id)).toMatchObject({
      status: 'issued',
      issue_date: '2026-04-05',
      total: 242,
      external_id: ref,
    })
    expect((await call('GET', '/issued-invoices?series=OLD', { key })).json.total).toBe(1)
    const events = await eventsOf(key, first.json.id)
    expect(events.map(({ event_code }: { event_code: string }) => event_code)).toEqual([
      'imported',
      'updated',
    ])
    transition('issued -> import -> issued')
  })

  it('an invoice that was sent stays sent', async ({ company }) => {
    const { json } = await importing(company, { number: 'N-1' })
    await become(company.id, json.id, 'sent')
    expect((await importing(company, { number: 'N-1', invoice: twoHundred })).json.id).toBe(json.id)
    expect(await get(company.key, json.id)).toMatchObject({ status: 'sent', total: 242 })
    transition('sent -> import -> sent')
  })

  it('a number of an invoice that was issued here, cancelled, or is of another series is refused', async () => {
    const company = await server().company()
    const { key } = company
    const refused = async (number: string, series?: string): Promise<string> => {
      const answer = await importing(company, { number, ...(series ? { series } : {}), invoice: twoHundred })
      expect(statusAndCode(answer)).toBe('409 invoice_update_not_allowed')
      return answer.json.detail.reason
    }
    const own = await issued(key)
    expect(await refused('F000001', 'F')).toMatch(/issued here/)
    expect(await refused('F000001')).toMatch(/issued here/)
    await cancel(key, own.id)
    expect(await refused('F000001', 'F')).toMatch(/issued here/)
    await importing(company, { number: 'N-1' })
    expect(await refused('N-1', 'NEW')).toMatch(/another series/)
    const cancelled = await importing(company, { number: 'N-2' })
    await cancel(key, cancelled.json.id)
    expect(await refused('N-2')).toMatch(/cancelled/)
    expect(await get(key, cancelled.json.id)).toMatchObject({ status: 'cancelled', total: 121 })
  })

  it('blanks around a number are not part of it, and a number of blanks is missing', async ({ company }) => {
    const first = await importing(company, { number: 'B-1' })
    expect((await importing(company, { number: ' B-1 ' })).json.id).toBe(first.json.id)
    expect((await get(company.key, first.json.id)).number).toBe('B-1')
    expect((await canonical(company.key, first.json.id)).invoice.header.invoice_number).toBe('B-1')
    const blank = await importing(company, { number: '  ' })
    expect(statusAndCode(blank)).toBe('422 missing_required_fields')
    expect(blank.json.detail.missing).toEqual(['header.invoice_number'])
  })

  it('an imported invoice is not moved into a filed return', async ({ company }) => {
    const { json } = await importing(company, { number: 'M-1', date: '2026-05-05' })
    await server().transaction((tx) => fileReturn(tx.of(company.id), '2026-Q1', STAMP))
    const moved = await importing(company, { number: 'M-1', date: '2026-02-05' })
    expect(statusAndCode(moved)).toBe('409 issued_invoice_fiscally_locked')
    expect(moved.json.detail).toMatchObject({
      reasons: ['filed_return:2026-Q1'],
      locked_fields_changed: ['/invoice/issue_data/issue_date'],
    })
    expect((await get(company.key, json.id)).issue_date).toBe('2026-05-05')
  })

  it('the external_ref of another invoice is refused', async ({ company }) => {
    const ref = nextRef()
    await saved(company.key, draft({ ref }))
    expect(statusAndCode(await importing(company, { number: 'N-1', ref }))).toBe(
      '409 invoice_update_not_allowed',
    )
    // Without a reference the number identifies the invoice.
    expect(statusAndCode(await importing(company, { number: ref }))).toBe('409 invoice_update_not_allowed')
    await importing(company, { number: 'N-2', ref: 'TAKEN' })
    await importing(company, { number: 'N-3' })
    expect(statusAndCode(await importing(company, { number: 'N-3', ref: 'TAKEN' }))).toBe(
      '409 invoice_update_not_allowed',
    )
    expect((await call('GET', '/issued-invoices?number=N-1', { key: company.key })).json.total).toBe(0)
  })

  it('an import that is sent again without a reference keeps its own', async ({ company }) => {
    const ref = nextRef()
    const { json } = await importing(company, { number: 'REF-1', ref })
    const referenceOf = async () => (await get(company.key, json.id)).external_id
    await importing(company, { number: 'REF-1', invoice: twoHundred })
    expect([await referenceOf(), (await get(company.key, json.id)).total]).toEqual([ref, 242])
    const other = nextRef()
    await importing(company, { number: 'REF-1', ref: other })
    expect(await referenceOf()).toBe(other)
  })

  it('an imported invoice in a filed return accepts no change of fiscal data', async () => {
    const company = await server().company()
    const { key, id: companyId } = company
    const { json } = await importing(company, { number: 'N-1', date: '2026-03-02' })
    await server().transaction((tx) => fileReturn(tx.of(companyId), '2026-Q1', STAMP))
    const answer = await importing(company, { number: 'N-1', date: '2026-03-02', invoice: twoHundred })
    expect(statusAndCode(answer)).toBe('409 issued_invoice_fiscally_locked')
    expect(answer.json.detail.reasons).toEqual(['filed_return:2026-Q1'])
    expect(answer.json.detail.locked_fields_changed).toEqual(
      expect.arrayContaining(['/invoice/lines/0/quantity', '/invoice/totals/invoice_total']),
    )
    expect((await get(key, json.id)).total).toBe(121)
    const moved = await importing(company, { number: 'N-1', date: '2026-04-02' })
    expect(moved.json.detail.locked_fields_changed).toEqual(['/invoice/issue_data/issue_date'])
    // Texts may change, an identical import changes nothing, and a new invoice is not in the return.
    const issue_data = { invoice_description: 'Otra descripción' }
    expect(
      (await importing(company, { number: 'N-1', date: '2026-03-02', invoice: { issue_data } })).status,
    ).toBe(201)
    expect((await canonical(key, json.id)).invoice.issue_data.invoice_description).toBe('Otra descripción')
    expect((await importing(company, { number: 'N-2', date: '2026-03-02' })).status).toBe(201)
    await server().transaction((tx) => removeFiledReturn(tx.of(companyId), '2026-Q1'))
    expect(
      (await importing(company, { number: 'N-1', date: '2026-03-02', invoice: twoHundred })).status,
    ).toBe(201)
  })

  it('an invoice belongs to the return of its operation, a corrective to that of its issue', async () => {
    const company = await server().company()
    await server().transaction((tx) => fileReturn(tx.of(company.id), '2026-Q1', STAMP))
    const issue_data = { operation_date: '2026-03-30' }
    await importing(company, { number: 'N-1', date: '2026-04-02', invoice: { issue_data } })
    expect(statusAndCode(await importing(company, { number: 'N-1', date: '2026-04-02' }))).toBe(
      '409 issued_invoice_fiscally_locked',
    )
    const header = {
      invoice_type_code: '03',
      invoice_series_code: 'OLD',
      corrective: {
        reason_code: '16',
        invoice_number: 'N-1',
        invoice_issue_date: '2026-03-30',
        correction_type: 'D',
      },
    }
    const corrective = { number: 'R-1', date: '2026-04-02', invoice: { header, issue_data } }
    expect((await importing(company, corrective)).status).toBe(201)
    const again = await importing(company, { ...corrective, invoice: { header, issue_data, ...twoHundred } })
    expect(statusAndCode(again)).toBe('201')
  })

  it('a number that matches its series advances the counter, and any other does not', async () => {
    const company = await server().company()
    const { key, id: companyId } = company
    await seriesTemplate(companyId, 'T', '{series}-{number}/26')
    await importing(company, { series: 'F', number: 'F000012' })
    await importing(company, { series: 'F', number: 'F-99' })
    await importing(company, { series: 'F', number: 'F000010' })
    expect((await issued(key)).number).toBe('F000013')
    await importing(company, { series: 'T', number: 'T-41/26' })
    expect((await issued(key, draft({ series: 'T' }))).number).toBe('T-42/26')
  })

  it('a number imported into another series is skipped by the series that it matches', async () => {
    const company = await server().company()
    await importing(company, { series: 'OLD', number: 'F000001' })
    await importing(company, { series: 'OLD', number: 'F000003' })
    expect((await issued(company.key)).number).toBe('F000002')
    expect((await issued(company.key)).number).toBe('F000004')
  })

  it('ten concurrent imports of one number make one invoice; of two series one wins', async ({ company }) => {
    const same = await Promise.all(Array.from({ length: 10 }, () => importing(company, { number: 'N-1' })))
    expect(same.map(statusAndCode)).toEqual(Array(10).fill('201'))
    expect(new Set(same.map(({ json }) => json.id)).size).toBe(1)
    const two = await Promise.all(
      ['A', 'B', 'A', 'B'].map((series) => importing(company, { number: 'N-2', series })),
    )
    expect(two.map(statusAndCode).sort()).toEqual([
      '201',
      '201',
      '409 invoice_update_not_allowed',
      '409 invoice_update_not_allowed',
    ])
    expect((await call('GET', '/issued-invoices', { key: company.key })).json.total).toBe(2)
  })

  it('concurrent imports and issues in one series use every number once', async ({ company }) => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => saved(company.key)))
    const answers = await Promise.all([
      ...ids.map((id) => call('POST', `/issued-invoices/${id}/issue`, { key: company.key })),
      ...Array.from({ length: 6 }, (_, n) => importing(company, { series: 'F', number: `F00000${n + 1}` })),
    ])
    for (const answer of answers)
      expect(['200', '201', '409 invoice_update_not_allowed']).toContain(statusAndCode(answer))
    const { json } = await call('GET', '/issued-invoices?status=issued&limit=100', { key: company.key })
    const numbers = json.items.map(({ number }: { number: string }) => number)
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(answers.filter(({ status }) => status < 400)).toHaveLength(numbers.length)
  })
}
