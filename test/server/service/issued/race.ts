/** A company on PostgreSQL whose services are called without HTTP, so that transactions can be interleaved. */
import { randomUUID } from 'node:crypto'
import { createClock } from '../../../../src/server/environment/clock.ts'
import { createLog } from '../../../../src/server/environment/log.ts'
import type { Call } from '../../../../src/server/service/access/call.ts'
import { insertCompany } from '../../../../src/server/service/company/company.ts'
import { openStore } from '../../../../src/server/store/store.ts'
import { createWork } from '../../../../src/server/work/work.ts'
import { postgresDatabase } from '../../../conformance/postgres.ts'
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
