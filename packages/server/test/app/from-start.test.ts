/**
 * `npm start` for a new user: a server without configuration, used over HTTP with the printed key. An invoice is
 * issued, accepted, verified by its QR address, and cancelled; another is rejected and corrected; the authority is
 * queried for the month; and all of it is there after a restart.
 *
 * @slow
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { draft } from '#test/conformance/invoices.ts'
import { pathAndFolder, temporaryFolder } from '#test/folders.ts'
import { officialSchema } from '#test/records/verifactu/schema.ts'
import { itInAll } from '#test/size.ts'
import { until } from '#test/until.ts'

const program = (name: string): string =>
  fileURLToPath(new URL(`../../../../dist/server/${name}.js`, import.meta.url))

interface Started {
  readonly child: ChildProcess
  readonly base: string
  /** Control API of the simulator; undefined if another process runs it. */
  readonly simulator: string | undefined
  readonly key: string | undefined
  readonly companyId: string | undefined
}

/** The folder of a new user, in which `data` is created. */
const home = temporaryFolder()
const environment = { ...pathAndFolder(), PORT: '0' }

async function start(): Promise<Started> {
  const child = spawn(process.execPath, [program('main')], { cwd: home, env: environment })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  await until(() => /reference .*\n/.test(output), 'the server has started')
  const found = (pattern: RegExp) => pattern.exec(output)?.[1]
  // Everything is printed before the first response.
  await fetch(`${found(/cuadra serves (http:\S+)\/api/)}/health`)
  return {
    child,
    base: found(/cuadra serves (http:\S+)/) ?? '',
    simulator: found(/simulator of the tax authority (http:\S+)\//),
    key: found(/key\s+(cuadra_\S+)/),
    companyId: found(/, ([0-9a-f-]{36})\n/),
  }
}

const end = async ({ child }: Started, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> => {
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.kill(signal)
  return ended
}

let server: Started
let key = ''
let companyId = ''

beforeAll(async () => {
  server = await start()
  key = server.key ?? ''
  companyId = server.companyId ?? ''
}, 60_000)
afterAll(async () => {
  if (server) await end(server)
}, 30_000)

async function call(method: string, path: string, body?: unknown) {
  const response = await fetch(`${server.base}${path}`, {
    method,
    headers: { 'X-API-Key': key, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const json = response.headers.get('Content-Type')?.includes('json') ? JSON.parse(text) : undefined
  return { status: response.status, text, json }
}

async function issue() {
  const saved = await call('PUT', '/drafts', draft())
  expect(saved.json.errors).toEqual([])
  const issued = await call('POST', `/issued-invoices/${saved.json.id}/issue`)
  expect(issued.json).toMatchObject({ status: 'issued', fiscal: { status: 'verifactu_pending' } })
  return issued.json
}

const becomes = (id: string, status: string): Promise<void> =>
  vi.waitFor(
    async () => expect((await call('GET', `/issued-invoices/${id}`)).json.fiscal.status).toBe(status),
    // The wait time of the simulator of `npm start` is two seconds.
    { timeout: 20_000, interval: 100 },
  )

const recordsOf = async (id: string) => (await call('GET', `/invoices/${id}/verifactu/records`)).json

const administer = (...args: string[]) =>
  spawnSync(process.execPath, [program('admin'), ...args], { cwd: home, env: environment, encoding: 'utf8' })

let sentXml = ''

it('an invoice is issued and accepted with a CSV, and its XML and QR are right', async () => {
  expect(key).toMatch(/^cuadra_/)
  expect((await call('PUT', '/verifactu/config', { mode: 'verifactu' })).json).toMatchObject({
    enabled: true,
    sandbox: true,
  })
  const { id, fiscal } = await issue()
  const [made] = await recordsOf(id)
  expect(made).toMatchObject({ tipo: 'alta', huella_anterior: null })
  await becomes(id, 'verifactu_accepted')
  const [record] = await recordsOf(id)
  expect(record).toMatchObject({ estado: 'accepted', huella: made.huella, has_xml_enviado: true })
  expect(record.aeat_csv).toMatch(/^A-[A-Z0-9]+$/)

  const { text } = await call('GET', `/invoices/${id}/verifactu/xml`)
  expect(text).toContain(`>${record.huella}<`)
  sentXml = text

  // A QR code leads to the authority. The simulator accepts its address.
  const verified = await fetch(`${server.simulator}/qr?url=${encodeURIComponent(fiscal.qr_url)}`)
  expect(verified.status).toBe(200)
  expect((await verified.json()).respuesta.mensaje).toBe('Factura verificable')
}, 60_000)

const NAME = 'the XML that was sent is as the official schema wants it'
if (officialSchema) it(NAME, () => expect(officialSchema?.()(sentXml)).toEqual([]))
else it.skip(`${NAME} (skipped: no ../shared/reference)`, () => undefined)

it('the invoice is cancelled, and its QR address shows that', async () => {
  const { id, fiscal } = await issue()
  await becomes(id, 'verifactu_accepted')
  expect((await call('POST', `/issued-invoices/${id}/cancel`)).json.status).toBe('cancelled')
  await becomes(id, 'verifactu_cancellation_accepted')
  expect(
    (await recordsOf(id)).map(({ tipo, estado }: Record<string, string>) => `${tipo} ${estado}`),
  ).toEqual(['alta accepted', 'anulacion accepted'])
  const verified = await fetch(`${server.simulator}/qr?url=${encodeURIComponent(fiscal.qr_url)}`)
  expect((await verified.json()).respuesta.mensaje).toBe('Factura no encontrada')
}, 60_000)

it('a rejected invoice is an incident, and the administrator corrects it', async () => {
  const injected = await fetch(`${server.simulator}/control/faults`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'reject', code: 1110, times: 1 }),
  })
  expect(injected.status).toBe(201)
  const { id, number } = await issue()
  await becomes(id, 'verifactu_rejected')
  expect((await call('GET', '/verifactu/incidents')).json.items).toMatchObject([
    { num_serie: number, estado_registro: 'Incorrecto', codigo_error: '1110' },
  ])
  const corrected = administer('verifactu', 'correct', '--company', companyId, '--invoice', id)
  expect(corrected).toMatchObject({ status: 0, stderr: '' })
  await becomes(id, 'verifactu_accepted')
  expect((await recordsOf(id)).map(({ estado }: { estado: string }) => estado)).toEqual([
    'rejected',
    'accepted',
  ])
}, 60_000)

/** The records of this month at the authority, by number. */
async function period() {
  const [{ ts_gen }] = await recordsOf((await call('GET', '/issued-invoices?limit=1')).json.items[0].id)
  const { status, json } = await call('GET', `/verifactu/aeat-records?period=${ts_gen.slice(0, 7)}`)
  expect(status).toBe(200)
  return json.records.map(
    ({ num_serie, estado_registro }: { num_serie: string; estado_registro: string }) =>
      `${num_serie} ${estado_registro}`,
  )
}

it('the authority is queried for the month, and everything is kept over a restart', async () => {
  const there = await period()
  expect(there).toEqual(['F000001 Correcto', 'F000002 Anulado', 'F000003 Correcto'])
  const list = async () => {
    const { items } = (await call('GET', '/issued-invoices')).json
    return Promise.all(items.map(async (one: { id: string }) => [one, await recordsOf(one.id)]))
  }
  const before = await list()
  expect(await end(server)).toBe(0)
  server = await start()
  expect(server.key).toBeUndefined()
  expect(await list()).toEqual(before)
  expect(await period()).toEqual(there)
  expect(administer('verify', '--company', companyId).status).toBe(0)
}, 60_000)

itInAll(
  'if the process that runs the simulator is killed, another one of the same folder takes over',
  async () => {
    const first = server
    const second = await start()
    expect(second.simulator).toBeUndefined()
    await end(first, 'SIGKILL')
    server = second
    const { id } = await issue()
    await becomes(id, 'verifactu_accepted')
    expect(await period()).toHaveLength(4)
  },
  60_000,
)
