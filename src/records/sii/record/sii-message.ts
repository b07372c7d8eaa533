/** Builds messages of the SII: a header and 1 to 10,000 records of one book, one holder and one operation. */
import { required } from '#core/errors/index.ts'
import type { Locale } from '#core/invoice/index.ts'
import { type WriteOptions, writeXml } from '#core/xml/index.ts'
import {
  checkList,
  checkMembers,
  checkObject,
  displayTextOf,
  LOCALE,
  type OptionKinds,
} from '../../fiscal/check-options.ts'
import { spanishNif, truncate } from '../../fiscal/fiscal-party.ts'
import { checkShape, type Refuse, refusals, type SiiItem } from '../model/sii-items.ts'
import { checkOptions } from '../model/sii-options.ts'
import type {
  Book,
  RegistroBajaExpedida,
  RegistroBajaRecibida,
  RegistroCobros,
  RegistroEmitida,
  RegistroPagos,
  RegistroRecibida,
  SiiOperation,
} from '../model/sii-record-types.ts'
import { vocabulary } from '../model/sii-vocabulary.ts'

/** Version of the interface (`IDVersionSii`). */
export const SII_VERSION = '1.1'

/** Maximum number of records in a message (Orden HFP/417/2017; SII schemas). */
export const MAX_SII_RECORDS = 10_000

/** The holder of the book. */
export interface SiiHolder {
  readonly name: string
  readonly nif: string
  /** NIF of the representative; required for a minor (NIF with K). */
  readonly representative?: string
}

/** A message: root element of the official schema, and its value. */
export interface SiiMessage {
  readonly root: string
  readonly value: Readonly<Record<string, unknown>>
}

/** A message, or the items that prevented it. */
export type SiiMessageResult =
  | { readonly ok: true; readonly message: SiiMessage }
  | { readonly ok: false; readonly items: readonly SiiItem[] }

export type SiiRecord =
  | RegistroEmitida
  | RegistroRecibida
  | RegistroBajaExpedida
  | RegistroBajaRecibida
  | RegistroCobros
  | RegistroPagos

export interface SubmissionInput {
  readonly book: Book
  /**
   * `A0` registers, `A1` modifies, `BAJA` deletes; `COBROS` (issued) and `PAGOS` (received) report cash-basis
   * collections and payments; `A4`, `A5` and `A6` belong to the travellers' regime (issued).
   */
  readonly operation: SiiOperation
  readonly holder: SiiHolder
  readonly records: readonly SiiRecord[]
  /** Language of the items. Default `en`. */
  readonly locale?: Locale
}

interface Shape {
  readonly root: string
  /** Element name of a record. */
  readonly record: string
  /** True if the header states the operation (`TipoComunicacion`). */
  readonly communication: boolean
}

const registration = (root: string, record: string): Shape => ({ root, record, communication: true })
const plain = (root: string, record: string): Shape => ({ root, record, communication: false })

const ISSUED = registration('SuministroLRFacturasEmitidas', 'RegistroLRFacturasEmitidas')
const RECEIVED = registration('SuministroLRFacturasRecibidas', 'RegistroLRFacturasRecibidas')

const SHAPES: Readonly<Record<Book, Readonly<Partial<Record<SiiOperation, Shape>>>>> = {
  ISSUED: {
    A0: ISSUED,
    A1: ISSUED,
    A4: ISSUED,
    A5: ISSUED,
    A6: ISSUED,
    BAJA: plain('BajaLRFacturasEmitidas', 'RegistroLRBajaExpedidas'),
    COBROS: plain('SuministroLRCobrosEmitidas', 'RegistroLRCobros'),
  },
  RECEIVED: {
    A0: RECEIVED,
    A1: RECEIVED,
    BAJA: plain('BajaLRFacturasRecibidas', 'RegistroLRBajaRecibidas'),
    PAGOS: plain('SuministroLRPagosRecibidas', 'RegistroLRPagos'),
  },
}

const isMinor = (nif: string): boolean => nif.startsWith('K')

/** Checks the members of a holder. Throws a `TypeError` if a member is not a text. */
export function checkHolder(holder: unknown): void {
  checkObject(holder, '"holder"')
  for (const [name, isRequired] of [
    ['name', true],
    ['nif', false],
    ['representative', false],
  ] as const)
    if (typeof holder[name] !== 'string' && (isRequired || holder[name] !== undefined))
      throw new TypeError(`cuadra: "${name}" of the holder is ${displayTextOf(holder[name])}; pass a text`)
}

/** Returns `Titular`: name and NIF, with the representative of a minor. */
export function holderOf(
  { name, nif, representative }: SiiHolder,
  withRepresentative: boolean,
  refuse: Refuse,
) {
  const own = spanishNif(nif)
  if (own === undefined) refuse('sii.holder_nif', '/holder/nif', { received: nif ?? '' })
  const other = spanishNif(representative)
  const missing = representative === undefined ? isMinor(own ?? '') : other === undefined || other === own
  if (withRepresentative && missing)
    refuse('sii.representative', '/holder/representative', { received: representative ?? '' })
  return {
    NombreRazon: truncate(name, 120),
    ...(withRepresentative && other !== undefined ? { NIFRepresentante: other } : {}),
    NIF: own ?? '',
  }
}

const OWN_DOCUMENTS: readonly string[] = ['F5', 'LC']

