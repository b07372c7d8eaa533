/** Whether, and to which service, a company sends today. */
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import { ENVIRONMENTS, type Environment } from '../../../store/tables.ts'
import type { CompanyRecord } from '../../company/company.ts'
import type { Stopped } from '../../sending/stops.ts'
import { enrollmentOn } from '../pending.ts'
import * as ledger from './ledger.ts'
import { readQueue } from './queue.ts'

export interface Settings {
  readonly isAutomatic: boolean
  readonly certificateId: number | null
}

export async function settingsOf(store: CompanyStore): Promise<Settings> {
  const row = await store.select('sii_config').select(['auto_submit', 'certificate_id']).executeTakeFirst()
  return { isAutomatic: row?.auto_submit === 1, certificateId: row?.certificate_id ?? null }
}

/** Whether the outcome of a submission is open: the authority is asked before anything else goes. */
export const isOpen = (submission: ledger.Submission | undefined): submission is ledger.Submission =>
  submission !== undefined && submission.global_status !== ledger.ERROR

export type Place =
  | { readonly environment: Environment; readonly isOpen: boolean }
  /** Nothing is sent, and why. */
  | { readonly stopped: Stopped }

/**
 * Where the next thing is to be done: where an outcome is open, be the company enrolled or not; otherwise at the service
 * of the enrolment in force.
 */
export async function placeOf(
  app: Pick<App, 'config' | 'clock'>,
  store: CompanyStore,
  { data }: CompanyRecord,
): Promise<Place> {
  for (const environment of ENVIRONMENTS) {
    const queue = await readQueue(store, environment)
    if (isOpen(await ledger.openSubmission(store, queue))) return { environment, isOpen: true }
  }
  const enrolment = data.fiscal_systems.sii_in_plan && enrollmentOn(data, app.clock.today())
  if (!enrolment) return { stopped: { stop: 'not_enrolled' } }
  if (data.sii.tax_authority !== 'aeat') return { stopped: { stop: 'other_authority' } }
  const otherwise = app.config.aeat === 'production' ? 'production' : 'test'
  return { environment: enrolment.environment ?? otherwise, isOpen: false }
}
