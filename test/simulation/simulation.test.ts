/**
 * The whole server on virtual time with its world, driven by seeds: drafts, issues, corrections, imports, mails,
 * recognition, backups; an authority and a mail server that fail; kills and power failures at any operation; wrong
 * clocks. After each step, the state is compared with a model of plain data. A sample in `npm test`, 30 seeds in `npm run
 * test:all`, 10,000 in `npm run test:long`. A failing seed is printed with its shortened story.
 *
 * @slowest
 */

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openSqlite } from 'cuadra-storage/sqlite.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { bundleSimulation } from '../../scripts/simulate.mjs'
import { hasPostgres, postgresUrl } from '../conformance/postgres.ts'
import { figure } from '../figures.ts'
import { folderInMemory, folderWithPackages } from '../folders.ts'
import { suite } from '../needs.ts'
import { ALL, sized } from '../size.ts'
import { tokens } from '../tokens.ts'
import { afterPowerFailure, imageOf } from './power.ts'
import { shorten } from './shorten.ts'
import type { Step } from './story.ts'
import { Chance } from './virtual.ts'

const DAYS = 400
const STEPS = sized(16, 22)
const SEEDS = sized(2, 30, 10_000)
/** Seeds that are run twice, in two processes. */
const REPEATED = sized(1, 2)
/** Seeds of one process: two run in parallel, of which one repeats in the sample. */
const SHARE = ALL ? Math.ceil(SEEDS / 2) : SEEDS

interface Reported {
  readonly seed: number
  /** Of everything that happened. */
  readonly digest: string
  /** What did not hold; absent if everything did. */
  readonly message?: string
  /** The shortened story. */
  readonly story?: string
  readonly steps?: number
}
interface Summary {
  readonly seeds: number
  readonly days: number
  readonly faults: Readonly<Record<string, number>>
  readonly acts: Readonly<Record<string, number>>
}

let folder: string
let program: string
beforeAll(async () => {
  folder = folderWithPackages()
  program = await bundleSimulation(folder)
})

/** Runs seeds in a process of its own, because a simulation replaces builtins of Node. */
async function simulated(...options: readonly string[]) {
  const args = ['--enable-source-maps', program, '--json', '--days', `${DAYS}`, ...options]
  const output = await promisify(execFile)(process.execPath, args, { maxBuffer: 1e9 }).catch(
    (error: { readonly stdout: string; readonly stderr: string }) => {
      if (error.stdout === '') throw error
      return error
    },
  )
  const lines = output.stdout.trim().split('\n')
  const reported: Reported[] = lines.slice(0, -1).map((line) => JSON.parse(line))
  const summary: Summary = JSON.parse(lines.at(-1) ?? '')
  return { reported, summary }
}

const range = (first: number, count: number) =>
  simulated('--seed', `${first}`, '--seeds', `${count}`, '--steps', `${STEPS}`)

describe('the simulated server', () => {
  let shares: ReturnType<typeof range>[] = []
  let repeated: ReturnType<typeof range>
  beforeAll(() => {
    shares = Array.from({ length: Math.ceil(SEEDS / SHARE) }, (_, share) => range(1 + share * SHARE, SHARE))
    repeated = range(1, REPEATED)
    // Failures are reported by the tests that wait for them.
    for (const one of [...shares, repeated]) one.catch(() => undefined)
  })

  it(
    `holds all that it promises in ${SEEDS} stories of ${DAYS} days with faults`,
    async () => {
      const all = await Promise.all(shares)
      const failed = all.flatMap(({ reported }) => reported.filter(({ message }) => message !== undefined))
      expect(failed.map(({ seed, story, message }) => `seed ${seed}\n${story ?? message}`)).toEqual([])
      expect(all.reduce((sum, { summary }) => sum + summary.days, 0)).toBeGreaterThan(SEEDS * 100)
      const textOf = (name: 'faults' | 'acts') => {
        const counts = new Map<string, number>()
        for (const { summary } of all)
          for (const [kind, count] of Object.entries(summary[name]))
            counts.set(kind, (counts.get(kind) ?? 0) + count)
        return `${name}: ${[...counts].map(([kind, count]) => `${kind} ${count}`).join(', ')}`
      }
      const days = all.reduce((sum, { summary }) => sum + summary.days, 0)
      figure(
        `${SEEDS} seeds, ${days} days, ${failed.length} failures; ${textOf('faults')}; ${textOf('acts')}`,
      )
    },
    24 * 3_600_000,
  )

  it(
    'replays a seed exactly',
    async () => {
      const [first] = await Promise.all(shares)
      const again = await repeated
      expect(again.reported).toHaveLength(REPEATED)
      expect(again.reported).toEqual(first?.reported.slice(0, REPEATED))
    },
    24 * 3_600_000,
  )
})

