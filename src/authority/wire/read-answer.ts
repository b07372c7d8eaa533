/** Whether what came back is an answer to what was sent, and what it says. */
import { messageState } from '../../fiscal/answer-state.ts'
import type { Locale, Text, ValidationItem } from '../../invoice/index.ts'
import {
  type FaultReading,
  readPaymentsResponse,
  readQueryResponse,
  readResponse,
  readSii,
} from '../../sii/index.ts'
import {
  type Answer,
  type AnswerLine,
  readAnswer,
  readFaultAnswer,
  readRecordsAnswer,
  readVerifactu,
  type VerifactuDocument,
} from '../../verifactu/index.ts'
import { decodeXml, rootOf } from '../../xml/index.ts'
import type { AnyAnswer, Message, SiiMessage, VerifactuMessage } from './message.ts'
import type { ProblemCode } from './problems.ts'

/** A fault of the service, alike in both systems. */
export interface ServiceFault {
  readonly code: number | null
  readonly text: string
  readonly resend: boolean
}

/** What was read, before anything was made of it (VeriFactu). */
interface Read {
  readonly document?: VerifactuDocument
}

export interface FaultRead extends Read {
  readonly fault: ServiceFault
}

export type AnswerReading =
  | ({ readonly answer: AnyAnswer } & Read)
  | FaultRead
  | { readonly problem: ProblemCode; readonly detail?: string; readonly reason?: Text }

const BOM = /^\uFEFF/
const DECLARATION = /^<\?xml[^>]*\?>/
/** Kinds of problems after which the rest was not read. */
const BROKEN = /^xml\.(?:malformed|doctype|encoding|limit)$/

/** The text of an answer. What the bytes say of themselves comes before what the header says, and UTF-8 before both. */
export function decoded(body: Buffer, contentType: string | undefined): string | null {
  const read = decodeXml(body, body.length)
  if (read.text !== null) return read.text.replace(DECLARATION, '')
  const charset = /charset\s*=\s*"?([\w:.-]+)/i.exec(contentType ?? '')?.[1]
  if (charset === undefined || read.problem.kind === 'mark') return null
  try {
    return new TextDecoder(charset, { fatal: true }).decode(body).replace(BOM, '').replace(DECLARATION, '')
  } catch {
    return null
  }
}

/** What keeps a text from being read, in both languages; `again` reads it once more in the other. */
const unreadable = (
  [first]: readonly ValidationItem[],
  again: () => readonly ValidationItem[],
): AnswerReading => ({
  problem: 'answer_unreadable',
  reason: { en: first?.message ?? '', es: again()[0]?.message ?? '' },
})

/** What must be there before a line says anything; whoever answers may leave out what the schema wants. */
const isIdentified = (line: unknown): boolean => {
  const { IDFactura: id } = (line ?? {}) as { IDFactura?: { NumSerieFactura?: unknown } }
  return typeof id?.NumSerieFactura === 'string'
}

const UNDECIDED = { problem: 'answer_undecided' } as const

/** Whether an answer to records says of each what became of it. */
const isDecided = ({ state, lines }: Answer): boolean =>
  state !== 'unknown' && lines.every((line: AnswerLine) => line.state !== 'unknown')

function readRecords(document: VerifactuDocument, locale: Locale): AnswerReading {
  if (document.root !== 'RespuestaRegFactuSistemaFacturacion')
    return { problem: 'answer_unexpected', detail: document.root }
  const { value } = document
  if (messageState(value.EstadoEnvio) === undefined)
    return { ...UNDECIDED, detail: `EstadoEnvio ${String(value.EstadoEnvio)}` }
  const lines = value.RespuestaLinea ?? []
  if (!lines.every(isIdentified)) return { ...UNDECIDED, detail: 'RespuestaLinea/IDFactura' }
  const answer = readAnswer(value, locale)
  return isDecided(answer) ? { answer, document } : { ...UNDECIDED, detail: 'RespuestaLinea/EstadoRegistro' }
}

function readStored(document: VerifactuDocument, locale: Locale): AnswerReading {
  if (document.root !== 'RespuestaConsultaFactuSistemaFacturacion')
    return { problem: 'answer_unexpected', detail: document.root }
  if (!/^(?:Con|Sin)Datos$/.test(document.value.ResultadoConsulta ?? ''))
    return { ...UNDECIDED, detail: `ResultadoConsulta ${String(document.value.ResultadoConsulta)}` }
  const rows = document.value.RegistroRespuestaConsultaFactuSistemaFacturacion ?? []
  if (!rows.every(isIdentified)) return { ...UNDECIDED, detail: 'IDFactura' }
  const answer = readRecordsAnswer(document.value, locale)
  const isKnown = answer.lines.every(({ state }) => state !== 'unknown')
  return isKnown ? { answer, document } : { ...UNDECIDED, detail: 'EstadoRegistro' }
}

