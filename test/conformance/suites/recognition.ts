/** Recognition over HTTP: proposals, refused files, and repeated files. */
import { createHash, randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { type Answered, startServer, type TestCompany, type TestServer } from '../harness.ts'
import { invoicePaper, type PaperInvoice, paperForm, paperOf, RECOGNIZE } from '../paper.ts'
import { removed } from '../removals.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'

const MEGABYTE = 1024 * 1024

export function recognitionSuite(server: () => TestServer): void {
  const { call, change } = stepsOf(server)
  const it = itWithCompany(server)
  const recognize = (
    { key }: Pick<TestCompany, 'key'>,
    content: Uint8Array,
    headers: Record<string, string> = {},
  ): Promise<Answered> => call('POST', RECOGNIZE, { key, body: paperForm(content), headers })
  const own = ({ data }: TestCompany, invoice: PaperInvoice = {}) =>
    invoicePaper({ customer: data.tax_id, customer_name: data.legal_name, ...invoice })

  it('returns a proposal that can be registered once its computed fields are removed', async () => {
    const company = await server().company()
    const { status, json } = await recognize(company, own(company))
    expect(status).toBe(200)
    expect(json).toMatchObject({ status: 'recognized_ready', score: 0.85, warnings: [] })
    const draft = json.canonical_draft
    expect(draft).toMatchObject({
      schema_version: 'json_1_1',
      meta: { direction: 'received', recognition_status: 'recognized_ready', recognition_score: 0.85 },
      recognition: { requires_human_review: false, review_reasons: [] },
      invoice: {
        supplier: { tax_id: 'B87345120', name: 'Suministros del Norte, S.L.' },
        customer: { tax_id: company.data.tax_id },
        header: { invoice_number: 'F-2026/17', is_simplified: false },
        issue_data: { issue_date: '2026-03-03' },
        lines: [{ item_description: 'Tornillos', quantity: 4, unit_price_without_tax: 25, taxable: true }],
        totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 21, invoice_total: 121 },
      },
    })
    const { field_scores } = draft.recognition
    expect(field_scores['/invoice/header/invoice_number']).toBe(0.85)
    expect(field_scores['/invoice/totals/invoice_total']).toBe(0.9)
    for (const [pointer, score] of Object.entries(field_scores)) {
      const value = pointer
        .split('/')
        .slice(1)
        .reduce((at, name) => at?.[name], draft)
      expect(value, pointer).toBeDefined()
      expect(score).toBeGreaterThan(0)
      expect(score).toBeLessThanOrEqual(1)
    }
    const listed = await call('GET', '/received-invoices', { key: company.key })
    expect(listed.json.total, 'nothing is registered by itself').toBe(0)
    const saved = await call('PUT', '/received-invoices', { key: company.key, body: removed(draft) })
    expect([saved.status, saved.json.success, saved.json.errors]).toEqual([201, true, []])
    const { json: kept } = await call('GET', `/received-invoices/${saved.json.id}/canonical`, {
      key: company.key,
    })
    expect(kept.meta.recognition_score).toBe(0.85)
    expect(kept.recognition).toEqual(draft.recognition)
  })

  it('a registered proposal keeps its recognition data on received invoices only', async ({ company }) => {
    const { json } = await recognize(company, own(company))
    const body = removed(json.canonical_draft)
    body.meta = { ...body.meta, direction: 'issued', external_ref: randomUUID() }
    const { invoice_number: _number, ...header } = body.invoice.header
    const { issue_date: _date, ...issue_data } = body.invoice.issue_data
    body.invoice = { ...body.invoice, header: { ...header, invoice_series_code: 'A' }, issue_data }
    const { status, json: refused } = await call('PUT', '/drafts', { key: company.key, body })
    expect(`${status} ${refused.detail.code}`).toBe('422 schema_validation_failed')
    const paths = refused.detail.errors.map(({ path }: { path: string }) => path)
    for (const path of ['/meta/recognition_status', '/meta/recognition_score', '/recognition'])
      expect(paths).toContain(path)
  })

  it('a doubtful proposal needs review, with the reasons in the language of the client', async () => {
    const company = await server().company()
    // Addressed to another company.
    const english = await recognize(company, invoicePaper())
    expect(english.json.status).toBe('recognized_pending_review')
    const { recognition } = english.json.canonical_draft
    expect(recognition.requires_human_review).toBe(true)
    expect(recognition.review_reasons).toContain(
      'The document is addressed to another tax id. Do not register it as an invoice of this company.',
    )
    const spanish = await recognize(company, invoicePaper({ number: 'F-2026/18' }), {
      'Accept-Language': 'es',
    })
    expect(spanish.json.canonical_draft.recognition.review_reasons).toContain(
      'El documento va dirigido a otro NIF. No lo registre como factura de esta empresa.',
    )
  })

  it('a file that is not an invoice is reported as such, without a proposal', async ({ company }) => {
    const { status, json } = await recognize(
      company,
      paperOf([
        [50, 60, 'Estimado vecino:'],
        [50, 90, 'La junta se reunirá el lunes en el portal.'],
      ]),
    )
    expect([status, json.status, json.canonical_draft]).toEqual([200, 'recognized_rejected', {}])
  })

  it('names an invoice that the company has already registered, and only to that company', async () => {
    const [company, other] = [await server().company(), await server().company()]
    const first = await recognize(company, own(company))
    const body = removed(first.json.canonical_draft)
    expect((await call('PUT', '/received-invoices', { key: company.key, body })).status).toBe(201)
    // Another file of the same invoice.
    const again = await recognize(company, Buffer.concat([own(company), Buffer.from('\n')]))
    expect(again.json.status).toBe('recognized_pending_review')
    expect(again.json.canonical_draft.recognition.review_reasons.join(' ')).toContain('already registered')
    expect((await recognize(other, own(other))).json.status).toBe('recognized_ready')
  })

  describe('the same file', () => {
    it('is recognised once per company, and its proposal is returned when it is sent again within a day', async () => {
      const [company, other] = [await server().company(), await server().company()]
      const paper = own(company)
      const first = await recognize(company, paper)
      expect(first.status).toBe(200)
      const again = await recognize(company, paper)
      expect(statusAndCode(again)).toBe('409 recognition_already_done')
      expect(again.json.detail).toMatchObject({
        job_id: first.json.job_id,
        status: 'recognized_ready',
        message: expect.stringContaining(first.json.job_id),
        result: first.json,
      })
      await change(company.id, 'idempotency_keys', { created_ms: Date.now() - 86_401_000 })
      expect((await recognize(company, paper)).json.detail.result).toBeUndefined()
      expect((await recognize(other, paper)).status).toBe(200)
    })

    it('gets the same response under its idempotency key, whatever the form looks like', async () => {
      const company = await server().company()
      const headers = { 'Idempotency-Key': randomUUID() }
      const first = await recognize(company, own(company), headers)
      const again = await recognize(company, own(company), headers)
      expect([again.status, again.text]).toEqual([200, first.text])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      const another = await recognize(company, own(company, { number: 'X-1' }), headers)
      expect(statusAndCode(another)).toBe('409 idempotency_key_reused')
    })

    it('is recognised once if it is sent several times concurrently', async ({ company }) => {
      const paper = own(company)
      const answers = await Promise.all(Array.from({ length: 4 }, () => recognize(company, paper)))
      const codes = answers.map(statusAndCode)
      expect(codes.filter((code) => code === '200')).toHaveLength(1)
      for (const code of codes)
        expect(['200', '409 recognition_in_progress', '409 recognition_already_done']).toContain(code)
    })

    const leased = (company: TestCompany, paper: Buffer, lease_ms: number) =>
      server().transaction((tx) =>
        tx.of(company.id).insert('recognitions', {
          sha256: createHash('sha256').update(paper).digest('hex'),
          job_id: randomUUID(),
          month: '2026-01',
          lease_ms,
          failures: 0,
          status: null,
          score: null,
          created_at: '2026-01-01T00:00:00.000000',
        }),
      )

    it('waits while another request works on it, and no longer than that request lives', async () => {
      const company = await server().company()
      const paper = own(company)
      await leased(company, paper, Date.now() + 30_000)
      const busy = await recognize(company, paper)
      expect(statusAndCode(busy)).toBe('409 recognition_in_progress')
      expect(Number(busy.headers.get('retry-after'))).toBeGreaterThan(0)
      const other = await server().company()
      const left = own(other)
      await leased(other, left, Date.now() - 1)
      expect((await recognize(other, left)).status).toBe(200)
    })
  })

  describe('a file that is not read', () => {
    it.each([
      ['empty', new Uint8Array()],
      ['too_large', Buffer.concat([invoicePaper(), Buffer.alloc(10 * MEGABYTE)])],
      ['unknown_type', Buffer.from('MZ\u0090 an executable under another name')],
      ['broken', Buffer.from('%PDF-1.7\nwithout anything else')],
    ])('is refused with the reason and the fix in both languages: %s', async (reason, content) => {
      const company = await server().company()
      const english = await recognize(company, content)
      expect(statusAndCode(english)).toBe('422 recognition_file_invalid')
      expect(english.json.detail).toMatchObject({ reason, max_bytes: 10 * MEGABYTE, max_pages: 8 })
      expect(english.json.detail.message).toMatch(/^Recognition cannot read the file\. .+\. [A-Z].+\.$/)
      const spanish = await recognize(company, content, { 'Accept-Language': 'es' })
      expect(spanish.json.detail.message).toMatch(
        /^El reconocimiento no puede leer el fichero\. .+\. [A-ZÁÉ].+\.$/,
      )
    })

    it('does not count, and may be sent again', async () => {
      const company = await server().company({ plan: { recognition_quota: 1 } })
      const broken = Buffer.from('%PDF-1.7\nwithout anything else')
      for (let time = 0; time < 3; time++)
        expect(statusAndCode(await recognize(company, broken))).toBe('422 recognition_file_invalid')
      expect((await recognize(company, own(company))).status).toBe(200)
    })

    it('counts for a limit per hour, which stops only its company, and not one more file than allowed', async () => {
      const [company, other] = [await server().company(), await server().company()]
      const broken = (at: number) => Buffer.from(`%PDF-1.7\nwithout anything else ${at % 10}`)
      for (let at = 0; at < 20; at++)
        expect(statusAndCode(await recognize(company, broken(at)))).toBe('422 recognition_file_invalid')
      const refused = await recognize(company, own(company))
      expect(statusAndCode(refused)).toBe('503 recognition_disabled')
      expect(refused.json.detail.reason).toBe('failed_files')
      const seconds = Number(refused.headers.get('retry-after'))
      expect(seconds).toBeGreaterThan(3500)
      expect(seconds).toBeLessThanOrEqual(3600)
      expect((await recognize(other, own(other))).status).toBe(200)
      await change(company.id, 'recognitions', { lease_ms: Date.now() - 3_600_001 })
      expect((await recognize(company, own(company))).status).toBe(200)
    }, 60_000)
  })

  describe('the plan', () => {
    it('allows a number of files per month, and no more', async () => {
      const company = await server().company({ plan: { recognition_quota: 2 } })
      const numbered = (number: string) => recognize(company, own(company, { number }))
      expect((await numbered('A-1')).status).toBe(200)
      expect((await numbered('A-2')).status).toBe(200)
      const third = await numbered('A-3')
      expect(statusAndCode(third)).toBe('402 quota_exceeded')
      expect(third.json.detail).toMatchObject({
        limit: 2,
        available_from: expect.stringMatching(/^\d{4}-\d{2}-01$/),
      })
      // A file that was recognised before is reported as such even if the quota is used up.
      expect(statusAndCode(await numbered('A-1'))).toBe('409 recognition_already_done')
      await change(company.id, 'recognitions', { month: '2026-01' })
      expect((await numbered('A-3')).status).toBe(200)
    })

    it('allows no more files if they are sent concurrently', async () => {
      const company = await server().company({ plan: { recognition_quota: 2 } })
      const answers = await Promise.all(
        Array.from({ length: 6 }, (_, at) => recognize(company, own(company, { number: `B-${at}` }))),
      )
      expect(answers.map(statusAndCode).sort()).toEqual([
        '200',
        '200',
        ...Array.from({ length: 4 }, () => '402 quota_exceeded'),
      ])
    })

    it('may exclude recognition', async () => {
      const company = await server().company({ features: ['api', 'received'] })
      const { status, json } = await recognize(company, own(company))
      expect(`${status} ${json.detail.code} ${json.detail.feature}`).toBe(
        '402 feature_outside_plan recognition',
      )
    })
  })

  it('recognition needs the scope of received invoices', async ({ company }) => {
    const key = await server().key(company.id, { scopes: ['invoices:read'] })
    const { status, json } = await recognize({ key }, own(company))
    expect(`${status} ${json.detail.missing}`).toBe('403 received:write')
  })

  it('recognition is refused where it is switched off', async () => {
    const off = await startServer({ store: 'sqlite', env: { CUADRA_RECOGNITION: 'off' } })
    try {
      const { key } = await off.company()
      const { status, json } = await off.call('POST', RECOGNIZE, { key, body: paperForm(invoicePaper()) })
      expect(`${status} ${json.detail.code} ${json.detail.reason}`).toBe(
        '503 recognition_disabled switched_off',
      )
    } finally {
      await off.stop()
    }
  })
}
