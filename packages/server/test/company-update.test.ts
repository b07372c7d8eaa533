/** A server with SQLite: what a company changes later does not change the invoices that it has stored. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as reader from '@e965/xlsx'
import { beforeAll, describe, expect, it } from 'vitest'
import { spanishDay } from '#records/fiscal/timestamp.ts'
import { administer } from '#test/conformance/administrator.ts'
import { startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { type Document, draft, imported, nextRef, received, receivedXml } from '#test/conformance/invoices.ts'
import { stepsOf } from '#test/conformance/steps.ts'
import { temporaryFolder } from '#test/folders.ts'
import { hasProgram } from '#test/needs.ts'
import { textOf } from '../../pdf/test/tools.ts'

/** A test that reads the text of PDFs, with `pdftotext` of poppler. */
const withPdfText = it.skipIf(!hasProgram('pdftotext'))

let server: TestServer
beforeAll(async () => {
  server = await startServer({ store: 'sqlite' })
}, 60_000)
const { canonical, change, issued, saved } = stepsOf(() => server)

const BOOKS = { activity: { code: 'A', type: '03', iae: '6533' } }
const CEUTA = { line: 'Calle Real, 1', post_code: '51001', town: 'Ceuta', province_code: '51' }
const LAS_PALMAS = {
  line: 'Calle Triana, 1',
  post_code: '35002',
  town: 'Las Palmas de Gran Canaria',
  province_code: '35',
}
const VALENCIA = { line: 'Avenida Nueva, 99', post_code: '46001', town: 'Valencia', province_code: '46' }

async function update({ id }: TestCompany, patch: object): Promise<void> {
  const run = await administer(server, ['company', 'update', id, '--file', '-'], {
    input: JSON.stringify(patch),
  })
  expect(run.status, run.stderr).toBe(0)
}

const call = async ({ key }: TestCompany, method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, { key, ...(body === undefined ? {} : { body }) })
  expect(answer.status, answer.text).toBeLessThan(300)
  return answer
}

const codesOf = ({ errors }: { readonly errors: readonly { readonly code: string }[] }) =>
  errors.map(({ code }) => code)

/** Totals and a line of 100 at a rate. */
const atRate = (rate: number, members: object = {}) => ({
  lines: [
    {
      item_description: 'Servicio',
      quantity: 1,
      unit_price_without_tax: 100,
      tax_output_rate: rate,
      ...members,
    },
  ],
  totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: rate, invoice_total: 100 + rate },
})

const correct = (company: TestCompany, id: string, changes: object) =>
  call(company, 'POST', `/issued-invoices/${id}/corrective`, {
    reason_code: '01',
    series_code: 'R',
    external_ref: nextRef(),
    ...changes,
  })
const DIFFERENCE = {
  correction_type: 'D',
  lines: [{ description: 'Abono', quantity: -1, unit_price_without_tax: 10 }],
}

const receivedCanonical = async (company: TestCompany, id: string): Promise<Document> =>
  (await call(company, 'GET', `/received-invoices/${id}/canonical`)).json

async function booksOf({ id }: TestCompany): Promise<readonly string[]> {
  const out = temporaryFolder()
  const run = await administer(server, [
    ...['books', '--company', id, '--year', spanishDay(Date.now()).slice(0, 4), '--until', '4T'],
    ...['--out', out, '--json'],
  ])
  expect(run.status, run.stderr).toBe(0)
  return run.json.sums
}

const fileReturn = ({ id }: TestCompany, period: string) =>
  administer(server, ['return', 'file', '--company', id, '--period', period])

