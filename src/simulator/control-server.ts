/** The HTTP server for this machine only: pages, addresses of QR codes, and the control API. */
import { createServer, type Server } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { HTTPException } from 'hono/http-exception'
import { isCondition } from '../errors/conditions.ts'
import type { Locale } from '../invoice/index.ts'
import type { Control } from './control.ts'
import type { SimulatorDatabase } from './database.ts'
import { FAULT_KINDS } from './fault-kinds.ts'
import type { Fault } from './faults.ts'
import {
  chainPage,
  frontPage,
  notFoundPage,
  type PageSettings,
  qrJson,
  qrPage,
  recordPage,
  style,
  submissionPage,
  taxpayerPage,
} from './pages.tsx'
import { verifyQr } from './qr.ts'
import { recordText } from './record-xml.ts'
import type { Environment } from './types.ts'

/** Size limit of the body with faults. */
const MAX_BYTES = 100_000

const POLICY =
  "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

export interface ControlSettings {
  readonly control: Control
  readonly database: SimulatorDatabase
  readonly clock: () => number
  readonly serviceUrl: () => string
  readonly caFile: string
  readonly onError: (error: unknown) => void
}

/** Returns the language. `idioma` is the parameter of the authority. Unknown languages give Spanish. */
function localeOf(context: Context): Locale {
  const wanted = context.req.query('lang') ?? context.req.query('idioma')
  if (wanted !== undefined) return wanted === 'en' ? 'en' : 'es'
  const first = (context.req.header('accept-language') ?? '').trim().slice(0, 2).toLowerCase()
  return first === 'en' ? 'en' : 'es'
}

const settingsOf = (context: Context): PageSettings => {
  const url = new URL(context.req.url)
  url.searchParams.delete('lang')
  url.searchParams.delete('idioma')
  return { locale: localeOf(context), here: `${url.pathname}${url.search}` }
}

const environmentOf = (text: string | undefined): Environment | null =>
  text === 'test' || text === 'production' ? text : null

/** Whether the Host header names this machine. Protects against DNS rebinding. */
const isOwnName = (host: string | undefined): boolean =>
  /^(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?$/i.test(host ?? '')

/** Parses a row id of an address. Returns 0, which matches no row, for an invalid id. */
const idOf = (text: string | undefined): number => (/^\d{1,15}$/.test(text ?? '') ? Number(text) : 0)

const QR_PATHS = ['/wlpl/TIKE-CONT/ValidarQR', '/wlpl/TIKE-CONT/ValidarQRNoVerifactu']
const PRODUCTION = '/production'
const PRODUCTION_HOST = 'www2.agenciatributaria.gob.es'

/** Returns the taxpayer of an address. `-` stands for messages without an identified taxpayer. */
const taxpayerOf = (context: Context): string => {
  const taxpayer = context.req.param('taxpayer') ?? ''
  return taxpayer === '-' ? '' : taxpayer
}

const page = (context: Context, text: string | null) =>
  text === null ? context.html(notFoundPage(settingsOf(context)), 404) : context.html(text)

const xml = (context: Context, text: string | undefined, type = 'application/xml; charset=utf-8') =>
  text === undefined ? page(context, null) : context.body(text, 200, { 'Content-Type': type })

/** Mounts the pages and the XML of received messages. */
function mountPages(app: Hono, { control, database, clock, serviceUrl, caFile }: ControlSettings): void {
  app.get('/style.css', (context) =>
    context.body(style(), 200, { 'Content-Type': 'text/css; charset=utf-8' }),
  )
  app.get('/', (context) => {
    const front = { faults: control.faults(), serviceUrl: serviceUrl(), caFile }
    return context.html(frontPage(settingsOf(context), database, front))
  })
  app.get('/taxpayers/:environment/:taxpayer', (context) => {
    const environment = environmentOf(context.req.param('environment'))
    if (!environment) return page(context, null)
    const before = idOf(context.req.query('before')) || Number.MAX_SAFE_INTEGER
    return page(
      context,
      taxpayerPage(settingsOf(context), database, environment, taxpayerOf(context), before),
    )
  })
  app.get('/taxpayers/:environment/:taxpayer/chain', (context) => {
    const environment = environmentOf(context.req.param('environment'))
    if (!environment) return page(context, null)
    return page(context, chainPage(settingsOf(context), database, environment, taxpayerOf(context), clock()))
  })
  app.get('/submissions/:file{\\d+\\.xml}', (context) =>
    xml(context, database.request(idOf(context.req.param('file').slice(0, -4)))),
  )
  app.get('/submissions/:id{\\d+}', (context) =>
    page(context, submissionPage(settingsOf(context), database, idOf(context.req.param('id')))),
  )
  app.get('/records/:file{\\d+\\.xml}', (context) => {
    const row = database.record(idOf(context.req.param('file').slice(0, -4)))
    if (!row) return page(context, null)
    const { text, isXml } = recordText(database, row)
    return xml(context, text, isXml ? undefined : 'application/json; charset=utf-8')
  })
  app.get('/records/:id{\\d+}', (context) =>
    page(context, recordPage(settingsOf(context), database, idOf(context.req.param('id')))),
  )
}

/** Mounts the addresses of QR codes, under the authority's paths. */
function mountQr(app: Hono, database: SimulatorDatabase): void {
  const verify = (environment: Environment, path: string) => (context: Context) => {
    const query = new URL(context.req.url).search.slice(1)
    const result = verifyQr(database, environment, path, query)
    if (context.req.query('formato') === 'json') return context.json(qrJson(result, localeOf(context)))
    return context.html(qrPage(settingsOf(context), result))
  }
  for (const path of QR_PATHS) {
    app.get(path, verify('test', path))
    app.get(`${PRODUCTION}${path}`, verify('production', path))
  }
  // Redirects the authority's address in a QR code to the address in the simulator.
  app.get('/qr', (context) => {
    const url = context.req.query('url') ?? ''
    const parsed = URL.canParse(url) ? new URL(url) : null
    if (!parsed || !QR_PATHS.includes(parsed.pathname)) return page(context, null)
    const prefix = parsed.host === PRODUCTION_HOST ? PRODUCTION : ''
    return context.redirect(`${prefix}${parsed.pathname}${parsed.search}&lang=${localeOf(context)}`)
  })
}

/** Injects one fault or a list of faults. If any fault is invalid, none is injected. */
async function injectFaults(context: Context, control: Control) {
  // Forms of other sites cannot send this type without a CORS preflight.
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

/** Mounts the control API. */
function mountControl(app: Hono, control: Control): void {
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
    context.header('Content-Security-Policy', POLICY)
    context.header('Referrer-Policy', 'no-referrer')
    return undefined
  })
  mountPages(app, settings)
  mountQr(app, settings.database)
  mountControl(app, settings.control)
  app.notFound((context) => page(context, null))
  app.onError((error, context) => {
    if (error instanceof HTTPException) return error.getResponse()
    settings.onError(error)
    return context.text('Internal error of the simulator.\n', 500)
  })
  // Joined Host headers are an invalid address: the library refuses them.
  return createServer(
    { requestTimeout: 30_000, joinDuplicateHeaders: true },
    getRequestListener(app.fetch, { overrideGlobalObjects: false }),
  )
}
