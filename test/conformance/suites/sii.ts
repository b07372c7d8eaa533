/** SII over HTTP: enrolment, deadlines, submissions, and the status of an invoice. */
import { randomUUID } from 'node:crypto'
import { createClock } from 'cuadra-server/environment/clock.ts'
import type { Book } from 'cuadra-server/store/tables.ts'
import { expect } from 'vitest'
import { daysBetween } from '#records/sii/deadline/calendar.ts'
import { deadlineOf } from '#records/sii/index.ts'
import { certify } from '../certificates.ts'
import type { Answered, TestCompany, TestServer } from '../harness.ts'
import { draft, nextRef, received } from '../invoices.ts'
import { SOME_ID } from '../requests.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

const ENROLLED = {
  sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }] },
}

export function siiSuite(server: () => TestServer): void {
  const { call, change } = stepsOf(server)
  const it = itWithCompany(server)
  const codeOf = ({ json }: Answered): string => json.detail.code
  const get = (company: { key: string }, path: string) => call('GET', path, { key: company.key })
  const put = (company: { key: string }, body: unknown) =>
    call('PUT', '/sii/config', { key: company.key, body })
  const today = () => createClock().today()

  async function issue({ key }: TestCompany): Promise<string> {
    const { json } = await call('PUT', '/drafts', { key, body: draft() })
    await call('POST', `/issued-invoices/${json.id}/issue`, { key })
    return json.id
  }

  async function buy({ key, data }: TestCompany): Promise<string> {
    const body = received({ taxId: data.tax_id, number: nextRef('R') })
    return (await call('PUT', '/received-invoices', { key, body })).json.id
  }

  const periods = (...entries: readonly (readonly [string, string, (string | null)?])[]) =>
    server().company({
      sii: {
        tax_authority: 'atc',
        enrollment_periods: entries.map(([enrollment_status, start_date, end_date = null]) => ({
          enrollment_status,
          start_date,
          end_date,
        })),
      },
    })

  it('a company that is not enrolled reads not_applicable, and its invoices are not pending', async () => {
    const company = await server().company()
    expect((await get(company, '/sii/config')).json).toEqual({
      enrollment_status: 'not_applicable',
      tax_authority: 'aeat',
      auto_submit: null,
      certificate_id: null,
      environment: 'test',
      enrollment_periods: [],
      updated_at: null,
    })
    const id = await issue(company)
    expect((await get(company, '/sii/pending')).json).toEqual({ items: [], total: 0 })
    expect((await get(company, `/invoices/${id}/sii/status`)).json).toEqual([])
  })

  it('the enrolment is that of the period in force today', async () => {
    const status = async (company: TestCompany) => (await get(company, '/sii/config')).json.enrollment_status
    expect(await status(await periods(['mandatory', '2026-01-01']))).toBe('mandatory')
    expect(await status(await periods(['voluntary_opted_in', '2026-01-01', today()]))).toBe(
      'voluntary_opted_in',
    )
    expect(await status(await periods(['mandatory', '2099-01-01']))).toBe('not_applicable')
    expect(await status(await periods(['mandatory', '2025-01-01', '2025-12-31']))).toBe('ceased')
    const ceased = await periods(['mandatory', '2025-01-01', '2025-12-31'], ['ceased', '2026-01-01'])
    expect(await status(ceased)).toBe('ceased')
    await issue(ceased)
    expect((await get(ceased, '/sii/pending')).json.total).toBe(0)
    const { json } = await get(ceased, '/sii/config')
    expect(json.tax_authority).toBe('atc')
    expect(json.enrollment_periods).toEqual([
      {
        id: 1,
        enrollment_status: 'mandatory',
        environment: 'test',
        start_date: '2025-01-01',
        end_date: '2025-12-31',
        notes: null,
      },
      {
        id: 2,
        enrollment_status: 'ceased',
        environment: 'test',
        start_date: '2026-01-01',
        end_date: null,
        notes: null,
      },
    ])
  })

  it('PUT /sii/config changes only the fields that are sent', async () => {
    const company = await server().company(ENROLLED)
    const { id } = await certify(server(), company.id)
    const first = (await put(company, { auto_submit: true })).json
    expect(first).toMatchObject({ auto_submit: true, certificate_id: null, enrollment_status: 'mandatory' })
    const second = (await put(company, { certificate_id: id })).json
    expect(second).toMatchObject({ auto_submit: true, certificate_id: id })
    expect(second.updated_at > first.updated_at).toBe(true)
    expect((await put(company, {})).json).toEqual(second)
    expect((await put(company, { auto_submit: false })).json).toMatchObject({
      auto_submit: false,
      certificate_id: id,
    })
    const last = (await put(company, { auto_submit: null, certificate_id: null })).json
    expect(last).toMatchObject({ auto_submit: null, certificate_id: null })
    expect((await get(company, '/sii/config')).json).toEqual(last)
  })

  it('PUT /sii/config refuses unknown values, and a certificate that the company does not have', async () => {
    const company = await server().company(ENROLLED)
    await certify(server(), (await server().company()).id)
    for (const body of [
      { certificate_id: 1 },
      { certificate_id: 1.5 },
      { certificate_id: '1' },
      { auto_submit: 'yes' },
      { environment: 'production' },
      [],
    ]) {
      expect(statusAndCode(await put(company, body))).toBe('422 request_validation_error')
    }
    const headers = { 'Content-Type': 'application/json' }
    const empty = await call('PUT', '/sii/config', { key: company.key, headers })
    expect(codeOf(empty)).toBe('request_validation_error')
    expect((await get(company, '/sii/config')).json.updated_at).toBeNull()
    const reader = { key: await server().key(company.id, { scopes: ['compliance:read'] }) }
    expect((await put(reader, { auto_submit: true })).json.detail).toMatchObject({
      code: 'scope_missing',
      missing: '*',
    })
    expect((await get(reader, '/sii/config')).status).toBe(200)
  })

  it('issued and received invoices are pending with their deadlines, the nearest first', async () => {
    const company = await server().company(ENROLLED)
    const sold = await issue(company)
    const bought = await buy(company)
    const book = { ISSUED: 'issue_date', RECEIVED: 'receipt_date' } as const
    const expected = (name: keyof typeof book) =>
      deadlineOf({ book: name, [book[name]]: today() } as never, { today: today() })
    for (const path of ['pending', 'deadlines']) {
      const { items, total } = (await get(company, `/sii/${path}`)).json
      expect(total).toBe(2)
      for (const [id, name] of [
        [sold, 'ISSUED'],
        [bought, 'RECEIVED'],
      ] as const) {
        const item = items.find((one: { invoice_public_id: string }) => one.invoice_public_id === id)
        const { deadline, days_remaining } = expected(name)
        expect(item).toEqual({
          invoice_public_id: id,
          invoice_id: item.invoice_id,
          book_type: name,
          deadline,
          days_remaining,
        })
      }
    }
    const late = await issue(company)
    await change(company.id, 'sii_records', { deadline: '2026-01-09' }, { invoice_id: late })
    const { items } = (await get(company, '/sii/pending?limit=1')).json
    expect(items).toMatchObject([
      { invoice_public_id: late, days_remaining: daysBetween(today(), '2026-01-09') },
    ])
    expect(items[0].days_remaining).toBeLessThan(0)
    for (const limit of ['0', '1001', 'all'])
      for (const path of ['pending', 'deadlines'])
        expect(codeOf(await get(company, `/sii/${path}?limit=${limit}`))).toBe('request_validation_error')
    expect((await get(await server().company(ENROLLED), '/sii/pending')).json.total).toBe(0)
  })

  it('GET /invoices/{id}/sii/status returns the status of an invoice', async () => {
    const company = await server().company(ENROLLED)
    const id = await issue(company)
    const path = `/invoices/${id}/sii/status`
    const [pending, ...none] = (await get(company, path)).json
    expect(none).toEqual([])
    expect(pending).toMatchObject({
      book_type: 'ISSUED',
      tax_authority: 'aeat',
      status: 'pending',
      submitted_at: null,
      accepted_at: null,
      error_code: null,
      error_description: null,
      last_submission_id: null,
    })
    const { items } = (await get(company, '/sii/pending')).json
    expect(pending).toMatchObject({ invoice_id: items[0].invoice_id, deadline: items[0].deadline })
    const sent = { submitted_at: '2026-03-05T10:00:00.000000', accepted_at: '2026-03-05T10:00:01.000000' }
    await change(
      company.id,
      'sii_records',
      { status: 'accepted', last_submission_id: 7, ...sent },
      { invoice_id: id },
    )
    expect((await get(company, path)).json).toMatchObject([
      { status: 'accepted', last_submission_id: 7, ...sent },
    ])
    expect((await get(company, '/sii/pending')).json.total).toBe(0)
    const stranger = await server().company()
    for (const [who, other] of [
      [company, SOME_ID],
      [company, '1'],
      [stranger, id],
    ] as const) {
      expect(statusAndCode(await get(who, `/invoices/${other}/sii/status`))).toBe('404 invoice_not_found')
    }
  })

  /** A submission as the sender stores it. */
  const submitted = (company: TestCompany, submitted_at: string, book_type: Book, global_status: string) =>
    server().transaction(async (all) => {
      const tx = all.of(company.id)
      const public_id = randomUUID()
      const wrong = global_status === 'rejected'
      const error = {
        error_code: wrong ? '1100' : null,
        error_description: wrong ? 'Valor o tipo incorrecto' : null,
      }
      await tx.insert('sii_submissions', {
        public_id,
        ...error,
        internal_id: 1,
        book_type,
        operation_type: 'A0',
        global_status,
        submitted_at,
        csv: wrong ? null : 'B-2',
        record_count: 2,
        created_at: submitted_at,
      })
      for (const [line, invoice_number] of ['F000001', 'F000002'].entries())
        await tx.insert('sii_submission_items', {
          public_id,
          ...error,
          line,
          invoice_id: SOME_ID,
          invoice_number,
          item_status: wrong ? 'rejected' : 'accepted',
          aeat_record_state: wrong ? null : 'Correcta',
        })
      return public_id
    })

  it('submissions are listed newest first, filtered, and read individually', async () => {
    const company = await server().company(ENROLLED)
    // 23:30 in UTC is the next day in Madrid.
    const first = await submitted(company, '2026-02-28T23:30:00.000000', 'ISSUED', 'accepted')
    const second = await submitted(company, '2026-03-02T10:00:00.000000', 'RECEIVED', 'rejected')
    const third = await submitted(company, '2026-07-01T21:59:59.999999', 'ISSUED', 'rejected')
    const ids = async (query: string): Promise<string[]> =>
      (await get(company, `/sii/submissions${query}`)).json.items.map(
        (one: { public_id: string }) => one.public_id,
      )
    expect(await ids('')).toEqual([third, second, first])
    expect(await ids('?book_type=ISSUED')).toEqual([third, first])
    expect(await ids('?global_status=rejected')).toEqual([third, second])
    expect(await ids('?global_status=rejected&book_type=RECEIVED')).toEqual([second])
    expect(await ids('?global_status=other')).toEqual([])
    expect(await ids('?date_from=2026-03-01&date_to=2026-03-01')).toEqual([first])
    expect(await ids('?date_to=2026-02-28')).toEqual([])
    expect(await ids('?date_from=2026-07-01')).toEqual([third])
    expect(await ids('?date_from=2026-07-02')).toEqual([])
    expect((await get(company, '/sii/submissions?offset=1&limit=1')).json).toEqual({
      items: [
        {
          public_id: second,
          book_type: 'RECEIVED',
          operation_type: 'A0',
          global_status: 'rejected',
          submitted_at: '2026-03-02T10:00:00.000000',
          csv: null,
          record_count: 2,
          error_code: '1100',
          error_description: 'Valor o tipo incorrecto',
        },
      ],
      total: 3,
      offset: 1,
      limit: 1,
    })
    for (const query of [
      'limit=201',
      'limit=0',
      'offset=-1',
      'book_type=ALL',
      'date_from=2026-02-30',
      'status=x',
    ])
      expect(codeOf(await get(company, `/sii/submissions?${query}`))).toBe('request_validation_error')
    const { submission, items } = (await get(company, `/sii/submissions/${first}`)).json
    expect(submission).toMatchObject({ public_id: first, csv: 'B-2', global_status: 'accepted' })
    expect(items).toEqual(
      ['F000001', 'F000002'].map((invoice_number) => ({
        invoice_public_id: SOME_ID,
        invoice_number,
        item_status: 'accepted',
        error_code: null,
        error_description: null,
        aeat_record_state: 'Correcta',
      })),
    )
    const stranger = await server().company()
    expect((await get(stranger, '/sii/submissions')).json).toEqual({
      items: [],
      total: 0,
      limit: 50,
      offset: 0,
    })
    for (const [who, id] of [
      [company, SOME_ID],
      [company, '1'],
      [stranger, first],
    ] as const) {
      expect(statusAndCode(await get(who, `/sii/submissions/${id}`))).toBe('404 sii_submission_not_found')
    }
  })

  it('the queries need compliance:read', async ({ company }) => {
    const other = { key: await server().key(company.id, { scopes: ['invoices:read'] }) }
    for (const path of ['config', 'pending', 'deadlines', 'submissions', `submissions/${SOME_ID}`])
      expect((await get(other, `/sii/${path}`)).json.detail).toMatchObject({
        code: 'scope_missing',
        missing: 'compliance:read',
      })
    expect((await get(other, `/invoices/${SOME_ID}/sii/status`)).status).toBe(403)
  })
}
