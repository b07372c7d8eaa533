/** Access to the simulator, hostile requests, and the state after the process is killed. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { type RegistroAlta, readVerifactu, spanishTimestamp } from '#records/verifactu/index.ts'
import { raw } from '#test/conformance/sockets.ts'
import { temporaryFolder } from '#test/folders.ts'
import type { Draft } from '#test/records/verifactu/records.ts'
import { itInAll, sized } from '#test/size.ts'
import { startSimulator } from '../src/index.ts'
import {
  answerOf,
  certificate,
  errorOf,
  messageXml,
  NOW,
  PASSWORD,
  post,
  REQUEST,
  start,
  submit,
  TAXPAYER,
  Till,
  VERIFACTU,
} from './client.ts'

const simulator = await start()
const DAY = 86_400_000
const plain = () => messageXml([new Till().issue(`V-${Math.random().toString(36).slice(2)}`)])

it('closes a connection without a certificate', async () => {
  expect(await errorOf(post(simulator, VERIFACTU, plain(), { pfx: null }))).toMatch(
    /ECONNRESET|ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED/,
  )
})

it('rejects certificates that are expired, not valid yet or without a tax id', async () => {
  const old = await certificate(TAXPAYER, {
    from: new Date(Date.now() - 9 * DAY),
    until: new Date(Date.now() - DAY),
  })
  const early = await certificate(TAXPAYER, {
    from: new Date(Date.now() + DAY),
    until: new Date(Date.now() + 9 * DAY),
  })
  for (const [pfx, messages] of [
    [old, 'caducado'],
    [early, 'todavía no es válido'],
  ] as const) {
    const { status, text, headers } = await post(simulator, VERIFACTU, plain(), { pfx })
    expect([status, headers['content-type']]).toEqual([403, 'text/html; charset=UTF-8'])
    expect(text).toContain(messages)
  }
  const unnamed = await post(simulator, VERIFACTU, plain(), { pfx: await certificate('unnamed') })
  expect(answerOf(unnamed).fault?.code).toBe(4108)
})

it('accepts only clients of the configured issuers', async () => {
  const other = await start()
  const own = await start({ clientCaFiles: [other.caFile] })
  const { status, text } = await post(own, VERIFACTU, plain())
  expect([status, text.includes('prestador admitido')]).toEqual([403, true])
})

it('is trusted with its own CA file only, also after a restart', async () => {
  const dataDir = temporaryFolder()
  const first = await startSimulator({ dataDir, clock: () => NOW })
  const before = readFileSync(first.caFile, 'utf8')
  await expect(startSimulator({ dataDir })).rejects.toThrow(/Another simulator uses/)
  await first.close()
  const second = await start({ dataDir })
  expect(readFileSync(second.caFile, 'utf8')).toBe(before)
  expect((await submit(second, [new Till().issue('W-1')])).state).toBe('accepted')
  const stranger = post({ port: second.port, caFile: simulator.caFile }, VERIFACTU, plain())
  expect(await errorOf(stranger)).toMatch(/UNABLE_TO|SELF_SIGNED/)
  expect(statSync(join(dataDir, 'ca-key.pem')).mode & 0o077).toBe(0)
  expect(statSync(join(dataDir, 'simulator.sqlite')).mode & 0o077).toBe(0)
})

it('rejects other methods, addresses and content types without reading the body', async () => {
  const get = await post(simulator, VERIFACTU, '', { method: 'GET', headers: { 'Content-Length': 0 } })
  expect([get.status, get.headers.allow, answerOf(get).fault?.code]).toEqual([405, 'POST', 4135])
  for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH'])
    expect((await post(simulator, VERIFACTU, 'x', { method })).status).toBe(405)
  expect((await post(simulator, '/wlpl/nada', plain())).status).toBe(404)
  expect((await post(simulator, '/wlpl/SSII-FACT/ws/constructor', plain())).status).toBe(404)
  const json = { headers: { 'Content-Type': 'application/json' } }
  expect((await post(simulator, VERIFACTU, '{}', json)).status).toBe(415)
  const zipped = { headers: { 'Content-Type': 'text/xml', 'Content-Encoding': 'gzip' } }
  expect((await post(simulator, VERIFACTU, 'x', zipped)).status).toBe(415)
})

const ENVELOPE = '<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>'

itInAll('rejects malformed and hostile bodies as a whole', async () => {
  const laughs = `<!DOCTYPE l [<!ENTITY a "ha">${Array.from({ length: 20 }, (_, at) => `<!ENTITY a${at} "${'&a;'.repeat(10)}">`).join('')}]><l>&a19;</l>`
  const bodies: [string | Buffer, number][] = [
    [Buffer.alloc(6 * 1024 * 1024, 'x'), 4103],
    [Buffer.alloc(200_000, 0), 4119],
    [laughs, 4103],
    ['<?xml version="1.0"?><!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>', 4103],
    [ENVELOPE.repeat(5000), 4103],
    [`${ENVELOPE}${'<a>'.repeat(50_000)}`, 4103],
    [`<a ${Array.from({ length: 20_000 }, (_, at) => `b${at}=""`).join(' ')}/>`, 4138],
    [plain().replace('Revisión de caldera', 'x'.repeat(3_000_000)), 4103],
    [Buffer.from([0xff, 0xfe, 0x3c, 0x00]), 4119],
    [plain().replace('<sf:RegistroAlta>', '<sf:RegistroAlta __proto__="1">'), 200],
  ]
  for (const [at, [body, code]] of bodies.entries()) {
    const got = await post(simulator, VERIFACTU, body)
    expect([at, got.status === 200 ? 200 : answerOf(got).fault?.code]).toEqual([at, code])
  }
  expect((await submit(simulator, [new Till().issue('Y-1')])).received).toBe(true)
})

it('rejects a body over the size limit and stays available', async () => {
  const { status } = await post(simulator, REQUEST, Buffer.alloc(11 * 1024 * 1024, 'x'))
  expect(status).toBe(413)
  expect((await post(simulator, VERIFACTU, plain())).status).toBe(200)
})

const clientOptions = async () => ({
  port: simulator.port,
  host: 'localhost',
  ca: readFileSync(simulator.caFile),
  pfx: Buffer.from(await certificate()),
  passphrase: PASSWORD,
})

it('refuses a request with two Host headers, on both of its ports', async () => {
  const hosts = 'Host: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n'
  const control = await raw(simulator.controlUrl, `GET / HTTP/1.1\r\n${hosts}`, { untilClosed: true })
  expect(control.answers[0]?.status).toBe(400)
  const socket = connect(await clientOptions())
  socket.end(`GET ${VERIFACTU} HTTP/1.1\r\n${hosts}`)
  expect(String(await socket.setEncoding('utf8').toArray())).toMatch(/^HTTP\/1\.1 400 /)
})

it('survives clients that disconnect', async () => {
  const options = await clientOptions()
  for (const text of [
    'NONSENSE\r\n\r\n',
    `POST ${VERIFACTU} HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nContent-Length: 900\r\n\r\n<half`,
    `POST ${VERIFACTU} HTTP/1.1\r\nHost: a\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
  ]) {
    const socket = connect(options)
    socket.on('error', () => {})
    await once(socket, 'secureConnect')
    await new Promise((resolve) => socket.write(text, resolve))
    socket.destroy()
  }
  expect((await post(simulator, VERIFACTU, plain())).status).toBe(200)
})

const PROGRAM = fileURLToPath(new URL('../../../dist/server/simulator.js', import.meta.url))
const KILLS = sized(1, 2, 30)
const processes: ChildProcess[] = []
afterAll(() => {
  for (const one of processes) one.kill('SIGKILL')
})

/** Dates a record now: the process uses the clock of the machine. */
function dateNow(record: Draft<RegistroAlta>): void {
  record.FechaHoraHusoGenRegistro = spanishTimestamp(Date.now())
  const [year, month, day] = record.FechaHoraHusoGenRegistro.slice(0, 10).split('-')
  record.IDFactura.FechaExpedicionFactura = `${day}-${month}-${year}`
}

