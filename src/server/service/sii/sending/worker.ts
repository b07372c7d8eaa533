/** Looks after the books of all companies: whatever waits is sent when it may go. */
import type { SiiWire } from '../../../../authority/sii-wire.ts'
import type { App } from '../../../app/app.ts'
import { allTaxpayers } from '../../company/company.ts'
import { startLines, type WorkerOptions } from '../../sending/worker.ts'
import { KINDS } from './kinds.ts'
import type { Sending } from './line.ts'
import { step } from './step.ts'

const WHY = 'the sender looks after every company; it sends one by one'

/** Companies of which something waits that goes by itself, or is on its way. */
async function companiesOf({ store, clock }: Sending['app']): Promise<readonly string[]> {
  try {
    const all = store.acrossCompanies(WHY)
    const found = await Promise.all(KINDS.map((kind) => kind.companies(all, clock.now())))
    return [...new Set(found.flat())]
  } catch {
    // One whose machine is away keeps none of the others waiting: each is looked at by itself.
    return (await allTaxpayers(store.shared)).map(({ taxpayer_id }) => taxpayer_id)
  }
}

/** Starts to send books, and goes on until it is stopped. Any number of processes may. */
export const startSiiSending = (
  app: Sending['app'] & Pick<App, 'owner'>,
  wire: SiiWire,
  { owner = app.owner, ...options }: WorkerOptions = {},
): (() => Promise<void>) =>
  startLines<string>(
    app,
    {
      places: () => companiesOf(app),
      nameOf: (companyId) => companyId,
      companyOf: (companyId) => companyId,
      step: (companyId, signal) => step({ app, wire, owner, signal }, companyId),
    },
    options,
  )
