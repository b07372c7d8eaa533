/** The pages of `npm run bench:all`, made of written reports: nothing is measured here. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { developersPageOf, pageOf, problemsOf } from '../../bench/all/form.mjs'
import { PARTS, ROWS } from '../../bench/all/parts.mjs'
import { goblOf } from '../../bench/peers/gobl.mjs'
import { TASKS } from '../../bench/peers/tasks.mjs'
import { packagesOf } from '../../scripts/dev-packages.mjs'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')

interface GoblLine {
  readonly quantity: string
  readonly item: { readonly price: string }
  readonly discounts?: readonly [{ readonly percent: string }]
  readonly taxes: readonly [{ readonly rate: string }]
}

const part = (name: string, more: object): any => ({
  ...required(PARTS.find((one) => one.name === name)),
  date: '2026-11-22 23:42 UTC',
  commit: 'commit 1a2b3c4',
  load: [0.5, 2.25],
  ...more,
})
const PEERS = part('peers', {
  report: {
    rounds: 9,
    figures: [
      {
        row: 3,
        what: 'the engine',
        value: 70,
        unit: 'us',
        instead: [{ name: 'a | library', value: 4900 }],
        differs: 'Another format.',
      },
      { row: 7, what: 'CII', value: 1914.9, unit: 'us', instead: [{ name: 'fast', value: 80.35 }] },
    ],
    skipped: [{ row: 4, name: 'GOBL', why: 'Go is not installed' }],
  },
})
const HTTP = part('http', {
  report: {
    figures: [{ row: 10, what: 'memory', value: 150, unit: 'MB', instead: [{ name: 'bare', value: 60 }] }],
    goals: [
      { what: 'CPU of a request', value: 0.446, unit: '%', goal: { least: 0.45 }, detail: '234 us' },
      { what: 'memory at the end', value: 1.05, unit: 'x', goal: { most: 1.1 } },
    ],
  },
})
const ISSUE = part('issue', {
  report: {
    figures: [
      { row: 8, what: 'SQLite', value: 400, unit: 'invoices/s', instead: [{ name: 'bare', value: 1600 }] },
    ],
  },
})
const run = (more = {}) => ({
  parts: [HTTP, PEERS, ISSUE],
  machine: { cores: 2, processor: 'a processor', memory: 8, system: 'Linux 6' },
  versions: [['Node', 'v20.20.2']],
  isQuick: false,
  ...more,
})
/** Returns the cells of the first line of a table that contains a text. */
const cells = (page: string, text: string) =>
  required(page.split('\n').find((line) => line.startsWith('|') && line.includes(text)))
    .split(/(?<!\\) ?\| ?/)
    .slice(1, -1)

describe('the page for users', () => {
  it('has the ten rows in their order, also those that were not measured', () => {
    const numbers = pageOf(run()).match(/^\| (\d+) \|/gm)
    expect(numbers).toEqual(ROWS.map((_, at) => `| ${at + 1} |`))
    expect(ROWS).toHaveLength(10)
    expect(cells(pageOf(run()), 'Start of the server')).toContain('not measured yet')
  })

  it('shows each figure beside what does the same work without cuadra', () => {
    expect(cells(pageOf(run()), 'the engine: ')).toEqual([
      '3',
      '**Validate an invoice of ten lines, from bytes to bytes**',
      'the engine: **70.0 us**',
      'a \\| library: 4,900 us',
      '70.0 times as fast',
    ])
  })

  it('states it plainly where something else is faster, smaller or has a higher rate', () => {
    expect(cells(pageOf(run()), 'CII: ').at(-1)).toBe('23.8 times the time')
    expect(cells(pageOf(run()), '150 MB').at(-1)).toBe('2.50 times the memory')
    expect(cells(pageOf(run()), '400 invoices/s').at(-1)).toBe('0.25 times the rate')
  })

  it('names what was skipped, and a part that failed, with the reason', () => {
    expect(pageOf(run())).toContain('GOBL: skipped, Go is not installed')
    const failed = run({ parts: [part('clone', { problem: 'npm ended with 1' })] })
    expect(cells(pageOf(failed), 'From a clone')).toContain('not measured: npm ended with 1')
  })

  it('has no goals', () => {
    expect(pageOf(run())).not.toMatch(/goal|at least|at most/i)
  })

  it('has differences, date, commit and load of each row', () => {
    const line = required(
      pageOf(run())
        .split('\n')
        .find((text) => text.startsWith('3. ')),
    )
    expect(line).toContain('Another format.')
    expect(line).toContain('Medians of 9 rounds. Measured on 2026-11-22 23:42 UTC, commit 1a2b3c4.')
    expect(line).toContain('Load average 0.5 before, 2.3 after.')
  })

  it('states at its top that it is a sample, or that the machine was busy', () => {
    const busy = pageOf(run({ isQuick: true, parts: [{ ...HTTP, load: [7.25, 3] }, PEERS] }))
    expect(busy).toContain('**A sample**')
    expect(busy).toContain('when these parts began: http.')
    expect(pageOf(run())).not.toMatch(/A sample|was busy/)
  })
})

