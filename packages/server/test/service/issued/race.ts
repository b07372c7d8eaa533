/** A company on PostgreSQL whose services are called without HTTP, so that transactions can be interleaved. */
import { randomUUID } from 'node:crypto'
import { postgresDatabase } from '#test/conformance/postgres.ts'
import { createClock } from '../../../src/environment/clock.ts'
import { createLog } from '../../../src/environment/log.ts'
import type { Call } from '../../../src/service/access/call.ts'
import { insertCompany } from '../../../src/service/company/company.ts'
import { openStore } from '../../../src/store/store.ts'
import { createWork } from '../../../src/work/work.ts'
import { companyData } from '../../company-data.ts'

export async function openRace() {
  const clock = createClock()
  const store = await openStore({ dataDir: '', databaseUrl: await postgresDatabase() })
  const data = companyData()
  const company = await store.transaction((tx) => insertCompany(tx, data, clock.stamp()))
  const call = () =>
    ({
      app: {
        clock,
        store,
        log: createLog('silent'),
        // Small documents are validated at once: no thread starts.
        work: createWork(new URL('file:///no-worker.js')),
        metrics: { countIssued: () => {} },
      },
      size: 0,
      company,
      locale: 'en',
      requestId: randomUUID(),
      keyId: randomUUID(),
      headers: {},
    }) as unknown as Call
  return { store, rows: store.of(company.id), call }
}