describe('a company that moves to another tax', () => {
  it.each([
    [10, 'IPSI', CEUTA],
    [21, 'IPSI', CEUTA],
    [21, 'IGIC', LAS_PALMAS],
  ] as const)('a corrective at %i percent has the tax group of its original, not %s', async (...of) => {
    const [rate, default_tax_group, address] = of
    const company = await server.company()
    const original = await issued(company.key, draft({ invoice: atRate(rate) }))
    await update(company, { default_tax_group, address })
    for (const [changes, tax] of [
      [DIFFERENCE, -rate / 10],
      [{ correction_type: 'S' }, rate],
    ] as const) {
      const made = (await correct(company, original.id, changes)).json
      expect(made).toMatchObject({ success: true })
      await call(company, 'POST', `/issued-invoices/${made.id}/issue`)
      const { issue_data, totals } = (await canonical(company.key, made.id)).invoice
      expect([issue_data.tax_group_code, totals.total_tax_outputs]).toEqual(['IVA', tax])
    }
  })

  it('a corrective has the territory of its original', async () => {
    const company = await server.company({ address: LAS_PALMAS })
    const original = await issued(company.key)
    await update(company, { address: VALENCIA })
    const made = (await correct(company, original.id, DIFFERENCE)).json
    expect((await canonical(company.key, made.id)).invoice.issue_data.is_tai).toBe(false)
  })

  describe('a corrective sent by hand, without its tax group, has that of its original', () => {
    const S = { reason_code: '01', correction_type: 'S' } as const
    const before = { corrected_taxable_base: 100, corrected_tax_amount: 10 }
    /** A corrective document at 10 percent: of 80 by substitution, or of -20 by differences. */
    const corrective = (block: object, byDifferences = false, number?: string) => {
      const base = byDifferences ? -20 : 80
      return {
        ...atRate(10, { unit_price_without_tax: base }),
        totals: {
          total_gross_amount_before_taxes: base,
          total_tax_outputs: base / 10,
          invoice_total: base * 1.1,
        },
        header: {
          invoice_type_code: '03',
          invoice_series_code: 'R',
          ...(number && { invoice_number: number }),
          corrective: byDifferences
            ? { ...S, correction_type: 'D', ...block }
            : { ...S, ...before, ...block },
        },
      }
    }
    const groupAndTax = ({ invoice: { issue_data, totals } }: Document) => [
      issue_data.tax_group_code,
      totals.total_tax_outputs,
    ]

    it('as a draft, alone, in a batch or over the draft of the assistant', async () => {
      const company = await server.company()
      const original = await issued(company.key, draft({ invoice: atRate(10) }))
      const made = (await correct(company, original.id, DIFFERENCE)).json
      await update(company, { default_tax_group: 'IPSI', address: CEUTA })
      const names = { invoice_number: original.number, invoice_issue_date: original.issue_date }
      const body = () => draft({ invoice: corrective(names) })
      const alone = (await call(company, 'PUT', '/drafts', body())).json.id
      const listed = (await call(company, 'POST', '/drafts/batch', { invoices: [body()] })).json.items[0].id
      const edited = (await call(company, 'PUT', `/drafts?invoice_id=${made.id}`, body())).json.id
      for (const id of [alone, listed, edited]) {
        const checked = (await call(company, 'POST', `/drafts/${id}/validate`)).json
        expect([checked.is_valid, codesOf(checked)]).toEqual([true, []])
      }
      await call(company, 'POST', `/issued-invoices/${alone}/issue`)
      for (const id of [alone, listed, edited]) {
        const stored = await canonical(company.key, id)
        expect([...groupAndTax(stored), stored.invoice.issue_data.is_tai]).toEqual(['IVA', 8, true])
      }
    })

    it('as an import, alone or in a batch', async () => {
      const company = await server.company()
      const taxId = company.data.tax_id
      const original = imported({ taxId, number: 'OLD-1', invoice: atRate(10) })
      await call(company, 'POST', '/issued-invoices/import', original)
      await update(company, { default_tax_group: 'IPSI', address: CEUTA })
      const names = { invoice_number: 'OLD-1', invoice_issue_date: '2026-03-02' }
      const body = (number: string) =>
        imported({ taxId, number, date: '2026-03-03', invoice: corrective(names, true) })
      const importing = async (number: string) =>
        (await call(company, 'POST', '/issued-invoices/import', body(number))).json.id
      const alone = await importing('R-1')
      const batch = { invoices: [body('R-2')] }
      const listed = (await call(company, 'POST', '/issued-invoices/import/batch', batch)).json.items[0].id
      await importing('R-1')
      for (const id of [alone, listed]) {
        const stored = await canonical(company.key, id)
        expect([...groupAndTax(stored), stored.invoice.issue_data.is_tai]).toEqual(['IVA', -2, true])
      }
    })

    it('as a received invoice, registered, validated and registered again', async () => {
      const company = await server.company({ books: BOOKS })
      const taxId = company.data.tax_id
      await call(
        company,
        'PUT',
        '/received-invoices',
        received({ taxId, number: 'P-1', invoice: atRate(10) }),
      )
      await update(company, { default_tax_group: 'IPSI', address: CEUTA })
      const body = received({
        taxId,
        number: 'PR-1',
        invoice: corrective({ invoice_number: 'P-1' }, false, 'PR-1'),
      })
      const preview = (await call(company, 'POST', '/received-invoices/validate', body)).json
      expect(groupAndTax(preview.data)).toEqual(['IVA', 8])
      const { id } = (await call(company, 'PUT', '/received-invoices', body)).json
      for (const step of ['', 'validate', 'again']) {
        if (step === 'validate') await call(company, 'POST', `/received-invoices/${id}/validate`)
        if (step === 'again') await call(company, 'PUT', '/received-invoices', body)
        expect([step, ...groupAndTax(await receivedCanonical(company, id))]).toEqual([step, 'IVA', 8])
      }
    })

    it.each(['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const)(
      'as XML of the supplier (%s)',
      async (format) => {
        const company = await server.company()
        const taxId = company.data.tax_id
        const importing = (options: object, number: string) =>
          server.call('POST', `/received-invoices/import?format=${format}`, {
            key: company.key,
            body: receivedXml({ taxId, number, invoice: { ...options } }, format),
            headers: { 'Content-Type': 'application/xml' },
          })
        expect((await importing(atRate(10), 'X-1')).json).toMatchObject({ success: true })
        await update(company, { default_tax_group: 'IPSI', address: CEUTA })
        const names = { invoice_number: 'X-1', invoice_issue_date: '2026-03-02' }
        const { json } = await importing(corrective(names, true, 'XR-1'), 'XR-1')
        expect(json).toMatchObject({ success: true })
        expect(groupAndTax(await receivedCanonical(company, json.id))).toEqual(['IVA', -2])
      },
    )

    it('unless it states another, or the original is of another supplier, date or series', async () => {
      const company = await server.company()
      const taxId = company.data.tax_id
      await call(
        company,
        'PUT',
        '/received-invoices',
        received({ taxId, number: 'P-1', invoice: atRate(10) }),
      )
      await update(company, { default_tax_group: 'IPSI', address: CEUTA })
      const own = { tax_group_code: 'IVA', is_tai: false }
      const cases = [
        [{ invoice_number: 'P-1' }, { supplier: 'B98765431' }, 'IPSI'],
        [{ invoice_number: 'P-1', invoice_issue_date: '2026-01-05' }, {}, 'IPSI'],
        [{ invoice_number: 'P-2' }, {}, 'IPSI'],
        [{ invoice_number: 'P-1' }, {}, 'IVA'],
      ] as const
      for (const [index, [names, options, group]] of cases.entries()) {
        const number = `PR-${index}`
        const invoice = corrective(names, false, number)
        const body = received({ taxId, number, ...options, invoice })
        const { id } = (await call(company, 'PUT', '/received-invoices', body)).json
        expect([index, groupAndTax(await receivedCanonical(company, id))[0]]).toEqual([index, group])
        Object.assign(body.invoice.issue_data, own)
        await call(company, 'PUT', '/received-invoices', body)
        expect((await receivedCanonical(company, id)).invoice.issue_data).toMatchObject(own)
      }
    })
  })

  it('validating a received invoice, and registering it again, keeps its tax group and its amounts', async () => {
    const company = await server.company({ books: BOOKS })
    const day = spanishDay(Date.now())
    for (const rate of [10, 21]) {
      const options = {
        taxId: company.data.tax_id,
        number: `P-${rate}`,
        date: day,
        invoice: atRate(rate),
      }
      const body = received(options)
      const { id } = (await call(company, 'PUT', '/received-invoices', body)).json
      const before = [await receivedCanonical(company, id), await booksOf(company)]
      await update(company, { default_tax_group: 'IPSI' })
      const answer = (await call(company, 'POST', `/received-invoices/${id}/validate`)).json
      expect(answer).toMatchObject({ is_valid: true, status: 'received' })
      expect([await receivedCanonical(company, id), await booksOf(company)]).toEqual(before)
      await call(company, 'PUT', '/received-invoices', body)
      expect([await receivedCanonical(company, id), await booksOf(company)]).toEqual(before)
      await update(company, { default_tax_group: 'IVA' })
    }
  })

  it.each(['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'] as const)(
    'XML of a supplier that is imported again (%s) changes nothing',
    async (format) => {
      const company = await server.company()
      const xml = receivedXml({ taxId: company.data.tax_id, number: 'X-1', invoice: atRate(21) }, format)
      const importing = () =>
        server.call('POST', `/received-invoices/import?format=${format}`, {
          key: company.key,
          body: xml,
          headers: { 'Content-Type': 'application/xml' },
        })
      const { id } = (await importing()).json
      const before = await receivedCanonical(company, id)
      await update(company, { default_tax_group: 'IGIC' })
      expect((await importing()).json).toMatchObject({ success: true, id })
      expect(await receivedCanonical(company, id)).toEqual(before)
    },
  )

  it('an identical import or registration is accepted, also if its return is filed', async () => {
    const company = await server.company()
    const taxId = company.data.tax_id
    const own = imported({ taxId, number: 'OLD-1', invoice: atRate(21) })
    const { id } = (await call(company, 'POST', '/issued-invoices/import', own)).json
    const purchase = received({ taxId, number: 'P-1', invoice: atRate(21) })
    purchase.invoice.issue_data.receipt_date = '2026-03-02'
    const registered = (await call(company, 'PUT', '/received-invoices', purchase)).json
    const before = [await canonical(company.key, id), await receivedCanonical(company, registered.id)]
    expect((await fileReturn(company, '2026-Q1')).status).toBe(0)
    for (const change of [
      { default_tax_group: 'IPSI', address: CEUTA },
      { default_tax_group: 'IGIC', address: LAS_PALMAS },
    ]) {
      await update(company, change)
      await call(company, 'POST', '/issued-invoices/import', own)
      await call(company, 'PUT', '/received-invoices', purchase)
      expect([await canonical(company.key, id), await receivedCanonical(company, registered.id)]).toEqual(
        before,
      )
    }
  })

  it('an import that now states another address is in its territory', async () => {
    const company = await server.company()
    const body = imported({ taxId: company.data.tax_id, number: 'OLD-1', invoice: atRate(10) })
    const again = async (address: object) => {
      body.invoice.supplier.company = { address }
      const { id } = (await call(company, 'POST', '/issued-invoices/import', body)).json
      return (await canonical(company.key, id)).invoice.issue_data.is_tai
    }
    // Without a province, the one of the company counts, as when the invoice was stored.
    expect(await again({ address: 'Calle Mayor, 1' })).toBe(true)
    await update(company, { address: LAS_PALMAS })
    expect(await again({ address: 'Calle Mayor, 1' })).toBe(true)
    expect(await again({ address: 'Calle Triana, 1', post_code: '35002' })).toBe(false)
  })

  it('a batch of imports that is sent again changes nothing', async () => {
    const company = await server.company()
    const body = {
      invoices: [imported({ taxId: company.data.tax_id, number: 'OLD-1', invoice: atRate(10) })],
    }
    const { id } = (await call(company, 'POST', '/issued-invoices/import/batch', body)).json.items[0]
    const before = await canonical(company.key, id)
    await update(company, { default_tax_group: 'IPSI', address: CEUTA })
    await call(company, 'POST', '/issued-invoices/import/batch', body)
    expect(await canonical(company.key, id)).toEqual(before)
  })

  it('a draft keeps what its last save deduced, and its validation warns of the difference', async () => {
    const company = await server.company()
    const document = draft({ invoice: atRate(10) })
    const id = await saved(company.key, document)
    await update(company, { default_tax_group: 'IPSI', address: LAS_PALMAS })
    const { errors, is_valid } = (await call(company, 'POST', `/drafts/${id}/validate`)).json
    expect(is_valid).toBe(true)
    expect(errors).toMatchObject([
      {
        code: 'company_changed',
        path: '/invoice/issue_data/tax_group_code',
        extra: { expected: 'IPSI', received: 'IVA' },
        severity: 'warning',
        message: expect.stringContaining('issue_data.tax_group_code is IVA'),
      },
      { code: 'company_changed', path: '/invoice/issue_data/is_tai', extra: { expected: false } },
    ])
    await call(company, 'POST', `/issued-invoices/${id}/issue`)
    const { issue_data, totals } = (await canonical(company.key, id)).invoice
    expect([issue_data.tax_group_code, issue_data.is_tai, totals.invoice_total]).toEqual(['IVA', true, 110])
  })

  it('a draft that is saved again, or that states its tax group, has no warning', async () => {
    const company = await server.company()
    const document = draft({ invoice: atRate(10) })
    const id = await saved(company.key, document)
    await update(company, { default_tax_group: 'IPSI', address: CEUTA })
    document.invoice.issue_data = { ...document.invoice.issue_data, tax_group_code: 'IVA' }
    await saved(company.key, document)
    const stated = (await call(company, 'POST', `/drafts/${id}/validate`)).json
    expect(codesOf(stated)).not.toContain('company_changed')
    delete document.invoice.issue_data.tax_group_code
    await saved(company.key, document)
    const again = (await call(company, 'POST', `/drafts/${id}/validate`)).json
    expect(codesOf(again)).not.toContain('company_changed')
    expect((await canonical(company.key, id)).invoice.issue_data.tax_group_code).toBe('IPSI')
  })
})

/** The answers about an issued invoice that show its issuer. */
async function showing(company: TestCompany, id: string): Promise<readonly string[]> {
  const path = `/issued-invoices/${id}`
  const exports = ['facturae_3_2_2', 'ubl_2_1', 'cii_d16b'].map((format) => `export?format=${format}`)
  const pdf = await fetch(`${server.url}/api/v1.1${path}/pdf`, { headers: { 'X-API-Key': company.key } })
  const texts = [textOf(new Uint8Array(await pdf.arrayBuffer()))]
  for (const one of ['', '/canonical', ...exports.map((name) => `/${name}`)])
    texts.push((await call(company, 'GET', `${path}${one}`)).text)
  return texts
}

describe('a company with a new address', () => {
  withPdfText('an issued invoice states the address of its day of issue, in every document', async () => {
    const company = await server.company()
    const { id } = await issued(company.key)
    expect((await canonical(company.key, id)).invoice.supplier.company.address).toEqual({
      address: 'Calle Mayor, 1',
      post_code: '28013',
      town: 'Madrid',
      country_code: 'ES',
      country_subdivision: { code: 'ES-M', name: 'Madrid', subdivision_type: 'province' },
    })
    const before = await showing(company, id)
    await update(company, { address: VALENCIA })
    expect(await showing(company, id)).toEqual(before)
  })

  withPdfText('an import states the address of the day on which it was imported', async () => {
    const company = await server.company()
    const body = imported({ taxId: company.data.tax_id, number: 'OLD-1' })
    const { id } = (await call(company, 'POST', '/issued-invoices/import', body)).json
    const before = await showing(company, id)
    await update(company, { address: VALENCIA })
    await call(company, 'POST', '/issued-invoices/import', body)
    // The summary has a new time of change.
    expect((await showing(company, id)).toSpliced(1, 1)).toEqual(before.toSpliced(1, 1))
    expect((await canonical(company.key, id)).invoice.supplier.company.address.town).toBe('Madrid')
  })

  it('a draft and a corrective issued after the move state the new address', async () => {
    const company = await server.company()
    const original = await issued(company.key)
    const id = await saved(company.key)
    await update(company, { address: VALENCIA })
    const made = (await correct(company, original.id, DIFFERENCE)).json
    for (const one of [id, made.id]) {
      await call(company, 'POST', `/issued-invoices/${one}/issue`)
      expect((await canonical(company.key, one)).invoice.supplier.company.address.town).toBe('Valencia')
    }
  })

  it('the address of a natural person is that of the person', async () => {
    const company = await server.company()
    const document = draft()
    document.invoice.supplier.person_type_code = 'F'
    const { id } = await issued(company.key, document)
    expect((await canonical(company.key, id)).invoice.supplier.person.address.town).toBe('Madrid')
  })

  withPdfText(
    'an invoice that an earlier version issued without address keeps the first one known',
    async () => {
      const company = await server.company()
      const { id } = await issued(company.key)
      const stored = await canonical(company.key, id)
      delete stored.invoice.supplier.company
      await change(company.id, 'invoice_documents', { canonical: JSON.stringify(stored) }, { invoice_id: id })
      const before = await showing(company, id)
      expect(before[0]).toContain('Calle Mayor, 1')
      for (const address of [VALENCIA, CEUTA]) {
        await update(company, { address })
        expect(await showing(company, id)).toEqual(before)
      }
    },
  )
})

describe('a company that enters or leaves the one-stop shop or the cash basis', () => {
  const OF_THE_SHOP = {
    customer: { person_type_code: 'F', name: 'Claire Inventée', country_code: 'FR' },
    lines: [
      {
        item_description: 'Jersey',
        quantity: 1,
        unit_price_without_tax: 100,
        tax_regime_key: '17',
        consumption_country_code: 'FR',
        consumption_tax_rate: 20,
        consumption_rate_type: 'standard',
        supply_type: 'goods',
      },
    ],
    totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 0, invoice_total: 120 },
  }
  const REGISTERED = { status: 'registered', effective_date: '2021-07-01' }

  it('can still correct the sales of before the end of the one-stop shop, and make no new ones', async () => {
    const company = await server.company({ oss: REGISTERED })
    const sale = imported({
      taxId: company.data.tax_id,
      number: 'OLD-1',
      date: '2026-03-02',
      invoice: OF_THE_SHOP,
    })
    const { id } = (await call(company, 'POST', '/issued-invoices/import', sale)).json
    await update(company, { oss: { end_date: '2026-03-31' } })
    for (const changes of [DIFFERENCE, { correction_type: 'S' }]) {
      const made = (await correct(company, id, changes)).json
      expect(made).toMatchObject({ success: true })
      await call(company, 'POST', `/issued-invoices/${made.id}/issue`)
    }
    const fresh = (await call(company, 'PUT', '/drafts', draft({ invoice: OF_THE_SHOP }))).json
    expect(codesOf(fresh)).toContain('oss_regime_not_registered')
  })

  const CASH_BASIS = [{ start_date: '2026-01-01' }]
  const withKey = (key: string) => atRate(21, { tax_regime_key: key })

  it.each([
    ['leaves the one-stop shop', { oss: REGISTERED }, { oss: null }, OF_THE_SHOP],
    ['leaves the cash basis', { cash_basis: CASH_BASIS }, { cash_basis: [] }, withKey('07')],
    ['enters the cash basis', {}, { cash_basis: CASH_BASIS }, withKey('01')],
  ] as const)('has its imports of before, sent again, in its books after it %s', async (...of) => {
    const [, before, after, invoice] = of
    const company = await server.company({ ...before, books: BOOKS })
    const { tax_id: taxId } = company.data
    const problemsOf = async (number: string, date: string) => {
      const body = imported({ taxId, number, date, invoice })
      return codesOf((await call(company, 'POST', '/issued-invoices/import', body)).json)
    }
    expect(await problemsOf('OLD-1', '2026-03-02')).toEqual([])
    const books = await booksOf(company)
    await update(company, after)
    expect(await problemsOf('OLD-1', '2026-03-02')).toEqual([])
    expect(await booksOf(company)).toEqual(books)
    // An operation of another day, or a new invoice, is as of today.
    const problem = [expect.stringMatching(/^(oss_regime_not_registered|recc_key_mismatch)$/)]
    expect(await problemsOf('OLD-1', '2026-03-03')).toEqual(problem)
    expect(await problemsOf('OLD-2', '2026-03-02')).toEqual(problem)
  })

  it('an end before the beginning is refused', async () => {
    const company = await server.company({ oss: REGISTERED })
    const run = await administer(server, ['company', 'update', company.id, '--file', '-'], {
      input: JSON.stringify({ oss: { end_date: '2021-06-30' } }),
    })
    expect([run.status, run.stderr]).toEqual([
      1,
      expect.stringContaining('oss/end_date: is before effective_date'),
    ])
  })
})