/**
 * Returns the NIF of a record that must equal the NIF of the holder: that of the issuer of an issued invoice or of a
 * customs document, whose record names the holder as issuer. Undefined for other received invoices.
 */
function ownerOf(book: Book, { IDFactura, ...rest }: SiiRecord): string | undefined {
  const type = 'FacturaRecibida' in rest ? rest.FacturaRecibida.TipoFactura : ''
  return book === 'ISSUED' || OWN_DOCUMENTS.includes(type) ? IDFactura.IDEmisorFactura.NIF : undefined
}

function identityOf({ IDFactura: id }: SiiRecord): string {
  const issuer: { NIF?: string; IDOtro?: { ID: string } } = id.IDEmisorFactura
  return [
    issuer.NIF ?? required(issuer.IDOtro).ID,
    id.NumSerieFacturaEmisor,
    id.FechaExpedicionFacturaEmisor,
  ].join(' ')
}

function checkRecords({ book, operation, records }: SubmissionInput, holder: string, refuse: Refuse): void {
  const seen = new Set<string>()
  // An invoice may have several records of collections or payments in a message, but only one of any other operation.
  const repeats = operation === 'COBROS' || operation === 'PAGOS'
  records.forEach((record, index) => {
    const owner = ownerOf(book, record)
    const path = `/records/${index}/IDFactura`
    if (owner !== undefined && owner !== holder)
      refuse('sii.holder_mismatch', `${path}/IDEmisorFactura/NIF`, { received: owner, expected: holder })
    const identity = identityOf(record)
    if (seen.has(identity) && !repeats) refuse('sii.duplicate_record', path, { received: identity })
    seen.add(identity)
  })
}

const MEMBERS: OptionKinds<SubmissionInput> = {
  book: 'any',
  operation: 'any',
  holder: 'object',
  records: 'list',
  locale: LOCALE,
}

/**
 * Builds a message ready to be written: root element and value.
 *
 * `records` come from `issuedRecord`, `receivedRecord`, `deletionRecord`, `collectionRecord` or `paymentRecord`: 1 to
 * 10,000, all of the same holder. Their periods may differ. Paths of items point into the argument
 * (`/records/3/IDFactura`); paths of `sii.schema` point into the message. An invalid combination of book and operation
 * (`COBROS` of received invoices) throws a `TypeError`. Source: Orden HFP/417/2017, annex I; SII 1.1.
 *
 * @example
 * const holder = { name: 'Empresa de Pruebas, S.L.', nif: 'B12345674' }
 * const result = submission({ book: 'ISSUED', operation: 'A0', holder, records: [] })
 * result.ok === false && result.items.map((item) => item.code) // => ['sii.record_count']
 */
export function submission(input: SubmissionInput): SiiMessageResult {
  checkMembers(input, MEMBERS, 'a submission')
  const { book, operation, records } = input
  const { items, refuse } = refusals(input.locale)
  const operations = Object.hasOwn(SHAPES, book) ? SHAPES[book] : {}
  const shape = Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (!shape)
    throw new TypeError(
      `cuadra: there is no message for operation "${operation}" of book "${book}"; ISSUED has ${Object.keys(SHAPES.ISSUED).join(', ')}, RECEIVED ${Object.keys(SHAPES.RECEIVED).join(', ')}`,
    )
  checkList(records, '"records"')
  checkHolder(input.holder)
  const { length } = records
  if (length === 0 || length > MAX_SII_RECORDS)
    refuse('sii.record_count', '/records', { received: length, allowed: MAX_SII_RECORDS })
  const holder = holderOf(input.holder, true, refuse)
  if (items.length > 0) return { ok: false, items }
  const value = {
    Cabecera: {
      IDVersionSii: SII_VERSION,
      Titular: holder,
      ...(shape.communication ? { TipoComunicacion: operation } : {}),
    },
    [shape.record]: records,
  }
  checkShape(value, shape.root, null, refuse)
  if (items.length === 0) checkRecords(input, holder.NIF, refuse)
  return items.length > 0 ? { ok: false, items } : { ok: true, message: { root: shape.root, value } }
}

const WRITING: OptionKinds<WriteOptions> = { soap: 'boolean', indent: 'number', declaration: 'boolean' }

/**
 * Returns the XML text of a message or query, in UTF-8; with `soap: true` in its SOAP envelope.
 *
 * Throws `XmlWriteError` for a value that the official schema rejects. The XML is not signed: the connection is
 * authenticated with a certificate.
 *
 * @example
 * const value = { Cabecera: { IDVersionSii: '1.1', Titular: { NombreRazon: 'A', NIF: 'B12345674' } },
 *   FiltroConsulta: { PeriodoLiquidacion: { Ejercicio: '2026', Periodo: '03' } } }
 * siiXml({ root: 'ConsultaLRFacturasEmitidas', value }, { soap: true }).includes('<sii:Periodo>03</sii:Periodo>')
 * // => true
 */
export function siiXml(message: SiiMessage, options: WriteOptions = {}): string {
  checkOptions(options, WRITING)
  checkObject(message, 'the message')
  const { root, value } = message
  if (typeof root !== 'string')
    throw new TypeError(
      `cuadra: "root" of the message is ${displayTextOf(root)}; pass the message of a result that is ok, not the result`,
    )
  return writeXml(vocabulary(), root, value, options)
}
