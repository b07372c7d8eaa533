/** Looks after the chains of all companies: whatever waits is sent when it may go. */
import { sql } from 'kysely'
import type { Wire } from '../../../../authority/verifactu-wire.ts'
import type { App } from '../../../app/app.ts'
import type { Environment } from '../../../store/tables.ts'
import { ENVIRONMENTS } from '../../../store/tables.ts'
import { ofEachReachable } from '../../company/company.ts'
import { startLines, type WorkerOptions } from '../../sending/worker.ts'
import type { Sending } from './line.ts'
import { countWaiting } from './records.ts'
import { step } from './step.ts'

export type { WorkerOptions }

interface Place {
  readonly companyId: string
  readonly environment: Environment
}

/** Company by company: one whose machine is away keeps none of the others waiting. */
const oneByOne = (app: Sending['app']): Promise<Place[]> =>
  ofEachReachable(app, async (own) => {
    const places: Place[] = []
    for (const environment of ENVIRONMENTS)
      if ((await countWaiting(own, environment, 1)) > 0)
        places.push({ companyId: own.companyId, environment })
    return places
  })

/** Companies of which something waits. */
async function placesOf(app: Sending['app']): Promise<Place[]> {
  try {
    const rows = await app.store
      .acrossCompanies('the sender looks after every company; it sends one by one')
      .selectFrom('verifactu_records')
      .select(['company_id', 'environment'])
      .distinct()
      .where('estado', '=', sql.lit('pending'))
      .execute()
    return rows.map(({ company_id, environment }) => ({ companyId: company_id, environment }))
  } catch {
    return oneByOne(app)
  }
}

/** Starts to send records, and goes on until it is stopped. Any number of processes may. */
export const startSending = (
  app: Sending['app'] & Pick<App, 'owner'>,
  wire: Wire,
  { owner = app.owner, ...options }: WorkerOptions = {},
): (() => Promise<void>) =>
  startLines<Place>(
    app,
    {
      places: () => placesOf(app),
      nameOf: ({ companyId, environment }) => `${companyId} ${environment}`,
      companyOf: ({ companyId }) => companyId,
      step: ({ companyId, environment }, signal) =>
        step({ app, wire, owner, signal }, companyId, environment),
    },
    options,
  )
