/** The HTTP server for the control API and the addresses of QR codes. Only this machine can reach it. */
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { isCondition } from '#core/errors/index.ts'
import { type FiscalRecord, qrUrlOf } from '#records/verifactu/index.ts'
import type { Control } from './control.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import { recordText } from './record-xml.ts'
import type { Fault } from './simulated-faults.ts'
import { qrResponse, verifyQr } from './simulated-qr.ts'
import type { RecordRow, SimulatorDatabase } from './simulator-database.ts'
import type { Environment } from './simulator-types.ts'
import { altaOf } from './verifactu-record.ts'

/** Maximum bytes of a request body that injects faults. */
const MAX_BYTES = 100_000

export interface ControlSettings {
  readonly control: Control
  readonly database: SimulatorDatabase
  readonly serviceUrl: string
  readonly caFile: string
  readonly onError: (error: unknown) => void
}

const environmentOf = (text: string | undefined): Environment | null =>
  text === 'test' || text === 'production' ? text : null

/** Whether the Host header names this machine, which protects against DNS rebinding. */
const isOwnName = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host ?? '')

/** Parses a row id in a URL path. Returns 0, which matches no row, for an invalid id. */
const idOf = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0)

const QR_PATHS = ['/wlpl/TIKE-CONT/ValidarQR', '/wlpl/TIKE-CONT/ValidarQRNoVerifactu']
const PRODUCTION = '/production'
const PRODUCTION_HOST = 'www2.agenciatributaria.gob.es'

/** Returns the taxpayer in a URL path. `-` stands for messages without an identified taxpayer. */
const taxpayerOf = (context: Context): string => {
  const taxpayer = context.req.param('taxpayer') ?? ''
  return taxpayer === '-' ? '' : taxpayer
}

const notFound = (context: Context) => context.json({ error: 'Not found.' }, 404)

const found = (context: Context, value: object | undefined) =>
  value ? context.json(value) : notFound(context)

const download = (context: Context, text: string | undefined, isXml = true) =>
  text === undefined
    ? notFound(context)
    : context.body(text, 200, { 'Content-Type': `application/${isXml ? 'xml' : 'json'}; charset=utf-8` })

/** Returns the URL in the QR code of a registration. */
function qrAddress({ service, environment }: RecordRow, record: FiscalRecord): string | undefined {
  const alta = service === 'verifactu' ? altaOf(record) : undefined
  try {
    return alta && qrUrlOf(alta, { environment })
  } catch {
    // Rejected records may have values that are not allowed in a URL.
    return undefined
  }
}

/** Returns a record with its content, the CSV of its message if that was accepted, and its QR URL. */
function recordDetails(database: SimulatorDatabase, id: number): object | undefined {
  const row = database.record(id)
  if (!row) return undefined
  const value = JSON.parse(row.value)
  const csv = row.state === 'Incorrecto' ? null : database.submission(row.submission)?.csv
  return { ...row, value, csv, qr_url: qrAddress(row, value) }
}

/** Adds the routes for the messages and records that the simulator received, as data and as XML. */
function mountReceived(app: Hono, database: SimulatorDatabase): void {
  app.get('/control/submissions/:file{\\d+\\.xml}', (context) =>
    download(context, database.request(idOf(context.req.param('file').slice(0, -4)))),
  )
  app.get('/control/submissions/:id{\\d+}', (context) => {
    const row = database.submission(idOf(context.req.param('id')))
    return found(context, row && { ...row, records: database.recordsOfSubmission(row.id) })
  })
  app.get('/control/records/:file{\\d+\\.xml}', (context) => {
    const row = database.record(idOf(context.req.param('file').slice(0, -4)))
    if (!row) return notFound(context)
    const { text, isXml } = recordText(database, row)
    return download(context, text, isXml)
  })
  app.get('/control/records/:id{\\d+}', (context) =>
    found(context, recordDetails(database, idOf(context.req.param('id')))),
  )
}

