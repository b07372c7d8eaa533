/** A clock that is set back by an hour keeps nothing waiting for longer than its own pause. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasPostgres, postgresDatabase } from '#test/conformance/postgres.ts'
import { isAbandoned, leaseEndOf, type MailRow } from '../../src/service/mail/outbox.ts'
import { claimJob } from '../../src/service/received/recognition-jobs.ts'
import { processesNow, writeHeartbeat } from '../../src/service/verifactu/processes.ts'
import { VerifactuFixture } from './transmission/verifactu/fixture.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

describe.each([
  ['SQLite', true],
  ['PostgreSQL', hasPostgres()],
])('after the clock is set back by an hour, on %s', (store, isAvailable) => {
  let fixture: VerifactuFixture
  beforeEach(async ({ skip }) => {
    skip(!isAvailable)
    fixture = await VerifactuFixture.open(
      store === 'PostgreSQL' ? { databaseUrl: await postgresDatabase() } : {},
    )
  })
  afterEach(() => fixture?.close())

  const claim = (sha256: string) =>
    fixture.store.transaction((tx) => claimJob(tx, fixture.call, sha256)).then(({ job_id }) => job_id)

  it('a file whose process has ended can be recognised again', async () => {
    const job = await claim('a')
    await expect(claim('a')).rejects.toThrow()
    fixture.now -= HOUR
    expect(await claim('a')).not.toBe(job)
  })

  it('unreadable files of the time before do not count for the limit per hour', async () => {
    await claim('a')
    const failed = { failures: 20, lease_ms: fixture.now }
    await fixture.store.transaction((tx) => tx.change('recognitions', failed, { sha256: 'a' }))
    await expect(claim('b')).rejects.toThrow()
    fixture.now -= HOUR
    await claim('b')
  })

  it('a process that has written no heartbeat since is not one that runs', async () => {
    const other = { ...fixture.app, owner: 'other-machine/1/a' }
    const running = async () =>
      (await processesNow(fixture.store.shared, fixture.app)).alive.some(({ owner }) => owner === other.owner)
    await writeHeartbeat(other)
    expect(await running()).toBe(true)
    fixture.now -= HOUR
    expect(await running()).toBe(false)
    await writeHeartbeat(other)
    expect(await running()).toBe(true)
  })
})

describe('a mail that waits', () => {
  const at = (now: number) =>
    ({ owner: 'here/1/a', config: { mailTimeout: 60 }, clock: { now: () => now } }) as Parameters<
      typeof isAbandoned
    >[1]
  const mail = (changes: Partial<MailRow>) =>
    ({ state: 'pending', owner: null, attempts: 1, ...changes }) as MailRow

  it.each([
    [1, MINUTE],
    [2, 5 * MINUTE],
    [4, HOUR],
    [9, 4 * HOUR],
  ])('after attempt %i is taken when it is due, or when the clock is set back', (attempts, pause) => {
    const row = mail({ attempts, due_ms: pause })
    expect([0, pause - 1, pause, -HOUR].map((now) => isAbandoned(row, at(now)))).toEqual([
      false,
      false,
      true,
      true,
    ])
  })

  it('while a process of another machine sends it, is taken only when its lease is over or is implausible', () => {
    const row = mail({ state: 'sending', owner: 'other-machine/1/a', due_ms: leaseEndOf(at(0)) })
    expect([0, leaseEndOf(at(0)), -MINUTE, -HOUR].map((now) => isAbandoned(row, at(now)))).toEqual([
      false,
      true,
      false,
      true,
    ])
  })
})
