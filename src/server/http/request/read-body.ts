/** Reads the body of a request as its route declares. */
import type { App } from '../../app/app.ts'
import { hasBody } from '../../documents/receiving.ts'
import { MAX_JSON_BYTES } from '../../environment/limits.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import { collect, requireJson, requireUncompressed, requireXml } from '../../reading/body.ts'
import { requireShape } from '../../shapes/shape.ts'
import type { Incoming } from './incoming.ts'
import type { Body, Route } from './route.ts'

interface Read {
  readonly value: unknown
  /** The bytes that must match if the idempotency key is used again. */
  readonly bytes: Uint8Array
}

const NONE: Read = { value: undefined, bytes: new Uint8Array() }

/** Refuses a body that the route does not expect. An empty object is accepted, since some clients always send one. */
function refuseContent(bytes: Buffer): void {
  if (bytes.length <= 100 && /^\s*(?:\{\s*\})?\s*$/.test(bytes.toString('latin1'))) return
  throw invalidRequest(
    'this operation takes no body: remove it',
    'esta operación no lleva cuerpo: no lo envíe',
  )
}

/** Reads the body in the way that the route declares. */
export async function readBody(app: App, request: Incoming, { body }: Route): Promise<Read> {
  const { incoming } = request
  if (body?.kind === 'multipart') {
    requireUncompressed(incoming)
    return NONE
  }
  if (body?.kind === 'xml') {
    requireXml(incoming)
    const bytes = await collect(incoming, body.maxBytes, app.config.requestTimeout)
    if (bytes.length === 0) throw new ApiError('empty_body')
    return { value: bytes, bytes }
  }
  if (body) return readJson(app, request, body)
  if (hasBody(incoming)) refuseContent(await collect(incoming, MAX_JSON_BYTES, app.config.requestTimeout))
  return NONE
}

async function readJson(
  app: App,
  { incoming, locale }: Incoming,
  {
    required,
    batchOf,
    validatedByEngine,
    schema,
    maxBytes = MAX_JSON_BYTES,
  }: Extract<Body, { kind: 'json' }>,
): Promise<Read> {
  if (!hasBody(incoming) && !required) return NONE
  requireJson(incoming)
  if (!hasBody(incoming)) throw invalidRequest('the body is missing', 'falta el cuerpo')
  const bytes = await collect(incoming, maxBytes, app.config.requestTimeout)
  if (bytes.length === 0 && !required) return NONE
  const reading = { bytes, maxBytes, locale }
  if (batchOf) return { ...NONE, value: await app.work.readBatch({ ...reading, operation: batchOf }) }
  const value = await app.work.parseBody(reading)
  if (!validatedByEngine) requireShape(value, schema, locale)
  return { value, bytes }
}
