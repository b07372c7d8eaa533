/** Queries of VeriFactu: the current state of the invoices of a month, page by page. */
import { required } from '#core/errors/index.ts'
import { writeXml } from '#core/xml/index.ts'
import { fromFecha, spanishTimestamp } from '#records/fiscal/index.ts'
import { type Consulta, checkQuery, type FiscalRecord } from '#records/verifactu/index.ts'
import { vocabulary } from '#records/verifactu/model/index.ts'
import { mayActFor } from './caller.ts'
import { codeOf, descriptionOf, truncate } from './simulated-codes.ts'
import { type FaultOutcome, fault } from './simulated-soap.ts'
import { errorOf, type RequestContext } from './simulated-submission.ts'
import type { InvoiceRow, StoredState } from './simulator-database.ts'
import type { Outcome } from './simulator-types.ts'
import { requestId } from './verifactu-decision.ts'
import { altaOf, anulacionOf, bodyOf, producerIdOf } from './verifactu-record.ts'

type Filter = Consulta['FiltroConsulta']

const QUERY_STATES: Readonly<Record<StoredState, string>> = {
  Correcta: 'Correcto',
  AceptadaConErrores: 'AceptadoConErrores',
  Anulada: 'Anulado',
}

function accessFault(handling: RequestContext, { Cabecera: header }: Consulta): FaultOutcome | undefined {
  const { presenter, powers } = handling
  if (presenter === '') return fault(4108, descriptionOf('verifactu', 4108))
  const { ObligadoEmision, Destinatario, IndicadorRepresentante } = header
  // A representative can query all records that state it as the representative.
  if (ObligadoEmision && IndicadorRepresentante === 'S') return undefined
  const whose = ObligadoEmision ?? Destinatario
  if (whose && mayActFor(presenter, whose.NIF, undefined, powers)) return undefined
  const code = ObligadoEmision ? 4112 : 4132
  return fault(code, descriptionOf('verifactu', code))
}

/** A stored invoice with its records. */
interface Stored {
  readonly row: InvoiceRow
  /** The last record: the cancellation if the invoice is cancelled. */
  readonly last: FiscalRecord
  readonly registration: FiscalRecord | null
}

function storedOf({ database }: RequestContext, row: InvoiceRow): Stored {
  const last = database.value<FiscalRecord>(row.record)
  const { registration } = row
  if (registration === row.record) return { row, last, registration: last }
  return { row, last, registration: registration === null ? null : database.value(registration) }
}

const partyId = (party: { readonly NIF?: string; readonly IDOtro?: { readonly ID: string } } | undefined) =>
  party?.NIF ?? party?.IDOtro?.ID

const recipientsOf = ({ registration }: Stored): readonly (string | undefined)[] =>
  (registration && altaOf(registration)?.Destinatarios?.IDDestinatario.map(partyId)) ?? []

function isInDates(issued: string, dates: Filter['FechaExpedicionFactura']): boolean {
  if (!dates) return true
  if (dates.FechaExpedicionFactura !== undefined) return dates.FechaExpedicionFactura === issued
  const day = fromFecha(issued) ?? ''
  const { Desde, Hasta } = dates.RangoFechaExpedicion ?? {}
  return day >= (fromFecha(Desde) ?? '') && day <= (fromFecha(Hasta) ?? '9999-12-31')
}

function isOfSystem({ last }: Stored, wanted: Filter['SistemaInformatico']): boolean {
  if (!wanted) return true
  const { SistemaInformatico: system } = bodyOf(last)
  return (
    producerIdOf(system) === producerIdOf(wanted) &&
    (
      [
        'IdSistemaInformatico',
        'NumeroInstalacion',
        'NombreSistemaInformatico',
        'Version',
        'TipoUsoPosibleSoloVerifactu',
        'TipoUsoPosibleMultiOT',
        'IndicadorMultiplesOT',
      ] as const
    ).every((name) => wanted[name] === undefined || wanted[name] === system[name])
  )
}

/** Whether an invoice matches the query. */
function matches(
  handling: RequestContext,
  { Cabecera: header, FiltroConsulta: filter }: Consulta,
  stored: Stored,
): boolean {
  const { row, last } = stored
  const { ObligadoEmision, Destinatario, IndicadorRepresentante } = header
  if (!ObligadoEmision && !recipientsOf(stored).includes(Destinatario?.NIF)) return false
  if (IndicadorRepresentante === 'S') {
    const { representative } = required(handling.database.submission(row.submission))
    if (representative !== handling.presenter) return false
  }
  const other = partyId(filter.Contraparte)
  if (filter.Contraparte && ObligadoEmision && !recipientsOf(stored).includes(other)) return false
  if (filter.Contraparte && !ObligadoEmision && other !== row.issuer) return false
  if (filter.RefExterna !== undefined && bodyOf(last).RefExterna !== filter.RefExterna) return false
  return (
    isInDates(row.issue_date, filter.FechaExpedicionFactura) && isOfSystem(stored, filter.SistemaInformatico)
  )
}

