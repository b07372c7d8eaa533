/** The SII as a system of the transmission engine, with the channels of books, collections and payments. */
import type { App } from '../../../app/app.ts'
import type { CompanyStore } from '../../../store/store.ts'
import { ENVIRONMENTS, type Environment } from '../../../store/tables.ts'
import { allTaxpayers, type CompanyRecord } from '../../company/company.ts'
import type { System } from '../../transmission/channel.ts'
import { sendingCertificateFor } from '../../transmission/company-certificate.ts'
import { isOpen, lastSubmission } from '../../transmission/ledger.ts'
import { channelOf } from '../../transmission/transmission-outcome.ts'
import { blockedReasonOfCompany, lastEnrollment } from '../pending-records.ts'
import { CHANNELS, nextChannel, nextMessage } from './next-message.ts'
import { LEDGER } from './sii-ledger.ts'
import { MAX_RECORDS, QUEUES, type Sii } from './sii-queue-types.ts'
import { identityIn } from './sii-record.ts'
import { FAULTS } from './sii-response.ts'
import { interpret, interpretAuthorityRecords, rejectedResultOf } from './sii-results.ts'

/** Milliseconds until a company whose sending is blocked is checked again. */
const SOME_TIME = 300_000

const settingsOf = (store: CompanyStore) =>
  store.select('sii_config').select(['auto_submit', 'certificate_id']).executeTakeFirst()

/** Whether the server sends the records of a company automatically. */
export const isAutomatic = async (store: CompanyStore): Promise<boolean> =>
  (await settingsOf(store))?.auto_submit === 1

/** Returns the environment with an open submission, which is settled even if the company is no longer enrolled. */
async function openEnvironment(store: CompanyStore): Promise<Environment | undefined> {
  for (const environment of ENVIRONMENTS) {
    const queue = await QUEUES.read(store, environment)
    if (isOpen(LEDGER, await lastSubmission(LEDGER, store, queue))) return environment
  }
  return undefined
}

/** Returns the environment of the enrolment. */
const environmentOf = (
  { config, clock }: Pick<App, 'config' | 'clock'>,
  { data }: CompanyRecord,
): Environment =>
  lastEnrollment(data, clock.today())?.environment ?? (config.aeat === 'production' ? 'production' : 'test')

export const SII: System<Sii> = {
  ...FAULTS,
  waitMessage: 'invoices wait for the SII',
  queues: QUEUES,
  ledger: LEDGER,
  channels: CHANNELS,
  maxRecords: MAX_RECORDS,
  narrowsSubmission: false,
  async pendingQueues({ store, clock }) {
    const ids = async (): Promise<readonly string[]> => {
      try {
        const all = store.acrossCompanies('the sender looks after every company; it sends one by one')
        const found = await Promise.all(CHANNELS.map((channel) => channel.companies(all, clock.now())))
        return found.flat()
      } catch {
        // If a shard is unreachable, each company is checked separately, so that the others are not blocked.
        return (await allTaxpayers(store.shared)).map(({ taxpayer_id }) => taxpayer_id)
      }
    }
    return [...new Set(await ids())].map((companyId) => ({ companyId }))
  },
  async locate({ sending: { app }, store, company, isManual }) {
    const open = await openEnvironment(store)
    if (open) return open
    const blocked = blockedReasonOfCompany(company.data, app.clock.today())
    if (blocked) return { is: 'later', at: app.clock.now() + SOME_TIME, blocked }
    return isManual || (await isAutomatic(store)) ? environmentOf(app, company) : { is: 'idle' }
  },
  async identify({ sending, store, company }) {
    const preferred = (await settingsOf(store))?.certificate_id ?? null
    return sendingCertificateFor(sending.app, store, company, { preferred, purpose: 'general' })
  },
  async due(context, _, retry) {
    if (retry > context.sending.app.clock.now()) return retry
    return (await nextChannel(context)) ? 0 : null
  },
  next: nextMessage,
  identityOf: ({ record }) => identityIn(record),
  interpret,
  interpretAuthorityRecords,
  reject: async (_, entry, refusal) => rejectedResultOf(entry, refusal),
  // Each record was validated against the schema when it was built, so none is malformed.
  malformed: () => -1,
  setAside: ({ name }, entry, refusal) => ({ kind: name, entry, ...refusal }),
  findAside: async (_, { kind, ...apart }) => ({ channel: channelOf(CHANNELS, kind), ...apart }),
  asideSubmittedAt: (_, stamp) => stamp,
}
