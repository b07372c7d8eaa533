/** Queries of the SII: the current state of the invoices of a book, and the collections or payments of one invoice. */
import { required } from '#core/errors/index.ts'
import { writeXml } from '#core/xml/index.ts'
import { fromFecha, spanishDay } from '#records/fiscal/index.ts'
import { vocabulary } from '#records/sii/model/index.ts'
import { facturaOf, keyOf, partyKey, periodOf, type Query, type SiiMessageRead } from './sii-messages.ts'
import { accessFault, siiTimestamp } from './sii-submission.ts'
import { descriptionOf } from './simulated-codes.ts'
import { fault } from './simulated-soap.ts'
import { errorOf, type RequestContext } from './simulated-submission.ts'
import type { InvoiceRow } from './simulator-database.ts'
import { type Block, blockOf, type Outcome, textOf } from './simulator-types.ts'

/** `EstadoCuadre` of all invoices. The simulator does not match them with the counterparty's book. */
const NOT_APPLICABLE = '1'

const registrationOf = ({ database }: RequestContext, { registration }: InvoiceRow): Block =>
  registration === null ? {} : database.value(registration)

/** Whether the last submission of an invoice was between two dates. */
function isPresented({ database }: RequestContext, { Desde, Hasta }: Block, row: InvoiceRow): boolean {
  const day = spanishDay(required(database.submission(row.submission)).received_at)
  return day >= (fromFecha(textOf(Desde)) ?? '') && day <= (fromFecha(textOf(Hasta)) ?? '9999-12-31')
}

/** Whether an invoice matches the filter. The caller has checked the period. */
function matches(handling: RequestContext, filter: Block, row: InvoiceRow, record: Block): boolean {
  const id = blockOf(filter.IDFactura)
  const isMatch = (value: unknown, found: string, read: (value: unknown) => string = textOf): boolean =>
    value === undefined || read(value) === found
  return (
    isMatch(id.NumSerieFacturaEmisor, row.number) &&
    isMatch(id.FechaExpedicionFacturaEmisor, row.issue_date) &&
    isMatch(id.IDEmisorFactura, row.issuer, partyKey) &&
    isMatch(filter.Contraparte, partyKey(facturaOf(record).Contraparte), partyKey) &&
    isMatch(filter.FacturaModificada, row.modified > 0 ? 'S' : 'N') &&
    isMatch(filter.EstadoCuadre, NOT_APPLICABLE) &&
    isPresented(handling, blockOf(filter.FechaPresentacion), row)
  )
}

/** Returns `DatosPresentacion` of a submission. */
function presented({ database }: RequestContext, submission: number) {
  const { presenter, received_at, csv } = required(database.submission(submission))
  return {
    NIFPresentador: presenter,
    TimestampPresentacion: siiTimestamp(received_at),
    ...(csv === null ? {} : { CSV: csv }),
  }
}

function entryOf(handling: RequestContext, { book }: Query, row: InvoiceRow, record: Block): Block {
  const { database } = handling
  const paid = database.payments(row.id, { limit: 1 }).length > 0 ? 'S' : 'N'
  return {
    IDFactura: record.IDFactura,
    ...(book === 'ISSUED'
      ? { DatosFacturaEmitida: { ...facturaOf(record), Cobros: paid } }
      : { DatosFacturaRecibida: { ...facturaOf(record), Pagos: paid } }),
    DatosPresentacion: presented(handling, row.submission),
    EstadoFactura: {
      EstadoCuadre: NOT_APPLICABLE,
      TimestampUltimaModificacion: siiTimestamp(required(database.submission(row.submission)).received_at),
      EstadoRegistro: row.state,
      ...errorOf(row),
    },
  }
}

function invoices(handling: RequestContext, query: Query, header: Block, filter: Block): Block {
  const { database, environment, pageSize } = handling
  const { book } = query
  const taxpayer = textOf(blockOf(header.Titular).NIF)
  const period = periodOf(blockOf(filter.PeriodoLiquidacion))
  const key = filter.ClavePaginacion
  const last =
    key === undefined ? undefined : database.invoice(keyOf(environment, book, taxpayer, blockOf(key)))
  const entries: Block[] = []
  let more = false
  for (const row of database.each(
    'invoices',
    { environment, service: 'sii', book, taxpayer, period },
    last?.id,
  )) {
    const record = registrationOf(handling, row)
    if (!matches(handling, filter, row, record)) continue
    more = entries.length === pageSize
    if (more) break
    entries.push(entryOf(handling, query, row, record))
  }
  const name = book === 'ISSUED' ? 'FacturasEmitidas' : 'FacturasRecibidas'
  return {
    Cabecera: header,
    PeriodoLiquidacion: filter.PeriodoLiquidacion,
    IndicadorPaginacion: more ? 'S' : 'N',
    ResultadoConsulta: entries.length > 0 ? 'ConDatos' : 'SinDatos',
    ...(entries.length > 0 ? { [`RegistroRespuestaConsultaLR${name}`]: entries } : {}),
  }
}

/** Returns the collections or payments of an invoice; null if the invoice does not exist. */
function payments(handling: RequestContext, query: Query, header: Block, filter: Block): Block | null {
  const { database, environment, pageSize } = handling
  const taxpayer = textOf(blockOf(header.Titular).NIF)
  const id = blockOf(filter.IDFactura)
  const invoice = database.invoice(keyOf(environment, query.book, taxpayer, id))
  if (!invoice) return null
  const after = Number(textOf(filter.ClavePaginacion) || 0)
  const rows = database.payments(invoice.id, {
    after: Number.isInteger(after) ? after : 0,
    limit: pageSize + 1,
  })
  const shown = rows.slice(0, pageSize)
  const isCollection = query.book === 'ISSUED'
  const more = rows.length > pageSize
  const entries = shown.map(({ value, submission }) => ({
    [isCollection ? 'DatosCobro' : 'DatosPago']: JSON.parse(value),
    DatosPresentacion: presented(handling, submission),
  }))
  return {
    Cabecera: header,
    IDFactura: filter.IDFactura,
    IndicadorPaginacion: more ? 'S' : 'N',
    ResultadoConsulta: entries.length > 0 ? 'ConDatos' : 'SinDatos',
    ...(entries.length > 0
      ? { [`RegistroRespuestaConsulta${isCollection ? 'Cobros' : 'Pagos'}`]: entries }
      : {}),
    ...(more ? { ClavePaginacion: String(required(shown.at(-1)).id) } : {}),
  }
}

const NO_SUCH_INVOICE = 3503

export function queryBook(handling: RequestContext, { value }: SiiMessageRead, query: Query): Outcome {
  const header = blockOf(value.Cabecera)
  const refusal = accessFault(handling, header)
  if (refusal) return refusal
  const filter = blockOf(value.FiltroConsulta ?? value.FiltroConsultaCobros ?? value.FiltroConsultaPagos)
  const response =
    query.about === 'invoices'
      ? invoices(handling, query, header, filter)
      : payments(handling, query, header, filter)
  if (response === null) return fault(NO_SUCH_INVOICE, descriptionOf('sii', NO_SUCH_INVOICE))
  return { kind: 'response', xml: writeXml(vocabulary(), query.response, response, { soap: true }) }
}
