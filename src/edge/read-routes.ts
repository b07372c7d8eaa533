/** What can be read: health and catalogs. */
import { version } from '../../package.json'
import { CATALOG_NAMES } from '../catalogs/index.ts'
import { INVOICE_OPERATIONS } from '../request/operations.ts'
import { perform } from '../request/perform.ts'
import { isRefusal } from '../request/refusal.ts'
import { etagOf, isKnown } from '../web/etag.ts'
import { type Call, errorReply, jsonReply, type Reply } from './reply.ts'

/** A catalog changes with a deployment, and then an hour is soon enough. */
const KEPT = 'public, max-age=3600'

/** A value that a client may keep, or 304 where it has it. */
async function kept(value: unknown, { request }: Call): Promise<Reply> {
  const reply = jsonReply(value, { 'Cache-Control': KEPT })
  const tag = await etagOf(reply.body!)
  const headers = { ...reply.headers, ETag: tag }
  return isKnown(request.headers.get('if-none-match'), tag)
    ? { status: 304, body: null, headers: { ETag: tag, 'Cache-Control': KEPT } }
    : { ...reply, headers }
}

export const health = (): Reply => jsonReply({ status: 'ok', version })

export const catalogs = (call: Call): Promise<Reply> => kept(CATALOG_NAMES, call)

export async function oneCatalog(call: Call): Promise<Reply> {
  const { name, locale, options } = call
  const rows = perform(INVOICE_OPERATIONS.catalog, name, { ...options, locale })
  return isRefusal(rows) ? errorReply(rows, call) : kept(rows, call)
}
