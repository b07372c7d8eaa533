/** The SOAP service: from the bytes of a request to those of its answer, with what faults make of them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import type { Consulta, Envio } from '../verifactu/index.ts'
import { decodeXml } from '../xml/index.ts'
import { callerOf } from './caller.ts'
import { descriptionOf } from './codes.ts'
import { FAULT_KINDS, FAULT_NAMES } from './fault-kinds.ts'
import { type Fault, isStored } from './faults.ts'
import { ADDRESSES, readSiiMessage } from './sii-messages.ts'
import { queryBook } from './sii-query.ts'
import { submitBook } from './sii-submission.ts'
import { type FaultOutcome, fault, faultXml, htmlPage } from './soap.ts'
import type { Handling } from './submission.ts'
import { blockOf, type Environment, type Kind, type Outcome, type Service, textOf } from './types.ts'
import { queryRecords } from './verifactu-query.ts'
import { readMessage, submitRecords } from './verifactu-submission.ts'

export interface Surroundings extends Omit<Handling, 'environment' | 'presenter' | 'now' | 'wait'> {
  readonly clock: () => number
  readonly wait: () => number
  /** True where only clients of known issuers are taken. */
  readonly knowsIssuers: boolean
  readonly onError: (error: unknown) => void
}

const VERIFACTU = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/'
const SII = '/wlpl/SSII-FACT/ws/'
const PRODUCTION = '/production'

const MEGABYTE = 1024 * 1024
/** Bytes of a message: 1,000 records of VeriFactu have some four million, 10,000 of the SII thirty. */
const MOST_BYTES: Readonly<Record<Service, number>> = {
  verifactu: 10 * MEGABYTE,
  request: 10 * MEGABYTE,
  sii: 48 * MEGABYTE,
}
/** Of a message that was refused so much is kept. */
const KEPT = 20_000

interface Address {
  readonly environment: Environment
  readonly service: Service
  readonly roots: readonly string[]
}

const SUBMISSION = 'RegFactuSistemaFacturacion'
const QUERY = 'ConsultaFactuSistemaFacturacion'

/** What an address is for; undefined for none of the service. */
export function addressOf(path: string): Address | undefined {
  const environment = path.startsWith(`${PRODUCTION}/`) ? 'production' : 'test'
  const plain = environment === 'production' ? path.slice(PRODUCTION.length) : path
  if (plain === `${VERIFACTU}VerifactuSOAP`)
    return { environment, service: 'verifactu', roots: [SUBMISSION, QUERY] }
  if (plain === `${VERIFACTU}RequerimientoSOAP`)
    return { environment, service: 'request', roots: [SUBMISSION] }
  const name = plain.startsWith(SII) ? plain.slice(SII.length) : ''
  const roots = Object.hasOwn(ADDRESSES, name) ? ADDRESSES[name] : undefined
  return roots && { environment, service: 'sii', roots }
}

/** A message, understood as far as faults and the list of what was received look at it. */
interface Message {
  readonly root: string
  readonly kind: Kind
  readonly taxpayer: string
  readonly name: string
  readonly run: (handling: Handling) => Outcome
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
      shape.kind === 'query' ? queryBook(handling, read, shape) : submitBook(handling, read, shape, text),
  }
}

/** What comes of a body that is too long is read for so long, so that its client gets to see the answer. */
const LINGER = 5000

/** The body of a request; null where it has more bytes than are taken. */
async function bodyOf(incoming: IncomingMessage, most: number): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let length = 0
  let until = Number.POSITIVE_INFINITY
  for await (const piece of incoming as AsyncIterable<Buffer>) {
    length += piece.length
    if (length <= most) pieces.push(piece)
    else {
      pieces.length = 0
      until = Math.min(until, Date.now() + LINGER)
      if (Date.now() > until) return null
    }
  }
  return length > most ? null : Buffer.concat(pieces)
}

