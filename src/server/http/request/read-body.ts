/** The body of a request, as its route wants it. */
import type { App } from '../../app/app.ts'
import { hasBody } from '../../documents/receiving.ts'
import { MAX_JSON_BYTES } from '../../environment/limits.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import { collect, requireJson, requireUncompressed, requireXml } from '../../reading/body.ts'
import { requireShape } from '../../shapes/shape.ts'
import type { Incoming } from './incoming.ts'
import type { Route } from './route.ts'

/** The body as the route wants it, and its bytes, which an idempotency key remembers. */
export async function readBody(app: App, { incoming, locale }: Incoming, route: Route) {
  const { body } = route
  if (body?.kind === 'multipart') {
    requireUncompressed(incoming)
    return { value: undefined, bytes: new Uint8Array() }
  }
  if (body?.kind === 'xml') {
    requireXml(incoming)
    const bytes = await collect(incoming, body.maxBytes, app.config.requestTimeout)
    if (bytes.length === 0) throw new ApiError('empty_body')
    return { value: bytes, bytes }
  }
  const maxBytes = body?.maxBytes ?? MAX_JSON_BYTES
  const none = { value: undefined, bytes: new Uint8Array() }
  if (!hasBody(incoming)) {
    if (body?.required) {
      requireJson(incoming)
      throw invalidRequest('there is no body', 'falta el cuerpo')
    }
    return none
  }
  if (body) requireJson(incoming)
  const bytes = await collect(incoming, maxBytes, app.config.requestTimeout)
  if (bytes.length === 0 && !body?.required) return none
  if (!body) {
    // Clients that always send something send `{}`.
    if (/^\s*(?:\{\s*\})?\s*$/.test(bytes.subarray(0, 100).toString('latin1')) && bytes.length <= 100)
      return none
    throw invalidRequest(
      'there is no body in this operation: leave it out',
      'esta operación no lleva cuerpo: no lo envíe',
    )
  }
  const reading = { bytes, maxBytes, locale }
  if (body.batchOf)
    return {
      value: await app.work.readBatch({ ...reading, operation: body.batchOf }),
      bytes: new Uint8Array(),
    }
  const value = await app.work.parseBody(reading)
  if (!body.judgedByEngine) requireShape(value, body.schema, locale)
  return { value, bytes }
}
