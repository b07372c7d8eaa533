/** The chains of a company, one of records and one of events in each environment: where each ends. */
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

/** The end of a chain as its row says it. */
export const chainEnd = <Name extends ChainName>(
  sequence: number,
  last_record: Json<FiscalRecord> | null,
): ChainEnd<Name> => ({
  sequence: Number(sequence),
  last: last_record ? (fromJson(last_record) as InChain[Name]) : null,
})

/** The end of a chain, locked until the end of the transaction. */
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

/** `last_record` is the JSON of the record that is the end from now on. */
export async function advanceChain(
  tx: Tx,
  environment: Environment,
  chain: ChainName,
  sequence: number,
  last_record: Json<FiscalRecord>,
): Promise<void> {
  await tx.change('verifactu_chains', { sequence, last_record }, { environment, chain })
}

/** When a record says that it was made. */
export const timestampOf = (record: FiscalRecord): string =>
  'RegistroEvento' in record
    ? record.RegistroEvento.Evento.FechaHoraHusoGenEvento
    : ('RegistroAlta' in record ? record.RegistroAlta : record.RegistroAnulacion).FechaHoraHusoGenRegistro

/** `now`, and never before the record that this one follows: clocks of several machines differ. */
export function timestampAfter(now: string, last: FiscalRecord | null): string {
  const before = last && timestampOf(last)
  return before && Date.parse(before) > Date.parse(now) ? before : now
}
