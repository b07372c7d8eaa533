/** Records the results of checks. An anomaly is recorded only once, even if several checks find it. */
import { randomUUID } from 'node:crypto'
import type { DatosPropiosEvento } from '#records/verifactu/index.ts'
import type { Rows, Tx } from '../../../store/store.ts'
import type { ChainName, Environment, Row, TipoAnomalia } from '../../../store/tables.ts'
import { ANOMALIES } from '../anomalies.ts'
import { lockChain } from '../company-chains.ts'
import { type EventContent, isEventImpossible, writeEvent } from '../sif-events.ts'
import type { SigningContext } from '../signing.ts'
import { environmentOf, type VerifactuPeriod } from '../verifactu-period.ts'
import type { Checked, FoundAnomaly } from './check-chains.ts'

/** Maximum numbers of records and events that fit into the digits of one event. Larger numbers need several events. */
const MAX_PER_EVENT = { records: 9_999_999, events: 99_999 } as const
/** Maximum number of anomalies with an event of their own. The last event states how many others there are. */
const MAX_EVENTS = 20
const MAX_TEXT = 100

type Done = Pick<Checked, 'chain' | 'hashes' | 'signatures'>

const launchedRecords = (hashes: string, signatures: string): DatosPropiosEvento => ({
  LanzamientoProcesoDeteccionAnomaliasRegFacturacion: {
    RealizadoProcesoSobreIntegridadHuellasRegFacturacion: 'S',
    NumeroDeRegistrosFacturacionProcesadosSobreIntegridadHuellas: hashes,
    RealizadoProcesoSobreIntegridadFirmasRegFacturacion: 'S',
    NumeroDeRegistrosFacturacionProcesadosSobreIntegridadFirmas: signatures,
    RealizadoProcesoSobreTrazabilidadCadenaRegFacturacion: 'S',
    NumeroDeRegistrosFacturacionProcesadosSobreTrazabilidadCadena: hashes,
    RealizadoProcesoSobreTrazabilidadFechasRegFacturacion: 'S',
    NumeroDeRegistrosFacturacionProcesadosSobreTrazabilidadFechas: hashes,
  },
})

const launchedEvents = (hashes: string, signatures: string): DatosPropiosEvento => ({
  LanzamientoProcesoDeteccionAnomaliasRegEvento: {
    RealizadoProcesoSobreIntegridadHuellasRegEvento: 'S',
    NumeroDeRegistrosEventoProcesadosSobreIntegridadHuellas: hashes,
    RealizadoProcesoSobreIntegridadFirmasRegEvento: 'S',
    NumeroDeRegistrosEventoProcesadosSobreIntegridadFirmas: signatures,
    RealizadoProcesoSobreTrazabilidadCadenaRegEvento: 'S',
    NumeroDeRegistrosEventoProcesadosSobreTrazabilidadCadena: hashes,
    RealizadoProcesoSobreTrazabilidadFechasRegEvento: 'S',
    NumeroDeRegistrosEventoProcesadosSobreTrazabilidadFechas: hashes,
  },
})

/** Returns the events that state how much of a chain was checked: one event, unless a number has too many digits. */
export function checkStartedEvents({ chain, hashes, signatures }: Done): readonly EventContent[] {
  const contents: EventContent[] = []
  const most = MAX_PER_EVENT[chain]
  for (let left = hashes, signed = signatures; ; left -= most, signed -= most) {
    const some = String(Math.max(0, Math.min(left, most)))
    const verified = String(Math.max(0, Math.min(signed, most)))
    contents.push(
      chain === 'records'
        ? { type: '03', data: launchedRecords(some, verified) }
        : { type: '05', data: launchedEvents(some, verified) },
    )
    if (left <= most && signed <= most) return contents
  }
}

const DATE = /^\d\d-\d\d-\d{4}$/
const NUMBER = /^[\x20-\x7e]{1,60}$/
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d\d:\d\d$/
const HASH = /^[0-9A-F]{64}$/

interface Named {
  readonly name: string
  readonly data: (type: TipoAnomalia, text: string) => DatosPropiosEvento
}

/** Returns the name of a record from its row; if the row is damaged or missing, only its sequence. */
async function namedRecord(
  db: Rows,
  environment: Environment,
  taxId: string,
  sequence: number,
): Promise<Named> {
  const row = await db
    .find('verifactu_records', { environment, sequence })
    .select(['num_serie', 'fecha_expedicion'])
    .executeTakeFirst()
  const { num_serie = '', fecha_expedicion = '' } = row ?? {}
  const id = NUMBER.test(num_serie) &&
    DATE.test(fecha_expedicion) && {
      IDEmisorFactura: taxId,
      NumSerieFactura: num_serie,
      FechaExpedicionFactura: fecha_expedicion,
    }
  return {
    name: num_serie,
    data: (TipoAnomalia, OtrosDatosAnomalia) => ({
      DeteccionAnomaliasRegFacturacion: {
        TipoAnomalia,
        OtrosDatosAnomalia,
        ...(id ? { RegistroFacturacionAnomalo: id } : {}),
      },
    }),
  }
}

