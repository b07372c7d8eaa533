/** Texts of one line are trimmed in every kind of input, and have no control characters. */
import { expect } from 'vitest'
import { administer } from '../administrator.ts'
import type { Answered, TestServer } from '../harness.ts'
import { type Document, draft, imported, nextRef, received } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

const BLANKS = ['   ', '\t', '\u00a0']

export function inputEdgesSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, put, saved, issue, issued, get, canonical, importing, change } = stepsOf(server)
  const seriesOf = async (companyId: string): Promise<string[]> => {
    const own = (await server().store()).of(companyId)
    const rows = await own.select('series').select('series_code').orderBy('series_code').execute()
    return rows.map(({ series_code }) => series_code)
  }
  const correct = (key: string, id: string, changes: object) =>
    call('POST', `/issued-invoices/${id}/corrective`, {
      key,
      body: {
        correction_type: 'S',
        reason_code: '16',
        series_code: 'R',
        external_ref: nextRef(),
        ...changes,
      },
    })
  const missing = ({ status, json }: Answered) => [status, json.detail?.code, json.detail?.missing]

  it('a series with surrounding blanks is the trimmed series, so that no two series share numbers', async () => {
    const { key, id } = await server().company()
    await activateVerifactu(server(), id)
    const first = await issued(key, draft({ series: ' BL' }))
    expect([first.series, first.number]).toEqual(['BL', 'BL000001'])
    expect(new URL(first.fiscal.qr_url).searchParams.get('numserie')).toBe('BL000001')
    for (const [series, number] of [
      ['BL', 'BL000002'],
      ['BL ', 'BL000003'],
      ['\u00a0BL\t', 'BL000004'],
    ] as const)
      expect((await issued(key, draft({ series }))).number).toBe(number)
    expect(await seriesOf(id)).toEqual(['BL'])
  })

  it('a series of blanks is missing, in drafts, batches, imports and correctives', async () => {
    const company = await server().company()
    const { key, data } = company
    const original = await issued(key)
    for (const series of BLANKS) {
      const none = [422, 'missing_required_fields', ['header.invoice_series_code']]
      expect(missing(await put(key, draft({ series })))).toEqual(none)
      expect(missing(await importing(company, { series, number: 'N-1' }))).toEqual(none)
      const batch = await call('POST', '/drafts/batch', { key, body: { invoices: [draft({ series })] } })
      expect(batch.json.items[0].errors[0].code).toBe('missing_required_fields')
      const refused = await correct(key, original.id, { series_code: series })
      expect([statusAndCode(refused), refused.json.detail.errors[0].path]).toEqual([
        '422 request_validation_error',
        '/series_code',
      ])
      expect(refused.json.detail.message).toContain('series_code is empty or blank')
      const unnumbered = received({ taxId: data.tax_id, number: series })
      expect(missing(await call('PUT', '/received-invoices', { key, body: unnumbered }))).toEqual([
        422,
        'missing_required_fields',
        ['header.invoice_number'],
      ])
    }
  })

  it('a reference of blanks is missing', async ({ key }) => {
    const original = await issued(key)
    for (const ref of BLANKS) {
      expect(missing(await put(key, draft({ ref })))).toEqual([
        422,
        'missing_required_fields',
        ['meta.external_ref'],
      ])
      expect(statusAndCode(await correct(key, original.id, { external_ref: ref }))).toBe(
        '422 request_validation_error',
      )
      const nameless: Document = draft()
      nameless.meta.source_system = ref
      const refused = await put(key, nameless)
      expect([statusAndCode(refused), refused.json.detail.errors[0].path]).toEqual([
        '422 schema_validation_failed',
        '/meta/source_system',
      ])
      expect(statusAndCode(await issue(key, await saved(key), { invoice_number: ref }))).toBe(
        '422 request_validation_error',
      )
    }
  })

  it('with and without blanks it is one reference: the same draft, the same import, one corrective', async () => {
    const company = await server().company()
    const { key } = company
    const ref = nextRef()
    const id = await saved(key, draft({ ref: ` ${ref}` }))
    expect(await saved(key, draft({ ref: `${ref} ` }))).toBe(id)
    expect((await get(key, id)).external_id).toBe(ref)
    const batch = await call('POST', '/drafts/batch', {
      key,
      body: { invoices: [draft({ ref: `\t${ref}` })] },
    })
    expect(batch.json.items[0].id).toBe(id)
    const first = await importing(company, { number: 'N-1', series: 'OLD ', ref: ' OLD-1' })
    expect((await get(key, first.json.id)).series).toBe('OLD')
    expect((await importing(company, { number: 'N-1 ', series: 'OLD', ref: 'OLD-1' })).json.id).toBe(
      first.json.id,
    )
    const original = await issued(key)
    const drafted = await correct(key, original.id, { series_code: ' R', external_ref: ' C-1 ' })
    expect((await get(key, drafted.json.id)).external_id).toBe('C-1')
    expect((await canonical(key, drafted.json.id)).invoice.header.invoice_series_code).toBe('R')
    expect(statusAndCode(await correct(key, original.id, { external_ref: 'C-1' }))).toBe(
      '409 invoice_update_not_allowed',
    )
    expect((await issue(key, drafted.json.id)).json.number).toBe('R000001')
  })

  it('a forced number and references inside a document are trimmed', async ({ key, data }) => {
    const forced = await issue(key, await saved(key), { invoice_number: ' F000007 ' })
    expect(forced.json.number).toBe('F000007')
    const document = imported({ taxId: data.tax_id, number: 'N-2' })
    document.meta.source_system = ' erp '
    document.invoice.lines[0].article_code = ' A-1'
    document.invoice.header.references = { file_reference: 'X-1 ' }
    document.invoice.additional_data = { related_invoice: { number: ' N-0', series: 'OLD ' } }
    const { id } = (await call('POST', '/issued-invoices/import', { key, body: document })).json
    const { meta, invoice } = await canonical(key, id)
    expect([
      meta.source_system,
      invoice.lines[0].article_code,
      invoice.header.references.file_reference,
      invoice.additional_data.related_invoice,
    ]).toEqual(['erp', 'A-1', 'X-1', { number: 'N-0', series: 'OLD' }])
  })

  it('a draft that an earlier version saved with blanks is issued without them', async () => {
    const { key, id: companyId } = await server().company()
    const body = draft({ series: 'BL' })
    const id = await saved(key, body)
    const sent = JSON.stringify(body).replace('"BL"', '" BL"')
    await change(companyId, 'invoice_documents', { sent }, { invoice_id: id })
    await change(companyId, 'invoices', { document_series: ' BL' }, { invoice_id: id })
    await server().past(async (db) => {
      for (const [table, column] of [
        ['invoice_changes', 'series'],
        ['invoice_counts', 'place'],
        ['invoice_counts', 'part'],
      ] as const)
        await db
          .updateTable(table)
          .set({ [column]: ' BL' })
          .where('company_id', '=', companyId)
          .where(column, '=', 'BL')
          .execute()
    })
    const { json } = await issue(key, id)
    expect([json.series, json.number]).toEqual(['BL', 'BL000001'])
    expect(await seriesOf(companyId)).toEqual(['BL'])
  })

  it('the administrator configures series and templates of one line, trimmed', async ({ companyId: id }) => {
    const configure = (...args: string[]) =>
      administer(server(), ['series', 'configure', '--company', id, '--json', ...args])
    for (const code of ['B\tL', 'B\u0007L', '  ']) {
      const { status, stderr } = await configure('--code', code)
      expect([code, status]).toEqual([code, 2])
      expect(stderr).toContain('on one line, without control characters')
    }
    const split = await configure('--code', 'BL', '--template', '{series}\n{number:4}')
    expect([split.status, split.stderr]).toEqual([2, expect.stringContaining('control characters')])
    expect((await configure('--code', ' BL', '--template', ' {series}-{number:4} ')).json).toMatchObject({
      template: '{series}-{number:4}',
      next: 'BL-0001',
    })
    expect(await seriesOf(id)).toEqual(['BL'])
  })

  it.each(['\t', '\n', '\u0007', '\u007f', '\u0085', '\u2028', '\ufffd'])(
    'the character %j in a text of one line is refused at its path, and a filter with it finds nothing',
    async (character) => {
      const company = await server().company()
      const { key, data } = company
      const text = `A${character}B`
      const original = await issued(key)
      const spoilt = (document: Document, change: (document: Document) => void) => {
        const copy = structuredClone(document)
        change(copy)
        return copy
      }
      const shown = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
      const item = (path: string) => ({
        code: 'schema.pattern',
        path,
        extra: { character: shown, position: 2 },
        message: expect.stringContaining(`the character ${shown} at position 2`),
      })
      const refusals = [
        [await put(key, draft({ series: text })), '/invoice/header/invoice_series_code'],
        [await put(key, draft({ ref: text })), '/meta/external_ref'],
        [await importing(company, { number: text }), '/invoice/header/invoice_number'],
        [
          await call('PUT', '/received-invoices', {
            key,
            body: received({ taxId: data.tax_id, number: text }),
          }),
          '/invoice/header/invoice_number',
        ],
        [
          await put(
            key,
            spoilt(draft(), ({ invoice }) => {
              invoice.customer.electronic_mail = text
            }),
          ),
          '/invoice/customer/electronic_mail',
        ],
        [await correct(key, original.id, { series_code: text }), '/series_code'],
        [await issue(key, await saved(key), { invoice_number: text }), '/invoice_number'],
      ] as const
      for (const [refused, path] of refusals) {
        expect([path, refused.status]).toEqual([path, 422])
        expect(refused.json.detail.errors).toMatchObject([item(path)])
      }
      for (const name of ['series', 'number', 'external_ref', 'customer_tax_id'])
        for (const value of [text, '\0']) {
          const query = `/issued-invoices?${name}=${encodeURIComponent(value)}`
          expect((await call('GET', query, { key })).json).toMatchObject({ items: [], total: 0 })
        }
    },
  )

  it('a description has several lines, and what is stored is found with blanks around it', async () => {
    const { key } = await server().company()
    const document = draft({ series: 'L', ref: 'L-1' })
    document.invoice.lines[0].item_description = 'Reparación:\n\t- motor\r\n- frenos'
    const { id } = await issued(key, document)
    expect((await canonical(key, id)).invoice.lines[0].item_description).toBe(
      'Reparación:\n\t- motor\r\n- frenos',
    )
    for (const query of ['series=%20L', 'external_ref=L-1%09', 'number=%20L000001%20'])
      expect((await call('GET', `/issued-invoices?${query}`, { key })).json.total).toBe(1)
    for (const format of ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'])
      expect((await call('GET', `/issued-invoices/${id}/export?format=${format}`, { key })).status).toBe(200)
  })
}
