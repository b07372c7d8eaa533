/** Changes of mode, at once and planned, on a clock that tests move. */
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { until } from '#test/until.ts'
import { companyFindings } from '../../../admin/doctor/doctor-company.ts'
import { verifyCompany } from '../../../admin/verify/verify-run.ts'
import type { App } from '../../../src/app/app.ts'
import type { Call } from '../../../src/service/access/call.ts'
import { companyFileOf, readCompany } from '../../../src/service/company/company-files.ts'
import { emitEvent } from '../../../src/service/verifactu/requested-events.ts'
import { verifactuConfig } from '../../../src/service/verifactu/verifactu-config.ts'
import { openPeriodOf } from '../../../src/service/verifactu/verifactu-period.ts'
import {
  changePeriod,
  closePeriod,
  listPeriods,
  openPeriod,
  type WantedChange,
  withdrawChange,
} from '../../../src/service/verifactu/verifactu-periods.ts'
import { startWatching } from '../../../src/service/verifactu/watch/watch-worker.ts'
import type { Tx } from '../../../src/store/store.ts'
import type { Mode } from '../../../src/store/tables.ts'
import { closeApp, openAppOn } from '../transmission/fixture.ts'
import { VERIFACTU, VerifactuFixture } from '../transmission/verifactu/fixture.ts'

/** 31 December 2026, 23:59:59 in Madrid. */
const LAST_SECOND = Date.UTC(2026, 11, 31, 22, 59, 59)
const MIDNIGHT = LAST_SECOND + 1000
const NEW_YEAR = { from: '2027-01-01' } as const

/** Another process on the same store. */
class SecondProcess extends VerifactuFixture {
  constructor(
    readonly first: VerifactuFixture,
    app: App,
  ) {
    super(VERIFACTU)
    this.app = app
    this.company = first.company
  }
}

