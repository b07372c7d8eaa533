/** Messages of the SII: the address, book, operation and response of each message. */
import { required } from '#core/errors/index.ts'
import { type FaultReading, type Violation, violationsOf } from '#core/xml/index.ts'
import { readSii } from '#records/sii/index.ts'
import { vocabulary } from '#records/sii/model/index.ts'
import { codeOf, descriptionOf, truncate } from './simulated-codes.ts'
import { type FaultOutcome, fault } from './simulated-soap.ts'
import type { InvoiceKey } from './simulator-database.ts'
import { type Block, type Book, blockOf, blocksOf, type Environment, textOf } from './simulator-types.ts'

export interface Submission {
  readonly kind: 'submission'
  readonly book: Exclude<Book, ''>
  /** The operation; null if the header of the message states it. */
  readonly operation: 'BAJA' | 'COBROS' | 'PAGOS' | null
  /** Name of the record element. */
  readonly record: string
  readonly response: string
}

export interface Query {
  readonly kind: 'query'
  readonly book: Exclude<Book, ''>
  /** Whether the message queries invoices, or collections or payments of one invoice. */
  readonly about: 'invoices' | 'payments'
  readonly response: string
}

const submission = (
  book: Submission['book'],
  operation: Submission['operation'],
  record: string,
  response: string,
): Submission => ({ kind: 'submission', book, operation, record: `RegistroLR${record}`, response })

const query = (book: Query['book'], about: Query['about'], response: string): Query => ({
  kind: 'query',
  book,
  about,
  response,
})

/** Messages by root element. */
export const MESSAGES: Readonly<Record<string, Submission | Query>> = {
  SuministroLRFacturasEmitidas: submission('ISSUED', null, 'FacturasEmitidas', 'RespuestaLRFacturasEmitidas'),
  BajaLRFacturasEmitidas: submission('ISSUED', 'BAJA', 'BajaExpedidas', 'RespuestaLRBajaFacturasEmitidas'),
  SuministroLRFacturasRecibidas: submission(
    'RECEIVED',
    null,
    'FacturasRecibidas',
    'RespuestaLRFacturasRecibidas',
  ),
  BajaLRFacturasRecibidas: submission(
    'RECEIVED',
    'BAJA',
    'BajaRecibidas',
    'RespuestaLRBajaFacturasRecibidas',
  ),
  SuministroLRCobrosEmitidas: submission('ISSUED', 'COBROS', 'Cobros', 'RespuestaLRCobrosEmitidas'),
  SuministroLRPagosRecibidas: submission('RECEIVED', 'PAGOS', 'Pagos', 'RespuestaLRPagosRecibidas'),
  ConsultaLRFacturasEmitidas: query('ISSUED', 'invoices', 'RespuestaConsultaLRFacturasEmitidas'),
  ConsultaLRFacturasRecibidas: query('RECEIVED', 'invoices', 'RespuestaConsultaLRFacturasRecibidas'),
  ConsultaCobros: query('ISSUED', 'payments', 'RespuestaConsultaCobros'),
  ConsultaPagos: query('RECEIVED', 'payments', 'RespuestaConsultaPagos'),
}

/** Paths below `/wlpl/SSII-FACT/ws/`, with the root elements that each of them accepts. */
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
  /** Schema violations by index of the record. A violation in the header rejects the whole message. */
  readonly refused: ReadonlyMap<number, Violation>
}

/** Error codes of header fields. All other schema violations outside records have code 4102. */
const HEADER_CODES: Readonly<Record<string, number>> = {
  IDVersionSii: 4100,
  TipoComunicacion: 4101,
  NIF: 4122,
  NIFRepresentante: 4123,
}

/** Violations of a value, which reject only the record. Violations of the structure reject the whole message. */
const IS_TEXT = new Set<Violation['kind']>(['value', 'pattern', 'length', 'character'])
const TOO_MANY_INVOICES = 4117

