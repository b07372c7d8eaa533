/** The SOAP service: reads a request, processes it, and sends the response as changed by the active faults. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import { decodeXml } from '#core/xml/index.ts'
import type { Consulta, Envio } from '#records/verifactu/index.ts'
import { callerOf } from './caller.ts'
import { FAULT_KINDS, FAULT_NAMES } from './fault-kinds.ts'
import { ADDRESSES, readSiiMessage } from './sii-messages.ts'
import { queryBook } from './sii-query.ts'
import { processBookSubmission } from './sii-submission.ts'
import { descriptionOf } from './simulated-codes.ts'
import { type Fault, isStored } from './simulated-faults.ts'
import { type FaultOutcome, fault, faultXml, htmlPage } from './simulated-soap.ts'
import type { RequestContext } from './simulated-submission.ts'
import {
  blockOf,
  type Environment,
  type Kind,
  type Outcome,
  type Service,
  textOf,
} from './simulator-types.ts'
import { queryRecords } from './verifactu-query.ts'
import { readMessage, submitRecords } from './verifactu-submission.ts'

export interface ServiceSettings extends Omit<RequestContext, 'environment' | 'presenter' | 'now' | 'wait'> {
  readonly clock: () => number
  readonly wait: () => number
  /** Whether only certificates of given issuers are accepted. */
  readonly checksIssuers: boolean
  readonly onError: (error: unknown) => void
}

const VERIFACTU = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/'
const SII = '/wlpl/SSII-FACT/ws/'
const PRODUCTION = '/production'

const MEGABYTE = 1024 * 1024
/** Maximum bytes of a message. 1,000 VeriFactu records take about 4 MB, 10,000 SII records about 30 MB. */
const MAX_BYTES: Readonly<Record<Service, number>> = {
  verifactu: 10 * MEGABYTE,
  request: 10 * MEGABYTE,
  sii: 48 * MEGABYTE,
}
/** Maximum number of characters of a rejected message that are stored. */
const STORED_CHARACTERS = 20_000

interface Address {
  readonly environment: Environment
  readonly service: Service
  readonly roots: readonly string[]
}

const SUBMISSION = 'RegFactuSistemaFacturacion'
const QUERY = 'ConsultaFactuSistemaFacturacion'

/** Returns what the service at a path accepts; undefined for an unknown path. */
export function addressOf(path: string): Address | undefined {
  const environment = path.startsWith(`${PRODUCTION}/`) ? 'production' : 'test'
  const normal = environment === 'production' ? path.slice(PRODUCTION.length) : path
  if (normal === `${VERIFACTU}VerifactuSOAP`)
    return { environment, service: 'verifactu', roots: [SUBMISSION, QUERY] }
  if (normal === `${VERIFACTU}RequerimientoSOAP`)
    return { environment, service: 'request', roots: [SUBMISSION] }
  const name = normal.startsWith(SII) ? normal.slice(SII.length) : ''
  const roots = Object.hasOwn(ADDRESSES, name) ? ADDRESSES[name] : undefined
  return roots && { environment, service: 'sii', roots }
}

/** A message, parsed as far as faults and the list of messages require. */
interface Message {
  readonly root: string
  readonly kind: Kind
  readonly taxpayer: string
  readonly name: string
  readonly run: (handling: RequestContext) => Outcome
}

function readVerifactuMessage(text: string, { service, roots }: Address): Message | Outcome {
  const read = readMessage(text, roots)
  if ('kind' in read) return read
  const isQuery = read.root === QUERY
  const header = blockOf(blockOf(read.value).Cabecera)
  const { NIF, NombreRazon } = blockOf(header.ObligadoEmision ?? header.Destinatario)
  return {
    root: read.root,
    kind: isQuery ? 'query' : 'submission',
    taxpayer: textOf(NIF),
    name: textOf(NombreRazon),
    run: (handling) =>
      isQuery
        ? queryRecords(handling, read.value as Consulta)
        : submitRecords(handling, read.value as Envio, text, service === 'request'),
  }
}

function readBookMessage(text: string, { roots }: Address): Message | Outcome {
  const read = readSiiMessage(text, roots)
  if ('kind' in read) return read
  const { NIF, NombreRazon } = blockOf(blockOf(read.value.Cabecera).Titular)
  const { shape } = read
  return {
    root: read.root,
    kind: shape.kind,
    taxpayer: textOf(NIF),
    name: textOf(NombreRazon),
    run: (handling) =>
      shape.kind === 'query'
        ? queryBook(handling, read, shape)
        : processBookSubmission(handling, read, shape, text),
  }
}

