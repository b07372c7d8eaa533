/** Routes that need no scope: the company of the key, the catalogs, and the health check, which needs no key either. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CATALOG_NAMES, type CatalogName, catalog } from '#core/catalogs/index.ts'
import { etagOf, isKnown } from '#entry/web/index.ts'
import { ApiError, RETRY_LATER_HEADERS } from '../../errors/api-error.ts'
import { type EncodedResponse, ok } from '../../service/access/http-response.ts'
import { companyResponse } from '../../service/company/company.ts'
import { type CurrentProcess, writeHeartbeat } from '../../service/verifactu/processes.ts'
import { listOf } from '../../shapes/builders.ts'
import { CatalogEntry, Company, Health } from '../../shapes/schemas.ts'
import type { Store } from '../../store/store.ts'
import { type Route, type RouteCall, route } from '../request/route.ts'

/** Returns a JSON text with an entity tag; status 304 if the client already has it. */
async function conditional({ incoming }: RouteCall, text: string): Promise<EncodedResponse> {
  const tag = await etagOf(text)
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', 'Content-Type': 'application/json' }
  const sent = incoming.headers['if-none-match'] ?? null
  return isKnown(sent, tag) ? { status: 304, headers } : { status: 200, text, headers }
}

/** Cached texts of the catalogs. They contain the codes and rates that are in force on `day`. */
const texts = new Map<CatalogName, string>()
let day = ''

function textOf(name: CatalogName, today: string): string {
  if (day !== today) texts.clear()
  day = today
  const text = texts.get(name) ?? JSON.stringify(catalog(name, { on: today }))
  texts.set(name, text)
  return text
}

/** Milliseconds that the health check waits for the store, because its clients do not wait long. */
const STORE_TIMEOUT_MS = 3000
/**
 * The running query of the health check, for each store. Only one runs at a time, so that health checks do not take
 * every connection of a database that does not respond.
 */
const asking = new WeakMap<Store, Promise<unknown>>()

/** Throws if the store has damaged data, cannot be read, or still refuses writes after an earlier write failed. */
async function tryStore(app: CurrentProcess): Promise<void> {
  const { faults, shared } = app.store
  const damage = faults.errorOf('damaged')
  if (damage) throw damage
  await shared.selectFrom('schema_migrations').select('version').limit(1).execute()
  if (faults.errorOf('read_only')) await writeHeartbeat(app)
}

/** Throws if the store cannot be used or does not respond in time. */
async function respondsInTime(app: CurrentProcess): Promise<void> {
  const { store } = app
  const asked = asking.get(store) ?? tryStore(app).finally(() => asking.delete(store))
  asking.set(store, asked)
  const late = new AbortController()
  try {
    await Promise.race([
      asked,
      sleep(STORE_TIMEOUT_MS, undefined, { signal: late.signal }).then(() => {
        throw new ApiError('service_unavailable', {}, RETRY_LATER_HEADERS)
      }),
    ])
  } finally {
    late.abort()
  }
}

export const REFERENCE_ROUTES: readonly Route[] = [
  route('get /health', {
    summary: 'Health of the server',
    scope: null,
    authenticated: false,
    responses: { 200: Health },
    handle: async ({ app }) => {
      await respondsInTime(app)
      return ok({ status: 'ok' })
    },
  }),
  route('get /company', {
    summary: 'Get the company of the key',
    scope: null,
    responses: { 200: Company },
    handle: async ({ company }) => ok(companyResponse(company)),
  }),
  route('get /companies', {
    summary: 'List the companies of the key',
    scope: null,
    responses: { 200: listOf(Company) },
    handle: async ({ company }) => ok([companyResponse(company)]),
  }),
  route('get /catalogs/{name}', {
    summary: 'Get a catalog',
    scope: null,
    responses: { 200: listOf(CatalogEntry), 304: null },
    errors: ['not_found'],
    handle: async (call) => {
      const received = call.params.name
      const name = CATALOG_NAMES.find((one) => one === received)
      if (!name)
        throw new ApiError('not_found', {
          received,
          allowed: CATALOG_NAMES,
          hint: {
            en: `Catalogs: ${CATALOG_NAMES.join(', ')}.`,
            es: `Catálogos: ${CATALOG_NAMES.join(', ')}.`,
          },
        })
      return conditional(call, textOf(name, call.app.clock.today()))
    },
  }),
]