/** Starts a simulator as a process. */
async function launch(dataDir: string): Promise<{ process: ChildProcess; port: number; caFile: string }> {
  const args = [PROGRAM, '--data', dataDir, '--port', '0', '--control-port', '0', '--wait', '0']
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  processes.push(child)
  let port = 0
  for await (const line of createInterface({ input: required(child.stdout) })) {
    port ||= Number(/localhost:(\d+)$/.exec(line)?.[1] ?? 0)
    if (line.includes('  control http')) break
  }
  return { process: child, port, caFile: join(dataDir, 'ca.pem') }
}

it.skipIf(!existsSync(PROGRAM))(
  'after kill -9, every acknowledged message is stored, and no message partially',
  async () => {
    const dataDir = temporaryFolder()
    const till = new Till()
    const answered: string[] = []
    const size = 20
    let message = 0
    for (let cycle = 0; cycle < KILLS; cycle++) {
      const { process: child, port, caFile } = await launch(dataDir)
      const dead = once(child, 'exit')
      let killed = false
      let first = true
      const kill = () => {
        killed = true
        child.kill('SIGKILL')
      }
      while (!killed) {
        const records = Array.from({ length: size }, (_, at) => till.issue(`Z-${message}-${at}`, dateNow))
        const got = await post({ port, caFile }, VERIFACTU, messageXml(records)).catch(() => null)
        if (got && readVerifactu(got.text).items.length === 0) answered.push(`Z-${message}`)
        if (first) setTimeout(kill, Math.random() * 300)
        first = false
        message++
      }
      await dead
    }
    const own = await start({ dataDir })
    const invoices = own.control.invoices({ taxpayer: TAXPAYER })
    const stored = new Map<string, number>()
    for (const { number } of invoices) {
      const name = number.slice(0, number.lastIndexOf('-'))
      stored.set(name, (stored.get(name) ?? 0) + 1)
    }
    expect([...stored.values()].filter((count) => count !== size)).toEqual([])
    expect(answered.length).toBeGreaterThan(0)
    expect(answered.filter((name) => !stored.has(name))).toEqual([])
    const messages = own.control.submissions({ taxpayer: TAXPAYER })
    expect(messages.map(({ state, csv }) => state === 'Incorrecto' || csv === null).filter(Boolean)).toEqual(
      [],
    )
    expect(own.control.records({ taxpayer: TAXPAYER })).toHaveLength(stored.size * size)
  },
)
