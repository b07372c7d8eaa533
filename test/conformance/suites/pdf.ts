/** PDFs over HTTP: issued invoices, drafts, cancelled invoices, and received ones from their data. */
import { createHash } from 'node:crypto'
import { TEMPLATES } from 'cuadra-pdf/designs.ts'
import { updateCompany } from 'cuadra-server/service/company/company.ts'
import { setLogo } from 'cuadra-server/service/company/company-logo.ts'
import { extractText, getDocumentProxy } from 'unpdf'
import { expect } from 'vitest'
import { required } from '#core/errors/index.ts'
import { PNG } from '../../png.ts'
import type { TestCompany, TestServer } from '../harness.ts'
import { draft, nextRef, received } from '../invoices.ts'
import { itWithCompany, statusAndCode, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

const STAMP = '2026-11-20T10:00:00.000000'

export function pdfSuite(server: () => TestServer): void {
  const it = itWithCompany(server)
  const { call, issued, saved, cancel, become, eventsOf, get, change } = stepsOf(server)
  const pathOf = (kind: string, id: string, query = '') => `/${kind}-invoices/${id}/pdf${query}`
  /** The file, whose texts cannot be compared byte by byte. */
  const fileOf = async ({ key }: Pick<TestCompany, 'key'>, path: string, headers = {}) => {
    const answer = await fetch(`${server().url}/api/v1.1${path}`, {
      headers: { 'X-API-Key': key, ...headers },
    })
    const bytes = new Uint8Array(await answer.arrayBuffer())
    return { status: answer.status, headers: answer.headers, bytes }
  }
  const textOf = async (bytes: Uint8Array) => {
    const { text } = await extractText(await getDocumentProxy(bytes.slice()), { mergePages: true })
    return text.replaceAll(/\s+/g, ' ')
  }
  const pdf = async (company: Pick<TestCompany, 'key'>, path: string) => {
    const { status, bytes, headers } = await fileOf(company, path)
    expect(status, Buffer.from(bytes.subarray(0, 400)).toString()).toBe(200)
    return { bytes, headers, text: await textOf(bytes) }
  }
  const registered = async (company: TestCompany, change = {}): Promise<string> => {
    const body = received({ taxId: company.data.tax_id, number: nextRef('P'), ...change })
    return (await call('PUT', '/received-invoices', { key: company.key, body })).json.id
  }
  const foreign = { name: 'Ficciones GmbH', country_code: 'DE', tax_id: 'DE129273398' }

  it('an issued invoice is a PDF with its number and total, displayed inline and named after it', async () => {
    const company = await server().company()
    const { id, number } = await issued(company.key)
    // `call` validates every response against the OpenAPI document.
    expect((await call('GET', pathOf('issued', id), { key: company.key })).status).toBe(200)
    const { bytes, headers, text } = await pdf(company, pathOf('issued', id))
    expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
    expect(headers.get('content-type')).toBe('application/pdf')
    expect(headers.get('content-disposition')).toBe(
      `inline; filename="${number}.pdf"; filename*=UTF-8''${number}.pdf`,
    )
    expect(headers.get('content-language')).toBe('es')
    // A sandbox would disable the browser's PDF viewer.
    expect(headers.get('content-security-policy')).toBe(null)
    for (const said of [number, '121,00 €', 'B12345674', company.data.tax_id, 'Total factura'])
      expect(text).toContain(said)
    expect(text).not.toContain('BORRADOR')
    expect(text).not.toContain('QR tributario')
  })

  it('the same invoice gives the same bytes, also after it was sent, and 304 for a known tag', async () => {
    const company = await server().company()
    const { id } = await issued(company.key)
    const path = pathOf('issued', id)
    const first = await pdf(company, path)
    await become(company.id, id, 'sent')
    const again = await pdf(company, path)
    expect(Buffer.compare(first.bytes, again.bytes)).toBe(0)
    const tag = required(first.headers.get('etag'))
    expect(tag).toBe(`"${createHash('sha256').update(first.bytes).digest('hex')}"`)
    const known = await fileOf(company, path, { 'If-None-Match': tag })
    expect([known.status, known.bytes.length, known.headers.get('etag')]).toEqual([304, 0, tag])
    expect((await fileOf(company, `${path}?language=en`, { 'If-None-Match': tag })).status).toBe(200)
  })

  it('drafts and cancelled invoices are marked as such', async ({ company }) => {
    const drafted = await saved(company.key)
    expect((await pdf(company, pathOf('issued', drafted))).text).toContain('BORRADOR')
    const { id } = await issued(company.key)
    await cancel(company.key, id)
    const { text } = await pdf(company, pathOf('issued', id))
    expect(text).toContain('ANULADA')
    expect(text).toContain('121,00')
  })

  it('the tax QR of the record is on the PDF, with its legend in VERI*FACTU mode only', async () => {
    const verifiable = await server().company()
    await activateVerifactu(server(), verifiable.id)
    const one = (await pdf(verifiable, pathOf('issued', (await issued(verifiable.key)).id))).text
    expect([one.includes('QR tributario:'), one.includes('VERI*FACTU')]).toEqual([true, true])
    const drafted = (await pdf(verifiable, pathOf('issued', await saved(verifiable.key)))).text
    expect(drafted).not.toContain('QR tributario:')
  })

  it('the PDF is in the language of the customer, or in the requested one', async ({ company }) => {
    const { id } = await issued(company.key, draft({ invoice: { customer: foreign } }))
    const both = await pdf(company, pathOf('issued', id))
    expect(both.headers.get('content-language')).toBe('es, en')
    expect(both.text).toContain('Total factura')
    expect(both.text).toContain('Invoice total')
    const english = await pdf(company, pathOf('issued', id, '?language=en'))
    expect(english.headers.get('content-language')).toBe('en')
    expect(english.text).toContain('121.00')
    expect(english.text).not.toContain('Total factura')
  })

  it('the template is the requested one, that of the series, that of the company, or classic-blue', async () => {
    const company = await server().company({ pdf_template: 'modern-green' })
    const { id, series } = await issued(company.key)
    const seen = async (query = '') =>
      createHash('sha256')
        .update((await fileOf(company, pathOf('issued', id, query))).bytes)
        .digest('hex')
    const looks: Record<string, string> = {}
    for (const template of ['classic-blue', 'modern-green', 'compact-blue'])
      looks[template] = await seen(`?template=${template}`)
    expect(new Set(Object.values(looks)).size).toBe(3)
    expect(await seen()).toBe(looks['modern-green'])
    const configure = (pdf_template: string) =>
      server().transaction((all) =>
        all.of(company.id).update('series', { pdf_template }).where('series_code', '=', series).execute(),
      )
    await configure('compact-blue')
    expect(await seen()).toBe(looks['compact-blue'])
    // A name that an earlier version accepted.
    await configure('baroque-gold')
    expect(await seen()).toBe(looks['modern-green'])
    await server().transaction((all) => updateCompany(all.of(company.id), { pdf_template: null }, STAMP))
    expect(await seen()).toBe(looks['classic-blue'])
  })

  it('the PDF has the logo of the company, and its address if the invoice has none', async ({ company }) => {
    const { id } = await issued(company.key)
    const before = await pdf(company, pathOf('issued', id))
    expect(before.text).toContain(company.data.address.line)
    await server().transaction((all) => setLogo(all.of(company.id), PNG, STAMP))
    expect((await pdf(company, pathOf('issued', id))).bytes.length).toBeGreaterThan(before.bytes.length)
  })

  it('a draft whose PDF lacks characters has a warning that names them, and so has its issue', async () => {
    const company = await server().company()
    const customer = { ...foreign, name: '北京公司 Ltd', country_code: 'CN', tax_id: '91110000X' }
    const put = await call('PUT', '/drafts', { key: company.key, body: draft({ invoice: { customer } }) })
    const named = put.json.errors.filter(({ code }: { code: string }) => code === 'characters_not_printed')
    expect(named).toMatchObject([
      {
        severity: 'warning',
        path: '/invoice/customer/name',
        extra: { received: '北 京 公 司', field: 'name' },
      },
    ])
    const { id } = put.json
    expect(statusAndCode(await call('POST', `/issued-invoices/${id}/issue`, { key: company.key }))).toBe(
      '200',
    )
    expect((await eventsOf(company.key, id)).at(-1).details.warnings).toEqual(['characters_not_printed'])
  })

  it('the PDF and the mail lack a logo that was damaged in the database', async ({ company }) => {
    const { id } = await issued(company.key)
    const before = await pdf(company, pathOf('issued', id))
    const content = PNG.subarray(0, -20).toString('base64')
    const row = { content_type: 'image/png', content, updated_at: STAMP }
    await server().transaction((all) => all.of(company.id).insert('company_logos', row))
    expect(Buffer.compare((await pdf(company, pathOf('issued', id))).bytes, before.bytes)).toBe(0)
    const to = [`${nextRef('ana').toLowerCase()}@cliente.example`]
    const sent = await call('POST', `/issued-invoices/${id}/send`, { key: company.key, body: { to } })
    expect(statusAndCode(sent)).toBe('200')
    await expect.poll(() => server().output()).toContain('a PDF lacks the logo of its company')
  })

  it('the PDF has the foot text and the payment link of the company, the number and amount filled in', async () => {
    const company = await server().company({
      pdf_foot: 'Inscrita en el Registro Mercantil de Jaén, tomo 100\nhoja J-1000',
      payment_link: 'https://pagos.example/pagar?factura={number}&importe={amount}',
    })
    const { id, number } = await issued(company.key)
    const { text } = await pdf(company, pathOf('issued', id))
    expect(text).toContain('Inscrita en el Registro Mercantil de Jaén, tomo 100')
    expect(text).toContain('hoja J-1000')
    expect(text.replace(/\s/g, '')).toContain(`https://pagos.example/pagar?factura=${number}&importe=121`)
  })

  it('the PDF embeds its CII on request, unless CII cannot carry the invoice or it is not in force', async () => {
    const company = await server().company()
    const { id } = await issued(company.key)
    const { bytes } = await pdf(company, pathOf('issued', id, '?facturx=true'))
    const document = await getDocumentProxy(bytes.slice())
    const files: Record<string, { content: Uint8Array }> = await document.getAttachments()
    expect(Object.keys(files)).toEqual(['factur-x.xml'])
    const cii = await call('GET', `/issued-invoices/${id}/export?format=cii_d16b`, { key: company.key })
    expect(Buffer.from(required(files['factur-x.xml']).content).toString()).toBe(cii.text)
    const drafted = pathOf('issued', await saved(company.key), '?facturx=true')
    expect(statusAndCode(await call('GET', drafted, { key: company.key }))).toBe(
      '409 invalid_status_transition',
    )
    const line = { item_description: 'S', quantity: 1, unit_price_without_tax: 100, tax_output_rate: 21 }
    const totals = {
      total_gross_amount_before_taxes: 100,
      total_tax_outputs: 21,
      total_taxes_withheld: 15,
      invoice_total: 121,
    }
    const withheld = await issued(
      company.key,
      draft({ invoice: { lines: [{ ...line, tax_withheld_rate: 15 }], totals } }),
    )
    const refused = await call('GET', pathOf('issued', withheld.id, '?facturx=true'), { key: company.key })
    expect([statusAndCode(refused), refused.json.detail.reason]).toEqual([
      '422 export_not_possible',
      'withholding',
    ])
    expect((await pdf(company, pathOf('issued', withheld.id))).text).toContain('-15,00')
  })

  it('a received invoice is rendered from its data, and states that', async ({ company }) => {
    const id = await registered(company)
    expect((await call('GET', pathOf('received', id), { key: company.key })).status).toBe(200)
    const { text, headers } = await pdf(company, pathOf('received', id))
    const { number } = (await call('GET', `/received-invoices/${id}`, { key: company.key })).json
    for (const said of [number, 'B12345674', 'Registrada el', 'no es el documento original del proveedor'])
      expect(text).toContain(said)
    expect(headers.get('content-disposition')).toContain(`${number}.pdf`)
    const english = await pdf(company, pathOf('received', id, '?language=en&template=compact-grey'))
    expect(english.text).toContain('not the supplier’s own document')
  })

  it('unknown templates and languages, invoices of the other kind, and documents without amounts are refused', async () => {
    const company = await server().company()
    const { id } = await issued(company.key)
    const ask = (path: string, key = company.key) => call('GET', path, { key })
    const unknown = await ask(pathOf('issued', id, '?template=baroque-gold'))
    expect(statusAndCode(unknown)).toBe('422 request_validation_error')
    for (const name of TEMPLATES) expect(unknown.text).toContain(name)
    expect(statusAndCode(await ask(pathOf('issued', id, '?language=fr')))).toBe(
      '422 request_validation_error',
    )
    expect(statusAndCode(await ask(pathOf('received', id)))).toBe('404 invoice_not_found')
    const receivedId = await registered(company)
    expect(statusAndCode(await ask(pathOf('issued', receivedId)))).toBe('404 invoice_not_found')
    expect(statusAndCode(await ask(pathOf('received', receivedId, '?facturx=true')))).toBe(
      '422 request_validation_error',
    )
    const writer = await server().key(company.id, { scopes: ['invoices:write'] })
    expect(statusAndCode(await ask(pathOf('issued', id), writer))).toBe('403 scope_missing')
    for (const one of [id, receivedId])
      await change(company.id, 'invoice_documents', { canonical: null }, { invoice_id: one })
    expect(statusAndCode(await ask(pathOf('issued', id)))).toBe('409 canonical_not_available')
    expect(statusAndCode(await ask(pathOf('received', receivedId)))).toBe('409 canonical_not_available')
    expect((await get(company.key, id)).number).not.toBe(null)
  })
}
