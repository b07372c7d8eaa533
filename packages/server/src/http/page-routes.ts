/**
 * Pages that people open in a browser: the playground at `/`, the API reference at `/docs`, the status at `/status`,
 * and the metrics.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { basename, extname, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context, Hono } from 'hono'
import { isKnown } from '#entry/web/index.ts'
import type { App } from '../app/app.ts'
import { ApiError, methodNotAllowed } from '../errors/api-error.ts'
import type { ApiResponse } from '../service/access/http-response.ts'
import { BASE_PATH } from '../service/access/http-response.ts'
import { CODE_POLICY, codeIndex, codePage } from './code-pages.tsx'
import { codingFor, compress, isCompressible } from './compress.ts'
import { openApi } from './openapi.ts'
import { REFERENCE_PAGE, REFERENCE_POLICY, referenceFile } from './reference-page.tsx'
import type { Env, Respond } from './respond.ts'
import { ROUTES } from './routes/index.ts'

const CONTENT_TYPES: Readonly<Record<string, string>> = {
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

/** The folder of the playground, next to this program in `dist`. */
const PLAYGROUND = fileURLToPath(new URL('../playground/', import.meta.url))

/** Scripts and styles of the pages other than the playground, next to this program in `dist`. */
const PAGE_FILES = fileURLToPath(new URL('../pages/', import.meta.url))
const NAMES = ['status.js', 'status-style.css', 'document-style.css', 'reference.js', 'reference-style.css']

const STATUS = `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>cuadra</title>
<link rel="icon" href="icon.svg">
<link rel="stylesheet" href="pages/status-style.css">
<script type="module" src="pages/status.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>Esta página necesita JavaScript para consultar al servidor con su clave. / This page needs JavaScript to query the server with your key.</noscript>
</body>
</html>
`
/**
 * The content security policy of the status page. It forbids content from other origins, inline code, and text that is
 * parsed as markup.
 */
const STATUS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

const PLEASE_BUILD = `<!doctype html><meta charset="utf-8"><title>cuadra</title>
<p>The server is running, but the playground is not built. Run <code>npm run build -- playground</code>.
<p><a href="/docs">API reference</a>
`

/** The playground page states its own policy in a `meta` element, but this directive works only in a header. */
const UNFRAMED = { 'Content-Security-Policy': "frame-ancestors 'none'" }

/** Returns the SHA-256 of a text. */
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Compressed pages by coding and etag. They are cached, because there are few pages and each is requested often. */
const compressed = new Map<string, Promise<Buffer>>()

/** Returns a page or file in the content coding that the client accepts; status 304 if the client already has it. */
async function kept(
  { req }: Context<Env>,
  etag: string,
  bytes: () => Uint8Array,
  headers: Headers,
): Promise<ApiResponse> {
  // The etag is weak, since all codings of the content share it.
  const common = { ETag: `W/${etag}`, 'Cache-Control': 'no-cache', ...headers, Vary: 'Accept-Encoding' }
  if (isKnown(req.header('if-none-match') ?? null, etag)) return { status: 304, headers: common }
  const coding = codingFor(req.header('accept-encoding'))
  if (!coding || !isCompressible(headers['Content-Type']))
    return { status: 200, pieces: [bytes()], headers: common }
  const key = `${coding} ${etag}`
  const packed = compressed.get(key) ?? compress(bytes(), coding, true)
  compressed.set(key, packed)
  const pieces = [await packed]
  return { status: 200, pieces, headers: { ...common, 'Content-Encoding': coding } }
}

type Headers = Readonly<Record<string, string>>

const etagOf = (text: string): string => `"${digest(text).toString('base64url')}"`

const etags = new Map<string, string>()

/** Returns a response with a text that does not change while the server runs. */
function textResponse(
  context: Context<Env>,
  path: string,
  text: string,
  headers: Headers,
): Promise<ApiResponse> {
  const etag = etags.get(path) ?? etagOf(text)
  etags.set(path, etag)
  return kept(context, etag, () => Buffer.from(text), headers)
}

const typeOf = (file: string): string => CONTENT_TYPES[extname(file)] ?? 'application/octet-stream'

function fileResponse(file: string, context: Context<Env>): Promise<ApiResponse> {
  const { size, mtimeMs } = statSync(file)
  const etag = `"${basename(file)}-${size}-${Math.round(mtimeMs)}"`
  return kept(context, etag, () => readFileSync(file), {
    'Content-Type': typeOf(file),
    ...(extname(file) === '.html' ? UNFRAMED : {}),
    ...(file.includes(`${sep}assets${sep}`)
      ? { 'Cache-Control': 'public, max-age=31536000, immutable' }
      : {}),
  })
}