/** An update of every member of `company.json`. Foot, link and template of the PDF are style: they apply to all. */
const UPDATES: Readonly<Record<string, unknown>> = {
  legal_name: 'Otra Denominación, S.A.',
  name: 'Otro nombre',
  contact_name: 'Otra persona',
  contact_email: 'otra@empresa.example',
  contact_phone: '910000000',
  address: CEUTA,
  verified: false,
  default_tax_group: 'IPSI',
  plan: { name: 'small', recognition_quota: 1 },
  features: ['api', 'issue'],
  fiscal_systems: { verifactu_in_plan: false, sii_in_plan: false },
  cash_basis: [{ start_date: '2026-01-01' }],
  oss: { status: 'registered', effective_date: '2021-07-01', end_date: '2026-01-01' },
  delegated_signature: { valid_until: '2026-01-01' },
  operated_by_partner: true,
  sii: { enrollment_periods: [{ enrollment_status: 'mandatory', start_date: '2020-01-01' }] },
}

describe('any update of a company', () => {
  withPdfText(
    'leaves canonical document, summary, PDF, XML, records and books of stored invoices as they are',
    async () => {
      const company = await server.company({ books: BOOKS })
      await administer(server, ['certificate', 'add', '--company', company.id, '--demo'])
      await call(company, 'PUT', '/verifactu/config', { mode: 'verifactu' })
      const taxId = company.data.tax_id
      const { id } = await issued(company.key, draft({ invoice: atRate(10) }))
      const elsewhere = imported({ taxId, number: 'OLD-1', invoice: atRate(10) })
      const { id: old } = (await call(company, 'POST', '/issued-invoices/import', elsewhere)).json
      const day = spanishDay(Date.now())
      const bought = received({ taxId, number: 'P-1', date: day, invoice: atRate(10) })
      const customs = received({ taxId, number: 'DUA-1', date: day, invoice: atRate(21) })
      customs.invoice.issue_data.is_dua = true
      const purchases: string[] = []
      for (const one of [bought, customs])
        purchases.push((await call(company, 'PUT', '/received-invoices', one)).json.id)
      const book = async () => {
        const out = temporaryFolder()
        const run = await administer(server, [
          ...['books', '--company', company.id, '--year', day.slice(0, 4), '--until', '4T', '--out', out],
        ])
        expect(run.status, run.stderr).toBe(0)
        // The name of the file is that of the taxpayer.
        return readdirSync(out).flatMap((name) =>
          Object.values(reader.read(readFileSync(join(out, name))).Sheets).map((sheet) =>
            reader.utils.sheet_to_json(sheet, { header: 1 }),
          ),
        )
      }
      const answers = async () => ({
        issued: [await showing(company, id), await showing(company, old)],
        records: (await call(company, 'GET', `/invoices/${id}/verifactu/records`)).text,
        received: await Promise.all(purchases.map((one) => receivedCanonical(company, one))),
        books: await book(),
      })
      const before = await answers()
      for (const [member, value] of Object.entries(UPDATES)) {
        await update(company, { [member]: value })
        expect([member, await answers()]).toEqual([member, before])
      }
      const verified = await administer(server, ['verify', '--company', company.id, '--json'])
      expect(verified.json.companies[0].failures).toEqual([])
    },
  )
})