describe('the page for developers', () => {
  it('compares the measured value with the goal, not the shown one: 44.6 % does not reach 45 %', () => {
    const page = developersPageOf(run())
    expect(cells(page, 'CPU of a request')).toEqual([
      'http',
      'CPU of a request',
      '**45 %**',
      'at least 45 %',
      'no',
      '234 us',
    ])
    expect(cells(page, 'memory at the end').slice(2, 5)).toEqual(['**1.05x**', 'at most 1.10x', 'yes'])
  })

  it('has only the parts with goals, and those that failed', () => {
    expect(developersPageOf(run())).not.toContain('peers')
    const failed = run({ parts: [part('lists', { problem: 'no database' })] })
    expect(cells(developersPageOf(failed), 'lists')).toContain('not measured: no database')
  })
})

describe('a report', () => {
  it('is refused with every figure that is not a number, and with an unknown row', () => {
    const instead = [{ name: 'p', value: Number.POSITIVE_INFINITY }]
    const figures = [
      { row: 11, what: 'a', value: undefined, instead },
      { row: 1, what: 'b', value: null, instead: [] },
    ]
    const goals = [{ what: 'c', value: Number.NaN, goal: {} }]
    expect(problemsOf({ figures, goals })).toHaveLength(6)
    expect(problemsOf(null)).toEqual(['the report has neither figures nor goals'])
    expect(problemsOf(PEERS.report)).toEqual([])
  })
})

describe('the parts', () => {
  it('have a program each, and every name that one imports from another file exists', async () => {
    for (const { program } of PARTS) expect(existsSync(`${ROOT}${program}`), program).toBe(true)
    // It fails where a file or a name in it is missing.
    const { outputFiles } = await build({
      entryPoints: [...PARTS.map(({ program }) => `${ROOT}${program}`), `${ROOT}bench/all.mjs`],
      bundle: true,
      write: false,
      outdir: '/',
      format: 'esm',
      platform: 'node',
      packages: 'external',
      logLevel: 'silent',
    })
    expect(outputFiles).toHaveLength(PARTS.length + 1)
  })

  it('are all in the documentation, and their rows on the page that is committed', () => {
    const [guide, results] = [read('docs/bench.md'), read('bench/RESULTS.md')]
    for (const { name } of PARTS) expect(guide).toContain(`| \`${name}\` |`)
    for (const { title, part } of ROWS) {
      expect(results).toContain(`**${title}**`)
      expect(PARTS.map(({ name }) => name)).toContain(part)
    }
  })

  it('are listed if an unknown one is requested', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bench/all.mjs', '--only=engine,nothing'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain('Unknown part "nothing"')
    for (const { name } of PARTS) expect(stderr).toContain(name)
  })
})

describe('the other libraries', () => {
  it('are all installed by the set peers, in exact versions', () => {
    const versions = packagesOf('peers')
    for (const { name } of TASKS.flatMap(({ peers }) => peers))
      expect(versions[name], name).toMatch(/^\d+\.\d+\.\d+$/)
    expect(read('bench/peers/gobl/go.mod')).toMatch(/^require github\.com\/invopop\/gobl v\d+\.\d+\.\d+$/m)
  })

  it('take the same ten lines: the document of GOBL has every quantity, price, discount and rate of ours', async () => {
    const { invoiceOf } = await import('../../bench/documents.mjs')
    const document = invoiceOf(10)
    const rates: Record<string, number> = { general: 21, reduced: 10, 'super-reduced': 4 }
    const lines = goblOf(document).lines.map(({ quantity, item, discounts, taxes }: GoblLine) => [
      Number(quantity),
      Number(item.price),
      discounts ? Number.parseFloat(discounts[0].percent) : undefined,
      rates[taxes[0].rate],
    ])
    expect(lines).toEqual(
      document.invoice.lines.map((line) => [
        line.quantity,
        line.unit_price_without_tax,
        line.discount_rate,
        line.tax_output_rate,
      ]),
    )
  })
})
