/** VeriFactu over HTTP: configuration, the chain, signatures, submissions, and system events. */
import { randomUUID } from 'node:crypto'
import { verifySignature } from 'cuadra-authority/index.ts'
import { expect, vi } from 'vitest'
import { parseQr, verifyChain } from '#records/verifactu/index.ts'
import { certify, expireCertificates } from '../certificates.ts'
import type { Answered, TestCompany, TestServer } from '../harness.ts'
import { draft, nextRef, received } from '../invoices.ts'
import { SOME_ID } from '../requests.ts'
import { itWithCompany, stepsOf } from '../steps.ts'

const REQUIRED = 'active_verifactu_certificate_or_delegation_required'
const DELEGATED = { delegated_signature: { valid_until: '2099-12-31' } }

export function verifactuSuite(server: () => TestServer): void {
  const { call, change } = stepsOf(server)
  const it = itWithCompany(server)
  const codeOf = ({ json }: Answered): string => json.detail.code
  const get = (company: { key: string }, path: string) => call('GET', path, { key: company.key })
  const activate = (company: { key: string }, body?: unknown) =>
    call('PUT', '/verifactu/config', { key: company.key, ...(body === undefined ? {} : { body }) })
  const emit = (company: { key: string }, tipo_evento: unknown, headers = {}) =>
    call('POST', '/verifactu/sif', { key: company.key, body: { tipo_evento }, headers })

  /** A company that keeps records in a mode, with a certificate. */
  async function active(mode: 'verifactu' | 'no_verifactu', sandbox = true): Promise<TestCompany> {
    const company = await server().company()
    await certify(server(), company.id)
    expect((await activate(company, { mode, sandbox })).status).toBe(200)
    return company
  }

  const save = ({ key }: TestCompany, series = 'F') =>
    call('PUT', '/drafts', { key, body: draft({ series }) })
  const issueId = ({ key }: TestCompany, id: string) => call('POST', `/issued-invoices/${id}/issue`, { key })
  const issue = async (company: TestCompany, series?: string) =>
    issueId(company, (await save(company, series)).json.id)

  /** Writes what the sender does when the tax authority has accepted the records of an invoice. */
  const markSent = (company: TestCompany, invoiceId: string) =>
    change(
      company.id,
      'verifactu_records',
      { submitted_at: '2026-11-20T10:00:00.000000', estado: 'accepted' },
      { invoice_id: invoiceId },
    )

  /** XML of the latest registration as stored, sent or not. */
  const storedXml = async (company: TestCompany, invoiceId: string): Promise<string> => {
    const { xml_sent } = await (await server().store())
      .of(company.id)
      .find('verifactu_records', { invoice_id: invoiceId, tipo: 'alta' })
      .select('xml_sent')
      .executeTakeFirstOrThrow()
    return xml_sent ?? ''
  }

  /** Stored records of a company in chain order. */
  const chainOf = async ({ id }: TestCompany, table: 'verifactu_records' | 'verifactu_events') => {
    const rows = await (await server().store())
      .of(id)
      .select(table)
      .select('record')
      .orderBy('sequence')
      .execute()
    return rows.map(({ record }) => JSON.parse(record))
  }

  it('a company without configuration reads that it has none', async ({ company }) => {
    expect((await get(company, '/verifactu/config')).json).toEqual({
      configured: false,
      applicable: true,
      mode: null,
      regime_state: 'no_activado',
      operated_by_partner: false,
      sandbox: null,
      updated_at: null,
      active_certificate: null,
    })
    const operated = await server().company({ operated_by_partner: true })
    expect((await get(operated, '/verifactu/config')).json.regime_state).toBe('pendiente_mandato')
  })

  it('PUT /verifactu/config refuses companies in the Basque Country and Navarre, with the province', async () => {
    const provinces = [
      ['48', 'Vizcaya'],
      ['ES-BI', 'Vizcaya'],
      ['ES-VI', 'Álava'],
      ['ES-SS', 'Guipúzcoa'],
      ['31', 'Navarra'],
    ]
    for (const [province_code, name] of provinces) {
      const company = await server().company({
        address: { line: 'Gran Vía, 1', town: 'Bilbao', province_code },
        fiscal_systems: { verifactu_in_plan: false },
      })
      const refused = await activate(company, {})
      expect(refused.status).toBe(409)
      expect(refused.json.detail).toMatchObject({ code: 'verifactu_not_applicable_foral', province: name })
      expect((await get(company, '/verifactu/config')).json.applicable).toBe(false)
    }
  })

  it('PUT /verifactu/config refuses a plan without VeriFactu before it looks for a certificate', async () => {
    const company = await server().company({ fiscal_systems: { verifactu_in_plan: false } })
    const refused = await activate(company, {})
    expect(refused.status).toBe(402)
    expect(refused.json.detail).toMatchObject({ code: 'feature_outside_plan', feature: 'verifactu' })
  })

  it('PUT /verifactu/config needs a certificate or a delegated signature that is valid today', async () => {
    const none = await server().company()
    const over = await server().company({ delegated_signature: { valid_until: '2026-01-01' } })
    const expired = await server().company()
    await certify(server(), expired.id)
    await expireCertificates(server(), expired.id)
    for (const company of [none, over, expired]) {
      const refused = await activate(company, { mode: 'verifactu' })
      expect(refused.status).toBe(409)
      expect(codeOf(refused)).toBe(REQUIRED)
      expect((await get(company, '/verifactu/config')).json).toMatchObject({ configured: false })
    }
  })

  it('PUT /verifactu/config opens a period with its defaults, and an open one stays as it is', async () => {
    const company = await server().company()
    const certificate = await certify(server(), company.id, { purpose: 'general', name: 'Sello general' })
    const opened = {
      configured: true,
      enabled: true,
      mode: 'no_verifactu',
      sandbox: true,
      certificate_id: 1,
      certificate_name: 'Sello general',
    }
    expect((await activate(company)).json).toEqual(opened)
    const before = (await get(company, '/verifactu/config')).json
    expect(before).toMatchObject({
      configured: true,
      mode: 'no_verifactu',
      regime_state: 'habilitado',
      sandbox: true,
      active_certificate: { name: 'Sello general', fingerprint: certificate.fingerprint },
    })
    expect((await activate(company, { mode: 'verifactu', sandbox: false })).json).toEqual(opened)
    expect((await get(company, '/verifactu/config')).json).toEqual(before)
  })

  it('a delegated signature replaces a certificate', async () => {
    const company = await server().company(DELEGATED)
    expect((await activate(company, { mode: 'verifactu', sandbox: false })).json).toMatchObject({
      mode: 'verifactu',
      sandbox: false,
      certificate_id: null,
      certificate_name: null,
    })
    expect((await get(company, '/verifactu/config')).json).toMatchObject({
      regime_state: 'habilitado',
      active_certificate: null,
    })
  })

  it('eight concurrent activations open one period', async ({ company }) => {
    await certify(server(), company.id)
    const modes = Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? 'verifactu' : 'no_verifactu'))
    const answers = await Promise.all(modes.map((mode) => activate(company, { mode })))
    expect(answers.map(({ status }) => status)).toEqual(modes.map(() => 200))
    expect(new Set(answers.map(({ json }) => json.mode)).size).toBe(1)
    const own = (await server().store()).of(company.id)
    expect(await own.select('verifactu_periods').selectAll().execute()).toHaveLength(1)
  })

  it('a closed period is shown as revoked, and a new one can be opened', async () => {
    const company = await active('verifactu')
    const tried = (await issue(company)).json
    await change(company.id, 'verifactu_periods', { end_date: '2026-06-30' })
    expect((await get(company, '/verifactu/config')).json).toMatchObject({
      configured: true,
      regime_state: 'revocado',
      mode: 'verifactu',
    })
    expect((await issue(company)).json.fiscal.status).toBe('not_registered')
    const opened = await activate(company, { mode: 'verifactu', sandbox: false })
    expect(opened.json).toMatchObject({ mode: 'verifactu', sandbox: false })
    // Each environment has its own chain, which does not include records of the other.
    await call('POST', `/issued-invoices/${tried.id}/cancel`, { key: company.key })
    const records = (await get(company, `/invoices/${tried.id}/verifactu/records`)).json
    expect(records).toMatchObject([{ tipo: 'alta', environment: 'test' }])
    const real = (await issue(company)).json
    expect((await get(company, `/invoices/${real.id}/verifactu/records`)).json).toMatchObject([
      { environment: 'production', huella_anterior: null },
    ])
  })

  it('PUT /verifactu/config and POST /verifactu/sif need full access, the queries compliance:read', async () => {
    const company = await server().company()
    const reader = { key: await server().key(company.id, { scopes: ['compliance:read'] }) }
    const other = { key: await server().key(company.id, { scopes: ['invoices:read', 'invoices:issue'] }) }
    for (const refused of [await activate(reader, {}), await emit(reader, '01')]) {
      expect(refused.status).toBe(403)
      expect(refused.json.detail).toMatchObject({ code: 'scope_missing', missing: '*' })
    }
    for (const path of ['config', 'submissions', 'incidents', 'sif']) {
      expect((await get(reader, `/verifactu/${path}`)).status).toBe(200)
      expect((await get(other, `/verifactu/${path}`)).json.detail.missing).toBe('compliance:read')
    }
    expect((await get(other, '/certificates')).status).toBe(403)
  })

  it('bodies of another shape are request_validation_error', async () => {
    const company = await active('no_verifactu')
    for (const body of [{ mode: 'off' }, { sandbox: 'true' }, { start: 1 }, [], { mode: null }])
      expect(codeOf(await activate(company, body))).toBe('request_validation_error')
    for (const type of ['03', 1, null, ''])
      expect(codeOf(await emit(company, type))).toBe('request_validation_error')
    for (const body of [{}, { tipo_evento: '01', text: 'x' }]) {
      const refused = await call('POST', '/verifactu/sif', { key: company.key, body })
      expect(codeOf(refused)).toBe('request_validation_error')
    }
    const headers = { 'Content-Type': 'application/json' }
    const empty = await call('POST', '/verifactu/sif', { key: company.key, headers })
    expect([empty.status, codeOf(empty)]).toEqual([422, 'request_validation_error'])
  })

  it('an issue makes a record with hash, QR and XML, and a cancellation adds its own', async () => {
    const company = await active('verifactu', false)
    const { json: invoice } = await issue(company)
    expect(invoice.fiscal).toMatchObject({
      status: 'verifactu_pending',
      legend: 'Factura verificable en la sede electrónica de la AEAT',
    })
    expect(parseQr(invoice.fiscal.qr_url)).toMatchObject({ valid: true })
    expect(new URL(invoice.fiscal.qr_url).searchParams.get('numserie')).toBe(invoice.number)
    const path = `/invoices/${invoice.id}/verifactu`
    const [record, ...none] = (await get(company, `${path}/records`)).json
    expect(none).toEqual([])
    expect(record).toMatchObject({
      tipo: 'alta',
      mode: 'verifactu',
      environment: 'production',
      estado: 'pending',
      huella_anterior: null,
      qr_url: invoice.fiscal.qr_url,
      aeat_csv: null,
      submitted_at: null,
      has_xml_enviado: false,
      has_xml_respuesta: false,
    })
    await markSent(company, invoice.id)
    const xml = await get(company, `${path}/xml`)
    expect(xml.status).toBe(200)
    expect(xml.headers.get('content-type')).toMatch(/^application\/xml/)
    expect(xml.headers.get('content-disposition')).toContain(`attachment; filename="${invoice.number}.xml"`)
    expect(xml.text).toContain(`>${record.huella}<`)
    expect(xml.text).not.toContain('Signature')
    await call('POST', `/issued-invoices/${invoice.id}/cancel`, { key: company.key })
    const after = (await get(company, `${path}/records`)).json
    expect(after.map(({ tipo }: { tipo: string }) => tipo)).toEqual(['alta', 'anulacion'])
    expect(after[1]).toMatchObject({ huella_anterior: record.huella, qr_url: null, estado: 'pending' })
    expect((await get(company, `${path}/xml`)).text).toBe(xml.text)
    expect((await get(company, `/issued-invoices/${invoice.id}`)).json.fiscal.qr_url).toBe(record.qr_url)
  })

  it('there is no XML of a record that was not sent, and never any where nothing is sent', async () => {
    for (const mode of ['verifactu', 'no_verifactu'] as const) {
      const company = await active(mode)
      const { json: invoice } = await issue(company)
      const path = `/invoices/${invoice.id}/verifactu`
      expect((await get(company, `${path}/records`)).json).toMatchObject([
        { submitted_at: null, has_xml_enviado: false },
      ])
      const none = await get(company, `${path}/xml`)
      expect([none.status, codeOf(none)]).toEqual([404, 'verifactu_xml_not_found'])
      expect(none.json.detail.message).toContain('has not been sent to the tax authority')
      await markSent(company, invoice.id)
      expect((await get(company, `${path}/records`)).json).toMatchObject([{ has_xml_enviado: true }])
      expect((await get(company, `${path}/xml`)).text).toBe(await storedXml(company, invoice.id))
    }
  })

  it('records of several series, issued concurrently and cancelled, are one chain that verifies', async () => {
    const company = await active('verifactu')
    const ids = await Promise.all(
      ['A', 'B', 'A', 'B', 'C', 'A'].map(async (series) => (await save(company, series)).json.id),
    )
    const issued = await Promise.all(ids.map((id) => issueId(company, id)))
    expect(issued.map(({ status }) => status)).toEqual(ids.map(() => 200))
    await call('POST', `/issued-invoices/${ids[2]}/cancel`, { key: company.key })
    await issue(company, 'C')
    const records = await chainOf(company, 'verifactu_records')
    expect(records).toHaveLength(8)
    expect(verifyChain(records)).toMatchObject({ valid: true })
  })

  it('an invoice without records has an empty list and no XML, and an unknown one is not found', async () => {
    const company = await active('verifactu')
    const { data, key } = company
    const draftId = (await save(company)).json.id
    const body = received({ taxId: data.tax_id, number: nextRef('R') })
    const bought = await call('PUT', '/received-invoices', { key, body })
    for (const id of [draftId, bought.json.id]) {
      expect((await get(company, `/invoices/${id}/verifactu/records`)).json).toEqual([])
      const none = await get(company, `/invoices/${id}/verifactu/xml`)
      expect([none.status, codeOf(none)]).toEqual([404, 'verifactu_xml_not_found'])
    }
    const stranger = await server().company()
    for (const path of ['records', 'xml'])
      for (const [who, id] of [
        [company, SOME_ID],
        [company, 'x'],
        [stranger, draftId],
      ] as const) {
        const none = await get(who, `/invoices/${id}/verifactu/${path}`)
        expect([none.status, codeOf(none)]).toEqual([404, 'invoice_not_found'])
      }
  })

  it('a series that the authority would refuse is a warning on the draft, and its issue uses no number', async () => {
    const company = await active('verifactu')
    const saved = await save(company, 'A<B')
    expect(saved.json.success).toBe(true)
    expect(saved.json.errors[0]).toMatchObject({
      severity: 'warning',
      path: '/invoice/header/invoice_series_code',
    })
    const refused = await issueId(company, saved.json.id)
    expect([refused.status, codeOf(refused)]).toEqual([422, 'validation_failed'])
    expect(refused.json.detail.errors[0]).toMatchObject({ severity: 'error' })
    expect((await get(company, `/drafts/${saved.json.id}`)).json).toMatchObject({
      status: 'draft',
      number: null,
    })
    const own = (await server().store()).of(company.id)
    expect(await own.select('series').select('series_code').execute()).toEqual([])
    expect((await issue(company, 'AB')).json.number).toBe('AB000001')
    expect(await chainOf(company, 'verifactu_records')).toHaveLength(1)
  })

  it('in mode no_verifactu records are signed when they are made', async () => {
    const company = await active('no_verifactu')
    const { json: invoice } = await issue(company)
    expect(invoice.fiscal).toMatchObject({ status: 'verifactu_registered', legend: null })
    expect(invoice.fiscal.qr_url).toContain('ValidarQRNoVerifactu')
    const check = await verifySignature(await storedXml(company, invoice.id))
    expect(check).toMatchObject({ valid: true, profile: 'EPES' })
    expect(check.signed_by?.subject).toContain('CN=Sello de Pruebas')
    await call('POST', `/issued-invoices/${invoice.id}/cancel`, { key: company.key })
    expect((await get(company, `/invoices/${invoice.id}/verifactu/records`)).json[1]).toMatchObject({
      tipo: 'anulacion',
      estado: 'registered',
      environment: 'test',
    })
    expect(verifyChain(await chainOf(company, 'verifactu_records'))).toMatchObject({ valid: true })
  })

  it('with a delegated signature and without its own key the record awaits the signature', async () => {
    const company = await server().company(DELEGATED)
    await activate(company, {})
    const { json: invoice } = await issue(company)
    expect(invoice.fiscal.status).toBe('verifactu_signature_pending')
    const [record] = (await get(company, `/invoices/${invoice.id}/verifactu/records`)).json
    expect(record).toMatchObject({ estado: 'signature_pending', has_xml_enviado: false })
    const text = await storedXml(company, invoice.id)
    expect((await verifySignature(text)).errors[0]?.code).toBe('no_signature')
  })

  it('without a valid certificate nothing that must be signed is issued, but an invoice can be cancelled', async () => {
    const company = await active('no_verifactu')
    const { json: invoice } = await issue(company)
    await expireCertificates(server(), company.id)
    expect((await get(company, '/verifactu/config')).json).toMatchObject({
      regime_state: 'suspendido',
      active_certificate: null,
    })
    const saved = await save(company)
    expect(saved.json).toMatchObject({ success: true, errors: [{ code: REQUIRED, severity: 'warning' }] })
    const refused = await issueId(company, saved.json.id)
    expect([refused.status, codeOf(refused)]).toEqual([422, 'validation_failed'])
    expect(refused.json.detail.errors).toMatchObject([{ code: REQUIRED, severity: 'error' }])
    const event = await emit(company, '02')
    expect([event.status, codeOf(event)]).toEqual([422, 'verifactu_sif_emit_error'])
    expect(event.json.detail.errors).toMatchObject([{ code: REQUIRED }])
    const cancelled = await call('POST', `/issued-invoices/${invoice.id}/cancel`, {
      key: company.key,
    })
    expect(cancelled.json.status).toBe('cancelled')
    expect((await get(company, `/invoices/${invoice.id}/verifactu/records`)).json).toHaveLength(1)
    // A renewed certificate is used automatically.
    await certify(server(), company.id, { name: 'Renovado' })
    expect((await issueId(company, saved.json.id)).json.number).toBe('F000002')
    expect((await get(company, '/verifactu/config')).json.active_certificate.name).toBe('Renovado')
  })

  it('a certificate that cannot be opened is reported to the administrator, not to the client', async () => {
    const company = await active('no_verifactu')
    await change(company.id, 'certificates', { sealed: 'v1:AAAA', fingerprint: '0'.repeat(64) })
    const refused = await issue(company)
    expect(codeOf(refused)).toBe('validation_failed')
    expect(refused.json.detail.errors).toMatchObject([{ code: 'record.signature' }])
    expect(refused.text).not.toContain(server().dataDir)
    // The response may arrive before the log line.
    await vi.waitFor(() => expect(server().output()).toContain('a certificate cannot be opened'), 5000)
  })

  it('system events are recorded only in mode no_verifactu', async ({ company: none }) => {
    const sending = await active('verifactu')
    for (const [company, mode] of [
      [none, 'no_activado'],
      [sending, 'verifactu'],
    ] as const) {
      const refused = await emit(company, '01')
      expect(refused.status).toBe(409)
      expect(refused.json.detail).toMatchObject({ code: 'verifactu_sif_not_applicable', mode })
      expect((await get(company, '/verifactu/sif')).json).toEqual([])
    }
  })

  it('system events are signed, in their own chain, and read newest first', async () => {
    const company = await active('no_verifactu')
    await issue(company)
    const first = await emit(company, '01')
    expect(first.status).toBe(201)
    expect(first.json).toMatchObject({
      tipo_evento: '01',
      mode: 'no_verifactu',
      environment: 'test',
      huella_evento_anterior: null,
    })
    const key = { 'Idempotency-Key': nextRef('sif') }
    const second = await emit(company, '02', key)
    expect(second.json.huella_evento_anterior).toBe(first.json.huella_evento)
    expect((await emit(company, '02', key)).json).toEqual(second.json)
    const third = await emit(company, '01')
    const all = [third.json, second.json, first.json]
    expect((await get(company, '/verifactu/sif')).json).toEqual(all)
    expect((await get(company, '/verifactu/sif?limit=2')).json).toEqual(all.slice(0, 2))
    for (const limit of [0, 201])
      expect(codeOf(await get(company, `/verifactu/sif?limit=${limit}`))).toBe('request_validation_error')
    expect(verifyChain(await chainOf(company, 'verifactu_events'))).toMatchObject({ valid: true })
    const { xml } = await (await server().store())
      .of(company.id)
      .find('verifactu_events', { huella_evento: third.json.huella_evento })
      .select('xml')
      .executeTakeFirstOrThrow()
    expect(await verifySignature(xml)).toMatchObject({ valid: true })
  })

  it('an event that cannot follow the previous one is refused with the reason, and not stored', async () => {
    const company = await active('no_verifactu')
    await emit(company, '01')
    await change(
      company.id,
      'verifactu_chains',
      { last_record: '{"RegistroEvento":{"Evento":{"TipoEvento":"01"}}}' },
      { chain: 'events' },
    )
    const refused = await emit(company, '02')
    expect([refused.status, codeOf(refused)]).toEqual([422, 'verifactu_sif_emit_error'])
    expect(refused.json.detail.errors[0].code).toBe('record.previous')
    expect((await get(company, '/verifactu/sif')).json).toHaveLength(1)
  })

  /** Submissions as the sender stores them; `lines` are states of records. */
  const submitted = (company: TestCompany, at: string, lines: readonly string[]) =>
    server().transaction(async (all) => {
      const tx = all.of(company.id)
      const submission_id = randomUUID()
      await tx.insert('verifactu_submissions', {
        submission_id,
        environment: 'test',
        submission_type: 'remision_voluntaria',
        ref_requerimiento: null,
        record_count: lines.length,
        estado_envio: 'ParcialmenteCorrecto',
        aeat_csv: 'A-1',
        error_code: null,
        error_message: null,
        submitted_at: `${at}T10:00:01.000000`,
        created_at: `${at}T10:00:00.000000`,
      })
      for (const [line, estado_registro] of lines.entries())
        await tx.insert('verifactu_submission_lines', {
          submission_id,
          line,
          num_serie: `F${line}`,
          fecha_expedicion: '05-03-2026',
          estado_registro,
          codigo_error: estado_registro === 'Correcto' ? null : '1110',
          descripcion_error: estado_registro === 'Correcto' ? null : 'No identificado',
        })
      return submission_id
    })

  it('submissions are listed newest first with their lines, and incidents are the records that were not accepted', async () => {
    const company = await server().company()
    expect((await get(company, '/verifactu/submissions')).json).toEqual({
      items: [],
      total: 0,
      limit: 50,
      offset: 0,
    })
    expect((await get(company, '/verifactu/incidents')).json).toEqual({ items: [], total: 0 })
    expect((await get(company, '/verifactu/chain')).json).toEqual({
      environment: null,
      records: 0,
      last_hash: null,
      latest: [],
      waiting: { records: 0, since: null, next_attempt_at: null, reason_code: null, reason: null },
      attention: [],
    })
    const first = await submitted(company, '2026-03-01', ['Incorrecto', 'Correcto'])
    const second = await submitted(company, '2026-03-02', ['Correcto'])
    const third = await submitted(company, '2026-03-03', ['Correcto', 'AceptadoConErrores', 'Incorrecto'])
    const all = (await get(company, '/verifactu/submissions')).json
    expect(all.items.map(({ id }: { id: string }) => id)).toEqual([third, second, first])
    expect(all.items[2]).toEqual({
      id: first,
      environment: 'test',
      submission_type: 'remision_voluntaria',
      ref_requerimiento: null,
      record_count: 2,
      estado_envio: 'ParcialmenteCorrecto',
      aeat_csv: 'A-1',
      error_code: null,
      error_message: null,
      lineas: [
        {
          num_serie: 'F0',
          fecha_expedicion: '05-03-2026',
          estado_registro: 'Incorrecto',
          codigo_error: '1110',
          descripcion_error: 'No identificado',
        },
        {
          num_serie: 'F1',
          fecha_expedicion: '05-03-2026',
          estado_registro: 'Correcto',
          codigo_error: null,
          descripcion_error: null,
        },
      ],
      submitted_at: '2026-03-01T10:00:01.000000',
      created_at: '2026-03-01T10:00:00.000000',
    })
    const page = (await get(company, '/verifactu/submissions?offset=1&limit=1')).json
    expect(page).toMatchObject({ items: [{ id: second }], total: 3, offset: 1, limit: 1 })
    const { items, total } = (await get(company, '/verifactu/incidents')).json
    expect(total).toBe(3)
    expect(items[0]).toEqual({
      submission_id: third,
      num_serie: 'F1',
      estado_registro: 'AceptadoConErrores',
      codigo_error: '1110',
      descripcion_error: 'No identificado',
      submitted_at: '2026-03-03T10:00:01.000000',
    })
    expect(items.map((one: { submission_id: string }) => one.submission_id)).toEqual([third, third, first])
    expect((await get(company, '/verifactu/incidents?limit=2')).json.total).toBe(2)
    const stranger = await server().company()
    expect((await get(stranger, '/verifactu/submissions')).json.total).toBe(0)
    expect((await get(stranger, '/verifactu/incidents')).json.total).toBe(0)
    for (const path of [
      'submissions?limit=201',
      'submissions?offset=-1',
      'incidents?limit=501',
      'incidents?limit=0',
      'incidents?offset=0',
    ])
      expect(codeOf(await get(company, `/verifactu/${path}`))).toBe('request_validation_error')
  })

  it('GET /certificates lists the certificates of the company without their keys', async ({ company }) => {
    expect((await get(company, '/certificates')).json).toEqual([])
    await certify(server(), company.id)
    await certify(server(), company.id, { purpose: 'general', name: 'El otro' })
    const answer = await get(company, '/certificates')
    expect(answer.json).toMatchObject([
      { id: 1, name: 'Sello de Pruebas', purpose: 'verifactu' },
      { id: 2, name: 'El otro', purpose: 'general' },
    ])
    expect(Object.keys(answer.json[0])).toEqual([
      'id',
      'name',
      'fingerprint',
      'purpose',
      'valid_from',
      'valid_to',
    ])
    expect((await get(await server().company(), '/certificates')).json).toEqual([])
  })
}
