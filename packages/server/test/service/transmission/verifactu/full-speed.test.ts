/** Invoices issued as fast as possible while their records are sent; `bench/all/issue.mjs` measures the rate. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { itInAll, LONG } from '#test/size.ts'
import { until } from '#test/until.ts'
import { startSending, wireOf } from '../../../../src/service/verifactu/sending/verifactu-sender.ts'
import { SimulatedFixture } from './simulated.ts'

const COUNT = LONG ? 3000 : 300

itInAll(`${COUNT} invoices are accepted in order, at the pace of the authority`, async () => {
  const fixture = await SimulatedFixture.open({ isReal: true, wait: 1, limits: { responseMs: 60_000 } })
  try {
    const taxpayer = await fixture.company()
    await fixture.simulator.control.inject({ kind: 'slow', seconds: 0.05 })
    // The first response sets the waiting time.
    await taxpayer.issue()
    await taxpayer.step()
    const stop = startSending(fixture.app, wireOf(fixture.app), { intervalMs: 50 })
    for (let issued = 1; issued < COUNT; issued++) {
      await taxpayer.issue()
      // Yields, as between two requests.
      if (issued % 10 === 0) await sleep(0)
    }
    const waiting = async () => (await taxpayer.records()).some(({ estado }) => estado === 'pending')
    await until(async () => !(await waiting()), 'no record is pending', { seconds: 110, everyMs: 50 })
    await stop()
    expect(await taxpayer.problems()).toEqual([])
    expect(taxpayer.received()).toHaveLength(COUNT)
    expect(taxpayer.messages().length).toBeGreaterThan(2)
  } finally {
    await fixture.close()
  }
})
