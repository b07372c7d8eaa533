/** Queries of the SII: the present state of the invoices of a book, and what was collected or paid of one. */
import { required } from '../errors/index.ts'
import { fromFecha } from '../fiscal/literals.ts'
import { spanishDay } from '../fiscal/moment.ts'
import { vocabulary } from '../sii/model/vocabulary.ts'
import { writeXml } from '../xml/index.ts'
import { wordsOf } from './codes.ts'
import type { InvoiceRow } from './database.ts'
import { partyKey, type Query, type SiiMessageRead } from './sii-messages.ts'
import { accessFault, siiMoment } from './sii-submission.ts'
import { fault } from './soap.ts'
import { type Block, blockOf, type Outcome, textOf } from './types.ts'
import type { Handling } from './verifactu-submission.ts'

/** Rows that are looked at together. */
const BATCH = 500
/** Not matched with the other party's book: the simulator does not match. */
const NOT_APPLICABLE = '1'

const registrationOf = ({ database }: Handling, row: InvoiceRow): Block =>
  row.registration === null ? {} : JSON.parse(required(database.record(row.registration)).value)

const facturaOf = (record: Block): Block => blockOf(record.FacturaExpedida ?? record.FacturaRecibida)

/** Whether an invoice is what the query asks for; its period is already. */
function fits(handling: Handling, filter: Block, row: InvoiceRow, record: Block): boolean {
  const id = blockOf(filter.IDFactura)
  const wanted = (value: unknown, found: string): boolean => value === undefined || textOf(value) === found
  if (!wanted(id.NumSerieFacturaEmisor, row.number)) return false
  if (!wanted(id.FechaExpedicionFacturaEmisor, row.issue_date)) return false
  if (id.IDEmisorFactura !== undefined && partyKey(id.IDEmisorFactura) !== row.issuer) return false
  if (
    filter.Contraparte !== undefined &&
    partyKey(filter.Contraparte) !== partyKey(facturaOf(record).Contraparte)
  )
    return false
  if (
    filter.FacturaModificada !== undefined &&
    textOf(filter.FacturaModificada) !== (row.modified > 0 ? 'S' : 'N')
  )
    return false
  if (!wanted(filter.EstadoCuadre, NOT_APPLICABLE)) return false
  const { Desde, Hasta } = blockOf(filter.FechaPresentacion)
  const day = spanishDay(required(handling.database.submission(row.submission)).received_at)
  return day >= (fromFecha(textOf(Desde)) ?? '') && day <= (fromFecha(textOf(Hasta)) ?? '9999-12-31')
}

/** Who presented what, when, and under which receipt. */
function presented({ database }: Handling, submission: number) {
  const { presenter, received_at, csv } = required(database.submission(submission))
  return {
    NIFPresentador: presenter,
    TimestampPresentacion: siiMoment(received_at),
    ...(csv === null ? {} : { CSV: csv }),
  }
}

function entryOf(handling: Handling, { book }: Query, row: InvoiceRow, record: Block): Block {
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
      TimestampUltimaModificacion: siiMoment(required(database.submission(row.submission)).received_at),
      EstadoRegistro: row.state,
      ...(row.code === null ? {} : { CodigoErrorRegistro: String(row.code) }),
      ...(row.description === null ? {} : { DescripcionErrorRegistro: row.description }),
    },
  }
}

const keyOf = ({ environment }: Handling, { book }: Query, taxpayer: string, id: Block) => ({
  environment,
  service: 'sii' as const,
  book,
  taxpayer,
  issuer: partyKey(id.IDEmisorFactura),
  number: textOf(id.NumSerieFacturaEmisor),
  issue_date: textOf(id.FechaExpedicionFacturaEmisor),
})

function invoices(handling: Handling, query: Query, header: Block, filter: Block): Block {
  const { database, environment, pageSize } = handling
  const taxpayer = textOf(blockOf(header.Titular).NIF)
  const { Ejercicio, Periodo } = blockOf(filter.PeriodoLiquidacion)
  const where = {
    environment,
    service: 'sii',
    book: query.book,
    taxpayer,
    period: `${textOf(Ejercicio)}-${textOf(Periodo)}`,
  } as const
  const key = filter.ClavePaginacion
  let after =
    key === undefined ? 0 : (database.invoice(keyOf(handling, query, taxpayer, blockOf(key)))?.id ?? 0)
  const entries: Block[] = []
  let more = false
  while (!more) {
    const rows = database.invoicesOf(where, { after, limit: BATCH })
    for (const row of rows) {
      after = row.id
      const record = registrationOf(handling, row)
      if (!fits(handling, filter, row, record)) continue
      more = entries.length === pageSize
      if (more) break
      entries.push(entryOf(handling, query, row, record))
    }
    if (rows.length < BATCH) break
  }
  return {
    Cabecera: header,
    PeriodoLiquidacion: filter.PeriodoLiquidacion,
    IndicadorPaginacion: more ? 'S' : 'N',
    ResultadoConsulta: entries.length > 0 ? 'ConDatos' : 'SinDatos',
    ...(entries.length > 0
      ? {
          [query.book === 'ISSUED'
            ? 'RegistroRespuestaConsultaLRFacturasEmitidas'
            : 'RegistroRespuestaConsultaLRFacturasRecibidas']: entries,
        }
      : {}),
  }
}

/** Null: there is no such invoice. */
function payments(handling: Handling, query: Query, header: Block, filter: Block): Block | null {
  const { database, pageSize } = handling
  const taxpayer = textOf(blockOf(header.Titular).NIF)
  const id = blockOf(filter.IDFactura)
  const invoice = database.invoice(keyOf(handling, query, taxpayer, id))
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
      ? {
          [isCollection ? 'RegistroRespuestaConsultaCobros' : 'RegistroRespuestaConsultaPagos']: entries,
        }
      : {}),
    ...(more ? { ClavePaginacion: String(required(shown.at(-1)).id) } : {}),
  }
}

const NO_SUCH_INVOICE = 3503

export function queryBook(handling: Handling, { value }: SiiMessageRead, query: Query): Outcome {
  const header = blockOf(value.Cabecera)
  const refusal = accessFault(handling, header)
  if (refusal) return refusal
  const filter = blockOf(value.FiltroConsulta ?? value.FiltroConsultaCobros ?? value.FiltroConsultaPagos)
  const answer =
    query.about === 'invoices'
      ? invoices(handling, query, header, filter)
      : payments(handling, query, header, filter)
  if (answer === null) return fault(NO_SUCH_INVOICE, wordsOf('sii', NO_SUCH_INVOICE))
  return { kind: 'answer', xml: writeXml(vocabulary(), query.answer, answer, { soap: true }) }
}
