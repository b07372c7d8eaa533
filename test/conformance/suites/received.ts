/** Received invoices over HTTP. */

import { eurosPerUnit, loadRates } from 'cuadra-server/service/company/exchange-rates.ts'
import { expect } from 'vitest'
import { transition } from '../answers.ts'
import type { TestCompany, TestServer } from '../harness.ts'
import { type Document, draft, nextRef, received } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

const SII = {
  fiscal_systems: { sii_in_plan: true },
  sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
}

/** An error: a rate that does not exist. */
const WRONG = {
  lines: [{ item_description: 'Material', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 20 }],
  totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 20, invoice_total: 120 },
}

const kronur = (more: object = {}) => ({
  issue_data: { issue_date: '2026-03-04', invoice_currency: { invoice_currency_code: 'ISK', ...more } },
})

export function receivedSuite(server: () => TestServer): void {
  const { call, change } = stepsOf(server)
  const it = itWithCompany(server)
  const today = () => new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Madrid' })
  const put = (company: TestCompany, body: Document, query = '') =>
    call('PUT', `/received-invoices${query}`, { key: company.key, body })
  const get = (company: TestCompany, path: string) =>
    call('GET', `/received-invoices${path}`, { key: company.key })
  const canonical = async (company: TestCompany, id: string) => (await get(company, `/${id}/canonical`)).json
  const codesOf = async (company: TestCompany, id: string) =>
    (await get(company, `/${id}/events`)).json.map(
      ({ event_code, from_status, to_status }: Record<string, string>) =>
        `${event_code} ${from_status} ${to_status}`,
    )
  const document = (company: TestCompany, options: Partial<Parameters<typeof received>[0]> = {}) =>
    received({ taxId: company.data.tax_id, number: nextRef('R'), ...options })

  it('with If-Match a received invoice that another client has changed is neither changed nor deleted', async () => {
    const company = await server().company()
    const body = document(company)
    let edits = 0
    const send = (version?: string) =>
      call('PUT', '/received-invoices', {
        key: company.key,
        body: { ...body, invoice: { ...body.invoice, payment_terms: `Edit ${++edits}` } },
        headers: version ? { 'If-Match': version } : {},
      })
    const first = await send()
    const version = first.headers.get('etag') ?? ''
    expect((await get(company, `/${first.json.id}`)).headers.get('etag')).toBe(version)
    // The result of the validation is the stored one.
    const validated = await call('POST', `/received-invoices/${first.json.id}/validate`, {
      key: company.key,
    })
    expect([validated.status, validated.headers.get('etag')]).toEqual([200, version])
    expect(await codesOf(company, first.json.id)).toEqual(['received null RECEIVED'])
    expect((await send(version)).status).toBe(201)
    expect(statusAndCode(await send(version))).toBe('412 precondition_failed')
    const removed = await call('DELETE', `/received-invoices/${first.json.id}`, {
      key: company.key,
      headers: { 'If-Match': version },
    })
    expect(removed.status).toBe(412)
    expect((await send()).status).toBe(201)
  })

  const siiOf = (company: TestCompany) =>
    server().transaction((tx) =>
      tx
        .of(company.id)
        .select('sii_records')
        .select(['invoice_id', 'book_type', 'operation_type', 'status'])
        .execute(),
    )
  /** Writes what the worker does when the tax authority has responded. */
  const answerSii = (company: TestCompany, status: string) =>
    change(company.id, 'sii_records', {
      status,
      submitted_at: '2026-11-20T10:00:00.000000',
      accepted_at: status.startsWith('accepted') ? '2026-11-20T10:00:01.000000' : null,
    })

  it('PUT registers a valid invoice as received, with today as its date of receipt', async ({ company }) => {
    const body = document(company, { number: 'A/7' })
    body.invoice.header.invoice_series_code = 'A'
    body.meta.external_ref = 'CLIENT-7'
    const saved = await put(company, body)
    expect(saved.status).toBe(201)
    expect(saved.json).toEqual({ success: true, id: saved.json.id, errors: [] })
    const { json, status } = await get(company, `/${saved.json.id}`)
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id: saved.json.id,
      direction: 'received',
      status: 'received',
      series: 'A',
      number: 'A/7',
      issue_date: '2026-03-02',
      external_id: 'CLIENT-7',
      supplier_tax_id: 'B12345674',
      customer_tax_id: company.data.tax_id,
      currency: 'EUR',
      total_base: 100,
      total_tax: 21,
      total: 121,
      corrections: null,
    })
    expect(json.fiscal ?? null).toBeNull()
    const { invoice, meta } = await canonical(company, saved.json.id)
    expect(invoice.issue_data.receipt_date).toBe(today())
    expect(meta.direction).toBe('received')
    expect(await codesOf(company, saved.json.id)).toEqual(['received null RECEIVED'])
    transition('none -> PUT /received-invoices -> received')
  })

  it('PUT registers an invoice with errors as draft; corrected it is received, with errors draft again', async () => {
    const company = await server().company()
    const body = document(company, { invoice: WRONG })
    const saved = await put(company, body)
    expect(saved.status).toBe(201)
    expect(saved.json.success).toBe(false)
    expect(saved.json.errors[0].code).toBe('tax_rate_unknown')
    const { id } = saved.json
    expect((await get(company, `/${id}`)).json.status).toBe('draft')
    transition('none -> PUT /received-invoices -> draft')
    const number = body.invoice.header.invoice_number
    expect((await put(company, document(company, { number }))).json).toEqual({
      success: true,
      id,
      errors: [],
    })
    expect((await get(company, `/${id}`)).json.status).toBe('received')
    expect((await put(company, document(company, { number, invoice: WRONG }))).json).toMatchObject({
      success: false,
      id,
    })
    expect((await get(company, `/${id}`)).json.status).toBe('draft')
    expect(await codesOf(company, id)).toEqual([
      'received null DRAFT',
      'updated DRAFT RECEIVED',
      'updated RECEIVED DRAFT',
    ])
  })

  it('the direction is received, whatever was sent', async ({ company }) => {
    for (const direction of ['issued', 'sideways', undefined]) {
      const body = document(company)
      body.meta.direction = direction
      const saved = await put(company, body)
      expect(saved.status).toBe(201)
      expect((await canonical(company, saved.json.id)).meta.direction).toBe('received')
      const validated = await call('POST', '/received-invoices/validate', { key: company.key, body })
      expect(validated.json).toMatchObject({ is_valid: true, data: { meta: { direction: 'received' } } })
    }
  })

  it('the same supplier, number and year are the same invoice, in any series', async ({ company }) => {
    const number = nextRef('R')
    const first = (await put(company, document(company, { number }))).json.id
    const again = document(company, { number, date: '2026-04-05', supplier: 'ES-B12345674' })
    again.invoice.header.invoice_series_code = 'OTHER'
    again.invoice.issue_data.invoice_description = 'Otra descripción'
    expect((await put(company, again)).json.id).toBe(first)
    expect((await get(company, `/${first}`)).json).toMatchObject({
      series: 'OTHER',
      issue_date: '2026-04-05',
    })
    const others = [
      document(company, { number, date: '2025-03-02' }),
      document(company, { number, supplier: 'A58818501' }),
      document(company, { number: `${number}x` }),
    ]
    for (const other of others) expect((await put(company, other)).json.id).not.toBe(first)
    expect((await get(company, '')).json.total).toBe(4)
    const { key } = await server().company()
    expect((await call('GET', `/received-invoices/${first}`, { key })).status).toBe(404)
  })

  it('PUT with invoice_id updates that invoice, also if its identity changes', async ({ company }) => {
    const { id } = (await put(company, document(company))).json
    const moved = document(company, { supplier: 'A58818501', date: '2025-12-31' })
    expect((await put(company, moved, `?invoice_id=${id}`)).json).toEqual({ success: true, id, errors: [] })
    expect((await get(company, `/${id}`)).json).toMatchObject({
      supplier_tax_id: 'A58818501',
      number: moved.invoice.header.invoice_number,
    })
    expect((await put(company, moved)).json.id).toBe(id)
    expect((await get(company, '')).json.total).toBe(1)
  })

  it('PUT with an id of another kind, an unknown id, or the identity of another invoice is refused', async () => {
    const company = await server().company()
    const taken = document(company)
    await put(company, taken)
    const { id } = (await put(company, document(company))).json
    const other = await put(company, taken, `?invoice_id=${id}`)
    expect([other.status, other.json.detail.code]).toEqual([409, 'invoice_update_not_allowed'])
    const saved = await call('PUT', '/drafts', { key: company.key, body: draft() })
    const issued = await put(company, document(company), `?invoice_id=${saved.json.id}`)
    expect([issued.status, issued.json.detail.code]).toEqual([409, 'invoice_update_not_allowed'])
    const nothing = await put(company, document(company), '?invoice_id=6f2c1c1e-8f5b-4a51-9a53-0e5a7a3a1b11')
    expect([nothing.status, nothing.json.detail.code]).toEqual([404, 'invoice_not_found'])
    const foreign = await put(await server().company(), document(company), `?invoice_id=${id}`)
    expect(foreign.json.detail.code).toBe('recipient_tax_id_mismatch')
    const stranger = await server().company()
    const far = await put(stranger, document(stranger), `?invoice_id=${id}`)
    expect([far.status, far.json.detail.code]).toEqual([404, 'invoice_not_found'])
    const malformed = await put(company, document(company), '?invoice_id=7')
    expect([malformed.status, malformed.json.detail.code]).toEqual([422, 'request_validation_error'])
    expect((await get(company, '')).json.total).toBe(2)
  })

  it('concurrent PUTs of one identity make one invoice', async ({ company }) => {
    const body = document(company)
    const answers = await Promise.all(Array.from({ length: 12 }, () => put(company, body)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    const list = (await get(company, '?status=received')).json
    expect([list.total, list.items.length]).toEqual([1, 1])
    const codes = await codesOf(company, answers[0]?.json.id)
    expect(codes.filter((code: string) => code === 'received null RECEIVED')).toHaveLength(1)
    expect(codes).toHaveLength(12)
  })

  it('an update without a date of receipt keeps the known one', async ({ company }) => {
    const body = document(company)
    body.invoice.issue_data.receipt_date = '2026-03-09'
    const { id } = (await put(company, body)).json
    delete body.invoice.issue_data.receipt_date
    await put(company, body)
    expect((await canonical(company, id)).invoice.issue_data.receipt_date).toBe('2026-03-09')
    const validated = await call('POST', `/received-invoices/${id}/validate`, { key: company.key })
    expect(validated.json).toEqual({ id, is_valid: true, status: 'received', errors: [] })
    expect((await canonical(company, id)).invoice.issue_data.receipt_date).toBe('2026-03-09')
    body.invoice.issue_data.receipt_date = '2026-03-10'
    await put(company, body)
    expect((await canonical(company, id)).invoice.issue_data.receipt_date).toBe('2026-03-10')
  })

  it('an invoice that cannot be stored is refused with its own code, and not stored', async ({ company }) => {
    const cases: readonly [code: string, change: (body: Document) => void][] = [
      ['unsupported_schema_version', (body) => (body.schema_version = 'json_2_0')],
      ['inferred_fields_not_allowed', (body) => (body.invoice.header.is_simplified = false)],
      ['missing_required_fields', (body) => delete body.invoice.header.invoice_number],
      ['missing_required_fields', (body) => delete body.invoice.issue_data.issue_date],
      ['missing_required_fields', (body) => delete body.invoice.supplier.tax_id],
      ['schema_validation_failed', (body) => (body.invoice.surprise = true)],
      ['schema_validation_failed', (body) => delete body.meta],
      ['recipient_tax_id_required', (body) => delete body.invoice.customer.tax_id],
      ['recipient_tax_id_required', (body) => delete body.invoice.customer],
      ['recipient_tax_id_mismatch', (body) => (body.invoice.customer.tax_id = 'A58818501')],
      ['future_issue_date', (body) => (body.invoice.issue_data.issue_date = '2999-01-01')],
      ['future_receipt_date', (body) => (body.invoice.issue_data.receipt_date = '2999-01-01')],
      ['schema_validation_failed', (body) => (body.invoice.supplier.name = '   ')],
      ['exchange_rate_not_available', (body) => Object.assign(body.invoice, kronur())],
    ]
    for (const [code, change] of cases) {
      const body = document(company)
      change(body)
      expect(statusAndCode(await put(company, body))).toBe(`422 ${code}`)
    }
    const body = document(company)
    delete body.invoice.header.invoice_number
    delete body.invoice.issue_data.issue_date
    expect((await put(company, body)).json.detail.missing).toEqual([
      'header.invoice_number',
      'issue_data.issue_date',
    ])
    for (const sent of ['[]', '7', '{}'])
      expect((await put(company, sent)).json.detail.code).toBe('schema_validation_failed')
    expect((await get(company, '')).json.total).toBe(0)
  })

  it('a supplier with dashes or blanks as tax id has none, and validation reports that', async () => {
    const company = await server().company()
    for (const tax_id of [undefined, '', '   ', '-', '---']) {
      const body = document(company)
      body.invoice.supplier.tax_id = tax_id
      expect((await put(company, body)).json.detail).toMatchObject({
        code: 'missing_required_fields',
        missing: ['supplier.tax_id'],
      })
      const { json } = await call('POST', '/received-invoices/validate', { key: company.key, body })
      expect(json.is_valid).toBe(false)
      expect(json.errors).toContainEqual(
        expect.objectContaining({ code: 'missing_required_field', path: '/invoice/supplier/tax_id' }),
      )
    }
    const bare = document(company)
    delete bare.invoice.supplier.tax_id
    delete bare.invoice.header.invoice_number
    expect((await put(company, bare)).json.detail.missing.sort()).toEqual([
      'header.invoice_number',
      'supplier.tax_id',
    ])
    expect((await get(company, '')).json.total).toBe(0)
  })

  it('a tax id is the same in any spelling, and so is a number with surrounding blanks', async () => {
    const company = await server().company()
    const number = nextRef('R')
    const { id } = (await put(company, document(company, { number }))).json
    for (const supplier of ['ESB12345674', 'es-b12345674', 'B 1234567 4'])
      expect((await put(company, document(company, { number, supplier }))).json.id).toBe(id)
    expect((await put(company, document(company, { number: ` ${number}\u00a0` }))).json.id).toBe(id)
    expect((await put(company, document(company, { number: '   ' }))).json.detail.code).toBe(
      'missing_required_fields',
    )
    expect((await get(company, '')).json.total).toBe(1)
  })

  it('a simplified invoice need not name its recipient, but may not name another', async ({ company }) => {
    const body = document(company)
    body.invoice.header.invoice_type_code = '02'
    delete body.invoice.customer
    expect((await put(company, body)).json.success).toBe(true)
    const other = document(company)
    other.invoice.header.invoice_type_code = '02'
    other.invoice.customer.tax_id = 'A58818501'
    expect((await put(company, other)).json.detail.code).toBe('recipient_tax_id_mismatch')
  })

  it('a foreign currency is converted by the rate of the invoice', async ({ company }) => {
    const invoice = kronur({ exchange_rate: 0.5, exchange_rate_date: '2026-03-04' })
    const { id, success } = (await put(company, document(company, { invoice }))).json
    expect(success).toBe(true)
    expect((await get(company, `/${id}`)).json).toMatchObject({
      currency: 'EUR',
      total_base: 50,
      total_tax: 10.5,
      total: 60.5,
    })
  })

  it('a foreign currency is converted by the stored rate; without one the 422 names currency and date', async () => {
    const company = await server().company()
    const { transaction } = server()
    await transaction((tx) => loadRates(tx, 'Date,AUD,NZD,\n2026-03-03,1.25,N/A,\n2026-02-20,1.60,2.00,\n'))
    const inCurrency = (code: string) => ({
      issue_data: { issue_date: '2026-03-04', invoice_currency: { invoice_currency_code: code } },
    })
    const body = document(company, { invoice: inCurrency('AUD') })
    const { id } = (await put(company, body)).json
    expect((await get(company, `/${id}`)).json).toMatchObject({
      total_base: 80,
      total_tax: 16.8,
      total: 96.8,
    })
    const { invoice } = await canonical(company, id)
    expect(invoice.issue_data.invoice_currency).toEqual({
      invoice_currency_code: 'AUD',
      exchange_rate: eurosPerUnit('1.25'),
      exchange_rate_date: '2026-03-03',
    })
    expect(invoice.totals.invoice_currency.invoice_total).toBe(121)
    const validated = await call('POST', '/received-invoices/validate?explain=true', {
      key: company.key,
      body,
    })
    expect(validated.json).toMatchObject({
      is_valid: true,
      data: { invoice: { totals: { invoice_total: 96.8 } } },
    })
    expect(validated.json.explanation.length).toBeGreaterThan(0)
    const spanish = await call('POST', '/received-invoices/validate?explain=true', {
      key: company.key,
      body,
      headers: { 'Accept-Language': 'es' },
    })
    expect(spanish.json.explanation[0].rule).toContain('importe original x exchange_rate')

    const operation = document(company, { invoice: inCurrency('AUD') })
    operation.invoice.issue_data.operation_date = '2026-02-22'
    const earlier = (await put(company, operation)).json.id
    expect((await canonical(company, earlier)).invoice.issue_data.invoice_currency.exchange_rate).toBe(0.625)

    const unknown = document(company, { invoice: inCurrency('NZD') })
    const refused = await put(company, unknown)
    expect(refused.status).toBe(422)
    expect(refused.json.detail).toMatchObject({
      code: 'exchange_rate_not_available',
      currency: 'NZD',
      date: '2026-03-04',
    })
    const item = await call('POST', '/received-invoices/validate', { key: company.key, body: unknown })
    expect(item.json).toMatchObject({ is_valid: false, data: null })
    expect(item.json.errors[0].code).toBe('exchange_rate_not_available')

    // A rate that is published later affects new invoices only.
    await transaction((tx) => loadRates(tx, 'Date,AUD\n2026-03-04,2.5'))
    await call('POST', `/received-invoices/${id}/validate`, { key: company.key })
    expect((await get(company, `/${id}`)).json.total).toBe(96.8)
  })

  it('POST /received-invoices/validate stores nothing, and validates with the company', async () => {
    const company = await server().company()
    const validate = (body: unknown) =>
      call('POST', '/received-invoices/validate', { key: company.key, body })
    expect((await validate(document(company))).json).toMatchObject({ is_valid: true, errors: [] })
    const codes = async (change: (body: Document) => void) => {
      const body = document(company)
      change(body)
      const { status, json } = await validate(body)
      expect([status, json.is_valid]).toEqual([200, false])
      return json.errors.map(({ code }: { code: string }) => code)
    }
    expect(await codes((body) => (body.invoice.customer.tax_id = 'A58818501'))).toContain(
      'recipient_tax_id_mismatch',
    )
    expect(await codes((body) => delete body.invoice.customer)).toContain('recipient_tax_id_required')
    expect(await codes((body) => (body.invoice.issue_data.issue_date = '2999-01-01'))).toContain(
      'future_issue_date',
    )
    expect(await codes((body) => delete body.invoice.header.invoice_number)).toContain(
      'missing_required_field',
    )
    expect(await codes((body) => (body.invoice.header.is_corrective = true))).toContain(
      'inferred_fields_not_allowed',
    )
    const version = await validate({ ...document(company), schema_version: 'json_9' })
    expect([version.status, version.json.detail.code]).toEqual([422, 'unsupported_schema_version'])
    expect((await get(company, '')).json.total).toBe(0)
  })

  it('a saved draft that has become valid is received when it is validated again', async ({ company }) => {
    const body = document(company, { invoice: WRONG })
    const { id } = (await put(company, body)).json
    const validate = () => call('POST', `/received-invoices/${id}/validate`, { key: company.key })
    const first = await validate()
    expect(first.json).toMatchObject({ id, is_valid: false, status: 'draft' })
    expect(first.json.errors[0].code).toBe('tax_rate_unknown')
    // As if the catalog had added the rate: what was sent is valid now.
    const sent = JSON.stringify(document(company, { number: body.invoice.header.invoice_number }))
    await change(company.id, 'invoice_documents', { sent }, { invoice_id: id })
    expect((await validate()).json).toEqual({ id, is_valid: true, status: 'received', errors: [] })
    expect(await codesOf(company, id)).toEqual(['received null DRAFT', 'validated DRAFT RECEIVED'])
    const issued = await call('PUT', '/drafts', { key: company.key, body: draft() })
    for (const other of [issued.json.id, 'x'])
      expect(
        (await call('POST', `/received-invoices/${other}/validate`, { key: company.key })).json.detail.code,
      ).toBe('invoice_not_found')
  })

  it('GET lists newest first, with every filter, page and total', async ({ company }) => {
    const numbers = ['L-1', 'L-2', 'L-3', 'L-4']
    const ids: string[] = []
    for (const [index, number] of numbers.entries()) {
      const body = document(company, {
        number,
        date: `2026-0${index + 1}-15`,
        supplier: index === 0 ? 'A58818501' : 'B12345674',
        invoice: index === 3 ? WRONG : {},
      })
      if (index === 1) body.invoice.header.invoice_series_code = 'S'
      if (index === 2) body.meta.external_ref = 'EXT'
      ids.push((await put(company, body)).json.id)
    }
    const list = async (query: string) => {
      const { status, json } = await get(company, query)
      expect(status).toBe(200)
      return { numbers: json.items.map(({ number }: { number: string }) => number), total: json.total }
    }
    expect(await list('')).toEqual({ numbers: ['L-4', 'L-3', 'L-2', 'L-1'], total: 4 })
    expect(await list('?status=draft')).toEqual({ numbers: ['L-4'], total: 1 })
    expect(await list('?status=received')).toEqual({ numbers: ['L-3', 'L-2', 'L-1'], total: 3 })
    for (const status of ['issued', 'sent', 'cancelled'])
      expect(await list(`?status=${status}`)).toEqual({ numbers: [], total: 0 })
    expect(await list('?supplier_tax_id=es%20A-58818501')).toEqual({ numbers: ['L-1'], total: 1 })
    expect(await list('?series=S')).toEqual({ numbers: ['L-2'], total: 1 })
    expect(await list('?number=L-3')).toEqual({ numbers: ['L-3'], total: 1 })
    expect(await list('?external_ref=EXT')).toEqual({ numbers: ['L-3'], total: 1 })
    expect(await list('?issue_date_from=2026-02-15&issue_date_to=2026-03-15')).toEqual({
      numbers: ['L-3', 'L-2'],
      total: 2,
    })
    expect(await list('?limit=2&offset=1')).toEqual({ numbers: ['L-3', 'L-2'], total: 4 })
    for (const query of ['?status=gone', '?limit=0', '?limit=501', '?customer_tax_id=B12345674']) {
      expect(statusAndCode(await get(company, query))).toBe('422 request_validation_error')
    }
    expect(ids).toHaveLength(4)
  })

  it('DELETE removes the invoice, and its identity is free again', async () => {
    const company = await server().company(SII)
    const body = document(company)
    const { id } = (await put(company, body)).json
    expect(await siiOf(company)).toHaveLength(1)
    const gone = await call('DELETE', `/received-invoices/${id}`, { key: company.key })
    expect([gone.status, gone.text]).toEqual([204, ''])
    expect(await siiOf(company)).toEqual([])
    for (const path of [`/${id}`, `/${id}/canonical`, `/${id}/events`]) {
      expect(statusAndCode(await get(company, path))).toBe('404 invoice_not_found')
    }
    const twice = await call('DELETE', `/received-invoices/${id}`, { key: company.key })
    expect([twice.status, twice.json.detail.code]).toEqual([404, 'invoice_not_found'])
    expect((await get(company, '')).json.total).toBe(0)
    expect((await put(company, body)).json.id).not.toBe(id)
    const issued = await call('PUT', '/drafts', { key: company.key, body: draft() })
    const other = await call('DELETE', `/received-invoices/${issued.json.id}`, { key: company.key })
    expect(other.status).toBe(404)
  })

  it('the SII report of a received invoice is A0 when new, A1 for a later change, and none for a new draft', async () => {
    const company = await server().company(SII)
    const body = document(company)
    const number = body.invoice.header.invoice_number
    const { id } = (await put(company, document(company, { number, invoice: WRONG }))).json
    expect(await siiOf(company)).toEqual([])
    await put(company, body)
    const waiting = { invoice_id: id, book_type: 'RECEIVED', status: 'pending' }
    expect(await siiOf(company)).toEqual([{ ...waiting, operation_type: 'A0' }])
    // Not sent yet, it is still a registration. One that became a draft is not pending.
    body.invoice.issue_data.invoice_description = 'Cambiada'
    await put(company, body)
    expect(await siiOf(company)).toEqual([{ ...waiting, operation_type: 'A0' }])
    await put(company, document(company, { number, invoice: WRONG }))
    expect(await siiOf(company)).toEqual([])
    await put(company, body)
    // After a rejection the tax authority has nothing, so it is a registration again.
    await answerSii(company, 'rejected')
    body.invoice.issue_data.invoice_description = 'Cambiada otra vez'
    await put(company, body)
    expect(await siiOf(company)).toEqual([{ ...waiting, operation_type: 'A0' }])
    await answerSii(company, 'accepted')
    await put(company, body)
    expect(await siiOf(company)).toMatchObject([{ status: 'accepted' }])
    body.invoice.lines[0].unit_price_without_tax = 200
    body.invoice.totals = { total_gross_amount_before_taxes: 200, total_tax_outputs: 42, invoice_total: 242 }
    expect((await put(company, body)).json.success).toBe(true)
    expect(await siiOf(company)).toEqual([{ ...waiting, operation_type: 'A1' }])
    // What the tax authority has differs from the draft until that is corrected.
    await answerSii(company, 'accepted')
    await put(company, document(company, { number, invoice: WRONG }))
    expect(await siiOf(company)).toEqual([{ ...waiting, operation_type: 'A1' }])
    await put(company, body)
    expect(await siiOf(company)).toEqual([{ ...waiting, operation_type: 'A1' }])
    const outside = await server().company()
    await put(outside, document(outside))
    expect(await siiOf(outside)).toEqual([])
  })

  it('an invoice that the SII has accepted is not deleted', async () => {
    const company = await server().company(SII)
    const { id } = (await put(company, document(company))).json
    for (const status of ['accepted', 'accepted_with_errors']) {
      await answerSii(company, status)
      const kept = await call('DELETE', `/received-invoices/${id}`, { key: company.key })
      expect([kept.status, kept.json.detail.code]).toEqual([409, 'invoice_delete_not_allowed'])
      expect(kept.json.detail.reasons).toEqual(['accepted_by_sii'])
    }
    await answerSii(company, 'rejected')
    expect((await call('DELETE', `/received-invoices/${id}`, { key: company.key })).status).toBe(204)
  })

  it('a corrective and its original show each other, if they are of the same supplier', async () => {
    const company = await server().company()
    const original = (await put(company, document(company, { number: 'O-1' }))).json.id
    await put(company, document(company, { number: 'O-1', supplier: 'A58818501' }))
    const body = document(company, { number: 'C-1' })
    body.invoice.header.invoice_type_code = '03'
    body.invoice.header.corrective = {
      reason_code: '16',
      invoice_number: 'O-1',
      invoice_issue_date: '2026-03-02',
      correction_type: 'D',
    }
    const { id } = (await put(company, body)).json
    expect((await get(company, `/${id}`)).json.corrections.corrects).toMatchObject({
      corrected_number: 'O-1',
      match_status: 'matched',
      corrected_invoice_id: original,
    })
    expect((await get(company, `/${original}`)).json.corrections.corrected_by).toMatchObject([
      { invoice_id: id, number: 'C-1', correction_type: 'D' },
    ])
  })

  it('writing needs the scope received:write, reading and validating invoices:read', async ({ company }) => {
    const { key } = server()
    const { id } = (await put(company, document(company))).json
    const reader = await key(company.id, { scopes: ['invoices:read'] })
    const writer = await key(company.id, { scopes: ['received:write'] })
    const body = document(company)
    const denied = async (method: string, path: string, who: string, missing: string) => {
      const { status, json } = await call(method, `/received-invoices${path}`, {
        key: who,
        ...(method === 'PUT' || path === '/validate' ? { body } : {}),
      })
      expect([status, json.detail.code, json.detail.missing]).toEqual([403, 'scope_missing', missing])
    }
    await denied('PUT', '', reader, 'received:write')
    await denied('DELETE', `/${id}`, reader, 'received:write')
    for (const path of ['', `/${id}`, `/${id}/canonical`, `/${id}/events`])
      await denied('GET', path, writer, 'invoices:read')
    await denied('POST', '/validate', writer, 'invoices:read')
    await denied('POST', `/${id}/validate`, writer, 'invoices:read')
    expect((await call('GET', `/received-invoices/${id}`, { key: reader })).status).toBe(200)
    expect((await call('PUT', '/received-invoices', { key: writer, body })).status).toBe(201)
  })
}
