/**
 * Serves the API reference at `/docs`, displayed by Scalar, which the build bundles into one file. The page loads
 * nothing from other origins and sends nothing to them. Features that depend on external services are switched off.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { renderToString } from 'preact-render-to-string'
import { SiteHeader } from '#web/parts/index.ts'
import { BASE_PATH } from '../service/access/http-response.ts'

/** The bundled script of the page, which `scripts/build.mjs` creates. Its compressed version is in the same folder. */
const BUILT = fileURLToPath(new URL('./reference/scalar.js', import.meta.url))

/** Returns the path of the script: next to the built server or, if the server runs from source, in Scalar's package. */
export const referenceFile = (): string =>
  existsSync(BUILT)
    ? BUILT
    : createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js')

const PAGE = (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="referrer" content="no-referrer" />
      <title>cuadra API</title>
      <link rel="icon" href="/icon.svg" />
      <link rel="stylesheet" href="/pages/reference-style.css" />
      <script defer src="/docs/scalar.js" />
      <script type="module" src="/pages/reference.js" />
    </head>
    <body>
      <a class="skip" href="#app">
        Skip to the content
      </a>
      <SiteHeader locale="en" current="reference" root="/" />
      <div id="app" data-base={BASE_PATH} />
      <noscript>
        This page needs JavaScript. The document that it shows is at <a href="/openapi.json">/openapi.json</a>
        .
      </noscript>
    </body>
  </html>
)

/** The settings of Scalar are in `packages/web/reference`. */
export const REFERENCE_PAGE = `<!doctype html>\n${renderToString(PAGE)}\n`

/**
 * The content security policy of the page. The page may use inline styles. Scripts and all other content must come from
 * this server.
 */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
