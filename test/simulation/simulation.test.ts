/**
 * The whole server on virtual time with its world, driven by seeds: drafts, issues, corrections, imports, mails,
 * recognition, backups; an authority and a mail server that fail; kills at any operation; wrong clocks. After each step
 * a model of plain data states what must hold. A sample in `npm test`, 200 seeds in `npm run test:all`, 10,000 in `npm
 * run test:long`. A failing seed is printed with its shortened story.
 *
 * @slow
 */

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { bundleSimulation } from '../../scripts/simulate.mjs'
import { figure } from '../figures.ts'
import { folderWithPackages } from '../folders.ts'
import { ALL, sized } from '../size.ts'
import { shorten } from './shorten.ts'
import type { Step } from './story.ts'

const DAYS = 400
const STEPS = sized(16, 22)
const SEEDS = sized(2, 200, 10_000)
/** Seeds that are run twice, in two processes. */
const REPEATED = 2
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
  const results = output.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { reported: results.slice(0, -1) as Reported[], summary: results.at(-1) as Summary }
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
      const faults: Record<string, number> = {}
      for (const { summary } of all)
        for (const [kind, count] of Object.entries(summary.faults)) faults[kind] = (faults[kind] ?? 0) + count
      const days = all.reduce((sum, { summary }) => sum + summary.days, 0)
      figure(
        `${SEEDS} seeds, ${days} days, ${failed.length} failures; faults: ${Object.entries(faults)
          .map(([kind, count]) => `${kind} ${count}`)
          .join(', ')}`,
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

describe('a server that is broken on purpose is found', () => {
  const BROKEN = [
    ['loses a commit', '6', /404/],
    ['mails twice', '1', /arrived 2 times/],
    ['gives a number twice', '2', /is of two invoices/],
    ['stops its clock', '2', /sent in the end/],
  ] as const
  // Shortening runs a hundred stories.
  it.each(ALL ? BROKEN : BROKEN.slice(0, 1))('%s', async (sabotage, seed, message) => {
    const options = [
      '--seed',
      seed,
      '--steps',
      '40',
      '--sabotage',
      sabotage,
      ...(ALL ? [] : ['--no-shorten']),
    ]
    const { reported } = await simulated(...options)
    expect(reported.map((one) => one.message).join()).toMatch(message)
    if (ALL) expect(reported[0]?.steps).toBeLessThan(10)
  })
})

describe('a failing story', () => {
  const step = (seed: number): Step => ({
    ...{ act: 'wait', company: 1, wait: 60_000, dice: [], seed },
    kill: { at: 'any', after: seed },
  })

  it('is shortened to the steps that it needs, without kills and pauses', async () => {
    const story = Array.from({ length: 40 }, (_, seed) => step(seed))
    let tries = 0
    const short = await shorten(story, async (candidate) => {
      tries++
      const [first, second] = [7, 31].map((seed) => candidate.findIndex((one) => one.seed === seed))
      return first !== -1 && second !== -1 && candidate[second as number]?.kill !== null
    })
    expect(short).toEqual([
      { ...step(7), company: 0, wait: 0, kill: null },
      { ...step(31), company: 0, wait: 0 },
    ])
    expect(tries).toBeLessThan(100)
  })
})
