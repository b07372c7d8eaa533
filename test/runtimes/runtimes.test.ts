/// <reference types="node" />
/**
 * The same requests in every runtime that is here, the same bytes: `node scripts/runtimes.mjs`, one test for each.
 *
 * @slowest
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { ALL, LONG } from '../size.ts'
import { OPERATIONS, sampleOf } from './cases.mjs'
import { runtimes } from './run/adapters.mjs'
import { compare, differenceOf } from './run/compare.mjs'
import { isEqual, totalsOf } from './run/run.mjs'
import { summaryOf, textOf } from './run/table.mjs'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const LIMIT = 600_000

const offered = await runtimes()
const here = offered.map(({ name, missing }) => ({ name, missing: missing() }))

describe.skipIf(!ALL)('every runtime returns the same as Node', () => {
  let child: ChildProcess | undefined
  let result: any

  beforeAll(async () => {
    const process = spawn('node', ['scripts/runtimes.mjs', '--json'], {
      cwd: ROOT,
      // In the sample the WebAssembly module in Node answers the golden cases and some others, as it does elsewhere.
      env: { ...globalThis.process.env, ...(LONG ? {} : { CUADRA_RUNTIMES: 'sample' }) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child = process
    let printed = ''
    process.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
    await new Promise((done) => process.once('close', done))
    result = JSON.parse(printed)
    console.log(textOf(result))
  }, LIMIT)
  afterAll(() => void child?.kill('SIGTERM'))

  for (const { name, missing } of here)
    if (missing) it.skip(`${name}: ${missing}`)
    else
      it(name, () => {
        const report = result.reports.find((one: { name: string }) => one.name === name)
        expect(report.failed).toBeUndefined()
        expect(report.differences).toEqual([])
        expect(totalsOf(report).equal).toBe(totalsOf(report).cases)
        for (const operation of OPERATIONS) expect(report.cases[operation], operation).toBeGreaterThan(0)
      })

  it('golden cases return their expected.json', () => {
    expect(result.golden.wrong).toEqual([])
    expect(result.golden.cases).toBeGreaterThan(200)
  })

  it('the list is long enough, and causes every kind of result', () => {
    const { cases } = result.reports.find((one: { name: string }) => one.name === 'node')
    expect(cases.validate).toBeGreaterThan(1000)
    expect(cases.refused).toBeGreaterThan(1000)
    expect(result.kinds.codes).toBeGreaterThan(150)
    expect(result.kinds.faults).toBe(15)
  })
})

describe('a runtime that is not like Node', () => {
  const cases = ['{"a":1}', '{"a":"ñ€"}', '[]'].map((text, at) => ({
    operation: required(OPERATIONS[at]),
    name: `case ${at}`,
    text,
  }))
  const reference = { of: ({ text }: { text: string }) => text, golden: () => ({ cases: 0, wrong: [] }) }
  const runtime = (answers: (requests: any[]) => Promise<string[]>, missing?: string) => ({
    name: 'other',
    missing: () => missing,
    start: async () => ({ version: '1', answers, stop: async () => {} }),
  })

  it('differs from one that is present', async () => {
    const report = await compare(
      runtime(async (requests) => requests),
      cases,
      reference,
    )
    expect(isEqual(report)).toBe(true)
    expect(totalsOf(report)).toEqual({ cases: 3, equal: 3 })
  })

  it('is named with the case, the position and both texts', async () => {
    const report = await compare(
      runtime(async (requests) => requests.map((text) => text.replace('€', '$'))),
      cases,
      reference,
    )
    expect(isEqual(report)).toBe(false)
    expect(report.differences).toEqual([
      { name: 'case 1', operation: 'explain', position: 8, expected: '{"a":"ñ€"}', actual: '{"a":"ñ$"}' },
    ])
    const result = { reports: [report], golden: reference.golden(), seconds: 1 }
    expect(summaryOf(result)).toMatchObject({ ok: false, percent: '66.66' })
    const lines = textOf(result).split('\n')
    expect(lines).toContain('other: differs: case 1')
    expect(lines.at(-1)).toBe('runtimes: 2 of 3 answers equal in 1 runtimes')
  })

  it('that returns too little differs, and so does one that fails', async () => {
    const short = await compare(
      runtime(async () => ['{"a":1}']),
      cases,
      reference,
    )
    expect(short.differences.map(({ name }: { name: string }) => name)).toEqual(['case 1', 'case 2'])
    const broken = await compare(
      runtime(async () => {
        throw new Error('it ended (1)')
      }),
      cases,
      reference,
    )
    expect(broken.failed).toBe('it ended (1)')
    expect(isEqual(broken)).toBe(false)
  })

  it('that is missing is named, and fails only if it is required', async () => {
    const report = await compare(
      runtime(async () => [], 'not found: other (npm ci installs it)'),
      cases,
      reference,
    )
    const result = { reports: [report], golden: reference.golden(), seconds: 1 }
    expect(summaryOf(result).ok).toBe(true)
    expect(textOf(result)).toContain('other: not found: other (npm ci installs it)')
    expect(textOf(result, ['other'])).toContain('and is required')
  })
})

it('differences are of bytes, and excerpts are short', () => {
  expect(differenceOf('same', 'same')).toBeUndefined()
  const long = 'x'.repeat(1000)
  expect(differenceOf(`${long}a${long}`, `${long}b${long}`)).toMatchObject({ position: 1000 })
  expect(differenceOf(`${long}a${long}`, `${long}b${long}`)?.expected.length).toBeLessThan(90)
  expect(differenceOf('a', undefined)).toMatchObject({ position: 0, actual: 'undefined' })
})

it('a sample has every operation', () => {
  const cases = OPERATIONS.flatMap((operation) =>
    Array.from({ length: 9 }, (_, at) => ({ operation, name: `${operation} ${at}`, text: '{}' })),
  )
  const sample = sampleOf(cases, 21)
  expect(sample).toHaveLength(21)
  expect(new Set(sample.map(({ operation }) => operation)).size).toBe(OPERATIONS.length)
})

it('the page has every runtime, and those alone', () => {
  const page = readFileSync(`${ROOT}docs/runtimes.md`, 'utf8')
  const table = page.slice(page.indexOf('<!-- table -->'), page.indexOf('<!-- end of table -->'))
  const named = [...table.matchAll(/^\| ([a-z-]+) \|/gm)].map(([, name]) => name).slice(2)
  expect(named).toEqual(offered.map(({ name }) => name))
})
