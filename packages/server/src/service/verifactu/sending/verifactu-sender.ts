/** Sends to VeriFactu: a single step, the background worker, and the administrator's command. */
import type { VerifactuSender } from 'cuadra-authority/index.ts'
import type { App } from '../../../app/app.ts'
import { ENVIRONMENTS, type Environment } from '../../../store/tables.ts'
import type { Step } from '../../transmission/channel.ts'
import { countWaiting, type QueueReport, repeatStep, requestRetry } from '../../transmission/send-now.ts'
import * as transmission from '../../transmission/step.ts'
import { startTransmission, type WorkerOptions } from '../../transmission/transmission-worker.ts'
import { VERIFACTU } from './verifactu-channel.ts'
import type { Sending } from './verifactu-queue-types.ts'

export { wireOf } from './verifactu-response.ts'
export type { Sending, Step }

/** Runs one step of a chain's queue. `urgent` skips the pause after a failure, but not the flow control. */
export const runVerifactuStep = (
  sending: Sending,
  companyId: string,
  environment: Environment,
  { urgent = false }: { readonly urgent?: boolean } = {},
): Promise<Step> => transmission.step(VERIFACTU, sending, { companyId, environment }, { isUrgent: urgent })

export const startSending = (
  app: Sending['app'] & Pick<App, 'owner'>,
  wire: VerifactuSender,
  options?: WorkerOptions,
): (() => Promise<void>) => startTransmission(VERIFACTU, app, wire, options)

export interface Report extends QueueReport {
  readonly environment: Environment
  /** Number of records that now have a result. */
  readonly settled: number
}

/** Sends the pending records of a company now. Returns a report for each environment that had pending records. */
export async function sendNow(sending: Sending, companyId: string): Promise<readonly Report[]> {
  const reports: Report[] = []
  const store = sending.app.store.of(companyId)
  for (const environment of ENVIRONMENTS) {
    if ((await countWaiting(VERIFACTU, store, { environment })) === 0) continue
    const { done, ...report } = await repeatStep((urgent) =>
      runVerifactuStep(sending, companyId, environment, { urgent }),
    )
    const settled = done.reduce((sum, { records }) => sum + records, 0)
    const waiting = await countWaiting(VERIFACTU, store, { environment })
    reports.push({ environment, settled, waiting, ...report })
  }
  return reports
}

/** Makes running servers retry immediately. Returns the number of pending records. */
export async function requestSending(app: Pick<App, 'store' | 'clock'>, companyId: string): Promise<number> {
  const store = app.store.of(companyId)
  await requestRetry(VERIFACTU, store, app)
  let waiting = 0
  for (const environment of ENVIRONMENTS) waiting += await countWaiting(VERIFACTU, store, { environment })
  return waiting
}