/** Returns a response with a large file, in the version compressed by the build if the client accepts its coding. */
function builtResponse(file: string, { req }: Context<Env>): ApiResponse {
  const coding = codingFor(req.header('accept-encoding'))
  const packed =
    coding === 'br' && isFile(`${file}.br`) ? 'br' : coding && isFile(`${file}.gz`) ? 'gzip' : undefined
  const sent = packed ? `${file}.${packed === 'br' ? 'br' : 'gz'}` : file
  const { size, mtimeMs } = statSync(sent)
  const etag = `"${size}-${Math.round(mtimeMs)}"`
  const common = { ETag: etag, Vary: 'Accept-Encoding', 'Cache-Control': 'no-cache' }
  if (isKnown(req.header('if-none-match') ?? null, etag)) return { status: 304, headers: common }
  return {
    status: 200,
    stream: createReadStream(sent),
    headers: {
      ...common,
      'Content-Type': typeOf(file),
      'Content-Length': String(size),
      ...(packed ? { 'Content-Encoding': packed } : {}),
    },
  }
}

/** Decodes a path. Returns undefined if its percent-encoding is invalid. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path)
  } catch {
    return undefined
  }
}

const isFile = (file: string): boolean => existsSync(file) && statSync(file).isFile()

/** Returns a function that registers the handler of GET and HEAD requests for a path. */
const pagesOf =
  (hono: Hono<Env>, respond: Respond) =>
  (path: string, handle: (context: Context<Env>) => Promise<ApiResponse>): unknown =>
    hono.all(path, async (context) => {
      await respond(context.env, path, async () => {
        const { method } = context.env.incoming
        if (method !== 'GET' && method !== 'HEAD') throw methodNotAllowed(method, ['GET', 'HEAD'])
        return handle(context)
      })
      return RESPONSE_ALREADY_SENT
    })

const NO_TOKEN = {
  message: {
    en: 'The token of the metrics is missing or wrong. Send the value of CUADRA_METRICS_TOKEN as Authorization: Bearer.',
    es: 'Falta el token de las métricas o es incorrecto. Envíe el valor de CUADRA_METRICS_TOKEN como Authorization: Bearer.',
  },
}

/**
 * Serves the metrics. If a token is configured, the request must send it. Only the literal path `/metrics` is served,
 * because an access rule of a proxy may not match other spellings of the path.
 */
export function mountMetrics(hono: Hono<Env>, { config, metrics }: App, respond: Respond): void {
  hono.use('/metrics', async (context, next) =>
    /^\/metrics(?:\?|$)/.test(context.env.incoming.url ?? '') ? next() : context.notFound(),
  )
  pagesOf(hono, respond)('/metrics', async ({ req }) => {
    const { metricsToken } = config
    const sent = req.header('authorization') ?? ''
    if (metricsToken && !timingSafeEqual(digest(sent), digest(`Bearer ${metricsToken}`)))
      throw new ApiError('unauthorized', NO_TOKEN, { 'WWW-Authenticate': 'Bearer' })
    return { status: 200, text: await metrics.text(), headers: { 'Content-Type': metrics.contentType } }
  })
}

export function mountPages(hono: Hono<Env>, app: App, respond: Respond): void {
  const get = pagesOf(hono, respond)
  // The document is built on the first request, because most processes never receive such a request.
  let document: string | undefined
  get('/openapi.json', async (context) => {
    document ??= JSON.stringify(openApi(ROUTES, BASE_PATH, '1.1.0'))
    return textResponse(context, '/openapi.json', document, { 'Content-Type': 'application/json' })
  })
  if (!app.config.metricsAddress) mountMetrics(hono, app, respond)
  const html = (path: string, text: string, policy: string) =>
    get(path, async (context) =>
      textResponse(context, path, text, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': policy,
        'Referrer-Policy': 'no-referrer',
      }),
    )
  for (const locale of ['en', 'es'] as const) {
    const folder = locale === 'es' ? '/es/codes' : '/codes'
    html(folder, codeIndex(locale), CODE_POLICY)
    get(`${folder}/:code`, async (context) => {
      const text = codePage(context.req.param('code') ?? '', locale)
      if (text === undefined) throw new ApiError('not_found')
      return textResponse(context, context.req.path, text, {
        'Content-Type': 'text/html; charset=utf-8',
        'Content-Security-Policy': CODE_POLICY,
        'Referrer-Policy': 'no-referrer',
      })
    })
  }
  html('/docs', REFERENCE_PAGE, REFERENCE_POLICY)
  html('/status', STATUS, STATUS_POLICY)
  get('/docs/scalar.js', async (context) => builtResponse(referenceFile(), context))
  for (const name of NAMES)
    get(`/pages/${name}`, async (context) => fileResponse(`${PAGE_FILES}${name}`, context))
  const playground = async (context: Context<Env>): Promise<ApiResponse> => {
    const path = decoded(new URL(context.req.url).pathname)
    if (path === undefined) throw new ApiError('not_found')
    const file = resolve(PLAYGROUND, `.${path === '/' ? '/index.html' : path}`)
    if (file.startsWith(PLAYGROUND) && isFile(file)) return fileResponse(file, context)
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
