/**
 * Files that were recognised or are being recognised, one row each: so that the same file is recognised once, and no
 * more of them in a month than the plan has. A row whose lease ran out is of a process that died; its file may come again.
 */
import { randomUUID } from 'node:crypto'
import type { RecognitionStatus } from '../../../recognition/fields/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import type { CompanyStore, Own, Tx } from '../../store/store.ts'
import type { Call } from '../access/call.ts'

/** Milliseconds that a file is held for. It is held anew all the while it is worked on. */
const LEASE = 60_000
const RENEWAL = LEASE / 3

export interface Job {
  readonly job_id: string
  readonly sha256: string
}

/** The first day of the month after a day. */
function nextMonth(day: string): string {
  const [year = 0, month = 0] = day.split('-').map(Number)
  return month === 12 ? `${year + 1}-01-01` : `${year}-${String(month + 1).padStart(2, '0')}-01`
}

/** Throws where the plan has no more recognitions this month. Those whose process died are not counted. */
async function requireQuota(tx: Tx, { app, company }: Call, except: string): Promise<void> {
  const { recognition_quota: limit } = company.data.plan
  const today = app.clock.today()
  const { used } = await tx
    .select('recognitions')
    .select(({ fn }) => fn.countAll<number | string>().as('used'))
    .where('month', '=', today.slice(0, 7))
    .where('sha256', '!=', except)
    .where(({ eb, or }) => or([eb('status', 'is not', null), eb('lease_ms', '>', app.clock.now())]))
    .executeTakeFirstOrThrow()
  if (Number(used) >= limit) throw new ApiError('quota_exceeded', { limit, available_from: nextMonth(today) })
}

/** Takes a file for this request. Throws where it was recognised before, is just being, or is one too many. */
export async function takeJob(tx: Tx, call: Call, sha256: string): Promise<Job> {
  const { app } = call
  // Whoever else of this company wants to begin waits here: two at once cannot both be the last of the month.
  await tx.lock('companies').select('tax_id').executeTakeFirstOrThrow()
  const row = await tx.select('recognitions').selectAll().where('sha256', '=', sha256).executeTakeFirst()
  const now = app.clock.now()
  if (row?.status) {
    const { job_id, status, created_at } = row
    throw new ApiError('recognition_already_done', { job_id, status, recognized_at: created_at })
  }
  if (row && row.lease_ms > now) {
    const seconds = Math.ceil((row.lease_ms - now) / 1000)
    throw new ApiError(
      'recognition_in_progress',
      { job_id: row.job_id },
      { 'Retry-After': String(Math.min(seconds, 10)) },
    )
  }
  await requireQuota(tx, call, sha256)
  const job_id = randomUUID()
  const fresh = {
    job_id,
    month: app.clock.today().slice(0, 7),
    lease_ms: now + LEASE,
    status: null,
    score: null,
    created_at: app.clock.stamp(),
  }
  await tx.upsert('recognitions', { sha256, ...fresh }, (on) => on.doUpdateSet(fresh))
  return { job_id, sha256 }
}

/** Holds a file while it is worked on. Returns a function that ends the holding. */
export function holdJob({ app, store }: Call, job: Job): () => void {
  const timer = setInterval(() => {
    store
      .transaction((tx) => changeJob(tx, job, { lease_ms: app.clock.now() + LEASE }), { isOwn: true })
      .catch((error) => app.log.error({ err: error }, 'a recognition could not be held'))
  }, RENEWAL).unref()
  return () => clearInterval(timer)
}

/** Changes the row of a file. Returns whether this job still has it. */
async function changeJob(
  tx: Tx,
  { job_id, sha256 }: Job,
  changes: Partial<Own<'recognitions'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .update('recognitions', changes)
    .where('sha256', '=', sha256)
    .where('job_id', '=', job_id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Notes what came of it. Throws where somebody else has taken the file meanwhile. */
export async function finishJob(
  tx: Tx,
  job: Job,
  result: { readonly status: RecognitionStatus; readonly score: number },
): Promise<void> {
  if (!(await changeJob(tx, job, result)))
    throw new ApiError('recognition_in_progress', {}, { 'Retry-After': '10' })
}

/** Gives a file back that was not recognised: it counts as if it had never come. */
export const dropJob = (store: CompanyStore, { job_id, sha256 }: Job): Promise<unknown> =>
  store.transaction((tx) =>
    tx
      .delete('recognitions')
      .where('sha256', '=', sha256)
      .where('job_id', '=', job_id)
      .where('status', 'is', null)
      .execute(),
  )
