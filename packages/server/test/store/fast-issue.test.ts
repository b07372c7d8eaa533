/** Reading and writing at once on PostgreSQL has the same rows, results and refusals as row by row. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { draft } from '#test/conformance/invoices.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { sized } from '#test/size.ts'
import { createClock } from '../../src/environment/clock.ts'
import { readSystem } from '../../src/environment/invoicing-system.ts'
import { createLog } from '../../src/environment/log.ts'
import type { Call } from '../../src/service/access/call.ts'
import { type CompanyRecord, insertCompany } from '../../src/service/company/company.ts'
import { saveDraft, validateDraft } from '../../src/service/issued/drafts.ts'
import { issueInvoice } from '../../src/service/issued/issue.ts'
import { queueInvoice, unqueueInvoice } from '../../src/service/issued/issue-queue.ts'
import { addNotesToCounts } from '../../src/store/counts.ts'
import { changedColumns } from '../../src/store/digests.ts'
import { readForIssue } from '../../src/store/fast/fast-issue.ts'
import { openStore, type Store, type Tx } from '../../src/store/store.ts'
import { COMPANY_TABLES } from '../../src/store/tables.ts'
import { createWork } from '../../src/work/work.ts'
import { companyData } from '../company-data.ts'

const SERIES = fc.constantFrom('F', 'G')
const INDEX = fc.nat(5)
type Step =
  | { readonly do: 'draft'; readonly series: string }
  | { readonly do: 'issue'; readonly index: number; readonly forced?: string | undefined }
  | { readonly do: 'together' | 'queue' | 'unqueue'; readonly index: number }
  | { readonly do: 'hold'; readonly number: string }
  | { readonly do: 'move'; readonly series: string; readonly next: number }

const NUMBER = fc.tuple(SERIES, fc.integer({ min: 1, max: 9 })).map(([code, n]) => `${code}00000${n}`)
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('draft' as const), series: SERIES }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('issue' as const),
      index: INDEX,
      forced: fc.option(NUMBER, { nil: undefined, freq: 6 }),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('together' as const), index: INDEX }) },
  fc.record({ do: fc.constantFrom('queue' as const, 'unqueue' as const), index: INDEX }),
  fc.record({ do: fc.constant('hold' as const), number: NUMBER }),
  fc.record({ do: fc.constant('move' as const), series: SERIES, next: fc.integer({ min: 2, max: 8 }) }),
)

/** One of the two ways to issue, with its own store. */
class Way {
  #company!: CompanyRecord
  #ids: string[] = []
  #seconds = 0
  /** How often the fast way was taken. */
  atOnce = 0
  #clock = createClock()

  constructor(
    readonly store: Store,
    readonly isFast: boolean,
  ) {}

