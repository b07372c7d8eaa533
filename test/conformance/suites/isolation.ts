/**
 * A second company tries every route with everything of the first one: ids of invoices in every status, of documents
 * and submissions, and numbers and references in filters and documents. It sees nothing and changes nothing.
 */
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Route } from 'cuadra-server/http/request/route.ts'
import { ROUTES } from 'cuadra-server/http/routes/index.ts'
import { COMPANY_TABLES } from 'cuadra-server/store/tables.ts'
import { beforeAll, describe, expect } from 'vitest'
import type { Answered, Request, TestCompany, TestServer } from '../harness.ts'
import { type Document, draft, imported, received, wrongDraft } from '../invoices.ts'
import { requestFor } from '../requests.ts'
import { itWithCompany, stepsOf } from '../steps.ts'
import { activateVerifactu } from '../verifactu.ts'

/** A marker in everything that the first company owns, and nowhere else. */
const MARKER = 'SECRETOMARCADO'
/** Names that the second company uses too. They are not secret, but must not lead to the first company's rows. */
const REF = 'REF-OF-THE-FIRST'
const NUMBER = 'NUMBER-OF-THE-FIRST'
const SERIES = 'SERIESFIRST'
const IDEMPOTENCY_KEY = 'key-of-the-first'

/** A value for columns with hashes. */
const MARKED_HASH = '5EC12E70'.repeat(8)

const STAMP = '2026-05-04T10:00:00.000000'

interface Owned {
  readonly company: TestCompany
  readonly invoices: Readonly<Record<string, string>>
  readonly documents: Readonly<Record<string, string>>
  readonly submission: string
  /** Everything that would reveal something to the second company. */
  readonly secrets: readonly string[]
}

const marked = {
  lines: [
    { item_description: `${MARKER} linea`, quantity: 1, unit_price_without_tax: 100, tax_output_rate: 21 },
  ],
  issue_data: { invoice_description: MARKER },
  supplier: { person_type_code: 'J', name: MARKER, country_code: 'ES' },
}

/** Rows that only an administrator, a worker or a tax authority writes. */
const insertRest = (server: TestServer, companyId: string, submission: string, invoice_id: string) =>
  server.transaction(async (all) => {
    const tx = all.of(companyId)
    const failure = { error_code: '1234', error_description: MARKER }
    await tx.insert('sii_submissions', {
      public_id: submission,
      internal_id: 77,
      book_type: 'ISSUED',
      operation_type: 'A0',
      global_status: 'accepted',
      submitted_at: STAMP,
      csv: MARKER,
      record_count: 1,
      ...failure,
      created_at: STAMP,
    })
    await tx.insert('sii_submission_items', {
      public_id: submission,
      line: 1,
      invoice_id,
      invoice_number: MARKER,
      item_status: 'accepted',
      ...failure,
      aeat_record_state: null,
    })
    await tx.upsert(
      'sii_records',
      {
        invoice_id,
        book_type: 'ISSUED',
        internal_id: 78,
        tax_authority: 'aeat',
        operation_type: 'A0',
        status: 'pending',
        deadline: '2026-05-08',
        version: 1,
        not_before_ms: 0,
        pause_ms: 0,
        turns: 0,
        last_submission_id: 77,
        submitted_at: STAMP,
        accepted_at: null,
        ...failure,
        created_at: STAMP,
        updated_at: STAMP,
      },
      (on) => on.doUpdateSet(failure),
    )
    const verifactu_submission = randomUUID()
    await tx.insert('verifactu_submissions', {
      submission_id: verifactu_submission,
      environment: 'test',
      submission_type: 'alta',
      ref_requerimiento: null,
      record_count: 1,
      estado_envio: 'ParcialmenteCorrecto',
      aeat_csv: MARKER,
      error_code: '1',
      error_message: MARKER,
      submitted_at: STAMP,
      created_at: STAMP,
    })
    await tx.insert('verifactu_submission_lines', {
      submission_id: verifactu_submission,
      line: 1,
      num_serie: MARKER,
      fecha_expedicion: '04-05-2026',
      estado_registro: 'Incorrecto',
      codigo_error: '1',
      descripcion_error: MARKER,
    })
    await tx.insert('verifactu_events', {
      environment: 'test',
      sequence: 1,
      tipo_evento: '01',
      mode: 'no_verifactu',
      fecha_hora_huso_gen_evento: '2026-05-04T10:00:00+02:00',
      huella_evento: MARKED_HASH,
      huella_evento_anterior: '',
      record: '{}',
      xml: MARKER,
      created_at: STAMP,
    })
    await tx.insert('certificates', {
      certificate_id: 1,
      name: MARKER,
      fingerprint: MARKED_HASH.toLowerCase(),
      purpose: 'general',
      valid_from: STAMP,
      valid_to: STAMP,
      self_signed: 0,
      sealed: MARKER,
      created_at: STAMP,
    })
    await tx.insert('sii_config', { auto_submit: 1, certificate_id: 1, updated_at: STAMP })
    await tx.insert('collections', {
      collection_id: randomUUID(),
      invoice_id,
      date: '2026-05-04',
      amount: 1,
      method: '01',
      account: null,
      cancelled_at: null,
      created_at: STAMP,
    })
  })