/** Returns the entry of an invoice: data of its last registration, with the marks and the hash of its last record. */
function entryOf(handling: RequestContext, query: Consulta, { row, last, registration }: Stored) {
  const { database } = handling
  const { MostrarNombreRazonEmisor, MostrarSistemaInformatico } = query.DatosAdicionalesRespuesta ?? {}
  const submission = required(database.submission(row.submission))
  const alta = registration ? altaOf(registration) : undefined
  const cancellation = anulacionOf(last)
  const body = bodyOf(last)
  const { IDVersion, IDFactura, NombreRazonEmisor, SistemaInformatico, Signature, ...data } = (alta ??
    {}) as Record<string, unknown>
  const marks = cancellation
    ? {
        Subsanacion: undefined,
        RechazoPrevio: cancellation.RechazoPrevio,
        SinRegistroPrevio: cancellation.SinRegistroPrevio,
        GeneradoPor: cancellation.GeneradoPor,
        Generador: cancellation.Generador,
      }
    : {}
  const shown = {
    ...data,
    ...marks,
    ...(MostrarNombreRazonEmisor === 'S' && NombreRazonEmisor !== undefined ? { NombreRazonEmisor } : {}),
    ...(MostrarSistemaInformatico === 'S' ? { SistemaInformatico: body.SistemaInformatico } : {}),
    ...(body.RefExterna === undefined ? {} : { RefExterna: body.RefExterna }),
    Encadenamiento: body.Encadenamiento,
    FechaHoraHusoGenRegistro: body.FechaHoraHusoGenRegistro,
    TipoHuella: body.TipoHuella,
    Huella: body.Huella,
    ...(submission.representative === null ? {} : { NifRepresentante: submission.representative }),
    ...(submission.incident === 1 ? { Incidencia: 'S' } : {}),
  }
  return {
    IDFactura: {
      IDEmisorFactura: row.issuer,
      NumSerieFactura: row.number,
      FechaExpedicionFactura: row.issue_date,
    },
    DatosRegistroFacturacion: Object.fromEntries(
      Object.entries(shown).filter(([, value]) => value !== undefined),
    ),
    DatosPresentacion: {
      NIFPresentador: submission.presenter,
      TimestampPresentacion: spanishTimestamp(submission.received_at),
      IdPeticion: requestId(submission.id),
    },
    EstadoRegistro: {
      TimestampUltimaModificacion: spanishTimestamp(submission.received_at),
      EstadoRegistro: QUERY_STATES[row.state],
      ...errorOf(row),
    },
  }
}

/** Yields the invoices of a period in the order of first submission, starting with the pagination key. */
function* candidates(handling: RequestContext, { Cabecera: header, FiltroConsulta: filter }: Consulta) {
  const { database, environment } = handling
  const { Ejercicio, Periodo } = filter.PeriodoImputacion
  const service = 'verifactu' as const
  const taxpayer = header.ObligadoEmision?.NIF
  const number = filter.NumSerieFactura?.trim()
  const where = {
    environment,
    service,
    book: '',
    period: `${Ejercicio}-${Periodo}`,
    ...(taxpayer !== undefined && (number === undefined ? { taxpayer } : { issuer: taxpayer, number })),
  } as const
  const key = filter.ClavePaginacion
  const last = key && {
    environment,
    service,
    issuer: key.IDEmisorFactura,
    number: key.NumSerieFactura.trim(),
    issue_date: key.FechaExpedicionFactura,
  }
  const after = last && database.invoicesOf(last).at(0)?.id
  for (const row of database.each('invoices', where, after))
    if (number === undefined || row.number === number) yield row
}

/** Whether the filter states a system of which the taxpayer has never sent a record. */
function isUnknownSystem(
  { database, environment }: RequestContext,
  { Cabecera, FiltroConsulta }: Consulta,
): boolean {
  const { SistemaInformatico: system } = FiltroConsulta
  const taxpayer = Cabecera.ObligadoEmision?.NIF
  if (!system || taxpayer === undefined) return false
  const chain = [taxpayer, producerIdOf(system), system.IdSistemaInformatico, system.NumeroInstalacion]
  return !database.hasChain(environment, 'verifactu', chain.join('|'))
}

/** Runs a query. */
export function queryRecords(handling: RequestContext, query: Consulta): Outcome {
  const [item] = checkQuery(query, { now: spanishTimestamp(handling.now), locale: 'es' })
  if (item) return fault(codeOf(item) || 4102, truncate(item.message))
  const refusal = accessFault(handling, query)
  if (refusal) return refusal
  if (isUnknownSystem(handling, query)) return fault(1242, descriptionOf('verifactu', 1242))
  const entries: ReturnType<typeof entryOf>[] = []
  let more = false
  for (const row of candidates(handling, query)) {
    const stored = storedOf(handling, row)
    if (!matches(handling, query, stored)) continue
    if (entries.length === handling.pageSize) {
      more = true
      break
    }
    entries.push(entryOf(handling, query, stored))
  }
  const response = {
    Cabecera: query.Cabecera,
    PeriodoImputacion: query.FiltroConsulta.PeriodoImputacion,
    IndicadorPaginacion: more ? 'S' : 'N',
    ResultadoConsulta: entries.length > 0 ? 'ConDatos' : 'SinDatos',
    ...(entries.length > 0 ? { RegistroRespuestaConsultaFactuSistemaFacturacion: entries } : {}),
    ...(more ? { ClavePaginacion: required(entries.at(-1)).IDFactura } : {}),
  }
  return {
    kind: 'response',
    xml: writeXml(vocabulary(), 'RespuestaConsultaFactuSistemaFacturacion', response, { soap: true }),
  }
}