interface Sending {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const XML = 'text/xml; charset=UTF-8'
const HTML = 'text/html; charset=UTF-8'

function send(outgoing: ServerResponse, { status, type, body, headers }: Sending): void {
  outgoing.writeHead(status, {
    ...(type === '' ? {} : { 'Content-Type': type }),
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    ...headers,
  })
  outgoing.end(body)
}

const page = (status: number, title: string, text: string, headers?: Sending['headers']): Sending => ({
  status,
  type: HTML,
  body: htmlPage(title, text),
  ...(headers ? { headers } : {}),
})

const sendingOf = (outcome: Outcome): Sending =>
  outcome.kind === 'answer'
    ? { status: 200, type: XML, body: outcome.xml }
    : { status: 500, type: XML, body: faultXml(outcome) }

const INTERNAL = 'Error interno en el servidor'

/** Half of a text. */
const half = (body: string): string => body.slice(0, Math.floor(body.length / 2))

/** What arrives in place of the answer. */
function spoiledSending(spoiled: Fault, service: Service, plain: Sending): Sending {
  switch (spoiled.kind) {
    case 'half_xml':
      return { ...plain, body: half(plain.body) }
    case 'empty':
      return { status: 200, type: XML, body: '' }
    case 'content_type':
      return { ...plain, type: spoiled.content_type ?? 'text/plain' }
    case 'soap_fault': {
      const code = spoiled.code ?? null
      const text = spoiled.text ?? (code === null ? INTERNAL : descriptionOf(service, code))
      return sendingOf(fault(code, text, spoiled.client ?? false))
    }
    case 'html':
      return page(
        spoiled.status ?? 200,
        'Agencia Tributaria',
        'En este momento no es posible atender su petición.',
      )
    case 'http_status': {
      const seconds = spoiled.retry_after
      const headers = seconds === undefined ? undefined : { 'Retry-After': String(seconds) }
      return { status: spoiled.status ?? 503, type: '', body: '', ...(headers ? { headers } : {}) }
    }
    default:
      return plain
  }
}

/** The answer as a fault spoils it. */
function spoil(outgoing: ServerResponse, spoiled: Fault, service: Service, plain: Sending): void {
  if (spoiled.kind === 'lost_answer') outgoing.socket?.destroy()
  else if (spoiled.kind === 'cut') {
    const { socket } = outgoing
    outgoing.writeHead(plain.status, {
      'Content-Type': plain.type,
      'Content-Length': String(Buffer.byteLength(plain.body)),
    })
    outgoing.write(half(plain.body), () => socket?.destroy())
  } else send(outgoing, spoiledSending(spoiled, service, plain))
}

/** Kinds of the stage that change an answer; `slow` only delays it. */
const SPOILING = FAULT_NAMES.filter((name) => FAULT_KINDS[name].stage === 'delivery' && name !== 'slow')

/** The text of a body, or why it is none. */
function textOfBody(body: Buffer, service: Service): string | Outcome {
  const { text, encoding, problem } = decodeXml(body, MOST_BYTES[service])
  if (!problem && text !== undefined && (encoding === 'UTF-8' || encoding === 'US-ASCII')) return text
  const code = problem?.kind === 'empty' || service === 'sii' ? 4103 : 4119
  return fault(code, descriptionOf(service, code))
}

function readMessageOf(text: string | Outcome, address: Address): Message | Outcome {
  if (typeof text !== 'string') return text
  return address.service === 'sii' ? readBookMessage(text, address) : readVerifactuMessage(text, address)
}

const CLOSE = { Connection: 'close' }

/** The refusal of a request that cannot have a message. */
function refusalOf({ method, headers }: IncomingMessage, service: Service): Sending | undefined {
  if (method !== 'POST') {
    // 4135 of VeriFactu is about this; the SII has no code for it.
    const outcome =
      service === 'sii'
        ? fault(null, 'Envíe el mensaje con POST.')
        : fault(4135, descriptionOf(service, 4135))
    return { ...sendingOf(outcome), status: 405, headers: { Allow: 'POST', ...CLOSE } }
  }
  const [type = ''] = (headers['content-type'] ?? '').toLowerCase().split(';')
  if (['text/xml', 'application/xml'].includes(type.trim()) && !headers['content-encoding']) return undefined
  return page(415, 'Tipo de contenido no admitido', 'Envíe text/xml, sin comprimir.', CLOSE)
}

/** A request that has come as far as to be read. */
interface Exchange {
  readonly outgoing: ServerResponse
  readonly address: Address
  readonly presenter: string
}

/** Keeps what was refused as a whole, as far as it could be understood. */
function noteRefusal(
  { database, clock }: Surroundings,
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
    xml.slice(0, KEPT),
  )
}

