/** The HTTP server: pages, addresses of QR codes and the control API. */
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { expect, it } from 'vitest'
import { required } from '../../src/errors/index.ts'
import { issuedRecord, siiXml, submission } from '../../src/sii/index.ts'
import { FAULT_KINDS } from '../../src/simulator/index.ts'
import { qrUrlOf, readVerifactu } from '../../src/verifactu/index.ts'
import { HOLDER, issued, line, messageOf, recordOf } from '../sii/invoices.ts'
import { HEADER } from '../verifactu/records.ts'
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

const page = async (path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${simulator.controlUrl}${path}`, { redirect: 'manual', ...init })
  return { status: answer.status, headers: answer.headers, text: await answer.text() }
}

it('does not replace Response in its process, whose other servers would respond twice', () => {
  expect(Response).toBe(ResponseOfNode)
})

it('lists received messages by taxpayer, with states, receipts and XML', async () => {
  const front = await page('/')
  expect(front.status).toBe(200)
  expect(front.text).toContain(TAXPAYER)
  expect(front.text).toContain('Nada sale de este equipo')
  const taxpayer = await page(`/taxpayers/test/${TAXPAYER}`)
  const { csv } = required(simulator.control.submissions({ taxpayer: TAXPAYER })[0])
  for (const text of [required(csv), 'Correcto', 'Anulada', 'P-1', 'ISSUED', '2026-03'])
    expect(taxpayer.text).toContain(text)
  const unidentified = await page('/taxpayers/test/-')
  expect(unidentified.text).toContain('4103')
  expect((await page('/submissions/1')).text).toContain('P-2')
  const record = await page('/records/1')
  expect(record.text).toContain(first.RegistroAlta.Huella)
  expect(record.text).toContain('&lt;sf:NumSerieFactura>P-1&lt;')
  expect((await page(`/taxpayers/test/${TAXPAYER}/chain`)).text).toContain('La cadena está íntegra')
})

it('serves messages and records as XML', async () => {
  const message = await page('/submissions/1.xml')
  expect(message.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect(readVerifactu(message.text).document?.root).toBe('RegFactuSistemaFacturacion')
  const record = await page('/records/1.xml')
  expect(readVerifactu(record.text).document).toMatchObject({
    root: 'RegistroAlta',
    value: { DescripcionOperacion: EVIL },
  })
  const book = required(
    simulator.control.records({ taxpayer: TAXPAYER }).find(({ service }) => service === 'sii'),
  )
  expect((await page(`/records/${book.id}.xml`)).text).toContain('<sii:TipoFactura>F1<')
  expect((await page(`/records/${book.id}`)).text).toContain('&lt;sii:TipoFactura>F1&lt;')
})

it('is available in both languages, escapes values and runs no script', async () => {
  for (const path of ['/', `/taxpayers/test/${TAXPAYER}`, '/submissions/1', '/records/1']) {
    const { text, headers } = await page(`${path}?lang=en`)
    expect(text).toContain('<html lang="en">')
    expect(text).toContain('This is not the tax authority')
    expect(text).not.toContain('<script')
    expect(headers.get('content-security-policy')).toContain("default-src 'none'")
  }
  expect((await page('/', { headers: { 'Accept-Language': 'en-GB' } })).text).toContain('<html lang="en">')
  expect((await page('/submissions/1')).text).toContain('Uno &lt;script')
  expect((await page('/records/1')).text).toContain('&amp;lt;script')
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
  for (const [address, messages, result] of cases) {
    expect((await page(address)).text).toContain(messages)
    expect(JSON.parse((await page(`${address}&formato=json`)).text)).toMatchObject({
      status: 'OK',
      respuesta: { resultado: result },
    })
  }
  const wrong = await page(
    '/wlpl/TIKE-CONT/ValidarQR?nif=B1&numserie=P-1&fecha=2027-01-15&importe=1,0&formato=json',
  )
  expect(JSON.parse(wrong.text)).toMatchObject({ status: 'KO', codigo_error: '2001.2004.2005' })
  expect((await page('/wlpl/TIKE-CONT/ValidarQR')).text).toContain('1001.1002.1003.1004')
  const form = await page(`/qr?url=${encodeURIComponent(url)}&lang=es`)
  expect([form.status, form.headers.get('location')]).toEqual([302, `${path(url)}&lang=es`])
  expect((await page('/qr?url=https://evil.example/x')).status).toBe(404)
})

const json = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(body),
})

it('injects faults and returns its data by HTTP', async () => {
  const one = await page('/control/faults', json({ kind: 'http_status', times: 1 }))
  expect([one.status, JSON.parse(one.text).ids.length]).toEqual([201, 1])
  expect((await post(simulator, VERIFACTU, messageXml([till.issue('P-3')]))).status).toBe(503)
  const several = await page('/control/faults', json([{ kind: 'html' }, { kind: 'cut' }]))
  const [id] = JSON.parse(several.text).ids
  expect((await page('/')).text).toContain('una página HTML en lugar de SOAP')
  expect((await page(`/control/faults/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await page(`/control/faults/${id}`, { method: 'DELETE' })).status).toBe(404)
  expect(JSON.parse((await page('/control/faults')).text)).toMatchObject([{ fault: { kind: 'cut' } }])
  expect((await page('/control/faults', { method: 'DELETE' })).status).toBe(204)
  const wrong = await page('/control/faults', json([{ kind: 'html' }, { kind: 'nope' }]))
  expect([wrong.status, JSON.parse(wrong.text).error]).toEqual([422, expect.stringContaining('"nope"')])
  expect(JSON.parse((await page('/control/faults')).text)).toEqual([])
  expect((await page('/control/wait/5', { method: 'PUT' })).status).toBe(204)
  expect((await submit(simulator, [till.issue('P-4')])).wait_seconds).toBe(5)
  const kinds = JSON.parse((await page('/control/kinds')).text)
  expect(Object.keys(kinds)).toEqual(Object.keys(FAULT_KINDS))
  for (const what of ['submissions', 'records', 'invoices'])
    expect(JSON.parse((await page(`/control/${what}/test/${TAXPAYER}`)).text).length).toBeGreaterThan(0)
  expect(JSON.parse((await page(`/control/chain/test/${TAXPAYER}`)).text).records).toBe(4)
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
  expect((await page('/control/faults', form)).status).toBe(415)
  expect((await page('/control/faults', { ...json({}), body: '{' })).status).toBe(422)
  expect(
    (await page('/control/faults', json({ kind: 'html', content_type: 'x'.repeat(200_000) }))).status,
  ).toBe(413)
  for (const address of [
    '/nada',
    '/records/99999',
    '/records/x',
    '/submissions/99999.xml',
    '/taxpayers/test/Z00000000',
    '/taxpayers/other/B1',
    "/taxpayers/test/'%20OR%201=1",
  ])
    expect([address, (await page(address)).status]).toEqual([address, 404])
  expect((await page('/', { method: 'POST' })).status).toBe(404)
})

it('every fault is documented with its members', () => {
  const text = readFileSync(new URL('../../docs/simulator.md', import.meta.url), 'utf8')
  for (const [kind, { members }] of Object.entries(FAULT_KINDS)) {
    const row = text.split('\n').find((one) => one.startsWith(`| \`${kind}\` |`))
    expect([kind, row !== undefined]).toEqual([kind, true])
    for (const member of Object.keys(members)) expect(row).toContain(`\`${member}\``)
  }
})
