/** The HTTP server: the control API and the addresses of QR codes. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { issuedRecord, siiXml, submission } from '#records/sii/index.ts'
import { qrUrlOf, readVerifactu } from '#records/verifactu/index.ts'
import { ROOT } from '#test/docs/markdown.ts'
import { HOLDER, issued, line, messageOf, recordOf } from '#test/records/sii/invoices.ts'
import { HEADER } from '#test/records/verifactu/records.ts'
import { FAULT_KINDS } from '../src/index.ts'
import { messageXml, post, SII, start, submit, TAXPAYER, Till, VERIFACTU } from './client.ts'

const { Response: ResponseOfNode } = globalThis
const simulator = await start()
const till = new Till()
const EVIL = '<script>alert("a")</script>&'
const first = till.issue('P-1', (record) => (record.DescripcionOperacion = EVIL))
const gone = till.issue('P-2')
await submit(simulator, [first, gone, till.cancel('P-2')], {
  ...HEADER,
  ObligadoEmision: { ...HEADER.ObligadoEmision, NombreRazon: `Uno ${EVIL}` },
})
await post(
  simulator,
  `${SII}fe/SiiFactFEV1SOAP`,
  siiXml(
    messageOf(
      submission({
        book: 'ISSUED',
        operation: 'A0',
        holder: HOLDER,
        records: [recordOf(issuedRecord(issued([line(100, 21)])))],
      }),
    ),
    { soap: true },
  ),
)
await post(simulator, VERIFACTU, messageXml([first]).replace('</soapenv:Body>', `<x>${'y'.repeat(99)}`))

const call = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${simulator.controlUrl}${path}`, { redirect: 'manual', ...init })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}
const read = async (path: string) => JSON.parse((await call(path)).text)

it('does not replace Response in its process, whose other servers would respond twice', () => {
  expect(Response).toBe(ResponseOfNode)
})

it('returns received messages and records, with states, receipts and QR addresses', async () => {
  const front = await read('/')
  expect(front).toMatchObject({ ca_file: simulator.caFile, faults: [] })
  expect(front.notice).toContain('Nothing leaves this machine')
  expect(readFileSync(`${ROOT}${front.documentation}`, 'utf8')).toContain('## Faults')
  expect(front.taxpayers.map(({ taxpayer }: { taxpayer: string }) => taxpayer)).toContain(TAXPAYER)
  const { csv } = required(simulator.control.submissions({ taxpayer: TAXPAYER })[0])
  expect((await read(`/control/submissions/test/${TAXPAYER}`))[0]).toMatchObject({ csv, state: 'Correcto' })
  expect(await read(`/control/invoices/test/${TAXPAYER}`)).toMatchObject([
    { number: 'P-1', state: 'Correcta' },
    { number: 'P-2', state: 'Anulada' },
    { book: 'ISSUED', period: '2026-03' },
  ])
  expect(await read('/control/submissions/test/-')).toMatchObject([{ code: 4103 }])
  const message = await read('/control/submissions/1')
  expect(message).toMatchObject({
    id: 1,
    csv,
    records: [{ number: 'P-1' }, { number: 'P-2' }, { number: 'P-2' }],
  })
  expect(await read('/control/records/1')).toMatchObject({
    state: 'Correcto',
    csv,
    hash: first.RegistroAlta.Huella,
    value: first,
    qr_url: qrUrlOf(first.RegistroAlta, { environment: 'test' }),
  })
  expect(await read(`/control/chain/test/${TAXPAYER}`)).toMatchObject({ valid: true, records: 3 })
})

it('serves messages and records as XML', async () => {
  const message = await call('/control/submissions/1.xml')
  expect(message.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(readVerifactu(message.text).document?.root).toBe('RegFactuSistemaFacturacion')
  const record = await call('/control/records/1.xml')
  expect(readVerifactu(record.text).document).toMatchObject({
    root: 'RegistroAlta',
    value: { DescripcionOperacion: EVIL },
  })
  const book = required(
    simulator.control.records({ taxpayer: TAXPAYER }).find(({ service }) => service === 'sii'),
  )
  expect((await call(`/control/records/${book.id}.xml`)).text).toContain('<sii:TipoFactura>F1<')
  expect(record.headers.get('content-security-policy')).toContain("default-src 'none'")
})

const path = (url: string, extra = ''): string => {
  const { pathname, search } = new URL(url)
  return `${pathname}${search}${extra}`
}

it('verifies a QR code like the authority', async () => {
  const url = qrUrlOf(first.RegistroAlta, { environment: 'test' })
  const cases: [string, string, string][] = [
    [path(url), 'Factura verificable', '00'],
    [path(url.replace('121.00', '121')), 'Factura verificable', '00'],
    [path(url.replace('121.00', '121.01')), 'Factura no encontrada', '01'],
    [path(qrUrlOf(gone.RegistroAlta, { environment: 'test' })), 'Factura no encontrada', '01'],
    [`/production${path(url)}`, 'Factura no encontrada', '01'],
    [path(url.replace('ValidarQR', 'ValidarQRNoVerifactu')), 'Factura no verificable', '02'],
  ]
  for (const [address, mensaje, resultado] of cases)
    expect(await read(address)).toEqual({ status: 'OK', respuesta: { resultado, mensaje } })
  expect(await read(path(url, '&formato=json&idioma=en'))).toMatchObject({
    respuesta: { mensaje: 'Verifiable invoice' },
  })
  const wrong = await read('/wlpl/TIKE-CONT/ValidarQR?nif=B1&numserie=P-1&fecha=2027-01-15&importe=1,0')
  expect(wrong).toMatchObject({ status: 'KO', codigo_error: '2001.2004.2005' })
  expect(wrong.errors.join()).toContain('fecha')
  expect(await read('/wlpl/TIKE-CONT/ValidarQR')).toMatchObject({ codigo_error: '1001.1002.1003.1004' })
  const redirected = await call(`/qr?url=${encodeURIComponent(url)}`)
  expect([redirected.status, redirected.headers.get('location')]).toEqual([302, path(url)])
  expect((await call('/qr?url=https://evil.example/x')).status).toBe(404)
})

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

it('injects faults and returns its data by HTTP', async () => {
  const one = await call('/control/faults', json({ kind: 'http_status', times: 1 }))
  expect([one.status, JSON.parse(one.text).ids.length]).toEqual([201, 1])
  expect((await post(simulator, VERIFACTU, messageXml([till.issue('P-3')]))).status).toBe(503)
  const several = await call('/control/faults', json([{ kind: 'html' }, { kind: 'cut' }]))
  const [id] = JSON.parse(several.text).ids
  expect((await call(`/control/faults/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await call(`/control/faults/${id}`, { method: 'DELETE' })).status).toBe(404)
  expect(JSON.parse((await call('/control/faults')).text)).toMatchObject([{ fault: { kind: 'cut' } }])
  expect((await call('/control/faults', { method: 'DELETE' })).status).toBe(204)
  const wrong = await call('/control/faults', json([{ kind: 'html' }, { kind: 'nope' }]))
  expect([wrong.status, JSON.parse(wrong.text).error]).toEqual([422, expect.stringContaining('"nope"')])
  expect(JSON.parse((await call('/control/faults')).text)).toEqual([])
  expect((await call('/control/wait/5', { method: 'PUT' })).status).toBe(204)
  expect((await submit(simulator, [till.issue('P-4')])).wait_seconds).toBe(5)
  const kinds = JSON.parse((await call('/control/kinds')).text)
  expect(Object.keys(kinds)).toEqual(Object.keys(FAULT_KINDS))
  for (const what of ['submissions', 'records', 'invoices'])
    expect(JSON.parse((await call(`/control/${what}/test/${TAXPAYER}`)).text).length).toBeGreaterThan(0)
  expect(JSON.parse((await call(`/control/chain/test/${TAXPAYER}`)).text).records).toBe(4)
})

it('rejects other host names, forms of other sites and other methods', async () => {
  const rebound = await new Promise<number>((resolve) =>
    request(
      { port: simulator.controlPort, host: '127.0.0.1', headers: { Host: 'evil.example' } },
      (incoming) => resolve(incoming.statusCode ?? 0),
    ).end(),
  )
  expect(rebound).toBe(421)
  const form = { method: 'POST', headers: { 'Content-Type': 'text/plain' }, body: '{"kind":"down"}' }
  expect((await call('/control/faults', form)).status).toBe(415)
  expect((await call('/control/faults', { ...json({}), body: '{' })).status).toBe(422)
  expect(
    (await call('/control/faults', json({ kind: 'html', content_type: 'x'.repeat(200_000) }))).status,
  ).toBe(413)
  for (const address of [
    '/nada',
    '/control/records/99999',
    '/control/records/99999.xml',
    '/control/records/x',
    '/control/submissions/99999',
    '/control/submissions/99999.xml',
    '/control/invoices/other/B1',
  ])
    expect([address, (await call(address)).status]).toEqual([address, 404])
  expect((await call('/', { method: 'POST' })).status).toBe(404)
})

it('every fault is documented with its members', () => {
  const text = readFileSync(new URL('../../../docs/simulator.md', import.meta.url), 'utf8')
  for (const [kind, { members }] of Object.entries(FAULT_KINDS)) {
    const row = text.split('\n').find((one) => one.startsWith(`| \`${kind}\` |`))
    expect([kind, row !== undefined]).toEqual([kind, true])
    for (const member of Object.keys(members)) expect(row).toContain(`\`${member}\``)
  }
})
