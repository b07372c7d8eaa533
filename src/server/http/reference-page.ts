/**
 * The API reference at `/docs`: Scalar's page, one file from the build, told to keep to itself. Nothing is fetched
 * from elsewhere, nothing is sent elsewhere, and what would lead to services of others is switched off.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { BASE_PATH } from './request/route.ts'

/** Where the build puts the page's file (`tsup.config.ts`), and a compressed twin of it. */
const BUILT = fileURLToPath(new URL('./reference/scalar.js', import.meta.url))

/** Beside the built server; where the sources run as they are, in the package from which the build takes it. */
export const referenceFile = (): string =>
  existsSync(BUILT)
    ? BUILT
    : createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js')

/** Languages of code samples that are shown; of each the most usual way. */
const SHOWN: Readonly<Record<string, readonly string[]>> = {
  shell: ['httpie', 'wget'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
}
const OTHERS = [
  ...[
    'c',
    'clojure',
    'csharp',
    'dart',
    'fsharp',
    'go',
    'http',
    'java',
    'kotlin',
    'node',
    'objc',
    'ocaml',
    'php',
  ],
  ...['powershell', 'r', 'ruby', 'rust', 'swift'],
]

const STYLE = `
:root { --scalar-font: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; --scalar-font-code: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; --scalar-radius: 4px; --scalar-radius-lg: 6px; --scalar-radius-xl: 8px; }
.light-mode { --scalar-color-accent: #0a6a4b; --scalar-background-accent: #0a6a4b14; --scalar-sidebar-color-active: #0a6a4b; }
.dark-mode { --scalar-color-accent: #5fd6a4; --scalar-background-accent: #5fd6a41f; --scalar-sidebar-color-active: #5fd6a4; }
a[href*='scalar.com'], .ascii-art { display: none !important; }
.scalar-password-input::placeholder { color: transparent !important; }
`

const CONFIGURATION = {
  url: '/openapi.json',
  theme: 'default',
  layout: 'modern',
  customCss: STYLE,
  withDefaultFonts: false,
  favicon: '/icon.svg',
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: { ...SHOWN, ...Object.fromEntries(OTHERS.map((name) => [name, true])) },
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultOpenAllTags: false,
  hideModels: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
}

/** Starts the page. The server is named in full, so that the samples can be pasted. */
export const START = `Scalar.createApiReference('#app', {
  ...${JSON.stringify(CONFIGURATION)},
  servers: [{ url: location.origin + ${JSON.stringify(BASE_PATH)} }],
})
`

export const REFERENCE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>cuadra API</title>
<link rel="icon" href="/icon.svg">
<script defer src="/docs/scalar.js"></script>
<script defer src="/docs/start.js"></script>
</head>
<body>
<div id="app"></div>
<noscript>This page needs JavaScript. The document that it shows is at <a href="/openapi.json">/openapi.json</a>.</noscript>
</body>
</html>
`

/** The page writes styles into itself; scripts and everything else come from here only, and go to here only. */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
