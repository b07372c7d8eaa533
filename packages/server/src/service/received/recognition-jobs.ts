/**
 * Recognition jobs, one row per file. The rows ensure that a file is recognised only once, and that a company stays
 * within its monthly quota. If a lease has expired, its process has ended and the client may send the file again.
 */
import { randomUUID } from 'node:crypto'
import type { RecognitionStatus } from 'cuadra-recognition/fields/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyRow, CompanyStore, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'
import { storedResponse } from '../access/idempotency.ts'
import { recognitionUnavailableError } from './recognition-refusals.ts'

/** Duration of a lease, which its process renews. A longer lease was written before the clock was set back. */
const LEASE_MS = 60_000
const RENEWAL_MS = LEASE_MS / 3

const HOUR_MS = 3_600_000
/** Maximum number of unreadable files that a company may send in an hour. Each can occupy a reader for a minute. */
const MAX_FAILURES = 20

export interface Job {
  readonly job_id: string
  readonly sha256: string
}

/** Returns the name under which the result is stored for a day, for clients that have not received the response. */
export const resultNameOf = (sha256: string): string => `recognition ${sha256}`

/** Returns the first day of the month after a day. */
function nextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}

/** Throws if the monthly quota is used up. Unfinished jobs with an expired lease do not count. */
async function requireQuota(tx: Tx, { app, company }: Call, except: string): Promise<void> {
  const { recognition_quota: limit } = company.data.plan
  const today = app.clock.today()
  const { used } = await tx
    .find('recognitions', { month: today.slice(0, 7) })
    .select(({ fn }) => fn.countAll<number | string>().as('used'))
    .where('sha256', '!=', except)
    .where(({ eb, or }) =>
      or([
        eb('status', 'is not', null),
        eb.between('lease_ms', app.clock.now() + 1, app.clock.now() + LEASE_MS),
      ]),
    )
    .executeTakeFirstOrThrow()
  if (Number(used) >= limit) throw new ApiError('quota_exceeded', { limit, available_from: nextMonth(today) })
}

/** Returns the seconds until the company may send files again; 0 unless too many were unreadable in the last hour. */
async function secondsUntilAllowed(tx: Tx, now: number): Promise<number> {
  const { failures, first } = await tx
    .select('recognitions')
    .select(({ fn }) => [
      fn.sum<number | string | null>('failures').as('failures'),
      fn.min<number | string | null>('lease_ms').as('first'),
    ])
    .where('failures', '>', 0)
    .where('status', 'is', null)
    .where('lease_ms', '>', now - HOUR_MS)
    .where('lease_ms', '<=', now + LEASE_MS)
    .executeTakeFirstOrThrow()
  return Number(failures ?? 0) < MAX_FAILURES ? 0 : Math.ceil((Number(first) + HOUR_MS - now) / 1000)
}

/**
 * Starts a job for a file. Throws if the file was or is being recognised, if the quota is used up, or if the company
 * sent too many unreadable files.
 */
export async function claimJob(tx: Tx, call: Call, sha256: string): Promise<Job> {
  const { app } = call
  // Serialises the jobs of a company, so that two requests cannot both use the last recognition of the quota.
  await tx.lock('companies').select('tax_id').executeTakeFirstOrThrow()
  const row = await tx.select('recognitions').selectAll().where('sha256', '=', sha256).executeTakeFirst()
  const now = app.clock.now()
  if (row?.status) {
    const { job_id, status, created_at } = row
    const result = await storedResponse(tx, resultNameOf(sha256), now)
    throw new ApiError('recognition_already_done', { job_id, status, recognized_at: created_at, result })
  }
  if (row && row.lease_ms > now && row.lease_ms <= now + LEASE_MS) {
    const seconds = Math.ceil((row.lease_ms - now) / 1000)
    throw new ApiError(
      'recognition_in_progress',
      { job_id: row.job_id },
      { 'Retry-After': String(Math.min(seconds, 10)) },
    )
  }
  await requireQuota(tx, call, sha256)
  const seconds = await secondsUntilAllowed(tx, now)
  if (seconds > 0) throw recognitionUnavailableError('failed_files', seconds)
  const job_id = randomUUID()
  const fresh = {
    job_id,
    month: app.clock.today().slice(0, 7),
    lease_ms: now + LEASE_MS,
    failures: row && row.lease_ms > now - HOUR_MS ? row.failures : 0,
    status: null,
    score: null,
    created_at: app.clock.stamp(),
  }
  await tx.upsert('recognitions', { sha256, ...fresh }, (on) => on.doUpdateSet(fresh))
  return { job_id, sha256 }
}

/** Renews the lease of a job while it runs. Returns a function that stops the renewal. */
export function renewJobLease({ app, store }: Call, job: Job): () => void {
  const timer = setInterval(() => {
    store
      .transaction((tx) => changeJob(tx, job, { lease_ms: app.clock.now() + LEASE_MS }), { isOwn: true })
      .catch((error) => app.log.error({ err: error }, 'a recognition could not be held'))
  }, RENEWAL_MS).unref()
  return () => clearInterval(timer)
}

/** Changes the row of a job. Returns false if another job has taken the file. */
const changeJob = (
  tx: Tx,
  { job_id, sha256 }: Job,
  changes: Partial<CompanyRow<'recognitions'>>,
): Promise<boolean> => tx.change('recognitions', changes, { sha256, job_id })

/** Stores the result of a job. Throws if another job has taken the file meanwhile. */
export async function finishJob(
  tx: Tx,
  job: Job,
  result: { readonly status: RecognitionStatus; readonly score: number },
): Promise<void> {
  if (!(await changeJob(tx, job, result)))
    throw new ApiError('recognition_in_progress', {}, { 'Retry-After': '10' })
}

/** Ends the job of an unreadable file. The file may be sent again, and does not count towards the quota. */
export const failJob = ({ app, store }: Call, job: Job): Promise<unknown> =>
  store.transaction(async (tx) => {
    const { failures } = await tx
      .select('recognitions')
      .select('failures')
      .where('sha256', '=', job.sha256)
      .executeTakeFirstOrThrow()
    await changeJob(tx, job, { failures: failures + 1, lease_ms: app.clock.now() })
  })

/** Removes an unfinished job, so that it does not count towards the quota. */
export const dropJob = (store: CompanyStore, { job_id, sha256 }: Job): Promise<unknown> =>
  store.transaction((tx) =>
    tx
      .delete('recognitions')
      .where('sha256', '=', sha256)
      .where('job_id', '=', job_id)
      .where('status', 'is', null)
      .execute(),
  )
