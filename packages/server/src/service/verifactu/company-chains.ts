/**
 * The chains of a company and their ends. Records and events of each environment have their own sequence. A sequence
 * contains one chain, or several chains in succession, because a chain belongs to a single system.
 */
import { required } from '#core/errors/index.ts'
import type { FiscalRecord, SistemaInformatico } from '#records/verifactu/index.ts'
import type { App } from '../../app/app.ts'
import type { CompanyRow, Rows, Tx } from '../../store/store.ts'
import { fromJson, type Json, toJson } from '../../store/stored-json.ts'
import type { ChainName, ChainStart, Environment } from '../../store/tables.ts'

type EventRecord = Extract<FiscalRecord, { RegistroEvento: unknown }>
interface InChain {
  readonly records: Exclude<FiscalRecord, EventRecord>
  readonly events: EventRecord
}

/** The members that identify the system of a chain. The version is not one of them (Orden HAC/1177/2024). */
type Identified = Pick<SistemaInformatico, 'NIF' | 'IDOtro' | 'IdSistemaInformatico' | 'NumeroInstalacion'>

export const producerIdOf = ({ NIF, IDOtro }: Identified): string => NIF ?? IDOtro?.ID ?? ''

/** Whether two blocks identify the same producer, system and installation. */
export const isSameSystem = (one: Identified, other: Identified): boolean =>
  producerIdOf(one) === producerIdOf(other) &&
  one.IdSistemaInformatico === other.IdSistemaInformatico &&
  one.NumeroInstalacion === other.NumeroInstalacion

/** The system that generated a record or an event. The schema of events requires fewer members. */
export type ChainSystem = SistemaInformatico | EventRecord['RegistroEvento']['Evento']['SistemaInformatico']

/** Returns the system that generated a record. */
export const systemIn = (record: FiscalRecord): ChainSystem =>
  'RegistroEvento' in record
    ? record.RegistroEvento.Evento.SistemaInformatico
    : ('RegistroAlta' in record ? record.RegistroAlta : record.RegistroAnulacion).SistemaInformatico

export interface ChainEnd<Name extends ChainName> {
  /** Sequence of the last record of the company, which may belong to an earlier chain. */
  readonly sequence: number
  /** The last record of the chain; null before its first record. */
  readonly last: InChain[Name] | null
  /** The system of the chain; null if the first record will determine it. */
  readonly system: ChainSystem | null
}

const COLUMNS = ['sequence', 'last_record', 'starts', 'simulated'] as const
export type ChainRow = Pick<CompanyRow<'verifactu_chains'>, (typeof COLUMNS)[number]>

const startsIn = (starts: ChainRow['starts']): readonly ChainStart[] => (starts ? fromJson(starts) : [])

/** Returns the sequence of the first record of every chain except the first chain. */
export async function laterChainStarts(
  db: Rows,
  environment: Environment,
  chain: ChainName,
): Promise<ReadonlySet<number>> {
  const row = await readRow(db, environment, chain)
  return new Set(startsIn(row?.starts ?? null).map(({ first }) => first))
}

type OfCompany = Pick<App, 'config' | 'system'>

const isSimulator = ({ config }: OfCompany): boolean => config.aeat === 'simulator'

/**
 * Returns the end of a chain from the columns of its row. Returns null if the next record begins a new chain. This
 * occurs after records for the simulator: the authority has none of them, and the simulator accepts another system.
 */
export function chainEnd<Name extends ChainName>(
  app: OfCompany,
  companyId: string,
  row: ChainRow,
): ChainEnd<Name> | null {
  const [sequence, start] = [Number(row.sequence), startsIn(row.starts).at(-1)]
  const isBegun = !start || sequence >= start.first
  const last = row.last_record && isBegun ? (fromJson(row.last_record) as InChain[Name]) : null
  const system = last ? systemIn(last) : (start?.system ?? null)
  if (row.simulated === 1) {
    if (!isSimulator(app)) return null
    if (system && !isSameSystem(system, app.system.block(companyId, false))) return null
  }
  return { sequence, last, system }
}