/** Returns the fault for a schema violation that rejects the whole message; undefined if it rejects only a record. */
function refusalOf(violation: Violation, inRecord: boolean): FaultOutcome | undefined {
  const { kind, received, field, path } = violation
  if (inRecord && IS_TEXT.has(kind)) {
    // The response repeats the identity of the record, which is not possible if the identity is invalid.
    if (!path.includes('/IDFactura/')) return undefined
    const code = violationCode(violation)
    return fault(code, truncate(`${descriptionOf('sii', code)} (${path})`))
  }
  if (!inRecord && kind === 'count' && received !== 0)
    return fault(TOO_MANY_INVOICES, descriptionOf('sii', TOO_MANY_INVOICES))
  const code = inRecord ? 4102 : (HEADER_CODES[field] ?? 4102)
  return fault(code, truncate(`${descriptionOf('sii', code)} (${path})`))
}

/** Reads a message for a service that accepts the root elements `roots`. */
export function readSiiMessage(text: string, roots: readonly string[]): SiiMessageRead | FaultOutcome {
  const read = readSii(text, { locale: 'es' })
  const [item] = read.items
  if (item) return fault(codeOf(item) || 4103, truncate(item.message))
  if (!read.ok) return fault(4103, descriptionOf('sii', 4103))
  if (read.root === 'Fault')
    return fault(4108, (read.value as FaultReading).text || descriptionOf('sii', 4108))
  const shape = Object.hasOwn(MESSAGES, read.root) ? MESSAGES[read.root] : undefined
  if (!shape) return fault(4108, descriptionOf('sii', 4108))
  if (!roots.includes(read.root)) return fault(4124, descriptionOf('sii', 4124))
  const value = blockOf(read.value)
  const refused = new Map<number, Violation>()
  const type = required(vocabulary().roots.get(read.root)).type
  for (const violation of violationsOf(value, type, read.root)) {
    const [, member, at] = /^\/(\w+)\/(\d+)\//.exec(violation.path) ?? []
    const refusal = refusalOf(violation, shape.kind === 'submission' && member === shape.record)
    if (refusal) return refusal
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

/** Returns the code for a schema violation in a record. */
export const violationCode = ({ field, kind }: Violation): number =>
  kind === 'length' && field !== 'NIF' ? 3004 : (RECORD_CODES[field] ?? 1100)

/** Returns the identity of a party: its NIF or, without one, the country, type and number of its other identifier. */
export function partyKey(party: unknown): string {
  const { NIF, IDOtro } = blockOf(party)
  if (NIF !== undefined) return textOf(NIF)
  const { CodigoPais, IDType, ID } = blockOf(IDOtro)
  return [textOf(CodigoPais), textOf(IDType), textOf(ID)].join(' ').trim()
}

/** Returns the key of an invoice from its `IDFactura`. */
export const keyOf = (
  environment: Environment,
  book: Submission['book'],
  taxpayer: string,
  id: Block,
): InvoiceKey => ({
  environment,
  service: 'sii',
  book,
  taxpayer,
  issuer: partyKey(id.IDEmisorFactura),
  number: textOf(id.NumSerieFacturaEmisor),
  issue_date: textOf(id.FechaExpedicionFacturaEmisor),
})

/** Returns the invoice of a record of either book. */
export const facturaOf = (record: Block): Block => blockOf(record.FacturaExpedida ?? record.FacturaRecibida)

/** Returns the regime keys of a record. */
export const keysOf = (record: Block): readonly string[] => {
  const factura = facturaOf(record)
  return ['', 'Adicional1', 'Adicional2']
    .map((suffix) => textOf(factura[`ClaveRegimenEspecialOTrascendencia${suffix}`]))
    .filter(Boolean)
}

/** Returns the collections or payments of a record. */
export const paymentsOf = (record: Block): readonly Block[] => [
  ...blocksOf(blockOf(record.Cobros).Cobro),
  ...blocksOf(blockOf(record.Pagos).Pago),
]

/** Returns the filing period as stored, such as `2026-0A`. */
export const periodOf = ({ Ejercicio, Periodo }: Block): string => `${textOf(Ejercicio)}-${textOf(Periodo)}`
