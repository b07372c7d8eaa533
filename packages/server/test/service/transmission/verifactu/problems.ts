/**
 * Finds problems in the records of a company once nothing is pending, from its own rows and those of the authority:
 * records lost, stored twice or out of order, a status that differs, a broken chain, a wrong or repeated CSV, a queue
 * that is still held.
 */

import type { Simulator } from 'cuadra-simulator/index.ts'
import { type FiscalRecord, verifyChain } from '#records/verifactu/index.ts'
import type { CompanyStore } from '../../../../src/store/store.ts'

const OPEN = ['sending', 'unknown', 'failed']

export interface Found {
  readonly problems: string[]
  /** Returns the records that were sent as new although the authority had them, by its responses. */
  readonly again: number
}

export async function sendingProblems(
  store: CompanyStore,
  { control }: Pick<Simulator, 'control'>,
  taxpayer: string,
): Promise<Found> {
  const problems: string[] = []
  const say = (text: string): void => void problems.push(text)
  const records = await store.select('verifactu_records').selectAll().orderBy('sequence').execute()
  const submissions = await store.select('verifactu_submissions').selectAll().execute()
  const queue = await store.select('verifactu_queues').selectAll().executeTakeFirstOrThrow()
  const received = control.records({ taxpayer })
  const csvOf = new Map(control.submissions({ taxpayer }).map(({ id, csv }) => [id, csv]))
  const own = new Map<string, (typeof received)[number][]>()
  for (const one of received) own.set(one.hash ?? '', [...(own.get(one.hash ?? '') ?? []), one])
  const stateOf = new Map(submissions.map(({ submission_id, estado_envio }) => [submission_id, estado_envio]))

  // A record rejected in a lost response is sent again, after the others of its message.
  if (JSON.stringify([...own.keys()]) !== JSON.stringify(records.map(({ huella }) => huella)))
    say(`${records.length} records came to the authority in another order, or ${own.size} came`)
  for (const [index, record] of records.entries()) {
    const { sequence, huella, estado, submission_id, submitted_at, aeat_csv } = record
    if (sequence !== index + 1) say(`a gap before record ${sequence}`)
    const taken = (own.get(huella) ?? []).filter(({ state }) => state !== 'Incorrecto')
    const state = taken[0]?.state === 'AceptadoConErrores' ? 'accepted_with_errors' : 'accepted'
    if (!own.has(huella)) say(`record ${sequence} never came to the authority`)
    if (taken.length > 1) say(`record ${sequence} was stored ${taken.length} times`)
    if (estado !== (taken.length === 1 ? state : 'rejected')) say(`record ${sequence} is ${estado} here`)
    if (submission_id === null || submitted_at === null) say(`record ${sequence} has no submission`)
    const csv = csvOf.get(taken[0]?.submission ?? 0) ?? null
    if (aeat_csv !== null && aeat_csv !== csv) say(`the CSV of record ${sequence} is ${aeat_csv}, not ${csv}`)
    // Only records settled by a query have no CSV.
    const became = stateOf.get(submission_id ?? '')
    if (aeat_csv === null && taken.length > 0 && became !== 'settled')
      say(`record ${sequence} has no CSV, its submission is ${became}`)
  }
  const csvs = submissions.flatMap(({ aeat_csv }) => aeat_csv ?? [])
  if (new Set(csvs).size !== csvs.length) say('a CSV is stored for two submissions')
  if (queue.owner !== null || queue.submission_id !== null || queue.failures !== 0)
    say(`the line is left as ${JSON.stringify(queue)}`)
  const open = submissions.filter(({ estado_envio }) => OPEN.includes(estado_envio))
  if (open.length > 0) say(`${open.length} submissions are open`)
  if (!verifyChain(records.map(({ record }): FiscalRecord => JSON.parse(record))).valid)
    say('the chain does not verify here')
  const there = control.chain({ taxpayer })
  if (!there.valid) say(`the chain does not verify there: ${there.items.map(({ code }) => code).join()}`)
  return { problems, again: received.filter(({ code }) => code === 3000).length }
}
