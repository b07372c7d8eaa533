/** What a key may always read: its company, the catalogs; and the health, which needs no key. */
import { setTimeout as sleep } from 'node:timers/promises'
import { CATALOG_NAMES, type CatalogName, catalog } from '../../../catalogs/index.ts'
import { etagOf, isKnown } from '../../../web/etag.ts'
import { ApiError } from '../../errors/api-error.ts'
import { type Encoded, ok } from '../../service/access/answer.ts'
import { companyAnswer } from '../../service/company/company.ts'
import { listOf } from '../../shapes/kinds.ts'
import { CatalogEntry, Company, Health } from '../../shapes/schemas.ts'
import type { Store } from '../../store/store.ts'
import { type Route, type RouteCall, route } from '../request/route.ts'

/** A text that may be kept for as long as its tag is the same. */
async function conditional({ incoming }: RouteCall, text: string): Promise<Encoded> {
  const tag = await etagOf(text)
  const headers = { ETag: tag, 'Cache-Control': 'private, no-cache', 'Content-Type': 'application/json' }
  const sent = incoming.headers['if-none-match'] ?? null
  return isKnown(sent, tag) ? { status: 304, headers } : { status: 200, text, headers }
}

/** Catalogs as valid on the day that was asked last: rates have a first and a last day. */
const texts = new Map<CatalogName, string>()
let day = ''

function textOf(name: CatalogName, today: string): string {
  if (day !== today) texts.clear()
  day = today
  const text = texts.get(name) ?? JSON.stringify(catalog(name, { on: today }))
  texts.set(name, text)
  return text
}

/** Milliseconds that the store has to answer: who asks for the health gives up soon. */
const DEADLINE = 3000
/** One question at a time to each store: a database that is stuck must not be asked with every connection there is. */
const asking = new WeakMap<Store, Promise<unknown>>()

/** Throws `service_unavailable` where the store does not answer in time. */
async function readsInTime(store: Store): Promise<void> {
  const asked =
    asking.get(store) ??
    store.shared
      .selectFrom('schema_migrations')
      .select('version')
      .limit(1)
      .execute()
      .finally(() => asking.delete(store))
  asking.set(store, asked)
  const late = new AbortController()
  try {
    await Promise.race([
      asked,
      sleep(DEADLINE, undefined, { signal: late.signal }).then(() => {
        throw new ApiError('service_unavailable', {}, { 'Retry-After': '5' })
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
    answers: { 200: Health },
    handle: async ({ app }) => {
      await readsInTime(app.store)
      return ok({ status: 'ok' })
    },
  }),
  route('get /company', {
    summary: 'Get the company of the key',
    scope: null,
    answers: { 200: Company },
    handle: async ({ company }) => ok(companyAnswer(company)),
  }),
  route('get /companies', {
    summary: 'List the companies of the key',
    scope: null,
    answers: { 200: listOf(Company) },
    handle: async ({ company }) => ok([companyAnswer(company)]),
  }),
  route('get /catalogs/{name}', {
    summary: 'Get a catalog',
    scope: null,
    answers: { 200: listOf(CatalogEntry), 304: null },
    errors: ['not_found'],
    handle: async (call) => {
      const received = call.params.name
      const name = CATALOG_NAMES.find((one) => one === received)
      if (!name)
        throw new ApiError('not_found', {
          received,
          allowed: CATALOG_NAMES,
          hint: {
            en: `The catalogs are ${CATALOG_NAMES.join(', ')}.`,
            es: `Los catálogos son ${CATALOG_NAMES.join(', ')}.`,
          },
        })
      return conditional(call, textOf(name, call.app.clock.today()))
    },
  }),
]
