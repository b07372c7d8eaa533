/** Starts the API reference at `/docs`: Scalar, which loads nothing from other origins and sends nothing to them. */
import { repairReferencePage } from './repair.ts'

interface Scalar {
  createApiReference(target: string, configuration: Readonly<Record<string, unknown>>): unknown
}

/** HTTP clients to hide in the code samples, by language. Only the most common client of each language is shown. */
const CLIENTS: Readonly<Record<string, readonly string[]>> = {
  shell: ['httpie', 'wget'],
  js: ['axios', 'jquery', 'ofetch', 'xhr'],
  python: ['aiohttp', 'httpx_async', 'httpx_sync', 'python3'],
}
const LANGUAGES = [
  ...['c', 'clojure', 'csharp', 'dart', 'fsharp', 'go', 'http', 'java', 'kotlin', 'node', 'objc'],
  ...['ocaml', 'php', 'powershell', 'r', 'ruby', 'rust', 'swift'],
]

const app = document.querySelector<HTMLElement>('#app')
const { Scalar } = globalThis as unknown as { readonly Scalar: Scalar }

Scalar.createApiReference('#app', {
  url: '/openapi.json',
  // The server is an absolute URL, so that the samples work when they are pasted.
  servers: [{ url: location.origin + (app?.dataset.base ?? '') }],
  theme: 'none',
  layout: 'modern',
  withDefaultFonts: false,
  favicon: '/icon.svg',
  // Disables features that depend on external services.
  telemetry: false,
  persistAuth: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  hiddenClients: { ...CLIENTS, ...Object.fromEntries(LANGUAGES.map((name) => [name, true])) },
  authentication: { preferredSecurityScheme: 'apiKey' },
  defaultOpenAllTags: false,
  hideModels: true,
  orderSchemaPropertiesBy: 'preserve',
  orderRequiredPropertiesFirst: false,
})
repairReferencePage(document.body)

// Scalar reads the fragment of the address as the name of an operation, so the link moves the focus by itself.
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault()
  const content = document.querySelector('main')
  if (content) content.tabIndex = -1
  content?.focus()
})