suite(
  'the simulated server on PostgreSQL',
  ALL ? (hasPostgres() ? undefined : 'PostgreSQL is not installed') : 'only in npm run test:all',
  () => {
    it('holds all that it promises in 10 stories', { timeout: 3_600_000 }, async () => {
      await postgresUrl('postgres')
      const options = ['--store', 'postgres', '--seed', '1', '--seeds', '10', '--steps', '40']
      const { reported } = await simulated(...options)
      expect(
        reported.flatMap(({ seed, story, message }) => (message ? [{ seed, message, story }] : [])),
      ).toEqual([])
    })
  },
)

describe('a server that is broken on purpose is found', () => {
  const BROKEN = [
    ['does not flush', '10', /a list counts/],
    ['loses a commit', '8', /404/],
    ['mails twice', '2', /arrived 2 times/],
    ['gives a number twice', '8', /is of two invoices/],
    ['stops its clock', '3', /sent in the end/],
  ] as const
  // Shortening runs a hundred stories.
  it.each(ALL ? BROKEN : BROKEN.slice(0, 1))('%s', async (sabotage, seed, message) => {
    const options = tokens`
      --seed ${seed} --steps 40 --sabotage ${sabotage} ${ALL ? [] : ['--no-shorten']}`
    const { reported } = await simulated(...options)
    expect(reported.map((one) => one.message).join()).toMatch(message)
    if (ALL) expect(reported[0]?.steps).toBeLessThan(10)
  })
})

describe('a failing story', () => {
  const step = (seed: number): Step => ({
    ...{ act: 'wait', company: 1, wait: 60_000, dice: [0, 0, 0, 0, 0, 0], seed },
    kill: { at: 'any', after: seed },
  })

  it('is shortened to the steps that it needs, without kills and pauses', async () => {
    const story = Array.from({ length: 40 }, (_, seed) => step(seed))
    let tries = 0
    const short = await shorten(story, async (candidate) => {
      tries++
      const [first, second] = [7, 31].map((seed) => candidate.findIndex((one) => one.seed === seed))
      return first !== -1 && second !== -1 && candidate[required(second)]?.kill !== null
    })
    expect(short).toEqual([
      { ...step(7), company: 0, wait: 0, kill: null },
      { ...step(31), company: 0, wait: 0 },
    ])
    expect(tries).toBeLessThan(100)
  })
})

describe('the disk of the simulation', () => {
  /** Adds rows, and cuts the power while the last one is committed. Returns the rows that are there afterwards. */
  async function rowsAfter(seed: number, synchronous: 'FULL' | 'NORMAL'): Promise<number> {
    const chance = new Chance(seed)
    const file = join(folderInMemory(), 'database')
    const raw = await openSqlite(file)
    raw.exec(`PRAGMA synchronous = ${synchronous}; PRAGMA wal_autocheckpoint = ${3 + (seed % 20)}`)
    raw.exec('CREATE TABLE rows (text)')
    let [before, after] = [imageOf(file), imageOf(file)]
    for (let row = 0; row < 20; row++) {
      before = after
      raw.exec(`INSERT INTO rows VALUES (hex(randomblob(${chance.below(9000)})))`)
      after = imageOf(file)
    }
    raw.close()
    const left = afterPowerFailure(before, after, synchronous === 'FULL', chance)
    writeFileSync(file, left.database)
    writeFileSync(`${file}-wal`, left.log)
    const again = await openSqlite(file)
    const [{ integrity_check }]: any[] = again.prepare('PRAGMA integrity_check').all()
    expect(integrity_check).toBe('ok')
    const isThere = again.prepare("SELECT 1 FROM sqlite_master WHERE name = 'rows'").all().length > 0
    const [{ n }] = isThere ? (again.prepare('SELECT count(*) AS n FROM rows').all() as any[]) : [{ n: 0 }]
    again.close()
    return n
  }

  it('keeps each flushed commit of a database through torn and reordered writes, and loses others', async () => {
    const flushed = new Set<number>()
    const unflushed = new Set<number>()
    for (let seed = 0; seed < sized(20, 100, 400); seed++) {
      flushed.add(await rowsAfter(seed, 'FULL'))
      unflushed.add(await rowsAfter(seed, 'NORMAL'))
    }
    // The last commit had not returned.
    expect([...flushed].sort()).toEqual([19, 20])
    expect(Math.min(...unflushed)).toBeLessThan(19)
  })
})