/** Milliseconds for reading the rest of a body that is too long, so that the client can receive the response. */
const DRAIN_MS = 5000

/** Reads the body of a request; null if it exceeds the limit. */
async function bodyOf(incoming: IncomingMessage, max: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let length = 0
  let until = Number.POSITIVE_INFINITY
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length <= max) chunks.push(chunk)
    else {
      chunks.length = 0
      until = Math.min(until, Date.now() + DRAIN_MS)
      if (Date.now() > until) return null
    }
  }
  return length > max ? null : Buffer.concat(chunks)
}

interface HttpResponse {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const XML = 'text/xml; charset=UTF-8'
const HTML = 'text/html; charset=UTF-8'

function send(outgoing: ServerResponse, { status, type, body, headers }: HttpResponse): void {
  outgoing.writeHead(status, {
    ...(type === '' ? {} : { 'Content-Type': type }),
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    ...headers,
  })
  outgoing.end(body)
}

const page = (
  status: number,
  title: string,
  text: string,
  headers?: HttpResponse['headers'],
): HttpResponse => ({
  status,
  type: HTML,
  body: htmlPage(title, text),
  ...(headers ? { headers } : {}),
})

const httpResponse = (outcome: Outcome): HttpResponse =>
  outcome.kind === 'response'
    ? { status: 200, type: XML, body: outcome.xml }
    : { status: 500, type: XML, body: faultXml(outcome) }

const INTERNAL = 'Error interno en el servidor'

const firstHalf = (body: string): string => body.slice(0, Math.floor(body.length / 2))

/** Returns the response that a fault sends instead of the normal response. */
function faultyResponse(active: Fault, service: Service, normal: HttpResponse): HttpResponse {
  switch (active.kind) {
    case 'half_xml':
      return { ...normal, body: firstHalf(normal.body) }
    case 'empty':
      return { status: 200, type: XML, body: '' }
    case 'content_type':
      return { ...normal, type: active.content_type ?? 'text/plain' }
    case 'soap_fault': {
      const code = active.code ?? null
      const text = active.text ?? (code === null ? INTERNAL : descriptionOf(service, code))
      return httpResponse(fault(code, text, active.client ?? false))
    }
    case 'html':
      return page(
        active.status ?? 200,
        'Agencia Tributaria',
        'En este momento no es posible atender su petición.',
      )
    case 'http_status': {
      const seconds = active.retry_after
      const headers = seconds === undefined ? undefined : { 'Retry-After': String(seconds) }
      return { status: active.status ?? 503, type: '', body: '', ...(headers ? { headers } : {}) }
    }
    default:
      return normal
  }
}

/** Sends the response with the changes that a fault makes. */
function sendWithFault(
  outgoing: ServerResponse,
  active: Fault,
  service: Service,
  normal: HttpResponse,
): void {
  if (active.kind === 'lost_response') outgoing.socket?.destroy()
  else if (active.kind === 'cut') {
    const { socket } = outgoing
    outgoing.writeHead(normal.status, {
      'Content-Type': normal.type,
      'Content-Length': String(Buffer.byteLength(normal.body)),
    })
    outgoing.write(firstHalf(normal.body), () => socket?.destroy())
  } else send(outgoing, faultyResponse(active, service, normal))
}

/** Delivery faults that change the response. `slow` only delays it. */
const RESPONSE_FAULTS = FAULT_NAMES.filter(
  (name) => FAULT_KINDS[name].stage === 'delivery' && name !== 'slow',
)

/** Decodes a body. Returns a SOAP fault if it is not valid text. */
function textOfBody(body: Buffer, service: Service): string | Outcome {
  const { text, encoding, problem } = decodeXml(body, MAX_BYTES[service])
  if (!problem && text !== undefined && (encoding === 'UTF-8' || encoding === 'US-ASCII')) return text
  const code = problem?.kind === 'empty' || service === 'sii' ? 4103 : 4119
  return fault(code, descriptionOf(service, code))
}

function readMessageOf(text: string | Outcome, address: Address): Message | Outcome {
  if (typeof text !== 'string') return text
  return address.service === 'sii' ? readBookMessage(text, address) : readVerifactuMessage(text, address)
}

const CLOSE = { Connection: 'close' }

/** Returns the rejection of a request with a wrong method or content type. */
function rejectionOf({ method, headers }: IncomingMessage, service: Service): HttpResponse | undefined {
  if (method !== 'POST') {
    // The authority has a code for a wrong method in VeriFactu (4135), but not in the SII.
    const outcome =
      service === 'sii'
        ? fault(null, 'Envíe el mensaje con POST.')
        : fault(4135, descriptionOf(service, 4135))
    return { ...httpResponse(outcome), status: 405, headers: { Allow: 'POST', ...CLOSE } }
  }
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (['text/xml', 'application/xml'].includes(type.trim()) && !headers['content-encoding']) return undefined
  return page(415, 'Tipo de contenido no admitido', 'Envíe text/xml, sin comprimir.', CLOSE)
}

/** An accepted request. */
interface Exchange {
  readonly outgoing: ServerResponse
  readonly address: Address
  readonly presenter: string
}

/** Stores a message that was rejected as a whole. */
function storeFault(
  { database, clock }: ServiceSettings,
  { address: { environment, service }, presenter }: Exchange,
  message: Message | null,
  { code, text }: FaultOutcome,
  xml: string,
): void {
  database.insertSubmission(
    {
      environment,
      service,
      root: message?.root ?? '',
      taxpayer: message?.taxpayer ?? '',
      taxpayer_name: message?.name ?? '',
      representative: null,
      presenter,
      received_at: clock(),
      state: 'Fault',
      csv: null,
      wait: null,
      early: 0,
      incident: 0,
      records: 0,
      code,
      description: text,
    },
    xml.slice(0, STORED_CHARACTERS),
  )
}

/** Processes a message. If it is rejected as a whole, stores it. */
function outcomeOf(
  settings: ServiceSettings,
  exchange: Exchange,
  text: string | Outcome,
  read: Message | Outcome,
): Outcome {
  const isMessage = 'run' in read
  const { environment } = exchange.address
  const { presenter } = exchange
  const outcome = isMessage
    ? read.run({ ...settings, environment, presenter, now: settings.clock(), wait: settings.wait() })
    : read
  if (outcome.kind === 'fault')
    storeFault(settings, exchange, isMessage ? read : null, outcome, typeof text === 'string' ? text : '')
  return outcome
}

/** Waits if the fault `slow` is active, either before or after the message is stored. */
const delay = async (slow: Fault | undefined, isAfter: boolean): Promise<void> => {
  if (slow && isStored(slow) === isAfter) await sleep((slow.seconds ?? 0) * 1000)
}

/** Processes a message and sends the response, with the active faults applied. */
async function respond(settings: ServiceSettings, exchange: Exchange, body: Buffer): Promise<void> {
  const { faults } = settings
  const { outgoing, address } = exchange
  const { service } = address
  const text = textOfBody(body, service)
  const read = readMessageOf(text, address)
  const message = 'run' in read ? read : null
  const target = { service, operation: message?.kind, taxpayer: message?.taxpayer }
  const slow = faults.take('delivery', target, ['slow'])
  const active = faults.take('delivery', target, RESPONSE_FAULTS)
  await delay(slow, false)
  // If the client has disconnected in the meantime, its message is not stored.
  if (slow && !isStored(slow) && outgoing.destroyed) return
  const isLost = active !== undefined && !isStored(active)
  const outcome = isLost ? fault(null, INTERNAL, false) : outcomeOf(settings, exchange, text, read)
  await delay(slow, true)
  if (outgoing.destroyed) return
  const normal = httpResponse(outcome)
  if (active) sendWithFault(outgoing, active, service, normal)
  else send(outgoing, normal)
}

async function handle(
  settings: ServiceSettings,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const check = callerOf(incoming.socket as TLSSocket, settings.checksIssuers, Date.now())
  if (check === null) {
    incoming.socket.destroy()
    return
  }
  if (!check.ok) return send(outgoing, page(403, 'Acceso denegado', check.reason, CLOSE))
  const [path = ''] = (incoming.url ?? '').split('?')
  const address = addressOf(path)
  if (!address) return send(outgoing, page(404, 'No encontrado', 'La dirección no existe.', CLOSE))
  const refusal = rejectionOf(incoming, address.service)
  if (refusal) return send(outgoing, refusal)
  const body = await bodyOf(incoming, MAX_BYTES[address.service])
  if (body === null)
    return send(outgoing, page(413, 'Petición demasiado grande', 'El mensaje es demasiado grande.', CLOSE))
  await respond(settings, { outgoing, address, presenter: check.caller.taxId ?? '' }, body)
}

export function createService(settings: ServiceSettings) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    handle(settings, incoming, outgoing).catch((error: unknown) => {
      if (outgoing.destroyed || incoming.socket.destroyed) return
      settings.onError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else send(outgoing, httpResponse(fault(20009, INTERNAL, false)))
    })
  }
}
