/** Ranges of the chains that are exported for the authority, and the events that record the export. */
import type { DatosPropiosEvento, RegistroEvento } from '#records/verifactu/index.ts'
import { addDays } from '../../environment/clock.ts'
import type { Rows, Tx } from '../../store/store.ts'
import type { Environment } from '../../store/tables.ts'
import { periodForGenerating } from './mode-change.ts'
import { isEventImpossible, writeEvent } from './sif-events.ts'
import type { SigningContext } from './signing.ts'
import { environmentOf, type VerifactuPeriod } from './verifactu-period.ts'
import { amountText, type Totals } from './verifactu-summary.ts'

/** A range of sequences; empty if `to` is less than `from`. */
export interface SequenceRange {
  readonly from: number
  readonly to: number
}

const NOTHING: SequenceRange = { from: 1, to: 0 }

const MADE_AT = { verifactu_records: 'ts_gen', verifactu_events: 'fecha_hora_huso_gen_evento' } as const

/** Returns the range of records, or events, generated between two days in Madrid, both inclusive. */
export async function recordsGeneratedBetween(
  db: Rows,
  table: keyof typeof MADE_AT,
  environment: Environment,
  first: string,
  last: string,
): Promise<SequenceRange> {
  const timestamp = MADE_AT[table]
  const { from, to } = await db
    .find(table, { environment })
    .select(({ fn }) => [fn.min('sequence').as('from'), fn.max('sequence').as('to')])
    .where(timestamp, '>=', first)
    .where(timestamp, '<', addDays(last, 1))
    .executeTakeFirstOrThrow()
  return from === null ? NOTHING : { from: Number(from), to: Number(to) }
}

/** (delete the comment) */
export interface ExportedEvents {
  readonly count: number
  readonly first: RegistroEvento | null
  readonly last: RegistroEvento | null
}

export interface ExportedRange {
  /** Timestamps of the first and the last second of the period. */
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

function recordsExported({ begins, ends, records }: ExportedRange): DatosPropiosEvento | null {
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

function eventsExported({ begins, ends, events }: ExportedRange): DatosPropiosEvento | null {
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
 * Records the export of records and events (events 08 and 09) if the company now operates without VERI*FACTU. Returns
 * the event types that were recorded. An empty export has no event. If an event cannot be signed, the export continues
 * without it.
 */
export async function recordExport(
  tx: Tx,
  context: SigningContext,
  environment: Environment,
  exported: ExportedRange,
): Promise<readonly string[]> {
  const period: VerifactuPeriod | null = await periodForGenerating(tx, context)
  if (period?.mode !== 'no_verifactu' || environmentOf(period) !== environment) return []
  const made: string[] = []
  try {
    for (const [type, data] of [
      ['08', recordsExported(exported)],
      ['09', eventsExported(exported)],
    ] as const)
      if (data) made.push((await writeEvent(tx, context, period, { type, data })).tipo_evento)
  } catch (error) {
    if (!isEventImpossible(error)) throw error
  }
  return made
}
