/**
 * The service worker, which makes the site work offline. Each build has its own cache, so a page never mixes builds. It
 * handles only requests for files of the site.
 */
interface LastingEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}
interface FetchLikeEvent extends LastingEvent {
  readonly request: Request
  respondWith(respond: Promise<Response>): void
}
interface WorkerScope {
  readonly registration: { readonly scope: string }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: LastingEvent) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchLikeEvent) => void): void
}

// `precache.ts` fills in this list at build time.
const FILES = '__FILES__' as unknown as readonly string[]
const VERSION = '__VERSION__'
const PREFIX = 'cuadra-playground-'
const scope = globalThis as unknown as WorkerScope

async function cacheAll(): Promise<void> {
  const cache = await caches.open(PREFIX + VERSION)
  // The HTTP cache is skipped, so that a new version contains no old file.
  await cache.addAll(FILES.map((file) => new Request(file, { cache: 'reload' })))
  await scope.skipWaiting()
}

async function deleteOldCaches(): Promise<void> {
  const names = await caches.keys()
  const old = names.filter((name) => name.startsWith(PREFIX) && name !== PREFIX + VERSION)
  await Promise.all(old.map((name) => caches.delete(name)))
  await scope.clients.claim()
}

async function respond(request: Request): Promise<Response> {
  const cache = await caches.open(PREFIX + VERSION)
  const kept = await cache.match(isPage(request) ? './' : request, { ignoreSearch: true })
  return kept ?? fetch(request)
}

/** Whether the request opens the playground page and not another page of the server. */
function isPage({ mode, url }: Request): boolean {
  const { origin, pathname } = new URL(url)
  const path = origin + pathname
  return (
    mode === 'navigate' && [scope.registration.scope, `${scope.registration.scope}index.html`].includes(path)
  )
}

scope.addEventListener('install', (event) => event.waitUntil(cacheAll()))
scope.addEventListener('activate', (event) => event.waitUntil(deleteOldCaches()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  if (request.method === 'GET' && request.url.startsWith(scope.registration.scope))
    event.respondWith(respond(request))
})