function proof(kind: 'sqlite' | 'postgres'): void {
  let fixture: VerifactuFixture
  let databaseUrl: string | undefined
  const others: App[] = []
  const open = async (mode: Mode): Promise<void> => {
    databaseUrl = kind === 'postgres' ? await postgresDatabase() : undefined
    fixture = await VerifactuFixture.open({ databaseUrl, mode })
  }
  beforeEach(() => open('verifactu'))
  afterEach(async () => {
    for (const app of others.splice(0)) await closeApp(app)
    await fixture.close()
  })
  const reopen = async (mode: Mode): Promise<void> => {
    await fixture.close()
    await open(mode)
  }

  /** Starts another process; its clock may differ. */
  const second = async (now = () => fixture.now): Promise<VerifactuFixture> => {
    const app = await openAppOn(now, databaseUrl, { CUADRA_DATA_DIR: fixture.folder })
    others.push(app)
    return new SecondProcess(fixture, app)
  }
  const inCall = <T>(work: (tx: Tx, call: Call) => Promise<T>, { store, call } = fixture): Promise<T> =>
    store.transaction((tx) => work(tx, call))
  const change = (wanted: Partial<WantedChange> = {}, of = fixture) =>
    inCall((tx, call) => changePeriod(tx, call, { mode: 'no_verifactu', ...wanted }), of)
  const modes = async (): Promise<string> => (await fixture.records()).map(({ mode }) => mode).join(' ')
  const config = () => verifactuConfig(fixture.call)
  const listed = () => listPeriods(fixture.store, fixture.app.clock)
  const types = async (): Promise<string> =>
    (await fixture.store.select('verifactu_events').select('tipo_evento').orderBy('sequence').execute())
      .map(({ tipo_evento }) => tipo_evento)
      .join(' ')
  const planned = async (): Promise<string | undefined> =>
    (await listed()).find(({ state }) => state === 'planned')?.start_date
  const serve = (app = fixture.app) => startWatching(app, { intervalMs: null })
  const expectSound = async (): Promise<void> => {
    expect((await verifyCompany(fixture.app, fixture.company, 'en')).failures).toEqual([])
  }

  it('periods have the order of their changes, although the clock of another process is ahead', async () => {
    const ahead = await second(() => fixture.now + 5_000)
    await ahead.issue(1, 'A')
    await change({}, ahead)
    await change({ mode: 'verifactu' })
    await fixture.issue(1, 'B')
    await inCall((tx, call) => closePeriod(tx, call, { anyway: true }))
    await inCall((tx, call) => openPeriod(tx, call, { mode: 'no_verifactu' }))
    expect((await listed()).map(({ state, mode }) => `${state} ${mode}`)).toEqual([
      'closed verifactu',
      'closed no_verifactu',
      'closed verifactu',
      'open no_verifactu',
    ])
    await expectSound()
  })

  it('invoices issued while the mode changes belong to one period or the other', async () => {
    const other = await second()
    const [ids] = await Promise.all([
      Promise.all([
        fixture.issue(4, 'A'),
        other.issue(4, 'B'),
        fixture.issue(4, 'C'),
        other.issue(4, 'D'),
        other.issue(4, 'A'),
      ]),
      (async () => {
        await fixture.issue(2, 'E')
        await change({}, other)
        await change({ mode: 'verifactu' })
        await change()
      })(),
    ])
    const records = await fixture.records()
    expect(new Set(records.map(({ invoice_id }) => invoice_id)).size).toBe(22)
    for (const id of ids.flat()) expect(records.map(({ invoice_id }) => invoice_id)).toContain(id)
    // A record made without VERI*FACTU is signed and never sent; any other waits to be sent.
    for (const { mode, estado } of records)
      expect(estado).toBe(mode === 'verifactu' ? 'pending' : 'registered')
    expect((await listed()).map(({ state, mode }) => `${state} ${mode}`)).toEqual([
      'closed verifactu',
      'closed no_verifactu',
      'closed verifactu',
      'open no_verifactu',
    ])
    expect((await listed()).map(({ without_record }) => without_record)).toEqual([0, 0, 0, 0])
    await expectSound()
  })

  if (kind === 'postgres')
    it('a cancellation that waits for the change makes its record in the new period', async () => {
      const other = await second()
      const [id] = await fixture.issue(1)
      let cancelled: Promise<unknown> | undefined
      await inCall(async (tx, call) => {
        await changePeriod(tx, call, { mode: 'no_verifactu' })
        cancelled = other.cancel(required(id))
        await until(async () => {
          const { rows } = await sql`select 1 from pg_stat_activity
            where wait_event_type = 'Lock' and datname = current_database()`.execute(
            fixture.app.store.acrossCompanies('a test'),
          )
          return rows.length > 0
        }, 'the cancellation waits')
      })
      await cancelled
      expect(await modes()).toBe('verifactu no_verifactu')
      expect(await fixture.states()).toEqual(['pending', 'registered'])
    })

  it('a change that was interrupted before its commit left everything as it was', async () => {
    await fixture.issue(1)
    const interrupted = inCall(async (tx, call) => {
      await changePeriod(tx, call, { mode: 'no_verifactu' })
      throw new Error('killed')
    })
    await expect(interrupted).rejects.toThrow('killed')
    await fixture.issue(1)
    expect(await modes()).toBe('verifactu verifactu')
    expect(await listed()).toHaveLength(1)
  })

  it('a planned change takes effect at midnight, with the first act after it', async () => {
    await serve()
    fixture.now = LAST_SECOND
    expect(await change(NEW_YEAR)).toMatchObject({
      planned: true,
      closes: { mode: 'verifactu', end_date: '2026-12-31' },
      opens: { mode: 'no_verifactu', environment: 'test', start_date: '2027-01-01' },
    })
    await fixture.issue(1)
    expect(await config()).toMatchObject({ mode: 'verifactu', regime_state: 'habilitado' })
    fixture.now = MIDNIGHT
    expect(await config()).toMatchObject({ mode: 'no_verifactu', regime_state: 'habilitado' })
    expect((await listed()).map(({ state }) => state)).toEqual(['closed', 'open'])
    expect(await types()).toBe('')
    await fixture.issue(2)
    expect(await modes()).toBe('verifactu no_verifactu no_verifactu')
    expect(await fixture.states()).toEqual(['pending', 'registered', 'registered'])
    expect(await types()).toBe('01')
    expect(await listed()).toMatchObject([
      { state: 'closed', mode: 'verifactu', end_date: '2026-12-31', without_record: 0 },
      { state: 'open', mode: 'no_verifactu', start_date: '2027-01-01', end_date: null },
    ])
    await expectSound()
  })

  it('the end of operation without VERI*FACTU is recorded when a planned change ends it', async () => {
    await reopen('no_verifactu')
    await serve()
    await fixture.issue(1)
    await change({ mode: 'verifactu', ...NEW_YEAR })
    fixture.now = MIDNIGHT
    await fixture.issue(1)
    expect(await modes()).toBe('no_verifactu verifactu')
    expect(await types()).toMatch(/^01 .*10 02$/)
    expect(await fixture.states()).toEqual(['registered', 'pending'])
    await expectSound()
  })

  it('two processes that reach midnight together make the planned change once', async () => {
    const other = await second()
    await serve()
    await serve(other.app)
    await fixture.issue(1)
    await change(NEW_YEAR)
    fixture.now = MIDNIGHT
    await Promise.all([
      fixture.issue(3, 'A'),
      other.issue(3, 'B'),
      fixture.issue(3, 'C'),
      other.issue(3, 'D'),
    ])
    expect(await modes()).toBe(`verifactu${' no_verifactu'.repeat(12)}`)
    expect(await types()).toBe('01')
    expect(await listed()).toHaveLength(2)
    await expectSound()
  })

  it('once made, the change holds for a process whose clock is still before midnight', async () => {
    const late = await second(() => LAST_SECOND)
    await change(NEW_YEAR)
    await late.issue(1, 'A')
    fixture.now = MIDNIGHT
    await fixture.issue(1, 'B')
    await late.issue(1, 'A')
    expect(await modes()).toBe('verifactu no_verifactu no_verifactu')
    await expectSound()
  })

  it('an issue during which midnight passes makes its record in the period of its timestamp', async () => {
    let now = () => fixture.now
    const other = await second(() => now())
    const seen = new Set<string>()
    for (let day = 1; day <= 24; day++) {
      fixture.now = Date.UTC(2026, 11, day, 11)
      now = () => fixture.now
      if ((await openPeriodOf(fixture.store, fixture.app.clock))?.mode !== 'verifactu')
        await change({ mode: 'verifactu' })
      const from = fixture.app.clock.today().slice(0, 8) + String(day + 1).padStart(2, '0')
      await change({ from })
      const midnight = Date.UTC(2026, 11, day, 23)
      // Each day the clock is read once more before it passes midnight.
      let left = day
      now = () => (left-- > 0 ? midnight - 1000 : midnight)
      await other.issue(1)
      const { mode, ts_gen } = required((await fixture.records()).at(-1))
      expect(mode).toBe(ts_gen.slice(0, 10) < from ? 'verifactu' : 'no_verifactu')
      seen.add(mode)
    }
    expect(seen.size).toBe(2)
    await expectSound()
  })

  it('a running server makes the planned change without any request', async () => {
    const watch = await serve()
    await change(NEW_YEAR)
    fixture.now = LAST_SECOND
    await watch.runPass()
    expect(await types()).toBe('')
    fixture.now = MIDNIGHT
    await watch.runPass()
    expect(await types()).toMatch(/^01/)
    expect(await planned()).toBeUndefined()
    expect((await listed()).map(({ state }) => state)).toEqual(['closed', 'open'])
  })

  it('an act that fails at midnight leaves the planned change to the next one', async () => {
    await change(NEW_YEAR)
    fixture.now = MIDNIGHT
    const interrupted = inCall(async (tx, call) => {
      await emitEvent(tx, call, '01')
      throw new Error('killed')
    })
    await expect(interrupted).rejects.toThrow('killed')
    expect(await types()).toBe('')
    await fixture.issue(1)
    expect(await modes()).toBe('no_verifactu')
    expect(await listed()).toHaveLength(2)
  })

  it('a cancellation after midnight makes the planned change too', async () => {
    const [id] = await fixture.issue(1)
    await change(NEW_YEAR)
    fixture.now = MIDNIGHT
    await fixture.cancel(required(id))
    expect(await modes()).toBe('verifactu no_verifactu')
    expect((await listed()).map(({ state }) => state)).toEqual(['closed', 'open'])
  })

  it('a withdrawn change never takes effect', async () => {
    await change(NEW_YEAR)
    expect(await planned()).toBe('2027-01-01')
    expect(await inCall(withdrawChange)).toMatchObject({ mode: 'no_verifactu', start_date: '2027-01-01' })
    fixture.now = MIDNIGHT
    await fixture.issue(1)
    expect(await modes()).toBe('verifactu')
    expect(await listed()).toMatchObject([{ state: 'open', end_date: null }])
    await expect(inCall(withdrawChange)).rejects.toThrow('No change is planned')
  })

  it('of two changes planned at once, one is refused', async () => {
    const other = await second()
    const both = await Promise.allSettled([change(NEW_YEAR), change({ from: '2027-02-01' }, other)])
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(await planned()).toBeDefined()
  })

  it('without a certificate for that day a change is refused, and doctor reports one that ends before', async () => {
    await expect(change({ from: '2036-01-01' })).rejects.toThrow('valid on 2036-01-01')
    await change(NEW_YEAR)
    const findings = async () =>
      (await companyFindings(fixture.app, fixture.company, 'en'))
        .filter(({ check }) => check.startsWith('planned'))
        .map(({ level, what }) => `${level}: ${what.en}`)
    expect(await findings()).toEqual(['ok: From 2027-01-01: mode without VERI*FACTU (test)'])
    await inCall(async (tx) => {
      await tx.update('certificates', { valid_to: '2026-12-31T12:00:00.000000' }).execute()
    })
    expect(await findings()).toEqual([
      'error: A change to mode without VERI*FACTU (test) is planned for 2027-01-01, but the company has no certificate that is valid on that date',
    ])
    fixture.now = MIDNIGHT
    await expect(fixture.issue(1)).rejects.toMatchObject({ code: 'validation_failed' })
    await fixture.certify()
    await fixture.issue(1)
    expect(await modes()).toBe('no_verifactu')
    expect(await listed()).toHaveLength(2)
  })

  it('doctor reports a planned period whose records go to another service than CUADRA_AEAT', async () => {
    await change({ mode: 'verifactu', environment: 'production', ...NEW_YEAR })
    const planned = async (aeat: 'preproduction' | 'production') =>
      (
        await companyFindings(
          { ...fixture.app, config: { ...fixture.app.config, aeat } },
          fixture.company,
          'en',
        )
      ).filter(({ check }) => check.startsWith('planned'))
    expect((await planned('preproduction')).map(({ level, what }) => `${level}: ${what.en}`)).toEqual([
      'warning: A change to mode VERI*FACTU (production) is planned for 2027-01-01, but CUADRA_AEAT is preproduction',
    ])
    expect((await planned('production')).map(({ level }) => level)).toEqual(['ok'])
  })

  it('a company without any certificate cannot change', async () => {
    await inCall((tx) => tx.delete('certificates').execute())
    await expect(change()).rejects.toThrow('certificate add')
    expect(await listed()).toHaveLength(1)
  })

  it('a company with its own regional tax authority cannot change, and a running period goes on', async () => {
    const { company } = fixture
    const address = { ...company.data.address, province_code: '48' }
    const foral = { ...company, data: { ...company.data, address } }
    const moved = inCall((tx, call) =>
      changePeriod(tx, { ...call, company: foral }, { mode: 'no_verifactu' }),
    )
    await expect(moved).rejects.toMatchObject({ code: 'verifactu_not_applicable_foral' })
    await fixture.issue(1)
    expect(await modes()).toBe('verifactu')
  })

  it('a company in the SII keeps its books through the change', async () => {
    const { company } = fixture
    const enrollment_periods = [{ enrollment_status: 'mandatory', start_date: '2026-01-01' }]
    const { sii, fiscal_systems } = readCompany({
      ...companyFileOf(company.data),
      sii: { enrollment_periods },
    })
    fixture.company = { ...company, data: { ...company.data, sii, fiscal_systems } }
    const ids = await fixture.issue(1)
    await change(NEW_YEAR)
    fixture.now = MIDNIGHT
    ids.push(...(await fixture.issue(1)))
    expect(await modes()).toBe('verifactu no_verifactu')
    const pending = await fixture.store.select('sii_records').select(['invoice_id', 'status']).execute()
    expect(pending.map(({ invoice_id }) => invoice_id).sort()).toEqual(ids.sort())
  })

  it('VERI*FACTU in production ends on 31 December, planned from 1 January, or with --anyway', async () => {
    await change({ mode: 'verifactu', environment: 'production' })
    await expect(change()).rejects.toThrow('--from 2027-01-01')
    await expect(change({ from: '2027-03-01' })).rejects.toThrow('--from 2027-01-01')
    await expect(change({ mode: 'verifactu', environment: 'test' })).rejects.toThrow('31 December')
    // Today would leave the evening of 31 December without VERI*FACTU.
    fixture.now = LAST_SECOND
    await expect(change()).rejects.toThrow('--from 2027-01-01')
    expect(await change(NEW_YEAR)).toMatchObject({ opens: { environment: 'production' } })
    await inCall(withdrawChange)
    expect(await change({ anyway: true })).toMatchObject({ planned: false })
  })

  it('a planned change is withdrawn before the period is closed or changed otherwise', async () => {
    await change(NEW_YEAR)
    await expect(change()).rejects.toThrow(
      `Withdraw it first: \`cuadra-admin verifactu period withdraw --company ${fixture.company.id}\``,
    )
    await expect(inCall(closePeriod)).rejects.toThrow('Withdraw it first')
    await inCall(withdrawChange)
    await inCall(closePeriod)
    expect((await listed()).map(({ state }) => state)).toEqual(['closed'])
  })

  it('a change to the same mode, to a day before today, or without an open period is refused', async () => {
    await expect(change({ mode: 'verifactu' })).rejects.toThrow('Nothing was changed')
    await expect(change({ from: '2026-11-19' })).rejects.toThrow('before today')
    await inCall(closePeriod)
    await expect(change()).rejects.toThrow('no open period')
  })

  it('a period opens in the environment of the last one, unless another is named', async () => {
    const reopened = async (sandbox?: boolean) => {
      await inCall((tx, call) => closePeriod(tx, call, { anyway: true }))
      return (await inCall((tx, call) => openPeriod(tx, call, { mode: 'verifactu', sandbox }))).environment
    }
    await change({ mode: 'verifactu', environment: 'production' })
    expect(await reopened()).toBe('production')
    expect(await reopened(true)).toBe('test')
    expect(await reopened()).toBe('test')
    expect(await reopened(false)).toBe('production')
    expect(await openPeriodOf(fixture.store, fixture.app.clock)).toMatchObject({ sandbox: false })
  })

  it('opening a period states how many invoices were issued since the last one without a record', async () => {
    await fixture.issue(1)
    await inCall(closePeriod)
    await fixture.issue(2)
    expect(await listed()).toMatchObject([{ state: 'closed', without_record: 2 }])
    const opened = await inCall((tx, call) => openPeriod(tx, call, { mode: 'verifactu', sandbox: true }))
    expect(opened).toMatchObject({ mode: 'verifactu', environment: 'test', without_record: 2 })
    await fixture.issue(1)
    expect((await listed()).map(({ without_record }) => without_record)).toEqual([2, 0])
  })
}

describe('changes of mode on the embedded database', () => proof('sqlite'))
if (hasPostgres()) describe('changes of mode on PostgreSQL', () => proof('postgres'))
else it.skip('changes of mode on PostgreSQL: it is not installed', () => {})