  async start(isVerifactu: boolean): Promise<void> {
    const data = companyData()
    this.#ids = []
    this.#seconds = 0
    this.#clock = createClock(() => Date.UTC(2026, 10, 24, 9) + 1000 * this.#seconds)
    await this.store.transaction(async (tx) => {
      await tx.acrossCompanies('a test').deleteFrom('companies').execute()
      await tx.shared.deleteFrom('taxpayers').execute()
    })
    this.#company = await this.store.transaction((tx) => insertCompany(tx, data, this.#clock.stamp()))
    const stamp = this.#clock.stamp()
    if (isVerifactu)
      await this.#write((tx) =>
        tx.insert('verifactu_periods', {
          period_id: randomUUID(),
          mode: 'verifactu',
          sandbox: 1,
          certificate_id: null,
          start_date: '2026-01-01',
          end_date: null,
          created_at: stamp,
          updated_at: stamp,
        }),
      )
  }

  #write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.store.of(this.#company.id).transaction(work)
  }

  #call(): Call {
    return {
      app: {
        clock: this.#clock,
        store: this.store,
        log: createLog('silent'),
        system: readSystem(undefined, '1'),
        metrics: { issued: () => {} },
        work: createWork(new URL('file:///no-worker.js')),
      },
      store: this.store.of(this.#company.id),
      size: 0,
      company: this.#company,
      locale: 'en',
      requestId: 'request',
      keyId: 'key',
    } as unknown as Call
  }

  #issue(index: number, forced?: string): Promise<unknown> {
    const read = async (tx: Tx, id: string) => {
      const found = await readForIssue(tx, id)
      if (found) this.atOnce++
      return found
    }
    return this.store
      .of(this.#company.id)
      .sharedTransaction((tx) =>
        issueInvoice(tx, this.#call(), this.#ids[index] ?? randomUUID(), forced, this.isFast ? read : null),
      )
  }

  async #does(step: Step): Promise<unknown> {
    this.#seconds++
    if (step.do === 'issue') return this.#issue(step.index, step.forced)
    if (step.do === 'together')
      return Promise.allSettled([step.index, step.index + 1, step.index].map((index) => this.#issue(index)))
    if (step.do === 'hold')
      return this.#write((tx) =>
        tx.insertNew('numbers', {
          number: step.number,
          series_code: step.number.slice(0, 1),
          invoice_id: null,
        }),
      )
    if (step.do === 'move')
      return this.#write((tx) =>
        tx.change('series', { next_number: step.next, last_date: null }, { series_code: step.series }),
      ).then(() => null)
    if (step.do === 'draft') {
      const call = this.#call()
      const document = draft({ series: step.series, ref: `R${this.#ids.length}` })
      const validated = await validateDraft(call.store, call, document)
      const { id } = await this.#write((tx) => saveDraft(tx, call, document, validated))
      return this.#ids.push(id)
    }
    const move = step.do === 'queue' ? queueInvoice : unqueueInvoice
    const who = { actor: { userId: 'user' }, stamp: this.#clock.stamp() }
    return this.#write((tx) => move(tx, who, this.#ids[step.index] ?? randomUUID()))
  }

  /** Returns the result of a step, or its refusal. */
  async outcomeOf(step: Step): Promise<string> {
    const answer = await this.#does(step).catch((error: unknown) => ({
      refused: String(error),
      ...(error as object),
    }))
    return this.#plain(answer)
  }

  /** Every row of the company without random values. */
  async rows(): Promise<readonly string[]> {
    const all: string[] = []
    // The server adds up notes at any time.
    const left = () =>
      this.store.of(this.#company.id).select('invoice_changes').select('change_id').executeTakeFirst()
    while (await left()) await this.#write(addNotesToCounts)
    // The share of a draft is the start of its id.
    for (const table of COMPANY_TABLES)
      for (const row of await this.store.of(this.#company.id).select(table).selectAll().execute())
        if (!('span' in row && row.span === 'draft_share'))
          // The digest of an event depends on its random id.
          all.push(
            this.#plain([table, table === 'events' ? { ...row, digest: changedColumns(table, row) } : row]),
          )
    return all.sort()
  }

  #plain(value: unknown): string {
    const named = this.#ids.reduce(
      (text, id, at) => text.replaceAll(id, `invoice ${at}`),
      JSON.stringify(value),
    )
    return (
      named
        .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
        // The clock advances if it is read more than once per millisecond.
        .replaceAll(/(T\d\d:\d\d:\d\d\.\d{3})\d{3}(?:-[0-9a-f]{12})?/g, '$1')
    )
  }
}

if (hasPostgres())
  describe('issuing at once on PostgreSQL', () => {
    const open = async () => openStore({ dataDir: '', databaseUrl: await postgresDatabase() })
    let [fast, plain]: Way[] = []
    beforeAll(async () => {
      fast = new Way(await open(), true)
      plain = new Way(await open(), false)
    }, 60_000)
    afterAll(async () => {
      await fast?.store.close()
      await plain?.store.close()
    })

    it('after any steps, one by one and concurrent', async () => {
      const steps = fc.array(STEP, { minLength: 4, maxLength: 24 })
      await fc.assert(
        fc.asyncProperty(fc.boolean(), steps, async (isVerifactu, others) => {
          await fast!.start(isVerifactu)
          await plain!.start(isVerifactu)
          const drafts = ['F', 'F', 'G'].map((series): Step => ({ do: 'draft', series }))
          for (const step of [...drafts, ...others])
            expect(await fast!.outcomeOf(step)).toBe(await plain!.outcomeOf(step))
          expect(await fast!.rows()).toEqual(await plain!.rows())
        }),
        { numRuns: sized(15, 30, 400) },
      )
      expect(fast!.atOnce).toBeGreaterThan(0)
      expect(plain!.atOnce).toBe(0)
    }, 300_000)
  })
else it.skip('issuing at once: PostgreSQL is not installed here', () => {})