async function namedEvent(db: Rows, environment: Environment, sequence: number): Promise<Named> {
  const row = await db
    .find('verifactu_events', { environment, sequence })
    .select(['tipo_evento', 'fecha_hora_huso_gen_evento', 'huella_evento'])
    .executeTakeFirst()
  const { tipo_evento, fecha_hora_huso_gen_evento: timestamp = '', huella_evento = '' } = row ?? {}
  const id = tipo_evento !== undefined &&
    /^(?:0[1-9]|10|90)$/.test(tipo_evento) &&
    TIMESTAMP.test(timestamp) &&
    HASH.test(huella_evento) && {
      TipoEvento: tipo_evento,
      FechaHoraHusoEvento: timestamp,
      HuellaEvento: huella_evento,
    }
  return {
    name: tipo_evento === undefined ? '' : `${tipo_evento} ${timestamp}`,
    data: (TipoAnomalia, OtrosDatosAnomalia) => ({
      DeteccionAnomaliasRegEvento: {
        TipoAnomalia,
        OtrosDatosAnomalia,
        ...(id ? { RegEventoAnomalo: id } : {}),
      },
    }),
  }
}

const locationOf = ({ chain, sequence }: Pick<FoundAnomaly, 'chain' | 'sequence'>): string =>
  `${chain} ${sequence}`

/** Returns the open anomalies, by the location of their record. */
async function knownOf(tx: Tx, environment: Environment): Promise<Map<string, Row<'verifactu_anomalies'>>> {
  const rows = await tx
    .find('verifactu_anomalies', { environment })
    .selectAll()
    .where('resolved_at', 'is', null)
    .execute()
  return new Map(rows.map((row) => [locationOf(row), row]))
}

const covers = (checked: readonly Checked[], chain: ChainName, sequence: number): boolean =>
  checked.some(
    (one) => one.chain === chain && one.ranges.some(({ from, to }) => from <= sequence && sequence <= to),
  )

/**
 * Returns a function that writes an event and returns its sequence. Once an event cannot be written, the function
 * returns null and tries no further events.
 */
function eventWriter(tx: Tx, context: SigningContext, period: VerifactuPeriod) {
  let isAble = true
  return async (content: EventContent): Promise<number | null> => {
    if (!isAble) return null
    try {
      return (await writeEvent(tx, context, period, content)).sequence
    } catch (error) {
      if (!isEventImpossible(error)) throw error
      isAble = false
      context.app.log.warn({ err: error, company_id: tx.companyId }, 'an event of a check is not recorded')
      return null
    }
  }
}

async function recordAnomaly(
  tx: Tx,
  { app }: SigningContext,
  environment: Environment,
  { chain, sequence, type }: FoundAnomaly,
  name: string,
  event_sequence: number | null,
): Promise<void> {
  const found = { tipo_anomalia: type, name, event_sequence, found_at: app.clock.stamp(), resolved_at: null }
  const row = { environment, chain, sequence, anomaly_id: randomUUID(), ...found }
  await tx.upsert('verifactu_anomalies', row, (on) => on.doUpdateSet(found))
}

/** Records anomalies, each with its own event up to a limit. */
async function recordAnomalies(
  tx: Tx,
  context: SigningContext,
  environment: Environment,
  unrecorded: readonly FoundAnomaly[],
  write: ReturnType<typeof eventWriter>,
): Promise<void> {
  const [own, rest] = [unrecorded.slice(0, MAX_EVENTS), unrecorded.slice(MAX_EVENTS)]
  let last: number | null = null
  for (const [at, one] of own.entries()) {
    const { chain, sequence, type } = one
    const isRecord = chain === 'records'
    const { name, data } = isRecord
      ? await namedRecord(tx, environment, context.company.data.tax_id, sequence)
      : await namedEvent(tx, environment, sequence)
    const more = at === own.length - 1 && rest.length > 0 ? ` (y ${rest.length} más)` : ''
    const text = `${sequence}: ${ANOMALIES[type].es}${more}`.slice(0, MAX_TEXT)
    last = await write({ type: isRecord ? '04' : '06', data: data(type, text) })
    await recordAnomaly(tx, context, environment, one, name, last)
  }
  for (const one of rest) await recordAnomaly(tx, context, environment, one, '', last)
}

/** The result of a check: the new anomalies, and the number of anomalies that no longer exist. */
export interface CheckOutcome {
  readonly found: readonly FoundAnomaly[]
  readonly fixed: number
}

/**
 * Records a check of a company's chains: the events of the check itself (03, 05), and of its findings (04, 06), each
 * anomaly only once. If no event can be written, anomalies are stored nevertheless, and a later check writes their
 * events.
 */
export async function recordCheck(
  tx: Tx,
  context: SigningContext,
  period: VerifactuPeriod,
  checked: readonly Checked[],
): Promise<CheckOutcome> {
  const { app } = context
  const environment = environmentOf(period)
  await lockChain(tx, app, environment, 'events')
  const known = await knownOf(tx, environment)
  const write = eventWriter(tx, context, period)
  for (const one of checked)
    if (one.hashes > 0) for (const content of checkStartedEvents(one)) await write(content)
  const all = checked.flatMap(({ found }) => found)
  const unrecorded = all.filter((one) => (known.get(locationOf(one))?.event_sequence ?? null) === null)
  await recordAnomalies(tx, context, environment, unrecorded, write)
  const still = new Set(all.map(locationOf))
  const fixed = [...known.values()].filter(
    (row) => !still.has(locationOf(row)) && covers(checked, row.chain, row.sequence),
  )
  for (const { chain, sequence } of fixed)
    await tx.change(
      'verifactu_anomalies',
      { resolved_at: app.clock.stamp() },
      { environment, chain, sequence },
    )
  return { found: all.filter((one) => !known.has(locationOf(one))), fixed: fixed.length }
}