/** Processes a message, and keeps what was refused. */
function outcomeOf(
  around: Surroundings,
  exchange: Exchange,
  text: string | Outcome,
  read: Message | Outcome,
): Outcome {
  const isMessage = 'run' in read
  const { environment } = exchange.address
  const { presenter } = exchange
  const outcome = isMessage
    ? read.run({ ...around, environment, presenter, now: around.clock(), wait: around.wait() })
    : read
  if (outcome.kind === 'fault')
    noteRefusal(around, exchange, isMessage ? read : null, outcome, typeof text === 'string' ? text : '')
  return outcome
}

/** Waits before a message is stored, or after it. */
const delay = async (slow: Fault | undefined, isAfter: boolean): Promise<void> => {
  if (slow && isStored(slow) === isAfter) await sleep((slow.seconds ?? 0) * 1000)
}

/** Answers a message, as faults let it be answered. */
async function answer(around: Surroundings, exchange: Exchange, body: Buffer): Promise<void> {
  const { faults } = around
  const { outgoing, address } = exchange
  const { service } = address
  const text = textOfBody(body, service)
  const read = readMessageOf(text, address)
  const message = 'run' in read ? read : null
  const target = { service, operation: message?.kind, taxpayer: message?.taxpayer }
  const slow = faults.take('delivery', target, ['slow'])
  const spoiled = faults.take('delivery', target, SPOILING)
  await delay(slow, false)
  // Whoever has gone meanwhile has sent nothing.
  if (slow && !isStored(slow) && outgoing.destroyed) return
  const isLost = spoiled !== undefined && !isStored(spoiled)
  const outcome = isLost ? fault(null, INTERNAL, false) : outcomeOf(around, exchange, text, read)
  await delay(slow, true)
  if (outgoing.destroyed) return
  const plain = sendingOf(outcome)
  if (spoiled) spoil(outgoing, spoiled, service, plain)
  else send(outgoing, plain)
}

async function handle(
  around: Surroundings,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const check = callerOf(incoming.socket as TLSSocket, around.knowsIssuers, Date.now())
  if (check === null) {
    incoming.socket.destroy()
    return
  }
  if (!check.ok) return send(outgoing, page(403, 'Acceso denegado', check.why, CLOSE))
  const [path = ''] = (incoming.url ?? '').split('?')
  const address = addressOf(path)
  if (!address) return send(outgoing, page(404, 'No encontrado', 'La dirección no existe.', CLOSE))
  const refusal = refusalOf(incoming, address.service)
  if (refusal) return send(outgoing, refusal)
  const body = await bodyOf(incoming, MOST_BYTES[address.service])
  if (body === null)
    return send(outgoing, page(413, 'Petición demasiado grande', 'El mensaje es demasiado grande.', CLOSE))
  await answer(around, { outgoing, address, presenter: check.caller.taxId ?? '' }, body)
}

export function createService(around: Surroundings) {
  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    handle(around, incoming, outgoing).catch((error: unknown) => {
      if (outgoing.destroyed || incoming.socket.destroyed) return
      around.onError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else send(outgoing, sendingOf(fault(20009, INTERNAL, false)))
    })
  }
}
