/** Drafts over HTTP. */
import { randomUUID } from 'node:crypto'
import { updateCompany } from 'cuadra-server/service/company/company.ts'
import { expect } from 'vitest'
import { tokens } from '../../tokens.ts'
import { transition } from '../answers.ts'
import type { TestServer } from '../harness.ts'
import { type Document, draft, imported, nextRef, received, receivedXml, wrongDraft } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

const STAMP = '2026-11-21T10:15:30.123456'

export function draftsSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, put, saved, issue, importing, become } = stepsOf(server)
  const getDraft = (key: string, id: string, rest = '') => call('GET', `/drafts/${id}${rest}`, { key })
  const refusal = async (key: string, body: unknown) => {
    const answer = await put(key, body)
    return { statusAndCode: statusAndCode(answer), detail: answer.json.detail }
  }

  it('with If-Match the second of two clients that edit a draft gets 412, and without it no version is compared', async () => {
    const { key } = await server().company()
    const ref = nextRef()
    let edits = 0
    const send = (version?: string) =>
      call('PUT', '/drafts', {
        key,
        body: draft({ ref, invoice: { payment_terms: `Edit ${++edits}` } }),
        headers: version ? { 'If-Match': version } : {},
      })
    const first = await send()
    const { id } = first.json
    const version = first.headers.get('etag') ?? ''
    expect(version).toMatch(/^"[0-9a-f]{32}"$/)
    for (const rest of ['', '/canonical'])
      expect((await getDraft(key, id, rest)).headers.get('etag')?.replace('W/', '')).toBe(version)
    const second = await send(version)
    expect([second.status, second.headers.get('etag') === version]).toEqual([201, false])
    const late = await send(version)
    expect([late.status, late.json.detail.code]).toEqual([412, 'precondition_failed'])
    expect(late.json.detail).toMatchObject({ received: version, expected: second.headers.get('etag') })
    expect((await send(`W/${second.headers.get('etag')}`)).status).toBe(201)
    expect((await send('*')).status).toBe(201)
    expect((await send()).status).toBe(201)
    const remove = (tag: string) => call('DELETE', `/drafts/${id}`, { key, headers: { 'If-Match': tag } })
    expect((await remove(version)).status).toBe(412)
    expect((await remove('*')).status).toBe(204)
    const absent = await send('*')
    expect([absent.status, absent.json.detail.expected]).toEqual([412, null])
  })

  it('a draft has the same version until its document or its status changes', async ({ key, companyId }) => {
    const body = draft()
    const first = await put(key, body)
    const { id } = first.json
    const version = first.headers.get('etag') ?? ''
    const current = async () => (await getDraft(key, id)).headers.get('etag')
    const validate = (headers = {}) => call('POST', `/drafts/${id}/validate`, { key, headers })
    // Another language has other messages, but the same result.
    for (const language of ['es', 'en'])
      expect((await validate({ 'Accept-Language': language })).headers.get('etag')).toBe(version)
    const form = new FormData()
    form.append('file', new Blob(['x'], { type: 'text/plain' }), 'note.txt')
    expect((await call('POST', `/drafts/${id}/documents`, { key, body: form })).status).toBe(201)
    expect((await put(key, body)).headers.get('etag')).toBe(version)
    await server().transaction((all) =>
      updateCompany(all.of(companyId), { cash_basis: [{ start_date: '2020-01-01' }] }, STAMP),
    )
    // The result is another one, but not the document.
    expect((await validate()).json.errors).toMatchObject([{ code: 'recc_key_mismatch' }])
    expect(await current()).toBe(version)
    expect((await call('PUT', '/drafts', { key, body, headers: { 'If-Match': version } })).status).toBe(201)
    await become(companyId, id, 'queued')
    expect(await current()).not.toBe(version)
    await become(companyId, id, 'draft')
    expect(await current()).toBe(version)
    const changed = await put(key, { ...body, invoice: { ...body.invoice, payment_terms: 'A 30 días' } })
    expect(changed.headers.get('etag')).not.toBe(version)
    expect((await validate({ 'If-Match': version })).status).toBe(412)
  })

  it('validating a saved draft adds an event only if the result has changed', async ({ key, companyId }) => {
    const id = await saved(key, wrongDraft())
    const events = async () =>
      (await getDraft(key, id, '/events')).json.map(
        ({ event_code, details }: { event_code: string; details: unknown }) => [event_code, details],
      )
    const before = await getDraft(key, id)
    for (const language of ['es', 'en'])
      await call('POST', `/drafts/${id}/validate`, { key, headers: { 'Accept-Language': language } })
    expect(await events()).toEqual([['created', {}]])
    expect((await getDraft(key, id)).text).toBe(before.text)
    await server().transaction((all) =>
      updateCompany(all.of(companyId), { cash_basis: [{ start_date: '2020-01-01' }] }, STAMP),
    )
    for (let time = 0; time < 2; time++) await call('POST', `/drafts/${id}/validate`, { key })
    expect(await events()).toEqual([
      ['created', {}],
      ['validated', { is_valid: false }],
    ])
  })

  it('what was created is at its Location, also in a repeated response', async ({ company, key }) => {
    const form = () => {
      const file = new FormData()
      file.append('file', new Blob(['x'], { type: 'text/plain' }), 'note.txt')
      return file
    }
    const old = (await importing(company, { number: 'OLD-1' })).json.id
    const corrective = { correction_type: 'S', reason_code: '16', series_code: 'R', external_ref: nextRef() }
    for (const [method, path, body, kind] of [
      ['PUT', '/drafts', draft(), '/drafts'],
      ['POST', `/issued-invoices/${old}/documents`, form, `/issued-invoices/${old}/documents`],
      ['POST', `/issued-invoices/${old}/corrective`, corrective, '/drafts'],
      [
        'POST',
        '/issued-invoices/import',
        imported({ taxId: company.data.tax_id, number: 'OLD-2' }),
        '/issued-invoices',
      ],
      [
        'PUT',
        '/received-invoices',
        received({ taxId: company.data.tax_id, number: 'R-1' }),
        '/received-invoices',
      ],
      [
        'POST',
        '/received-invoices/import?format=ubl_2_1',
        receivedXml({ taxId: company.data.tax_id, number: 'R-2' }, 'ubl_2_1'),
        '/received-invoices',
      ],
    ] as const) {
      const headers = {
        'Idempotency-Key': randomUUID(),
        ...(typeof body === 'string' ? { 'Content-Type': 'application/xml' } : {}),
      }
      const send = () =>
        call(method, path, { key, body: typeof body === 'function' ? body() : body, headers })
      const { status, json, headers: first } = await send()
      const location = first.get('location') ?? ''
      expect([path, status, location]).toEqual([path, 201, `/api/v1.1${kind}/${json.public_id ?? json.id}`])
      expect((await fetch(`${server().url}${location}`, { headers: { 'X-API-Key': key } })).status).toBe(200)
      if (method === 'POST') expect((await send()).headers.get('location')).toBe(location)
    }
  })

  it('the history is an array, or a page with its total if limit or offset is sent', async ({ key }) => {
    const body = draft()
    const id = await saved(key, body)
    for (let time = 0; time < 4; time++) await put(key, body)
    const history = async (query: string) => (await getDraft(key, id, `/events${query}`)).json
    const all = await history('')
    expect(all).toHaveLength(5)
    expect(await history('?limit=2&offset=1')).toEqual({
      items: all.slice(1, 3),
      total: 5,
      limit: 2,
      offset: 1,
    })
    expect(await history('?offset=4')).toEqual({ items: all.slice(4), total: 5, limit: 50, offset: 4 })
    expect(await history('?limit=500')).toMatchObject({ items: all, offset: 0 })
    expect(statusAndCode(await getDraft(key, id, '/events?limit=501'))).toBe('422 request_validation_error')
  })

  it('a client that has the canonical document gets 304, but always gets the summary', async ({ key }) => {
    const id = await saved(key)
    for (const path of [`/drafts/${id}`, `/issued-invoices/${id}`]) {
      const tag = (await call('GET', `${path}/canonical`, { key })).headers.get('etag') ?? ''
      const again = (rest: string, value = tag) =>
        call('GET', `${path}${rest}`, { key, headers: { 'If-None-Match': value } })
      expect([(await again('/canonical')).status, (await again('/canonical', 'W/"x", *')).status]).toEqual([
        304, 200,
      ])
      expect((await again('')).status).toBe(200)
    }
    const old = (await getDraft(key, id, '/canonical')).headers.get('etag') ?? ''
    await issue(key, id)
    const { status, json } = await call('GET', `/issued-invoices/${id}/canonical`, {
      key,
      headers: { 'If-None-Match': old },
    })
    expect([status, json.invoice.header.invoice_number]).toEqual([200, 'F000001'])
  })

  it('PUT /drafts saves a draft, and GET shows it without number and date', async ({ key, data }) => {
    const ref = nextRef()
    const answer = await put(key, draft({ ref, series: 'A' }))
    expect(answer.status).toBe(201)
    expect(answer.json).toMatchObject({ success: true, errors: [] })
    expect((await getDraft(key, answer.json.id)).json).toMatchObject({
      id: answer.json.id,
      direction: 'issued',
      status: 'draft',
      series: null,
      number: null,
      issue_date: null,
      external_id: ref,
      supplier_tax_id: data.tax_id,
      total_base: 100,
      total_tax: 21,
      total: 121,
      corrections: null,
      fiscal: null,
    })
    transition('none -> PUT /drafts -> draft')
  })

  it('a draft with business errors is saved with success false', async ({ key }) => {
    const answer = await put(key, wrongDraft())
    expect(answer.status).toBe(201)
    expect(answer.json.success).toBe(false)
    expect(answer.json.errors[0]).toMatchObject({ code: 'tax_rate_unknown', severity: 'error' })
    expect((await getDraft(key, answer.json.id)).json.status).toBe('draft')
    transition('none -> PUT /drafts -> draft')
  })

  it('sent totals that do not add up are an error of the draft', async ({ key }) => {
    const totals = { total_gross_amount_before_taxes: 100, total_tax_outputs: 21, invoice_total: 120 }
    const { json } = await put(key, draft({ invoice: { totals } }))
    expect(json.success).toBe(false)
    expect(json.errors.map(({ code }: { code: string }) => code)).toContain('totals_mismatch')
  })

  it('the same external_ref updates the same draft, also in another series', async ({ key }) => {
    const ref = nextRef()
    const id = await saved(key, wrongDraft({ ref, series: 'A' }))
    const again = await put(key, draft({ ref, series: 'B' }))
    expect([again.status, again.json]).toEqual([201, { success: true, id, errors: [] }])
    const list = await call('GET', '/drafts?series=B', { key })
    expect(list.json).toMatchObject({ total: 1, items: [{ id }] })
    expect((await call('GET', '/drafts?series=A', { key })).json.total).toBe(0)
    const { json: events } = await getDraft(key, id, '/events')
    expect(events.map(({ event_code }: { event_code: string }) => event_code)).toEqual(['created', 'updated'])
  })

  it('invoice_id updates that draft and can change its external_ref', async ({ key }) => {
    const id = await saved(key)
    const ref = nextRef()
    expect((await put(key, draft({ ref }), `?invoice_id=${id}`)).json).toMatchObject({ id, success: true })
    expect((await getDraft(key, id)).json.external_id).toBe(ref)
  })

  it('invoice_id with the external_ref of another invoice is 409 and changes neither', async ({ key }) => {
    const [mine, theirs] = [nextRef(), nextRef()]
    const id = await saved(key, draft({ ref: mine }))
    await saved(key, draft({ ref: theirs }))
    expect(statusAndCode(await put(key, draft({ ref: theirs, series: 'Z' }), `?invoice_id=${id}`))).toBe(
      '409 invoice_update_not_allowed',
    )
    expect((await call('GET', '/drafts?series=Z', { key })).json.total).toBe(0)
    expect((await getDraft(key, id)).json.external_id).toBe(mine)
  })

  it('an invoice that is no longer a draft is not updated, by reference or by id', async () => {
    const company = await server().company()
    const { key, id: companyId } = company
    const ref = nextRef()
    const id = await saved(key, draft({ ref }))
    await issue(key, id)
    for (const status of ['issued', 'sent', 'cancelled', 'queued'] as const) {
      await become(companyId, id, status)
      expect(statusAndCode(await put(key, draft({ ref })))).toBe('409 invoice_update_not_allowed')
      expect(statusAndCode(await put(key, draft({ ref: nextRef() }), `?invoice_id=${id}`))).toBe(
        '409 invoice_update_not_allowed',
      )
    }
    const other = (await importing(company, { number: 'X-1' })).json.id
    expect(statusAndCode(await put(key, draft({ ref: 'X-1' })))).toBe('409 invoice_update_not_allowed')
    expect(statusAndCode(await put(key, draft(), `?invoice_id=${other}`))).toBe(
      '409 invoice_update_not_allowed',
    )
  })

  it('an unknown invoice_id is 404, that of a received invoice 409, and a malformed one 422', async () => {
    const { key, data } = await server().company()
    expect(statusAndCode(await put(key, draft(), `?invoice_id=${randomUUID()}`))).toBe(
      '404 invoice_not_found',
    )
    const purchase = await call('PUT', '/received-invoices', {
      key,
      body: received({ taxId: data.tax_id, number: nextRef() }),
    })
    const refused = await put(key, draft(), `?invoice_id=${purchase.json.id}`)
    expect(statusAndCode(refused)).toBe('409 invoice_update_not_allowed')
    expect(refused.json.detail.reason).toBe('it is a received invoice')
    const stranger = await server().company()
    expect(statusAndCode(await put(stranger.key, draft(), `?invoice_id=${purchase.json.id}`))).toBe(
      '404 invoice_not_found',
    )
    expect(statusAndCode(await put(key, draft(), '?invoice_id=nonsense'))).toBe(
      '422 request_validation_error',
    )
  })

  it('ten concurrent requests with one external_ref make one draft', async ({ key }) => {
    const ref = nextRef()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) => put(key, draft({ ref, series: `S${n % 3}` }))),
    )
    expect(answers.map(statusAndCode)).toEqual(Array(10).fill('201'))
    expect(new Set(answers.map(({ json }) => json.id)).size).toBe(1)
    expect((await call('GET', '/drafts', { key })).json.total).toBe(1)
  })

  it('a concurrent draft and import with one external_ref make one invoice', async ({ company }) => {
    for (let round = 0; round < 3; round++) {
      const ref = nextRef()
      const answers = await Promise.all([
        put(company.key, draft({ ref })),
        importing(company, { number: `N-${round}`, ref }),
        put(company.key, draft({ ref })),
      ])
      const fine = answers.filter(({ status }) => status === 201)
      const others = answers.filter(({ status }) => status !== 201).map(statusAndCode)
      expect(new Set(fine.map(({ json }) => json.id)).size).toBe(1)
      expect(new Set(others).size === 0 || [...new Set(others)]).toEqual(['409 invoice_update_not_allowed'])
      const { json } = await call('GET', `/issued-invoices?external_ref=${ref}`, { key: company.key })
      expect(json.total).toBe(1)
    }
  })

  it('supplier.tax_id may be lower case, with prefix, blanks or hyphens, and is stored in one form', async () => {
    const { key, data } = await server().company()
    const id = data.tax_id
    const forms = [id.toLowerCase(), `ES${id}`, `es-${id}`, `${id[0]}-${id.slice(1)}`, ` ${id} `, undefined]
    for (const taxId of forms) {
      const answer = await put(key, draft(taxId === undefined ? {} : { taxId }))
      expect([taxId, statusAndCode(answer), answer.json.success]).toEqual([taxId, '201', true])
      expect((await getDraft(key, answer.json.id)).json.supplier_tax_id).toBe(id)
    }
  })

  it('a supplier that is not the company is refused', async ({ key, data }) => {
    const { statusAndCode: answer, detail } = await refusal(key, draft({ taxId: 'B12345674' }))
    expect(answer).toBe('422 issuer_tax_id_mismatch')
    expect(detail).toMatchObject({ expected: data.tax_id, received: 'B12345674' })
    expect((await call('GET', '/drafts', { key })).json.total).toBe(0)
  })

  it('a refused draft is not stored', async ({ key }) => {
    const changed = (change: (document: Document) => void): Document => {
      const document = structuredClone(draft())
      change(document)
      return document
    }
    const cases: [string, Document, Record<string, unknown>?][] = [
      ['unsupported_schema_version', changed((d) => (d.schema_version = 'json_1_0'))],
      ['schema_validation_failed', changed((d) => delete d.schema_version)],
      [
        'inferred_fields_not_allowed',
        changed((d) => {
          d.invoice.header.is_simplified = false
          d.invoice.lines[0].taxable = true
        }),
        { fields: ['/invoice/header/is_simplified', '/invoice/lines/0/taxable'] },
      ],
      [
        'missing_required_fields',
        changed((d) => {
          delete d.meta.external_ref
          delete d.invoice.header.invoice_series_code
        }),
        { missing: ['meta.external_ref', 'header.invoice_series_code'] },
      ],
      ['invoice_number_not_allowed', changed((d) => (d.invoice.header.invoice_number = 'F000001'))],
      ['issue_date_not_allowed', changed((d) => (d.invoice.issue_data.issue_date = '2026-01-01'))],
      ['schema_validation_failed', changed((d) => (d.invoice.unknown = 1))],
      ['schema_validation_failed', changed((d) => (d.meta.external_ref = 'x'.repeat(61)))],
      ['schema_validation_failed', changed((d) => (d.invoice.lines = []))],
      ['schema_validation_failed', changed((d) => (d.invoice.customer.name = 'x'.repeat(121)))],
      ['schema_validation_failed', changed((d) => (d.invoice.customer.name = '   '))],
      ['schema_validation_failed', changed((d) => (d.invoice.lines[0].item_description = ' '))],
      ['schema_validation_failed', changed((d) => (d.meta.source_system = '\t'))],
      ['missing_required_fields', changed((d) => (d.meta.external_ref = '  '))],
      ['missing_required_fields', changed((d) => (d.invoice.header.invoice_series_code = '   '))],
    ]
    for (const [code, document, extra = {}] of cases) {
      const { statusAndCode: answer, detail } = await refusal(key, document)
      expect(answer).toBe(`422 ${code}`)
      expect(detail).toMatchObject(extra)
    }
    expect((await call('GET', '/drafts', { key })).json.total).toBe(0)
  })

  it('the first problem is reported, in the order of the specification', async ({ key }) => {
    const document = draft({ taxId: 'B12345674' })
    document.schema_version = 'json_9'
    document.invoice.header.is_corrective = false
    delete document.meta.external_ref
    document.invoice.header.invoice_number = 'F000001'
    document.invoice.issue_data.issue_date = '2026-01-01'
    document.invoice.nonsense = true
    document.invoice.lines[0].tax_output_rate = 20
    const codes: string[] = []
    const next = async (fix: () => void) => {
      const answer = await put(key, document)
      codes.push(answer.json.detail?.code ?? answer.json.errors[0]?.code)
      fix()
    }
    await next(() => (document.schema_version = 'json_1_1'))
    await next(() => delete document.invoice.header.is_corrective)
    await next(() => (document.meta.external_ref = nextRef()))
    await next(() => delete document.invoice.header.invoice_number)
    await next(() => delete document.invoice.issue_data.issue_date)
    await next(() => delete document.invoice.nonsense)
    await next(() => delete document.invoice.supplier.tax_id)
    await next(() => {})
    expect(codes).toEqual(tokens`unsupported_schema_version inferred_fields_not_allowed
      missing_required_fields invoice_number_not_allowed issue_date_not_allowed schema_validation_failed
      issuer_tax_id_mismatch totals_mismatch`)
  })

  it('a missing body, or one that is not an object, is refused', async ({ key }) => {
    for (const body of ['[]', '"text"', '1', 'null'])
      expect([body, statusAndCode(await put(key, body))]).toEqual([body, '422 schema_validation_failed'])
    expect(statusAndCode(await put(key, '{'))).toBe('422 request_validation_error')
    expect(statusAndCode(await call('PUT', '/drafts', { key }))).toMatch(/^4(15|22) /)
  })

  it('validating a saved draft stores and returns the result', async ({ key }) => {
    const id = await saved(key, wrongDraft())
    const { status, json } = await call('POST', `/drafts/${id}/validate`, { key })
    expect(status).toBe(200)
    expect(json).toMatchObject({
      id,
      is_valid: false,
      status: 'draft',
      errors: [{ code: 'tax_rate_unknown' }],
    })
    const fine = await saved(key)
    expect((await call('POST', `/drafts/${fine}/validate`, { key })).json).toEqual({
      id: fine,
      is_valid: true,
      status: 'draft',
      errors: [],
    })
    await issue(key, fine)
    expect(statusAndCode(await call('POST', `/drafts/${fine}/validate`, { key }))).toBe(
      '404 invoice_not_found',
    )
  })

  it('validating without saving returns the normalised invoice and stores nothing', async ({ key }) => {
    expect((await call('POST', '/drafts/validate', { key, body: draft() })).json).toMatchObject({
      is_valid: true,
      errors: [],
      data: { invoice: { totals: { invoice_total: 121 } } },
    })
    const wrong = draft()
    wrong.invoice.header.is_simplified = false
    const inside = await call('POST', '/drafts/validate', { key, body: wrong })
    expect([inside.status, inside.json.is_valid, inside.json.data]).toEqual([200, false, null])
    expect(inside.json.errors[0].code).toBe('inferred_fields_not_allowed')
    wrong.schema_version = 'json_2'
    expect(statusAndCode(await call('POST', '/drafts/validate', { key, body: wrong }))).toBe(
      '422 unsupported_schema_version',
    )
    expect((await call('GET', '/drafts', { key })).json.total).toBe(0)
  })

  it('validating reports all problems at once; saving reports only the schema errors', async ({ key }) => {
    const wrong = draft()
    wrong.invoice.lines[0]!.tax_output_rate = 20
    Object.assign(wrong.invoice.lines[0]!, { quantity: 'one' })
    const listed = ({ json }: { readonly json: { readonly errors: readonly { readonly code: string }[] } }) =>
      json.errors.map(({ code }) => code)
    const validated = await call('POST', '/drafts/validate', { key, body: wrong })
    expect([validated.status, validated.json.data, listed(validated)]).toEqual([
      200,
      null,
      ['schema.type', 'tax_rate_unknown'],
    ])
    const refused = await call('PUT', '/drafts', { key, body: wrong })
    expect([statusAndCode(refused), listed({ json: refused.json.detail })]).toEqual([
      '422 schema_validation_failed',
      ['schema.type'],
    ])
  })

  it('the canonical document has the computed amounts', async ({ key, data }) => {
    const id = await saved(key)
    expect((await getDraft(key, id, '/canonical')).json.invoice).toMatchObject({
      supplier: { tax_id: data.tax_id },
      header: { is_simplified: false, is_corrective: false },
      lines: [{ sequence_number: 1, tax_treatment_code: 'TAXABLE_NON_EXEMPT', tax_output_amount: 21 }],
      taxes_outputs: [{ tax_rate: 21, taxable_base: 100, tax_amount: 21 }],
    })
  })

  it('the list is newest first, in pages, with filters; a date filter empties it', async ({ key }) => {
    const ids: string[] = []
    for (let n = 0; n < 3; n++) ids.unshift(await saved(key, draft({ ref: `L-${n}` })))
    const list = async (query: string) => (await call('GET', `/drafts${query}`, { key })).json
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id)
    expect(idsOf(await list(''))).toEqual(ids)
    expect(await list('?limit=1&offset=1')).toMatchObject({
      total: 3,
      limit: 1,
      offset: 1,
      items: [{ id: ids[1] }],
    })
    expect(idsOf(await list('?external_ref=L-2'))).toEqual([ids[0]])
    expect((await list('?customer_tax_id=es-b12345674')).total).toBe(3)
    expect((await list('?issue_date_from=2000-01-01')).total).toBe(0)
    expect((await list('?issue_date_to=2100-01-01')).total).toBe(0)
    expect((await list('?number=F000001')).total).toBe(0)
  })

  it('DELETE removes a draft once, and an invoice that is not a draft stays', async ({ key, companyId }) => {
    const id = await saved(key)
    expect((await call('DELETE', `/drafts/${id}`, { key })).status).toBe(204)
    expect(statusAndCode(await call('DELETE', `/drafts/${id}`, { key }))).toBe('404 invoice_not_found')
    expect(statusAndCode(await getDraft(key, id))).toBe('404 invoice_not_found')
    const other = await saved(key)
    for (const [status, reason] of [
      ['queued', 'queued'],
      ['issued', 'not_a_draft'],
    ] as const) {
      await become(companyId, other, status)
      const answer = await call('DELETE', `/drafts/${other}`, { key })
      expect(statusAndCode(answer)).toBe('409 invoice_delete_not_allowed')
      expect(answer.json.detail.reasons).toEqual([reason])
    }
  })

  it('an issued invoice is not a draft: 404 under /drafts', async ({ key }) => {
    const id = await saved(key)
    await issue(key, id)
    for (const rest of ['', '/canonical', '/events'])
      expect(statusAndCode(await getDraft(key, id, rest))).toBe('404 invoice_not_found')
  })

  it('an imported invoice is not a draft', async ({ key, data }) => {
    const body = imported({ taxId: data.tax_id, number: 'N-1', ref: nextRef() })
    expect((await refusal(key, body)).statusAndCode).toBe('422 invoice_number_not_allowed')
  })
}
