/** Summaries of operation: records generated since the last summary, their total amounts, and events by type. */
import { sum, toMinor, toNumber } from '#core/money/index.ts'
import type { DatosPropiosEvento, FiscalRecord, RegistroAnterior } from '#records/verifactu/index.ts'
import { linkOf } from '#records/verifactu/index.ts'
import type { Rows } from '../../store/store.ts'
import { fromJson, type Json } from '../../store/stored-json.ts'
import type { Environment } from '../../store/tables.ts'

/** Totals of a range of records. */
export interface Totals {
  readonly from: number
  readonly to: number
  readonly first: RegistroAnterior | null
  readonly last: RegistroAnterior | null
  readonly alta: number
  readonly anulacion: number
  /** Total tax in minor units. */
  readonly tax: number
  readonly amount: number
}

const PAGE = 200

export const emptyTotals = (from: number): Totals => ({
  from,
  to: from,
  first: null,
  last: null,
  alta: 0,
  anulacion: 0,
  tax: 0,
  amount: 0,
})

/** Adds the next record to totals. An unreadable record is not counted; the check of the chain reports it. */
export function withRecord(totals: Totals, sequence: number, record: FiscalRecord | null): Totals {
  const until = { ...totals, to: sequence }
  if (!record || 'RegistroEvento' in record) return until
  const link = linkOf(record)
  const linked = { ...until, first: totals.first ?? link, last: link }
  if (!('RegistroAlta' in record)) return { ...linked, anulacion: totals.anulacion + 1 }
  const { CuotaTotal, ImporteTotal } = record.RegistroAlta
  return {
    ...linked,
    alta: totals.alta + 1,
    tax: sum([totals.tax, toMinor(Number(CuotaTotal) || 0)]),
    amount: sum([totals.amount, toMinor(Number(ImporteTotal) || 0)]),
  }
}

/** Parses a stored record; null if it cannot be parsed or its identifying members are missing. */
export function recordIn(text: Json<FiscalRecord>): FiscalRecord | null {
  try {
    const record = fromJson(text)
    if (!('RegistroEvento' in record)) linkOf(record)
    return record
  } catch {
    return null
  }
}

/** Continues totals up to a sequence, page by page. */
export async function addTotals(
  db: Rows,
  environment: Environment,
  begun: Totals,
  to: number,
): Promise<Totals> {
  let totals = begun
  while (totals.to < to) {
    const rows = await db
      .find('verifactu_records', { environment })
      .select(['sequence', 'record'])
      .where('sequence', '>', totals.to)
      .where('sequence', '<=', to)
      .orderBy('sequence')
      .limit(PAGE)
      .execute()
    for (const { sequence, record } of rows) totals = withRecord(totals, sequence, recordIn(record))
    if (rows.length < PAGE) totals = { ...totals, to }
  }
  return totals
}

/** Formats an amount as in records. */
export const amountText = (minor: number): string => toNumber(minor).toFixed(2)

type Resumen = NonNullable<DatosPropiosEvento['ResumenEventos']>
type Counts = Resumen['TipoEvento']

/** Maximum count of events of a type, which has four digits. A summary is due long before it is reached. */
const MOST_OF_A_TYPE = 9999

/**
 * Counts the events after a sequence, by type. If there are none, returns a count of zero summaries, because the schema
 * requires at least one type.
 */
export async function eventCounts(db: Rows, environment: Environment, after: number): Promise<Counts> {
  const rows = await db
    .find('verifactu_events', { environment })
    .select(['tipo_evento', ({ fn }) => fn.countAll().as('n')])
    .where('sequence', '>', after)
    .groupBy('tipo_evento')
    .orderBy('tipo_evento')
    .execute()
  const counts = rows.map(({ tipo_evento, n }) => ({
    TipoEvento: tipo_evento,
    NumeroDeEventos: String(Math.min(Number(n), MOST_OF_A_TYPE)),
  }))
  return counts.length > 0 ? counts : [{ TipoEvento: '10', NumeroDeEventos: '0' }]
}

export const summaryEventData = (counts: Counts, { first, last, ...totals }: Totals): DatosPropiosEvento => ({
  ResumenEventos: {
    TipoEvento: counts,
    ...(first ? { RegistroFacturacionInicialPeriodo: first } : {}),
    ...(last ? { RegistroFacturacionFinalPeriodo: last } : {}),
    NumeroDeRegistrosFacturacionAltaGenerados: String(totals.alta),
    SumaCuotaTotalAlta: amountText(totals.tax),
    SumaImporteTotalAlta: amountText(totals.amount),
    NumeroDeRegistrosFacturacionAnulacionGenerados: String(totals.anulacion),
  },
})
