/**
 * Processes that send the books of one company. The sending one is killed (`kill -9`) while its message is in flight,
 * stored or not, and while invoices are issued. In the end the simulator has each invoice once.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Simulator, startSimulator } from 'cuadra-simulator/index.ts'
import { afterEach, expect } from 'vitest'
import { pathAndFolder } from '#test/folders.ts'
import { itInAll, sized } from '#test/size.ts'
import { type Sender, senderProgram, startSender } from '../sender-process.ts'
import { SiiFixture } from './fixture.ts'

const CYCLES = sized(1, 4, 60)
const PROCESSES = 2
/** Checks for a message in flight before a kill at a random time. */
const CHECKS = 300
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end()
})

/** Returns the owner of a message in flight. */
async function sendingPid({ call }: SiiFixture): Promise<number | undefined> {
  const line = await call.store.select('sii_queues').select(['owner', 'submission_id']).executeTakeFirst()
  return line?.owner && line.submission_id ? Number(line.owner.split('/')[1]) : undefined
}

/** Issues invoices until stopped. */
async function issueOn(fixture: SiiFixture, issued: string[], isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    issued.push(...(await fixture.issue(1)))
    await sleep(30)
  }
}

async function killInTheMiddle(
  fixture: SiiFixture,
  simulator: Simulator,
  senders: Sender[],
  stored: boolean,
) {
  await simulator.control.clear()
  await simulator.control.inject({ kind: 'slow', seconds: 0.4, stored, operation: 'submission' })
  let index = -1
  for (let checks = 0; index < 0 && checks < CHECKS; checks++) {
    await sleep(10)
    const pid = await sendingPid(fixture)
    index = senders.findIndex((sender) => sender.pid === pid)
  }
  await sleep(100)
  await senders[Math.max(0, index)]?.kill()
  return { index: Math.max(0, index), wasSending: index >= 0 }
}

itInAll(
  `${PROCESSES} processes send, ${CYCLES} times one is killed: each invoice is registered once`,
  async () => {
    const fixture = await SiiFixture.open()
    ends.push(() => fixture.close())
    // These processes use the machine's clock.
    Object.defineProperty(fixture, 'now', { get: Date.now })
    const { dataDir } = fixture.app.config
    const simulator = await startSimulator({ dataDir: join(dataDir, 'authority'), port: 0, wait: 0 })
    ends.push(() => simulator.close())
    const program = await senderProgram()
    const environment = {
      ...pathAndFolder(),
      CUADRA_DATA_DIR: dataDir,
      CUADRA_LOG_LEVEL: 'silent',
      CUADRA_AEAT_SII_URL: simulator.url,
      CUADRA_AEAT_CA_FILE: simulator.caFile,
    }
    const start = () => startSender(program, environment)
    const senders = await Promise.all(Array.from({ length: PROCESSES }, start))
    ends.push(() => Promise.all(senders.map((sender) => sender.kill())))

    const issued: string[] = []
    let isOver = false
    const issuing = issueOn(fixture, issued, () => isOver)
    issuing.catch(() => undefined)
    let inTheMiddle = 0
    for (let cycle = 0; cycle < CYCLES; cycle++) {
      const { index, wasSending } = await killInTheMiddle(fixture, simulator, senders, cycle % 2 === 0)
      if (wasSending) inTheMiddle++
      senders[index] = await start()
    }
    isOver = true
    await issuing
    await simulator.control.clear()
    await expect
      .poll(async () => (await fixture.states()).filter((state) => state !== 'accepted'), { timeout: 60_000 })
      .toEqual([])

    expect(inTheMiddle).toBeGreaterThan(CYCLES / 2)
    const numbers = await Promise.all(issued.map((id) => fixture.numberOf(id)))
    const taxpayer = fixture.call.company.data.tax_id
    const invoices = simulator.control.invoices({ taxpayer })
    expect(invoices.map(({ number }) => number).sort()).toEqual(numbers.sort())
    const stored = simulator.control.records({ taxpayer }).filter(({ state }) => state === 'Correcto')
    expect(stored.map(({ number }) => number).sort()).toEqual(numbers)
    expect(simulator.control.records({ taxpayer }).filter(({ state }) => state === 'Incorrecto')).toEqual([])
  },
)
