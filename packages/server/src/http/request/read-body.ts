/** Reads the body of a request as its route declares. */
import type { IncomingMessage } from 'node:http'
import type { Client } from '#core/turns/index.ts'
import type { App } from '../../app/app.ts'
import type { MemoryReservation } from '../../documents/body-memory.ts'
import { hasBody } from '../../documents/receiving.ts'
import { MAX_JSON_BYTES } from '../../environment/server-limits.ts'
import { ApiError, invalidRequest } from '../../errors/api-error.ts'
import {
  type BodyCollectOptions,
  collect,
  requireJson,
  requireUncompressed,
  requireXml,
} from '../../reading/request-body.ts'
import { requireShape } from '../../shapes/check-shape.ts'
import type { Incoming } from './incoming.ts'
import type { Body, Route } from './route.ts'

interface Read {
  readonly value: unknown
  readonly bytes: Uint8Array
}

const NONE: Read = { value: undefined, bytes: new Uint8Array() }

/** Maximum number of bytes of a body sent to a route that expects none. */
const MAX_UNEXPECTED_BYTES = 100
const unexpected = () =>
  invalidRequest('this operation takes no body: remove it', 'esta operación no lleva cuerpo: no lo envíe')

/** Refuses a body that the route does not expect. An empty object is accepted, since some clients always send one. */
async function refuseContent(
  incoming: IncomingMessage,
  reading: Omit<BodyCollectOptions, 'maxBytes'>,
): Promise<void> {
  const bytes = await collect(incoming, { ...reading, maxBytes: MAX_UNEXPECTED_BYTES }, unexpected)
  if (!/^(?:\{\})?$/.test(bytes.toString('latin1').replace(/\s+/g, ''))) throw unexpected()
}

/** Reads the body in the way that the route declares. */
export async function readBody(
  app: App,
  request: Incoming,
  { body }: Route,
  client: Client,
  held: MemoryReservation,
): Promise<Read> {
  const { incoming } = request
  const collecting = { seconds: app.config.requestTimeout, held }
  if (body?.kind === 'multipart') {
    requireUncompressed(incoming)
    return NONE
  }
  if (body?.kind === 'xml') {
    requireXml(incoming)
    const bytes = await collect(incoming, { ...collecting, maxBytes: body.maxBytes })
    if (bytes.length === 0) throw new ApiError('empty_body')
    held.add(await app.work.begin(client, bytes.length))
    return { value: bytes, bytes }
  }
  if (body) return readJson(app, request, body, client, collecting)
  if (hasBody(incoming)) await refuseContent(incoming, collecting)
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
  client: Client,
  collecting: Omit<BodyCollectOptions, 'maxBytes'>,
): Promise<Read> {
  if (!hasBody(incoming) && !required) return NONE
  requireJson(incoming)
  if (!hasBody(incoming)) throw invalidRequest('the body is missing', 'falta el cuerpo')
  const bytes = await collect(incoming, { ...collecting, maxBytes })
  if (bytes.length === 0 && !required) return NONE
  const reading = { bytes, maxBytes, locale }
  const hasKey = incoming.headers['idempotency-key'] !== undefined
  if (batchOf) {
    const batch = await app.work.readBatch({ ...reading, operation: batchOf, hasKey }, client)
    return { ...NONE, value: { ...batch, bytes } }
  }
  collecting.held.add(await app.work.begin(client, bytes.length))
  const value = await app.work.parseBody(reading, client)
  if (!validatedByEngine) requireShape(value, schema, locale)
  return { value, bytes }
}
