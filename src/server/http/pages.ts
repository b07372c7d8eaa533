/** Pages for people: the playground at `/`, the API reference at `/docs`, the state at `/status`, and the metrics. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream, existsSync, statSync } from 'node:fs'
import { extname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, Hono } from 'hono'
import { isKnown } from '../../web/etag.ts'
import type { App } from '../app/app.ts'
import { ApiError } from '../errors/api-error.ts'
import type { Answer } from '../service/access/answer.ts'
import { openApi } from './openapi.ts'
import { REFERENCE, REFERENCE_POLICY, referenceFile, START } from './reference-page.ts'
import { BASE_PATH } from './request/route.ts'
import type { Env, Respond } from './respond.ts'
import { ROUTES } from './routes/index.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
  '.ico': 'image/x-icon',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

/** Beside this program in `dist`. */
const PLAYGROUND = fileURLToPath(new URL('../playground/', import.meta.url))

/** Beside this program in `dist`, too. */
const STATUS_FILES = fileURLToPath(new URL('../status/', import.meta.url))

const STATUS = `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>cuadra</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="status/style.css">
<script type="module" src="status/status.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>Esta página necesita JavaScript: consulta al servidor con su clave. / This page needs JavaScript: it asks the server with your key.</noscript>
</body>
</html>
`
/** The page of the state: nothing from elsewhere, nothing inside of the page, and no text that becomes markup. */
const STATUS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

const PLEASE_BUILD = `<!doctype html><meta charset="utf-8"><title>cuadra</title>
<p>The server runs. The playground is being built, or was not: <code>npm run build:playground</code>.
<p><a href="/docs">API reference</a>
`

/** The playground says its policy in its page, where this part of it does not count. */
const UNFRAMED = { 'Content-Security-Policy': "frame-ancestors 'none'" }

function fileAnswer(file: string): Answer {
  return {
    status: 200,
    stream: createReadStream(file),
    headers: {
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      ...(extname(file) === '.html' ? UNFRAMED : {}),
      'Content-Length': String(statSync(file).size),
      'Cache-Control': file.includes(`${sep}assets${sep}`)
        ? 'public, max-age=31536000, immutable'
        : 'no-cache',
    },
  }
}

/** A file that the build has compressed too, for who takes it like that, and again only when it has changed. */
function compressedAnswer(file: string, { req }: Context<Env>): Answer {
  const packed = `${file}.gz`
  const isTaken = /(?:^|[,\s])gzip(?:$|[,;\s])/.test(req.header('accept-encoding') ?? '') && isFile(packed)
  const sent = isTaken ? packed : file
  const { size, mtimeMs } = statSync(sent)
  const tag = `"${size}-${Math.round(mtimeMs)}"`
  const kept = { ETag: tag, Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache' }
  if (isKnown(req.header('if-none-match') ?? null, tag)) return { status: 304, headers: kept }
  return {
    status: 200,
    stream: createReadStream(sent),
    headers: {
      ...kept,
      'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
      'Content-Length': String(size),
      ...(isTaken ? { 'Content-Encoding': 'gzip' } : {}),
    },
  }
}

/** A path as text; undefined where its percent signs mean nothing. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

const isFile = (file: string): boolean => existsSync(file) && statSync(file).isFile()

/** Declares pages: what answers GET and HEAD of a path. */
const pagesOf =
  (hono: Hono<Env>, respond: Respond) =>
  (path: string, answer: (context: Context<Env>) => Promise<Answer>): unknown =>
    hono.all(path, async (context) => {
      await respond(context.env, path, async () => {
        const method = context.env.incoming.method ?? ''
        if (method !== 'GET' && method !== 'HEAD')
          throw new ApiError(
            'method_not_allowed',
            { received: method.slice(0, 20), allowed: ['GET', 'HEAD'] },
            { Allow: 'GET, HEAD' },
          )
        return answer(context)
      })
      return RESPONSE_ALREADY_SENT
    })

const NO_TOKEN = {
  message: {
    en: 'The token of the metrics is missing or wrong. Send the value of CUADRA_METRICS_TOKEN as Authorization: Bearer.',
    es: 'Falta el token de las métricas o es incorrecto. Envíe el valor de CUADRA_METRICS_TOKEN como Authorization: Bearer.',
  },
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The metrics, for whoever has their token where there is one. */
export function mountMetrics(hono: Hono<Env>, { config, metrics }: App, respond: Respond): void {
  pagesOf(
    hono,
    respond,
  )('/metrics', async ({ req }) => {
    const { metricsToken } = config
    const sent = req.header('authorization') ?? ''
    if (metricsToken && !timingSafeEqual(digest(sent), digest(`Bearer ${metricsToken}`)))
      throw new ApiError('unauthorized', NO_TOKEN, { 'WWW-Authenticate': 'Bearer' })
    return { status: 200, text: await metrics.text(), headers: { 'Content-Type': metrics.contentType } }
  })
}

export function mountPages(hono: Hono<Env>, app: App, respond: Respond): void {
  const get = pagesOf(hono, respond)
  // Made when it is first asked for: most processes never are.
  let document: string | undefined
  get('/openapi.json', async () => {
    document ??= JSON.stringify(openApi(ROUTES, BASE_PATH, '1.1.0'))
    const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-cache' }
    return { status: 200, text: document, headers }
  })
  if (!app.config.metricsAddress) mountMetrics(hono, app, respond)
  get('/docs', async () => ({
    status: 200,
    text: REFERENCE,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': REFERENCE_POLICY,
      'Referrer-Policy': 'no-referrer',
    },
  }))
  get('/docs/start.js', async () => ({
    status: 200,
    text: START,
    headers: { 'Content-Type': TYPES['.js'] ?? '', 'Cache-Control': 'no-cache' },
  }))
  get('/docs/scalar.js', async (context) => compressedAnswer(referenceFile(), context))
  get('/status', async () => ({
    status: 200,
    text: STATUS,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': STATUS_POLICY,
      'Referrer-Policy': 'no-referrer',
      'Cache-Control': 'no-cache',
    },
  }))
  for (const name of ['status.js', 'style.css'])
    get(`/status/${name}`, async () => fileAnswer(`${STATUS_FILES}${name}`))
  const playground = async (context: Context<Env>): Promise<Answer> => {
    const path = decoded(new URL(context.req.url).pathname)
    if (path === undefined) throw new ApiError('not_found')
    const file = resolve(PLAYGROUND, `.${path === '/' ? '/index.html' : path}`)
    if (file.startsWith(PLAYGROUND) && isFile(file)) return fileAnswer(file)
    if (path !== '/') throw new ApiError('not_found')
    return {
      status: 200,
      text: PLEASE_BUILD,
      headers: { 'Content-Type': 'text/html; charset=utf-8', ...UNFRAMED },
    }
  }
  get('/', playground)
  get('/assets/*', playground)
  for (const name of ['index.html', 'icon.svg', 'manifest.webmanifest', 'service-worker.js'])
    get(`/${name}`, playground)
}
