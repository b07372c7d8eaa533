/**
 * Serves the API reference at `/docs`: Scalar, in one file from the build. It loads nothing from other origins and
 * sends nothing to them. Features that depend on external services are switched off.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { BASE_PATH } from './request/route.ts'

/** The script of the page (`tsup.config.ts`). Its compressed version is in the same folder. */
const BUILT = fileURLToPath(new URL('./reference/scalar.js', import.meta.url))

/** Returns the path of the script: next to the built server or, when running from source, in the package of Scalar. */
export const referenceFile = (): string =>
  existsSync(BUILT)
    ? BUILT
    : createRequire(import.meta.url).resolve('@scalar/api-reference/browser/standalone.js')

/** HTTP clients to hide in the code samples, by language. Only the most common client of each language is shown. */
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

/** The script that starts the page. The server is an absolute URL, so that the samples work when they are pasted. */
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

/**
 * The content security policy of the page. It may add styles itself; scripts and all other content come from this
 * server only.
 */
export const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
