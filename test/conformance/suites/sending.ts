/** Sends VeriFactu records to the simulator, which accepts and stores them. */

import { createClock } from 'cuadra-server/environment/clock.ts'
import { readConfig } from 'cuadra-server/environment/config.ts'
import { addCertificate, demonstrationCertificate } from 'cuadra-server/service/company/certificates.ts'
import { beforeAll, expect, it, vi } from 'vitest'
import { administer } from '../administrator.ts'
import { transition } from '../answers.ts'
import { certify, expireCertificates } from '../certificates.ts'
import { startServer, type TestCompany, type TestServer } from '../harness.ts'
import { draft } from '../invoices.ts'

export function sendingSuite(store: 'sqlite' | 'postgres'): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({
      store,
      env: { CUADRA_AEAT_SIMULATOR: 'on', CUADRA_AEAT_SIMULATOR_WAIT: '60' },
    })
  }, 60_000)

  const get = ({ key }: { key: string }, path: string, headers = {}) =>
    server.call('GET', path, { key, headers })
  const activate = ({ key }: TestCompany) =>
    server.call('PUT', '/verifactu/config', { key, body: { mode: 'verifactu' } })

  /** A company with its own certificate. */
  async function sender(): Promise<TestCompany> {
    const company = await server.company()
    const config = readConfig({ CUADRA_DATA_DIR: server.dataDir })
    const clock = createClock()
    const { tax_id, legal_name } = company.data
    const file = await demonstrationCertificate({ config, clock }, tax_id, legal_name)
    await server.transaction((tx) =>
      addCertificate(tx.of(company.id), { config, clock }, { ...file, purpose: 'verifactu' }),
    )
    expect((await activate(company)).status).toBe(200)
    return company
  }

  async function issue(company: TestCompany): Promise<string> {
    const { json } = await server.call('PUT', '/drafts', { key: company.key, body: draft() })
    expect(
      (await server.call('POST', `/issued-invoices/${json.id}/issue`, { key: company.key })).status,
    ).toBe(200)
    return json.id
  }

  const statusOf = async (company: TestCompany, id: string): Promise<string> =>
    (await get(company, `/issued-invoices/${id}`)).json.fiscal.status
  const becomes = (company: TestCompany, id: string, status: string) =>
    vi.waitFor(async () => expect(await statusOf(company, id)).toBe(status), {
      timeout: 20_000,
      interval: 100,
    })

  /** Moves the clock past the authority's wait time between two messages. */
  const minuteLater = ({ id }: TestCompany) =>
    server.transaction((tx) => tx.of(id).update('verifactu_queues', { flow_ms: 0 }).execute())

  it('an issued invoice is sent automatically, accepted with a CSV, found at the authority, and cancelled', async () => {
    const company = await sender()
    const id = await issue(company)
    await becomes(company, id, 'verifactu_accepted')
    const [record] = (await get(company, `/invoices/${id}/verifactu/records`)).json
    expect(record).toMatchObject({ estado: 'accepted', has_xml_enviado: true, has_xml_respuesta: true })
    expect(record.aeat_csv).toMatch(/^A-/)
    const [submission] = (await get(company, '/verifactu/submissions')).json.items
    expect(submission).toMatchObject({
      environment: 'test',
      submission_type: 'remision_voluntaria',
      record_count: 1,
      estado_envio: 'Correcto',
      aeat_csv: record.aeat_csv,
      error_code: null,
      lineas: [{ estado_registro: 'Correcto', codigo_error: null }],
    })
    expect((await get(company, `/invoices/${id}/verifactu/xml`)).text).toContain(`>${record.huella}<`)
    const period = record.ts_gen.slice(0, 7)
    expect((await get(company, `/verifactu/aeat-records?period=${period}`)).json).toMatchObject({
      periodo: period,
      resultado_consulta: 'ConDatos',
      indicador_paginacion: 'N',
      clave_paginacion: null,
      records: [{ estado_registro: 'Correcto', tipo_factura: 'F1', importe_total: 121 }],
    })
    expect((await get(company, '/verifactu/incidents')).json.total).toBe(0)
    expect((await get(company, '/verifactu/chain')).json).toMatchObject({
      environment: 'test',
      records: 1,
      last_hash: record.huella,
      latest: [{ sequence: 1, invoice_id: id, estado: 'accepted', huella: record.huella }],
      waiting: { records: 0, reason: null },
      attention: [],
    })
    const refused = await administer(server, [
      'verifactu',
      'correct',
      '--company',
      company.id,
      '--invoice',
      id,
    ])
    expect(refused).toMatchObject({ status: 1, stdout: '' })
    expect(refused.stderr).toContain('was accepted: there is nothing to correct')

    // Before the cancellation, which wakes the sender: later, it may already wait for the end of the minute.
    await minuteLater(company)
    await server.call('POST', `/issued-invoices/${id}/cancel`, { key: company.key })
    await becomes(company, id, 'verifactu_cancellation_accepted')
    const after = await get(company, `/verifactu/aeat-records?period=${period}`)
    expect(after.json.records).toMatchObject([{ estado_registro: 'Anulado' }])
  })

  it('send-now sends from the administrator’s command line, within the authority’s wait time', async () => {
    const company = await sender()
    const id = await issue(company)
    await becomes(company, id, 'verifactu_accepted')
    const second = await issue(company)
    const early = await administer(server, ['verifactu', 'send-now', '--company', company.id])
    expect(early).toMatchObject({ status: 0, stderr: '' })
    expect(early.stdout).toContain('1 waiting')
    expect(early.stdout).toContain('The next message may be sent at')
    await minuteLater(company)
    const sent = await administer(server, ['verifactu', 'send-now', '--company', company.id, '--json'])
    expect(sent.status).toBe(0)
    await becomes(company, second, 'verifactu_accepted')
    expect((await administer(server, ['verifactu', 'send-now', '--company', company.id])).stdout).toBe(
      'Nothing to send.\n',
    )
  })

  it('with the certificate of another company nothing is sent and the reason is reported, but issuing goes on', async () => {
    const company = await server.company()
    await certify(server, company.id)
    await activate(company)
    const id = await issue(company)
    await vi.waitFor(
      async () => expect((await get(company, '/verifactu/incidents')).json.total).toBe(1),
      10_000,
    )
    const { items } = (await get(company, '/verifactu/incidents', { 'Accept-Language': 'es' })).json
    expect(items).toMatchObject([
      { estado_registro: 'pending', codigo_error: 'certificate_of_another', submitted_at: null },
    ])
    expect(items[0].descripcion_error).toContain(
      `el certificado es de B77777779, pero el NIF de la empresa es ${company.data.tax_id}`,
    )
    expect((await get(company, '/verifactu/submissions')).json.items).toMatchObject([
      { estado_envio: 'failed', error_code: 'certificate_of_another', record_count: 1 },
    ])
    expect(await statusOf(company, id)).toBe('verifactu_pending')
    expect(await statusOf(company, await issue(company))).toBe('verifactu_pending')
    const query = await get(company, '/verifactu/aeat-records?period=2026-11')
    expect([query.status, query.json.detail.code]).toEqual([422, 'verifactu_aeat_query_error'])
    expect(query.json.detail.errors).toMatchObject([{ code: 'certificate_of_another' }])
    const sent = await administer(server, ['verifactu', 'send-now', '--company', company.id])
    expect([sent.status, sent.stdout]).toEqual([1, ''])
    expect(sent.stderr).toContain('Nothing was sent.')
    expect(sent.stderr).toContain('B77777779')
  })

  it('the administrator opens and closes periods, and the state of the regime follows', async () => {
    const company = await sender()
    const period = (...args: string[]) =>
      administer(server, ['verifactu', 'period', ...args, '--company', company.id])
    const state = async () => (await get(company, '/verifactu/config')).json.regime_state
    expect(await state()).toBe('habilitado')
    expect((await period('open', '--mode', 'verifactu')).stderr).toContain('has been open since')
    expect((await period('list')).stdout).toMatch(/open +verifactu +test/)
    const closed = (await period('close')).stdout
    expect(closed).toContain('Closed: mode verifactu, test')
    expect(closed).toContain('Invoices issued from now on have no record and no QR.')
    expect(await state()).toBe('revocado')
    expect((await period('change', '--mode', 'no_verifactu')).stderr).toContain('no open period to change')
    expect((await period('close')).stderr).toContain('There is no open period')
    expect((await period('open', '--mode', 'verifactu', '--production')).stdout).toContain(
      'Opened: mode verifactu, production',
    )
    expect(await state()).toBe('habilitado')
    const change = ['change', '--mode', 'no_verifactu']
    expect((await period(...change)).stderr).toMatch(/31 December.* --from \d{4}-01-01/)
    const year = new Date().getUTCFullYear() + 2
    const planned = (await period(...change, '--from', `${year}-01-01`)).stdout
    expect(planned).toContain(`Planned: mode no_verifactu, production, from ${year}-01-01.`)
    expect((await period('list')).stdout).toMatch(/planned +no_verifactu +production/)
    expect((await period('close', '--anyway')).stderr).toContain('Withdraw it first')
    expect((await period('withdraw')).stdout).toContain('The open period continues.')
    const changed = (await period(...change, '--anyway')).stdout
    expect(changed).toContain('Closed: mode verifactu, production')
    expect(changed).toContain('Opened: mode no_verifactu, production')
    expect(await state()).toBe('habilitado')
    const back = (await period('change', '--mode', 'verifactu')).stdout
    expect(back).toContain('Opened: mode verifactu, production')
    const kept = await period('close')
    expect(kept.stderr === '' ? 'closed on 31 December' : kept.stderr).toMatch(/31 December/)
    if (kept.status !== 0) expect((await period('close', '--anyway')).status).toBe(0)
    expect(await state()).toBe('revocado')
  })

  it('every change of the state of the regime is covered', async () => {
    const state = async (company: TestCompany) => (await get(company, '/verifactu/config')).json.regime_state
    const walked = async (company: TestCompany, from: string, to: string) => {
      expect(await state(company)).toBe(to)
      transition(`regime: ${from} -> ${to}`)
    }
    const company = await server.company()
    expect(await state(company)).toBe('no_activado')
    await certify(server, company.id)
    expect((await activate(company)).status).toBe(200)
    await walked(company, 'no_activado', 'habilitado')
    await expireCertificates(server, company.id)
    await walked(company, 'habilitado', 'suspendido')
    await certify(server, company.id)
    await walked(company, 'suspendido', 'habilitado')
    const closed = await administer(server, ['verifactu', 'period', 'close', '--company', company.id])
    expect(closed.stderr).toBe('')
    await walked(company, 'habilitado', 'revocado')
    expect((await activate(company)).status).toBe(200)
    await walked(company, 'revocado', 'habilitado')

    const operated = await server.company({ operated_by_partner: true })
    expect(await state(operated)).toBe('pendiente_mandato')
    expect((await activate(operated)).json.detail.code).toBe(
      'active_verifactu_certificate_or_delegation_required',
    )
    await certify(server, operated.id)
    expect((await activate(operated)).status).toBe(200)
    await walked(operated, 'pendiente_mandato', 'habilitado')
  })

  it('GET /verifactu/aeat-records requires a month, and a company with VeriFactu', async () => {
    const company = await server.company()
    for (const query of [
      '',
      '?period=2026',
      '?period=2026-13',
      '?period=2026-1',
      '?period=x',
      '?month=2026-01',
    ])
      expect((await get(company, `/verifactu/aeat-records${query}`)).json.detail.code).toBe(
        'request_validation_error',
      )
    const never = await get(company, '/verifactu/aeat-records?period=2026-11')
    expect(never.json.detail.errors).toMatchObject([{ code: 'no_activado' }])
  })
}
