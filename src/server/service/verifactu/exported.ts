/** What is handed to the authority on demand: which part of the chains a period is, and the events that say so. */
import type { DatosPropiosEvento, RegistroEvento } from '../../../verifactu/index.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import { environmentOf, openPeriodOf, type VerifactuPeriod } from './period.ts'
import { cannotBeMade, writeEvent } from './sif-events.ts'
import type { SigningContext } from './signing.ts'
import { amountText, type Totals } from './summary.ts'

/** Places of a chain; none where `to` is before `from`. */
export interface Part {
  readonly from: number
  readonly to: number
}

const NOTHING: Part = { from: 1, to: 0 }

/** The day after, as moments of records begin. */
const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)

const MADE_AT = { verifactu_records: 'ts_gen', verifactu_events: 'fecha_hora_huso_gen_evento' } as const

/** Records, or events, that were made on the days from one to another, in Madrid. */
export async function madeBetween(
  db: Rows,
  table: keyof typeof MADE_AT,
  environment: Environment,
  first: string,
  last: string,
): Promise<Part> {
  const timestamp = MADE_AT[table]
  const { from, to } = await db
    .find(table, { environment })
    .select(({ fn }) => [fn.min('sequence').as('from'), fn.max('sequence').as('to')])
    .where(timestamp, '>=', first)
    .where(timestamp, '<', dayAfter(last))
    .executeTakeFirstOrThrow()
  return from === null ? NOTHING : { from: Number(from), to: Number(to) }
}

/** What was exported of the events. */
export interface ExportedEvents {
  readonly count: number
  readonly first: RegistroEvento | null
  readonly last: RegistroEvento | null
}

export interface Exported {
  /** The moments of the first and the last second of the period. */
  readonly begins: string
  readonly ends: string
  readonly records: Totals
  readonly events: ExportedEvents
}

const named = ({ Evento }: RegistroEvento) => ({
  TipoEvento: Evento.TipoEvento,
  FechaHoraHusoEvento: Evento.FechaHoraHusoGenEvento,
  HuellaEvento: Evento.HuellaEvento,
})

function recordsExported({ begins, ends, records }: Exported): DatosPropiosEvento | null {
  const { first, last } = records
  if (!first || !last) return null
  return {
    ExportacionRegFacturacionPeriodo: {
      FechaHoraHusoInicioPeriodoExport: begins,
      FechaHoraHusoFinPeriodoExport: ends,
      RegistroFacturacionInicialPeriodo: first,
      RegistroFacturacionFinalPeriodo: last,
      NumeroDeRegistrosFacturacionAltaExportados: String(records.alta),
      SumaCuotaTotalAlta: amountText(records.tax),
      SumaImporteTotalAlta: amountText(records.amount),
      NumeroDeRegistrosFacturacionAnulacionExportados: String(records.anulacion),
      RegistrosFacturacionExportadosDejanDeConservarse: 'N',
    },
  }
}

function eventsExported({ begins, ends, events }: Exported): DatosPropiosEvento | null {
  const { first, last, count } = events
  if (!first || !last) return null
  return {
    ExportacionRegEventoPeriodo: {
      FechaHoraHusoInicioPeriodoExport: begins,
      FechaHoraHusoFinPeriodoExport: ends,
      RegistroEventoInicialPeriodo: named(first),
      RegistroEventoFinalPeriodo: named(last),
      NumeroDeRegEventoExportados: String(count),
      RegEventoExportadosDejanDeConservarse: 'N',
    },
  }
}

/**
 * Records that records and events were exported (08, 09), where the company works without VERI*FACTU now. Answers the
 * types that were recorded: an export of nothing has no event, and one that nobody can sign is made all the same.
 */
export async function recordExport(
  tx: Tx,
  context: SigningContext,
  environment: Environment,
  exported: Exported,
): Promise<readonly string[]> {
  const period: VerifactuPeriod | null = await openPeriodOf(tx)
  if (period?.mode !== 'no_verifactu' || environmentOf(period) !== environment) return []
  const made: string[] = []
  try {
    for (const [type, data] of [
      ['08', recordsExported(exported)],
      ['09', eventsExported(exported)],
    ] as const)
      if (data) made.push((await writeEvent(tx, context, period, { type, data })).tipo_evento)
  } catch (error) {
    if (!cannotBeMade(error)) throw error
  }
  return made
}
