/** The SOAP service: from the bytes of a request to those of its answer, with what faults make of them. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TLSSocket } from 'node:tls'
import type { Consulta, Envio } from '../verifactu/index.ts'
import { decodeXml } from '../xml/index.ts'
import { callerOf } from './caller.ts'
import { wordsOf } from './codes.ts'
import type { SimulatorDatabase } from './database.ts'
import { type Fault, type Faults, isStored } from './faults.ts'
import { ADDRESSES, readSiiMessage } from './sii-messages.ts'
import { queryBook } from './sii-query.ts'
import { submitBook } from './sii-submission.ts'
import { fault, faultXml, htmlPage } from './soap.ts'
import { blockOf, type Environment, type Kind, type Outcome, type Service, textOf } from './types.ts'
import { queryRecords } from './verifactu-query.ts'
import { type Handling, readMessage, submitRecords } from './verifactu-submission.ts'

export interface Surroundings extends Omit<Handling, 'environment' | 'presenter' | 'now' | 'wait'> {
  readonly database: SimulatorDatabase
  readonly faults: Faults
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
      const text = spoiled.text ?? (code === null ? INTERNAL : wordsOf(service, code))
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
const SPOILING = [
  'lost_answer',
  'cut',
  'half_xml',
  'empty',
  'content_type',
  'soap_fault',
  'html',
  'http_status',
] as const

export function createService(around: Surroundings) {
  const { database, faults, clock, onError } = around

  /** Keeps what was refused as a whole, as far as it could be understood. */
  const noteRefusal = (
    { environment, service }: Address,
    presenter: string,
    message: Message | null,
    { code, text }: { readonly code: number | null; readonly text: string },
    xml: string,
  ): void => {
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

  /** The text of a body, or why it is none. */
  const textOfBody = (body: Buffer, service: Service): string | Outcome => {
    const { text, encoding, problem } = decodeXml(body, MOST_BYTES[service])
    if (problem?.kind === 'empty') return fault(4103, wordsOf(service, 4103))
    if (problem || (encoding !== 'UTF-8' && encoding !== 'US-ASCII'))
      return fault(service === 'sii' ? 4103 : 4119, wordsOf(service, service === 'sii' ? 4103 : 4119))
    return text as string
  }

  const answer = async (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    address: Address,
    presenter: string,
  ): Promise<void> => {
    const body = await bodyOf(incoming, MOST_BYTES[address.service])
    if (body === null) {
      const close = { Connection: 'close' }
      send(outgoing, page(413, 'Petición demasiado grande', 'El mensaje es demasiado grande.', close))
      return
    }
    const text = textOfBody(body, address.service)
    const read =
      typeof text !== 'string'
        ? text
        : address.service === 'sii'
          ? readBookMessage(text, address)
          : readVerifactuMessage(text, address)
    const message = 'run' in read ? read : null
    const target = { service: address.service, operation: message?.kind, taxpayer: message?.taxpayer }
    const slow = faults.take('delivery', target, ['slow'])
    const spoiled = faults.take('delivery', target, SPOILING)
    if (slow && !isStored(slow)) {
      await sleep((slow.seconds ?? 0) * 1000)
      // Whoever has gone meanwhile has sent nothing.
      if (outgoing.destroyed) return
    }
    const process = (): Outcome => {
      if (!('run' in read)) return read
      const { environment } = address
      return read.run({ ...around, environment, presenter, now: clock(), wait: around.wait() })
    }
    const outcome = spoiled && !isStored(spoiled) ? fault(null, INTERNAL, false) : process()
    if (outcome.kind === 'fault' && !(spoiled && !isStored(spoiled)))
      noteRefusal(address, presenter, message, outcome, typeof text === 'string' ? text : '')
    if (slow && isStored(slow)) await sleep((slow.seconds ?? 0) * 1000)
    if (outgoing.destroyed) return
    const plain = sendingOf(outcome)
    if (spoiled) spoil(outgoing, spoiled, address.service, plain)
    else send(outgoing, plain)
  }

  const handle = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const check = callerOf(incoming.socket as TLSSocket, around.knowsIssuers, Date.now())
    if (check === null) {
      incoming.socket.destroy()
      return
    }
    const close = { Connection: 'close' }
    if (!check.ok) {
      send(outgoing, page(403, 'Acceso denegado', check.why, close))
      return
    }
    const [path = ''] = (incoming.url ?? '').split('?')
    const address = addressOf(path)
    if (!address) {
      send(outgoing, page(404, 'No encontrado', 'La dirección no existe.', close))
      return
    }
    const { service } = address
    if (incoming.method !== 'POST') {
      // 4135 of VeriFactu is about this; the SII has no code for it.
      const outcome = fault(
        service === 'sii' ? null : 4135,
        service === 'sii' ? 'Envíe el mensaje con POST.' : wordsOf(service, 4135),
      )
      send(outgoing, { ...sendingOf(outcome), status: 405, headers: { Allow: 'POST', ...close } })
      return
    }
    const [type = ''] = (incoming.headers['content-type'] ?? '').toLowerCase().split(';')
    if (!['text/xml', 'application/xml'].includes(type.trim()) || incoming.headers['content-encoding']) {
      const text = 'Envíe text/xml, sin comprimir.'
      send(outgoing, page(415, 'Tipo de contenido no admitido', text, close))
      return
    }
    await answer(incoming, outgoing, address, check.caller.taxId ?? '')
  }

  return (incoming: IncomingMessage, outgoing: ServerResponse): void => {
    handle(incoming, outgoing).catch((error: unknown) => {
      if (outgoing.destroyed || incoming.socket.destroyed) return
      onError(error)
      if (outgoing.headersSent) outgoing.destroy()
      else send(outgoing, sendingOf(fault(20009, INTERNAL, false)))
    })
  }
}
