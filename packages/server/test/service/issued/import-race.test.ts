/** Two concurrent imports of one number, one paused between its queries while the other is done. */
import type { Kysely, KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { imported } from '#test/conformance/invoices.ts'
import { hasPostgres } from '#test/conformance/postgres.ts'
import { importInvoice, validateImport } from '../../../src/service/issued/import.ts'
import type { Tx } from '../../../src/store/store.ts'
import type { Tables } from '../../../src/store/tables.ts'
import { openRace } from './race.ts'

function proof(): void {
  let race: Awaited<ReturnType<typeof openRace>>
  beforeAll(async () => {
    race = await openRace()
  }, 60_000)
  afterAll(() => race?.store.close())

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
    const { rows, call } = race
    const document = imported({ taxId: 'B12345674', number: 'OLD-1', ref: 'ORDER-1' })
    const validated = await validateImport(rows, call(), document)
    const doImport = (tx: Tx) => importInvoice(tx, call(), document, validated)
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
    const { rows } = race
    const call = race.call()
    const other = imported({ taxId: 'B12345674', number: 'OLD-2', ref: 'ORDER-1' })
    const validated = await validateImport(rows, call, other)
    await expect(rows.transaction((tx) => importInvoice(tx, call, other, validated))).rejects.toMatchObject({
      code: 'invoice_update_not_allowed',
    })
  })
}

if (hasPostgres()) describe('concurrent imports of one number', proof)
else it.skip('concurrent imports of one number: PostgreSQL is not installed here', () => {})
