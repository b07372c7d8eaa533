/** Two concurrent imports of one number, one paused between its queries while the other is done. */
import { randomUUID } from 'node:crypto'
import type { Kysely, KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createClock } from '../../../../src/server/environment/clock.ts'
import { createLog } from '../../../../src/server/environment/log.ts'
import type { Call } from '../../../../src/server/service/access/call.ts'
import { type CompanyRecord, insertCompany } from '../../../../src/server/service/company/company.ts'
import { readCompany } from '../../../../src/server/service/company/company-file.ts'
import { importInvoice, validateImport } from '../../../../src/server/service/issued/import.ts'
import { type CompanyStore, openStore, type Store, type Tx } from '../../../../src/server/store/store.ts'
import type { Tables } from '../../../../src/server/store/tables.ts'
import { createWork } from '../../../../src/server/work/work.ts'
import { imported } from '../../../conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '../../../conformance/postgres.ts'

function proof(): void {
  let store: Store
  let rows: CompanyStore
  let company: CompanyRecord
  const clock = createClock()

  beforeAll(async () => {
    store = await openStore({ dataDir: '', databaseUrl: await postgresDatabase() })
    const data = readCompany({
      legal_name: 'Empresa de Pruebas, S.L.',
      tax_id: 'B12345674',
      person_type_code: 'J',
      verified: true,
      address: { line: 'Calle Mayor, 1', post_code: '28013', town: 'Madrid', province_code: '28' },
    })
    company = await store.transaction((tx) => insertCompany(tx, data, clock.stamp()))
    rows = store.of(company.id)
  }, 60_000)
  afterAll(() => store?.close())

  const callOf = () =>
    ({
      // Small documents are validated at once: no thread starts.
      app: { clock, store, log: createLog('silent'), work: createWork(new URL('file:///no-worker.js')) },
      size: 0,
      company,
      locale: 'en',
      requestId: randomUUID(),
      keyId: randomUUID(),
    }) as unknown as Call

  /** Runs something once, after the first result of a query on a table. */
  const after = (table: string, work: () => Promise<unknown>): KyselyPlugin => {
    const asked = new WeakSet<object>()
    let isDone = false
    return {
      transformQuery({ node, queryId }) {
        if (node.kind === 'SelectQueryNode' && JSON.stringify(node.from).includes(`"${table}"`))
          asked.add(queryId)
        return node
      },
      async transformResult({ result, queryId }) {
        if (asked.has(queryId) && !isDone) {
          isDone = true
          await work()
        }
        return result
      },
    }
  }

  const watched = (tx: Tx, plugin: KyselyPlugin): Tx =>
    Object.assign(Object.create(Object.getPrototypeOf(tx)), tx, {
      db: (Reflect.get(tx, 'db') as Kysely<Tables>).withPlugin(plugin),
    })

  it('the slower one updates what the faster one has written, and is not refused', async () => {
    const document = imported({ taxId: 'B12345674', number: 'OLD-1', ref: 'ORDER-1' })
    const validated = await validateImport(rows, callOf(), document)
    const doImport = (tx: Tx) => importInvoice(tx, callOf(), document, validated)
    let tries = 0
    let faster: string | undefined
    const interleave = after('numbers', async () => {
      faster = (await rows.transaction(doImport)).id
    })
    const slower = await rows.transaction((tx) => {
      tries++
      return doImport(tries === 1 ? watched(tx, interleave) : tx)
    })
    expect(tries).toBe(2)
    expect(slower.id).toBe(faster)
  })

  it('a reference of another invoice is still refused', async () => {
    const call = callOf()
    const other = imported({ taxId: 'B12345674', number: 'OLD-2', ref: 'ORDER-1' })
    const validated = await validateImport(rows, call, other)
    await expect(rows.transaction((tx) => importInvoice(tx, call, other, validated))).rejects.toMatchObject({
      code: 'invoice_update_not_allowed',
    })
  })
}

if (hasPostgres()) describe('concurrent imports of one number', proof)
else it.skip('concurrent imports of one number: PostgreSQL is not installed here', () => {})
