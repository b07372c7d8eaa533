/** The GET routes: health and catalogs. */

import { CATALOG_NAMES } from '#core/catalogs/index.ts'
import { version } from '../../../package.json'
import { INVOICE_OPERATIONS } from '../request/operations.ts'
import { perform } from '../request/perform.ts'
import { isRefusal } from '../request/refusal.ts'
import { etagOf, isKnown } from '../web/etag.ts'
import { type Call, errorReply, jsonReply, type Reply } from './reply.ts'

/** Catalogs change only with a deployment, so clients may cache them for an hour. */
const CACHE_CONTROL = 'public, max-age=3600'

/** Responds with a cacheable value, or with 304 if the client has it. */
async function cacheable(value: unknown, { request }: Call): Promise<Reply> {
  const reply = jsonReply(value, { 'Cache-Control': CACHE_CONTROL })
  const tag = await etagOf(reply.body!)
  const headers = { ...reply.headers, ETag: tag }
  return isKnown(request.headers.get('if-none-match'), tag)
    ? { status: 304, body: null, headers: { ETag: tag, 'Cache-Control': CACHE_CONTROL } }
    : { ...reply, headers }
}

export const health = (): Reply => jsonReply({ status: 'ok', version })

export const catalogs = (call: Call): Promise<Reply> => cacheable(CATALOG_NAMES, call)

export async function catalogByName(call: Call): Promise<Reply> {
  const { name, locale, options } = call
  const rows = perform(INVOICE_OPERATIONS.catalog, name, { ...options, locale })
  return isRefusal(rows) ? errorReply(rows, call) : cacheable(rows, call)
}