const readRow = (db: Rows, environment: Environment, chain: ChainName) =>
  db.find('verifactu_chains', { environment, chain }).select(COLUMNS).executeTakeFirst()

/**
 * Returns the sequence of the first record that the authority may have. It does not know records generated for the
 * simulator, after which a new chain began.
 */
export async function firstSequenceForAuthority(
  db: Rows,
  app: OfCompany,
  environment: Environment,
): Promise<number> {
  const row = isSimulator(app) ? undefined : await readRow(db, environment, 'records')
  if (row?.simulated === 1) return Number(row.sequence) + 1
  return startsIn(row?.starts ?? null).findLast(({ system }) => system === null)?.first ?? 1
}

/** Reads the end of a chain without a lock; null if the next record begins a new chain. */
export async function readChain<Name extends ChainName>(
  db: Rows,
  app: OfCompany,
  environment: Environment,
  chain: Name,
): Promise<ChainEnd<Name> | null> {
  const row = await readRow(db, environment, chain)
  return row ? chainEnd(app, db.companyId, row) : null
}

async function lockRow(
  tx: Tx,
  app: OfCompany,
  environment: Environment,
  chain: ChainName,
): Promise<ChainRow> {
  const find = () => tx.lock('verifactu_chains', { environment, chain }).select(COLUMNS).executeTakeFirst()
  const row = await find()
  if (row) return row
  const simulated = isSimulator(app) ? 1 : 0
  await tx.insertNew('verifactu_chains', { environment, chain, sequence: 0, simulated })
  return required(await find())
}

/** Reads the end of a chain and locks it until the end of the transaction. */
export async function lockChain<Name extends ChainName>(
  tx: Tx,
  app: OfCompany & Pick<App, 'clock'>,
  environment: Environment,
  chain: Name,
): Promise<ChainEnd<Name>> {
  const row = await lockRow(tx, app, environment, chain)
  return chainEnd<Name>(app, tx.companyId, row) ?? beginAfter(tx, app, environment, chain, row, null)
}

/** Begins a new chain of a system. Its first record has no previous record. */
export async function beginChain(
  tx: Tx,
  app: OfCompany & Pick<App, 'clock'>,
  environment: Environment,
  chain: ChainName,
  system: SistemaInformatico,
): Promise<void> {
  await beginAfter(tx, app, environment, chain, await lockRow(tx, app, environment, chain), system)
}

async function beginAfter<Name extends ChainName>(
  tx: Tx,
  app: OfCompany & Pick<App, 'clock'>,
  environment: Environment,
  chain: Name,
  row: ChainRow,
  system: SistemaInformatico | null,
): Promise<ChainEnd<Name>> {
  const sequence = Number(row.sequence)
  const first = sequence + 1
  const begun = { first, begun_at: app.clock.stamp(), system }
  // A chain start without any record is replaced.
  const starts = [...startsIn(row.starts).filter((one) => one.first < first), begun]
  await tx.change(
    'verifactu_chains',
    { starts: toJson(starts), simulated: isSimulator(app) ? 1 : 0 },
    { environment, chain },
  )
  return { sequence, last: null, system }
}

/** Moves the end of a chain. `last_record` is the JSON of the new last record. */
export async function advanceChain(
  tx: Tx,
  environment: Environment,
  chain: ChainName,
  sequence: number,
  last_record: Json<FiscalRecord>,
): Promise<void> {
  await tx.change('verifactu_chains', { sequence, last_record }, { environment, chain })
}

/** Returns the timestamp of a record. */
export const timestampOf = (record: FiscalRecord): string =>
  'RegistroEvento' in record
    ? record.RegistroEvento.Evento.FechaHoraHusoGenEvento
    : ('RegistroAlta' in record ? record.RegistroAlta : record.RegistroAnulacion).FechaHoraHusoGenRegistro

/** Returns `now`, or the timestamp of the previous record if that is later, because clocks of machines differ. */
export function timestampNotBefore(now: string, last: FiscalRecord | null): string {
  const before = last && timestampOf(last)
  return before && Date.parse(before) > Date.parse(now) ? before : now
}