/** Adds the routes for the URLs of QR codes, under the authority's paths. */
function mountQr(app: Hono, database: SimulatorDatabase): void {
  const verify = (environment: Environment, path: string) => (context: Context) => {
    const result = verifyQr(database, environment, path, new URL(context.req.url).search.slice(1))
    return context.json(qrResponse(result, context.req.query('idioma') === 'en' ? 'en' : 'es'))
  }
  for (const path of QR_PATHS) {
    app.get(path, verify('test', path))
    app.get(`${PRODUCTION}${path}`, verify('production', path))
  }
  // Redirects the authority's URL in a QR code to the corresponding URL of the simulator.
  app.get('/qr', (context) => {
    const url = context.req.query('url') ?? ''
    const parsed = URL.canParse(url) ? new URL(url) : null
    if (!parsed || !QR_PATHS.includes(parsed.pathname)) return notFound(context)
    const prefix = parsed.host === PRODUCTION_HOST ? PRODUCTION : ''
    return context.redirect(`${prefix}${parsed.pathname}${parsed.search}`)
  })
}

/** Injects one fault or a list of faults. If any fault is invalid, none is injected. */
async function injectFaults(context: Context, control: Control) {
  // Forms on other websites cannot send this content type without a CORS preflight request.
  if (!(context.req.header('content-type') ?? '').toLowerCase().startsWith('application/json'))
    return context.json({ error: 'Send application/json.' }, 415)
  let sent: unknown
  try {
    sent = JSON.parse(await context.req.text())
  } catch {
    return context.json({ error: 'The body is not valid JSON.' }, 422)
  }
  const ids: number[] = []
  try {
    for (const fault of [sent].flat()) ids.push(await control.inject(fault as Fault))
  } catch (error) {
    for (const id of ids) await control.clear(id)
    if (!isCondition(error, 'simulator_fault')) throw error
    return context.json({ error: error.message }, 422)
  }
  return context.json({ ids }, 201)
}

/** Adds the routes of the control API. */
function mountControl(app: Hono, { control, serviceUrl, caFile }: ControlSettings): void {
  app.get('/', (context) =>
    context.json({
      notice: 'This is not the tax authority. Nothing leaves this machine.',
      verifactu: `${serviceUrl}/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP`,
      sii: `${serviceUrl}/wlpl/SSII-FACT/ws/`,
      ca_file: caFile,
      fault_kinds: new URL('/control/kinds', context.req.url).href,
      faults: control.faults(),
      documentation: 'docs/simulator.md',
      taxpayers: control.taxpayers(),
    }),
  )
  app.get('/control/kinds', (context) => context.json(FAULT_KINDS))
  app.get('/control/faults', (context) => context.json(control.faults()))
  app.post('/control/faults', bodyLimit({ maxSize: MAX_BYTES }), (context) => injectFaults(context, control))
  app.delete('/control/faults', async (context) => {
    await control.clear()
    return context.body(null, 204)
  })
  app.delete('/control/faults/:id{\\d+}', async (context) =>
    (await control.clear(idOf(context.req.param('id'))))
      ? context.body(null, 204)
      : context.json({ error: 'Fault not found.' }, 404),
  )
  app.put('/control/wait/:seconds{\\d{1,4}}', (context) => {
    control.setWait(Number(context.req.param('seconds')))
    return context.body(null, 204)
  })
  app.get('/control/taxpayers', (context) => context.json(control.taxpayers()))
  for (const what of ['submissions', 'records', 'invoices', 'chain'] as const)
    app.get(`/control/${what}/:environment/:taxpayer`, (context) => {
      const environment = environmentOf(context.req.param('environment'))
      if (!environment) return context.json({ error: 'Unknown environment. Use test or production.' }, 404)
      return context.json(control[what]({ environment, taxpayer: taxpayerOf(context) }))
    })
}

export function createControlServer(settings: ControlSettings): Server {
  const app = new Hono()
  app.use(async (context, next) => {
    if (!isOwnName(context.req.header('host'))) return context.text('Use localhost as the host name.\n', 421)
    await next()
    context.header('X-Content-Type-Options', 'nosniff')
    context.header('Cache-Control', 'no-store')
    context.header('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'")
    return undefined
  })
  mountReceived(app, settings.database)
  mountQr(app, settings.database)
  mountControl(app, settings)
  app.notFound(notFound)
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse()
    settings.onError(error)
    return context.text('Internal error of the simulator.\n', 500)
  })
  // Several Host headers are joined to an invalid name, so `@hono/node-server` refuses the request.
  return createServer(
    { requestTimeout: 30_000, joinDuplicateHeaders: true },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  )
}
