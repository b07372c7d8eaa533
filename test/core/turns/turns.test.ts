/** Turns of companies. Jobs end when the test ends them. */
import { describe, expect, it } from 'vitest'
import { createTurns } from '#core/turns/turns.ts'

/** Jobs at two workers, by name: which run, and which were refused. */
function fixture(capacity: Partial<Parameters<typeof createTurns>[0]> = {}) {
  const turns = createTurns({ workers: 2, waiting: 100, waitingOfOne: 100, ...capacity })
  const releases = new Map<string, () => void>()
  const refused: string[] = []
  return {
    turns,
    refused,
    running: () => [...releases.keys()],
    start: async (name: string, options: { isLong?: boolean; hasLeft?: () => boolean } = {}) => {
      const [company = ''] = name.split(' ')
      const release = await turns.take({ company, isLong: false, weight: 1, ...options })
      if (typeof release === 'string') refused.push(`${name}: ${release}`)
      else releases.set(name, release)
    },
    end: async (name: string) => {
      releases.get(name)?.()
      releases.delete(name)
      await settled()
    },
  }
}
/** Resolves when all promises that can resolve have resolved. */
const settled = () => new Promise((resolve) => setImmediate(resolve))
const LONG = { isLong: true }

describe('turns at two workers', () => {
  it('start a short job while long jobs of the same and of other companies run and wait', async () => {
    const { start, running } = fixture()
    for (const name of ['A 1', 'A 2', 'B 1']) void start(name, LONG)
    void start('C short')
    await settled()
    expect(running()).toEqual(['A 1', 'C short'])
    const own = fixture()
    for (const name of ['A 1', 'A 2']) void own.start(name, LONG)
    void own.start('A short')
    await settled()
    expect(own.running()).toEqual(['A 1', 'A short'])
  })

  it('leave one worker to others, however many short jobs a company has', async () => {
    const { start, running } = fixture()
    for (const name of ['A 1', 'A 2', 'A 3']) void start(name)
    await settled()
    expect(running()).toEqual(['A 1'])
    void start('B 1')
    await settled()
    expect(running()).toEqual(['A 1', 'B 1'])
  })

  it('go to each company in turn, long jobs too', async () => {
    const { start, end, running } = fixture({ workers: 1 })
    for (const name of ['A 1', 'A 2', 'A 3', 'B 1', 'B 2', 'C 1']) void start(name, LONG)
    await settled()
    const order = []
    for (let [first] = running(); first; [first] = running()) {
      order.push(first)
      await end(first)
    }
    expect(order).toEqual(['A 1', 'B 1', 'C 1', 'A 2', 'B 2', 'A 3'])
  })

  it('give a long job its turn although another company sends short jobs without end', async () => {
    const { start, end, running } = fixture()
    for (const name of ['A 1', 'A 2', 'B 1']) void start(name)
    await settled()
    void start('C long', LONG)
    void start('A 3')
    await end('A 1')
    expect(running()).toContain('C long')
  })

  it('skip jobs whose client has left, which do not count in the queue', async () => {
    const { start, end, running, refused } = fixture({ workers: 1, waitingOfOne: 2 })
    let hasLeft = false
    await start('A 1')
    for (const name of ['A 2', 'A 3']) void start(name, { hasLeft: () => hasLeft })
    void start('A 4')
    await settled()
    expect(refused).toEqual(['A 4: busy'])
    hasLeft = true
    void start('A 5')
    await settled()
    expect(refused).toEqual(['A 4: busy', 'A 2: left', 'A 3: left'])
    await end('A 1')
    expect(running()).toEqual(['A 5'])
  })

  it('are refused if too much waits of one company, or of all', async () => {
    const { start, refused } = fixture({ workers: 1, waiting: 3, waitingOfOne: 2 })
    await start('A 1')
    for (const name of ['A 2', 'A 3', 'A 4', 'B 1', 'B 2']) void start(name)
    await settled()
    expect(refused).toEqual(['A 4: busy', 'B 2: busy'])
  })

  it('end when they are closed', async () => {
    const { turns, start, refused } = fixture({ workers: 1 })
    await start('A 1')
    void start('A 2')
    await settled()
    turns.close()
    await settled()
    await start('A 3')
    expect(refused).toEqual(['A 2: closing', 'A 3: closing'])
  })
})
