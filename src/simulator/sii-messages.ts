/** Messages of the SII as data: which address takes them, which book they are of, and what answers them. */
import { required } from '../errors/index.ts'
import { readSii } from '../sii/index.ts'
import { vocabulary } from '../sii/model/vocabulary.ts'
import type { FaultReading } from '../xml/index.ts'
import { type Violation, violationsOf } from '../xml/index.ts'
import { cut, wordsOf } from './codes.ts'
import { type FaultOutcome, fault } from './soap.ts'
import { type Block, type Book, blockOf, textOf } from './types.ts'

export interface Submission {
  readonly kind: 'submission'
  readonly book: Exclude<Book, ''>
  /** Null where the header says it. */
  readonly operation: 'BAJA' | 'COBROS' | 'PAGOS' | null
  /** Element of a record. */
  readonly record: string
  readonly answer: string
}

export interface Query {
  readonly kind: 'query'
  readonly book: Exclude<Book, ''>
  /** What is asked for: invoices, or what was collected or paid of one. */
  readonly about: 'invoices' | 'payments'
  readonly answer: string
}

const submission = (
  book: Submission['book'],
  operation: Submission['operation'],
  record: string,
  answer: string,
): Submission => ({ kind: 'submission', book, operation, record, answer })

const query = (book: Query['book'], about: Query['about'], answer: string): Query => ({
  kind: 'query',
  book,
  about,
  answer,
})

/** By the root element. */
export const MESSAGES: Readonly<Record<string, Submission | Query>> = {
  SuministroLRFacturasEmitidas: submission(
    'ISSUED',
    null,
    'RegistroLRFacturasEmitidas',
    'RespuestaLRFacturasEmitidas',
  ),
  BajaLRFacturasEmitidas: submission(
    'ISSUED',
    'BAJA',
    'RegistroLRBajaExpedidas',
    'RespuestaLRBajaFacturasEmitidas',
  ),
  SuministroLRFacturasRecibidas: submission(
    'RECEIVED',
    null,
    'RegistroLRFacturasRecibidas',
    'RespuestaLRFacturasRecibidas',
  ),
  BajaLRFacturasRecibidas: submission(
    'RECEIVED',
    'BAJA',
    'RegistroLRBajaRecibidas',
    'RespuestaLRBajaFacturasRecibidas',
  ),
  SuministroLRCobrosEmitidas: submission('ISSUED', 'COBROS', 'RegistroLRCobros', 'RespuestaLRCobrosEmitidas'),
  SuministroLRPagosRecibidas: submission('RECEIVED', 'PAGOS', 'RegistroLRPagos', 'RespuestaLRPagosRecibidas'),
  ConsultaLRFacturasEmitidas: query('ISSUED', 'invoices', 'RespuestaConsultaLRFacturasEmitidas'),
  ConsultaLRFacturasRecibidas: query('RECEIVED', 'invoices', 'RespuestaConsultaLRFacturasRecibidas'),
  ConsultaCobros: query('ISSUED', 'payments', 'RespuestaConsultaCobros'),
  ConsultaPagos: query('RECEIVED', 'payments', 'RespuestaConsultaPagos'),
}

/** Addresses below `/wlpl/SSII-FACT/ws/`, with the root elements that each takes. */
export const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'fe/SiiFactFEV1SOAP': [
    'SuministroLRFacturasEmitidas',
    'BajaLRFacturasEmitidas',
    'ConsultaLRFacturasEmitidas',
  ],
  'fr/SiiFactFRV1SOAP': [
    'SuministroLRFacturasRecibidas',
    'BajaLRFacturasRecibidas',
    'ConsultaLRFacturasRecibidas',
  ],
  'fe/SiiFactCOBV1SOAP': ['SuministroLRCobrosEmitidas', 'ConsultaCobros'],
  'fr/SiiFactPAGV1SOAP': ['SuministroLRPagosRecibidas', 'ConsultaPagos'],
}

export interface SiiMessageRead {
  readonly root: string
  readonly shape: Submission | Query
  readonly value: Block
  /** What the schema refuses, record by record; nothing of the header, which refuses the message. */
  readonly refused: ReadonlyMap<number, Violation>
}

/** Codes of header values; what else the schema refuses outside of a record is 4102. */
function headerCode({ field }: Violation): number {
  if (field === 'IDVersionSii') return 4100
  if (field === 'TipoComunicacion') return 4101
  if (field === 'NIF') return 4122
  return field === 'NIFRepresentante' ? 4123 : 4102
}

/** A text at a place where it belongs, and yet none that the schema takes: rejects the record alone. */
const IS_TEXT = new Set<Violation['kind']>(['value', 'pattern', 'length', 'character'])
const TOO_MANY_INVOICES = 4117

/** Reads a message for an address that takes `roots`. */
export function readSiiMessage(text: string, roots: readonly string[]): SiiMessageRead | FaultOutcome {
  const read = readSii(text, { locale: 'es' })
  const [item] = read.items
  if (item) return fault(Number(item.extra?.authority_code ?? 4103), cut(item.message))
  if (!read.ok) return fault(4103, wordsOf('sii', 4103))
  if (read.root === 'Fault') return fault(4108, (read.value as FaultReading).text || wordsOf('sii', 4108))
  const shape = Object.hasOwn(MESSAGES, read.root) ? MESSAGES[read.root] : undefined
  if (!shape) return fault(4108, wordsOf('sii', 4108))
  if (!roots.includes(read.root)) return fault(4124, wordsOf('sii', 4124))
  const value = blockOf(read.value)
  const refused = new Map<number, Violation>()
  const type = required(vocabulary().roots.get(read.root)).type
  for (const violation of violationsOf(value, type, read.root)) {
    const [, member, at] = /^\/(\w+)\/(\d+)\//.exec(violation.path) ?? []
    const inRecord = shape.kind === 'submission' && member === shape.record
    if (!inRecord && violation.kind === 'count' && violation.received !== 0)
      return fault(TOO_MANY_INVOICES, wordsOf('sii', TOO_MANY_INVOICES))
    if (!inRecord) {
      const code = headerCode(violation)
      return fault(code, cut(`${wordsOf('sii', code)} (${violation.path})`))
    }
    if (!IS_TEXT.has(violation.kind)) return fault(4102, cut(`${wordsOf('sii', 4102)} (${violation.path})`))
    if (!refused.has(Number(at))) refused.set(Number(at), violation)
  }
  return { root: read.root, shape, value, refused }
}

const RECORD_CODES: Readonly<Record<string, number>> = {
  CodigoPais: 1101,
  Ejercicio: 1102,
  Periodo: 1102,
  IDType: 1103,
  ID: 1104,
  NumSerieFacturaEmisor: 1105,
  FechaExpedicionFacturaEmisor: 1106,
  TipoFactura: 1107,
  ClaveRegimenEspecialOTrascendencia: 1109,
  Medio: 1110,
  TipoRectificativa: 1111,
  CausaExencion: 1113,
  TipoNoExenta: 1114,
  NIF: 1153,
}

/** The code for a value of a record that the schema refuses. */
export const violationCode = ({ field, kind }: Violation): number =>
  kind === 'length' && field !== 'NIF' ? 3004 : (RECORD_CODES[field] ?? 1100)

/** Who a party is: its NIF, or its other identifier with kind and country. */
export function partyKey(party: unknown): string {
  const { NIF, IDOtro } = blockOf(party)
  if (NIF !== undefined) return textOf(NIF)
  const { CodigoPais, IDType, ID } = blockOf(IDOtro)
  return [textOf(CodigoPais), textOf(IDType), textOf(ID)].join(' ').trim()
}