/** A company with an invoice in every status, documents, records and submissions. */
async function furnish(server: TestServer): Promise<Owned> {
  const company = await server.company({
    legal_name: `${MARKER}, S.L.`,
    contact_email: `${MARKER}@first.example`.toLowerCase(),
  })
  const { key, id, data } = company
  await activateVerifactu(server, id)
  const send = async (method: string, path: string, body?: unknown, headers = {}): Promise<Document> => {
    const { status, text, json } = await server.call(method, path, { key, body, headers })
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`)
    return json
  }
  const save = async (ref: string, make = draft): Promise<string> =>
    (await send('PUT', '/drafts', make({ ref, series: SERIES, invoice: marked }))).id
  const issue = async (ref: string, headers = {}): Promise<string> => {
    const invoice = await save(ref)
    await send('POST', `/issued-invoices/${invoice}/issue`, {}, headers)
    return invoice
  }
  const upload = async (prefix: string, invoice: string): Promise<string> => {
    const form = new FormData()
    form.append('file', new Blob([`${MARKER} content`], { type: 'application/pdf' }), `${MARKER}.pdf`)
    return (await send('POST', `${prefix}/${invoice}/documents`, form)).public_id
  }
  const importing = (number: string, ref: string) =>
    imported({
      taxId: data.tax_id,
      number,
      ref,
      series: SERIES,
      invoice: { ...marked, supplier: { ...marked.supplier, tax_id: data.tax_id } },
    })
  const bought = (number: string, invoice: Record<string, unknown>) => {
    const document = received({ taxId: data.tax_id, number, invoice })
    document.invoice.supplier.name = MARKER
    return document
  }

  const issued = await issue(`${REF}-issued`, { 'Idempotency-Key': IDEMPOTENCY_KEY })
  const sent = await issue(`${REF}-sent`)
  const { become } = stepsOf(() => server)
  await become(id, sent, 'sent')
  const cancelled = await issue(`${REF}-cancelled`)
  await send('POST', `/issued-invoices/${cancelled}/cancel`)
  const corrected = await issue(`${REF}-corrected`)
  const { id: corrective } = await send('POST', `/issued-invoices/${corrected}/corrective`, {
    correction_type: 'S',
    reason_code: '01',
    series_code: 'RFIRST',
    external_ref: `${REF}-corrective`,
  })
  await send('POST', `/issued-invoices/${corrective}/issue`, {})
  const elsewhere = (await send('POST', '/issued-invoices/import', importing(NUMBER, `${REF}-imported`))).id
  const { lines } = marked
  const purchase = (await send('PUT', '/received-invoices', bought(NUMBER, { lines }))).id
  const unknownRate = {
    lines: [{ ...lines[0], tax_output_rate: 20 }],
    totals: { total_gross_amount_before_taxes: 100, total_tax_outputs: 20, invoice_total: 120 },
  }
  const doubtful = (await send('PUT', '/received-invoices', bought(`${NUMBER}-2`, unknownRate))).id
  const plain = await save(REF)
  const wrong = await save(`${REF}-wrong`, wrongDraft)
  const queued = await save(`${REF}-queued`)
  const documents = {
    draft: await upload('/drafts', plain),
    issued: await upload('/issued-invoices', issued),
    received: await upload('/received-invoices', purchase),
  }
  await become(id, queued, 'queued')
  const submission = randomUUID()
  await insertRest(server, id, submission, issued)
  const invoices = {
    draft: plain,
    wrong,
    queued,
    issued,
    sent,
    cancelled,
    corrected,
    corrective,
    imported: elsewhere,
    received: purchase,
    doubtful,
  }
  return {
    company,
    invoices,
    documents,
    submission,
    secrets: [
      MARKER,
      MARKED_HASH,
      MARKED_HASH.toLowerCase(),
      MARKER.toLowerCase(),
      data.tax_id,
      id,
      ...Object.values(invoices),
      ...Object.values(documents),
      submission,
    ],
  }
}

/** All rows of a company and its files, which must not change. */
async function everythingOf(
  { store, dataDir }: TestServer,
  companyId: string,
): Promise<Record<string, string[]>> {
  const own = (await store()).of(companyId)
  const all: Record<string, string[]> = {}
  for (const table of COMPANY_TABLES) {
    const rows = await own.select(table).selectAll().execute()
    all[table] = rows.map((row) => JSON.stringify(row)).sort()
  }
  const folder = join(dataDir, 'files', companyId)
  all.files = readdirSync(folder)
    .sort()
    .map((name) => `${name} ${readFileSync(join(folder, name), 'latin1')}`)
  return all
}

export function isolationSuite(server: () => TestServer): void {
  const { call } = stepsOf(server)
  const it = itWithCompany(server)
  let first: Owned
  let second: TestCompany
  let before: Record<string, string[]>
  let readsBefore: string[]

  /** Reads everything of the first company with its own key. */
  const reads = async (): Promise<string[]> => {
    const answers: string[] = []
    for (const route of ROUTES) {
      if (route.method !== 'get' || route.authenticated === false) continue
      for (const { path } of addressed(route)) {
        const { status, text } = await call('GET', path, { key: first.company.key })
        answers.push(`${path} ${status} ${status < 400 ? text : ''}`)
      }
    }
    return answers
  }

  /** The requests of a route with each id that its path can have. */
  const addressed = (route: Route): { method: string; path: string; body?: unknown }[] => {
    const asked = { taxId: second.data.tax_id, ref: REF, number: NUMBER }
    const withParams = (params: Record<string, string>) => requestFor(route, { ...asked, params })
    const { path } = route
    if (path.includes('{submission_id}')) return [withParams({ submission_id: first.submission })]
    if (!path.includes('{invoice_id}')) return [withParams({})]
    return Object.values(first.invoices).flatMap((invoice_id) =>
      path.includes('{doc_id}')
        ? Object.values(first.documents).map((doc_id) => withParams({ invoice_id, doc_id }))
        : [withParams({ invoice_id })],
    )
  }

  const ask = async (method: string, path: string, request: Request = {}): Promise<Answered> => {
    const answer = await call(method, path, {
      key: second.key,
      ...request,
      headers: { 'Idempotency-Key': randomUUID(), ...request.headers },
    })
    const all = `${answer.text}\n${[...answer.headers].join('\n')}`
    for (const secret of first.secrets)
      if (all.includes(secret))
        throw new Error(`${method} ${path} reveals "${secret}": ${answer.text.slice(0, 500)}`)
    expect(answer.status, `${method} ${path}: ${answer.text.slice(0, 300)}`).toBeLessThan(500)
    return answer
  }

  beforeAll(async () => {
    first = await furnish(server())
    second = await server().company()
    before = await everythingOf(server(), first.company.id)
    readsBefore = await reads()
  }, 60_000)

  it('the first company sees its marker in what it reads, so that the search can find something', () => {
    const withMarker = readsBefore.filter((answer) => answer.includes(MARKER))
    for (const path of ['/drafts ', '/issued-invoices ', '/received-invoices ', '/company '])
      expect(
        withMarker.some((one) => one.startsWith(path)),
        path,
      ).toBe(true)
    for (const [state, id] of Object.entries(first.invoices))
      expect(
        withMarker.some((one) => one.includes(id)),
        state,
      ).toBe(true)
    expect(Object.keys(before)).toEqual([...COMPANY_TABLES, 'files'])
  })

  describe.each(ROUTES.map((route) => [`${route.method} ${route.path}`, route] as const))(
    '%s',
    (name, route) => {
      const hasId = /\{(?:invoice|submission)_id\}/.test(route.path)

      if (hasId)
        it('returns 404 for every id of the other company', async () => {
          for (const { method, path, ...request } of addressed(route)) {
            const { status } = await ask(method, path, request)
            expect(`${method} ${path} ${status}`).toBe(`${method} ${path} 404`)
          }
        })
      else
        it('reveals nothing of the other company', async () => {
          for (const { method, path, ...request } of addressed(route)) {
            const { status, text } = await ask(method, path, request)
            // The query to the tax authority is for the asking company, and fails if no authority can be reached.
            const fine = path.startsWith('/verifactu/aeat-records') ? [200, 422] : [200, 201, 409]
            expect(fine, `${name}: ${text.slice(0, 300)}`).toContain(status)
          }
        })

      if (route.query !== undefined && !hasId)
        it('has no parameter that leads to the other company', async ({ key, data }) => {
          // A company without invoices, so that anything found would belong to another.
          const values: Record<string, readonly string[]> = {
            invoice_id: Object.values(first.invoices),
            external_ref: [REF, `${REF}-issued`, `${REF}-imported`],
            number: [NUMBER, `${SERIES}000001`],
            series: [SERIES, 'RFIRST'],
            customer_tax_id: ['B12345674'],
            supplier_tax_id: ['B12345674'],
            issue_date_from: ['2020-01-01'],
            issue_date_to: ['2030-01-01'],
            date_from: ['2020-01-01'],
            date_to: ['2030-01-01'],
            status: ['issued'],
            global_status: ['accepted'],
            book_type: ['ISSUED'],
            limit: ['100'],
            offset: ['0'],
            explain: ['true'],
            format: ['ubl_2_1'],
            period: ['2026-05'],
          }
          for (const parameter of Object.keys(route.query ?? {})) {
            const tried = values[parameter]
            if (!tried) throw new Error(`isolation has no value for ${parameter} of ${name}: add one`)
            for (const value of tried) {
              const { method, path, ...request } = requestFor(route, { taxId: data.tax_id })
              const answer = await ask(method, `${path.split('?')[0]}?${parameter}=${value}`, {
                ...request,
                key,
              })
              if (parameter === 'invoice_id') expect(`${name} ${answer.status}`).toBe(`${name} 404`)
              else if (Array.isArray(answer.json?.items) && route.method === 'get')
                expect(answer.json, `${name}?${parameter}`).toMatchObject({ items: [], total: 0 })
            }
          }
        })
    },
  )

  it('the idempotency key of the other company does not return its response', async () => {
    const path = `/issued-invoices/${first.invoices.issued}/issue`
    const headers = { 'Idempotency-Key': IDEMPOTENCY_KEY }
    expect((await ask('POST', path, { body: {}, headers })).status).toBe(404)
    // The first company gets its response again, so the request is the same.
    const own = await call('POST', path, { key: first.company.key, body: {}, headers })
    expect([own.status, own.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
  })

  it('nothing of the first company has changed: rows, files and what it reads', async () => {
    const after = await everythingOf(server(), first.company.id)
    for (const table of Object.keys(before)) expect(after[table], table).toEqual(before[table])
    expect(await reads()).toEqual(readsBefore)
  })

  it('the second company has what it wrote itself, under the same names', async () => {
    const { json } = await call('GET', `/drafts?external_ref=${REF}`, { key: second.key })
    expect(json.items.map(({ external_id }: { external_id: string }) => external_id)).toEqual([REF])
  })
}
