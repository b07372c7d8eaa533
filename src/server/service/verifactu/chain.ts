/** The chains of a company, one of records and one of events per environment, and their ends. */
import type { FiscalRecord } from '../../../verifactu/index.ts'
import { fromJson, type Json } from '../../store/json.ts'
import type { Tx } from '../../store/store.ts'
import type { ChainName, Environment } from '../../store/tables.ts'

type EventRecord = Extract<FiscalRecord, { RegistroEvento: unknown }>
interface InChain {
  readonly records: Exclude<FiscalRecord, EventRecord>
  readonly events: EventRecord
}

export interface ChainEnd<Name extends ChainName> {
  readonly sequence: number
  readonly last: InChain[Name] | null
}

/** Returns the end of a chain from the columns of its row. */
export const chainEnd = <Name extends ChainName>(
  sequence: number,
  last_record: Json<FiscalRecord> | null,
): ChainEnd<Name> => ({
  sequence: Number(sequence),
  last: last_record ? (fromJson(last_record) as InChain[Name]) : null,
})

/** Reads the end of a chain and locks it until the end of the transaction. */
export async function lockChain<Name extends ChainName>(
  tx: Tx,
  environment: Environment,
  chain: Name,
): Promise<ChainEnd<Name>> {
  const find = () =>
    tx.lock('verifactu_chains', { environment, chain }).select(['sequence', 'last_record']).executeTakeFirst()
  let row = await find()
  if (!row) {
    await tx.insertNew('verifactu_chains', { environment, chain, sequence: 0 })
    row = await find()
  }
  return chainEnd(row?.sequence ?? 0, row?.last_record ?? null)
}

/** Moves the end of a chain; `last_record` is the JSON of the new last record. */
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

/** Returns `now`, or the timestamp of the previous record if that is later: clocks of machines differ. */
export function timestampAfter(now: string, last: FiscalRecord | null): string {
  const before = last && timestampOf(last)
  return before && Date.parse(before) > Date.parse(now) ? before : now
}