/** Failures of the service and not of the message, whoever the fault says is to blame. */
const TECHNICAL = new Set<number | null>([3500, 3501, 4108, 4110, 4111, 4128, 4134, 4139, 4141])

function readVerifactuAnswer(text: string, { operation }: VerifactuMessage, locale: Locale): AnswerReading {
  const { document, items } = readVerifactu(text)
  if (document === null || items.some(({ code }) => BROKEN.test(code)))
    return unreadable(items, () => readVerifactu(text, { locale: 'es' }).items)
  if (document.root === 'Fault') {
    const { fault } = readFaultAnswer(document.value, locale)
    if (!fault) return UNDECIDED
    return { fault: { ...fault, resend: fault.resend || TECHNICAL.has(fault.code) }, document }
  }
  return operation === 'query' ? readStored(document, locale) : readRecords(document, locale)
}

const asFault = ({ code, text, client }: FaultReading, resend: boolean): ServiceFault => ({
  code,
  text,
  resend: resend || !client,
})

/** What a submission is answered with, by the words of the engine. */
function readSiiRecords(text: string, locale: Locale): AnswerReading {
  const read = readResponse(text, { locale })
  if (!read.ok) return { problem: 'answer_unexpected', detail: '' }
  const { response } = read
  if (messageState(response.aeat_state) === undefined)
    return { ...UNDECIDED, detail: `EstadoEnvio ${String(response.aeat_state)}` }
  const isKnown = response.lines.every((line) => line.item_status !== 'unknown')
  return isKnown ? { answer: response } : { ...UNDECIDED, detail: 'RespuestaLinea/EstadoRegistro' }
}

function readSiiStored(text: string, locale: Locale): AnswerReading {
  const read = readQueryResponse(text, { locale })
  if (!read.ok) return { problem: 'answer_unexpected', detail: '' }
  const isKnown = read.response.records.every(({ item_status }) => item_status !== 'unknown')
  return isKnown ? { answer: read.response } : { ...UNDECIDED, detail: 'EstadoRegistro' }
}

/** What was collected or paid is counted by day, amount and means: one that cannot be read would be sent twice. */
function readSiiPayments(text: string, locale: Locale): AnswerReading {
  const read = readPaymentsResponse(text, { locale })
  if (!read.ok) return { problem: 'answer_unexpected', detail: '' }
  const { response } = read
  const isKnown = response.payments.every(({ date, amount, means }) => date && amount !== null && means)
  return isKnown ? { answer: response } : { ...UNDECIDED, detail: 'DatosCobro, DatosPago' }
}

const STORED = {
  issued: readSiiStored,
  received: readSiiStored,
  collections: readSiiPayments,
  payments: readSiiPayments,
} as const

function readSiiAnswer(text: string, { operation, book }: SiiMessage, locale: Locale): AnswerReading {
  const read = readSii(text)
  if (!read.ok || read.items.some(({ code }) => BROKEN.test(code)))
    return unreadable(read.items, () => readSii(text, { locale: 'es' }).items)
  if (read.root === 'Fault') {
    const summary = readResponse(text, { locale })
    return { fault: asFault(read.value as FaultReading, summary.ok && summary.response.next === 'retry') }
  }
  const reading = operation === 'query' ? STORED[book](text, locale) : readSiiRecords(text, locale)
  return 'problem' in reading && reading.problem === 'answer_unexpected'
    ? { ...reading, detail: read.root }
    : reading
}

/** What answers begin with; the engine reads them without an envelope, too. */
const ROOT = /^(?:Envelope|Fault|Respuesta\w+)$/

/** What the text of an answer says to a message. Of a document of somebody else only the beginning is read. */
export function readAnswerTo(message: Message, text: string, locale: Locale): AnswerReading {
  const root = rootOf(text)
  if (root !== null && !ROOT.test(root.name)) return { problem: 'answer_unexpected', detail: root.name }
  return message.service === 'sii'
    ? readSiiAnswer(text, message, locale)
    : readVerifactuAnswer(text, message, locale)
}
