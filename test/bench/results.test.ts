/** The page of `npm run bench:all`, made of recorded reports: nothing is measured here. */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { pageOf, problemsOf, sectionOf } from '../../bench/all/form.mjs'
import { listsOf } from '../../bench/all/lists-page.mjs'
import { PARTS } from '../../bench/all/parts.mjs'
import { required } from '../../src/errors/index.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const read = (file: string) => readFileSync(`${ROOT}${file}`, 'utf8')

const part = (name: string, more: object): any => ({
  ...required(PARTS.find((one) => one.name === name)),
  date: '2026-11-22 23:42 UTC',
  commit: 'commit 1a2b3c4',
  load: [0.5, 2.25],
  ...more,
})
const ENGINE = part('engine', {
  report: {
    rounds: 15,
    rows: [
      {
        name: 'ten lines, parsed',
        value: 8.4,
        unit: 'us',
        goal: { most: 8.5 },
        baseline: { name: 'parse + stringify of the document', value: 14 },
        ratio: { value: 0.6, unit: 'x', goal: { most: 0.55 } },
      },
      {
        name: 'bytes to bytes',
        value: 28.04,
        unit: 'us',
        ratio: { value: 2.003, unit: 'x', goal: { most: 2 } },
      },
    ],
  },
})
const CHAIN = part('chain', {
  report: {
    rounds: 9,
    rows: [
      {
        name: 'injected hash',
        value: 651.93,
        unit: 'k records/s',
        baseline: { name: '`node:crypto`', value: 2208.97 },
        ratio: { value: 0.3, unit: '%', goal: { least: 0.3 } },
      },
    ],
    notes: ['Chains of 100,000 records.'],
  },
})
const PEERS = part('peers', {
  report: {
    rounds: 9,
    rows: [],
    peers: [
      {
        work: 'CII of ten lines',
        name: 'a-peer',
        version: '1.2.3',
        unit: 'us',
        ours: 1914.9,
        theirs: 80.35,
        differs: 'ours holds it against a | schema',
      },
    ],
    skipped: [{ name: 'GOBL', why: 'Go is not installed' }],
  },
})
const page = (more = {}) =>
  pageOf({
    parts: [ENGINE, CHAIN, PEERS],
    machine: { cores: 2, processor: 'a processor', memory: 8, system: 'Linux 6' },
    versions: [['Node', 'v20.20.2']],
    isQuick: false,
    ...more,
  })
const cells = (text: string, start: string) =>
  required(text.split('\n').find((line) => line.startsWith(`| ${start}`)))
    .split(' | ')
    .map((cell) => cell.replace(/^\| | \|$/g, ''))

describe('the page', () => {
  it('has goal, figure, baseline and ratio of a row, and says of each goal whether it is reached', () => {
    expect(cells(page(), 'ten lines, parsed')).toEqual([
      'ten lines, parsed',
      'at most 8.50 us; at most 0.55x',
      '**8.40 us**',
      '14.0 us: parse + stringify of the document',
      '0.60x',
      'yes; no',
    ])
    expect(cells(page(), 'injected hash')).toEqual([
      'injected hash',
      'at least 30 %',
      '**652 k records/s**',
      '2,209 k records/s: `node:crypto`',
      '30 %',
      'yes',
    ])
  })

  it('compares the measured value, not the shown one: 2.003 is more than 2', () => {
    expect(cells(page(), 'bytes to bytes').slice(-2)).toEqual(['2.00x', 'no'])
  })

  it('counts the rows whose goals are all reached', () => {
    expect(page()).toContain('- 1 of 3 rows that have a goal reach it in this run.')
  })

  it('shows a peer that is faster, and names what was skipped', () => {
    const row = cells(page(), 'CII of ten lines')
    expect(row.slice(0, 5)).toEqual(['CII of ten lines', 'a-peer 1.2.3', '1,915 us', '80.3 us', '0.04'])
    expect(row.at(-1)).toContain('a \\| schema')
    expect(page()).toContain('- Skipped: **GOBL**, Go is not installed.')
  })

  it('says at its top that it is a sample, or made on a busy machine, and otherwise does not', () => {
    const busy = page({ isQuick: true, parts: [{ ...ENGINE, load: [7.25, 3] }, CHAIN] })
    expect(busy.indexOf('**A sample**')).toBeGreaterThan(0)
    expect(busy.indexOf('**A sample**')).toBeLessThan(busy.indexOf('## '))
    expect(busy).toContain('when these parts began: Validating an invoice.')
    expect(page()).not.toMatch(/A sample|was busy/)
  })

  it('names a part that failed in its place, without figures', () => {
    const section = sectionOf(part('edge', { problem: 'bench/all/edge.mjs ended with 1: no file' })).join(
      '\n',
    )
    expect(section).toContain('**Not measured**: bench/all/edge.mjs ended with 1: no file.')
    expect(section).not.toContain('| figure |')
    expect(page({ parts: [part('edge', { problem: 'x' })] })).toContain('0 of 0 rows')
  })

  it('has date, commit and load of each part', () => {
    expect(
      page().match(
        /Measured on 2026-11-22 23:42 UTC, commit 1a2b3c4\. Load average 0\.5 before, 2\.3 after\./g,
      ),
    ).toHaveLength(3)
  })
})

describe('a report', () => {
  it('is refused with every figure that is not a number', () => {
    const ratio = { value: Number.NaN, unit: 'x' }
    const rows = [{ name: 'a', value: undefined, baseline: { name: 'f', value: null }, ratio, goal: {} }]
    const peers = [{ work: 'w', name: 'p', ours: 1, theirs: Number.POSITIVE_INFINITY }]
    expect(problemsOf({ rows, peers })).toHaveLength(5)
    expect(problemsOf(null)).toEqual(['the report has no list of rows'])
    expect(problemsOf(ENGINE.report)).toEqual([])
  })

  it('of lists is read from the tables that bench/lists.mjs prints, with one column more or less', () => {
    const text = `
## SQLite

50 of 1,000,000 invoices of one company, milliseconds of the database's CPU.

| list | matches | plain query | before | now |
|---|--:|--:|--:|--:|
| issued: first page | 1,000,000 | 66 | 12 | 0.22 |
| issued: three weeks | 42,000 | 139 | 95 | 1.80 |

Worst: 1.80 ms.

| a transaction that | now |
|---|--:|
| saves a draft | 0.20 ms |

## PostgreSQL

50 of 1,000,000 invoices of one company, milliseconds of the database's CPU.

| list | matches | plain query | now |
|---|--:|--:|--:|
| issued: first page | 1,000,000 | 101 | 0.50 |
`
    expect(listsOf(text)).toEqual([
      {
        store: 'SQLite',
        count: 1_000_000,
        lists: [
          { name: 'issued: first page', matches: 1_000_000, plain: 66, now: 0.22 },
          { name: 'issued: three weeks', matches: 42_000, plain: 139, now: 1.8 },
        ],
      },
      {
        store: 'PostgreSQL',
        count: 1_000_000,
        lists: [{ name: 'issued: first page', matches: 1_000_000, plain: 101, now: 0.5 }],
      },
    ])
  })
})

describe('the parts', () => {
  it('have a program each, and every name that one imports from another file is there', async () => {
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

  it('are all in the documentation, and on the page that is committed', () => {
    const [guide, results] = [read('docs/bench.md'), read('bench/RESULTS.md')]
    for (const { name, title } of PARTS) {
      expect(guide).toContain(`| \`${name}\` |`)
      expect(results).toContain(`\n## ${title}\n`)
    }
  })

  it('are listed if an unknown one is requested', () => {
    const { status, stderr } = spawnSync(process.execPath, ['bench/all.mjs', '--only=engine,nothing'], {
      cwd: ROOT,
      encoding: 'utf8',
    })
    expect(status).toBe(2)
    expect(stderr).toContain('There is no part "nothing"')
    for (const { name } of PARTS) expect(stderr).toContain(name)
  })
})

describe('the peers', () => {
  const { dependencies } = JSON.parse(read('bench/peers/package.json'))

  it('are pinned, to the version of the tests where those use the same', () => {
    const { devDependencies } = JSON.parse(read('package.json'))
    for (const [name, version] of Object.entries(dependencies)) {
      expect(version, name).toMatch(/^\d+\.\d+\.\d+$/)
      if (devDependencies[name]) expect(version, name).toBe(devDependencies[name])
    }
    expect(read('bench/peers/gobl/go.mod')).toMatch(/^require github\.com\/invopop\/gobl v\d+\.\d+\.\d+$/m)
  })

  it('that have a task are those that are pinned, and the guide says how to have each', async () => {
    const { TASKS } = await import('../../bench/peers/tasks.mjs')
    const guide = read('bench/peers/README.md')
    const names = new Set(TASKS.map(({ name }) => name))
    expect([...names].sort()).toEqual(Object.keys(dependencies).sort())
    for (const name of names) expect(guide).toContain(`[\`${name}\`]`)
  })

  it('take the same ten lines: GOBL’s document has every quantity, price, discount and rate of ours', async () => {
    const { goblOf } = await import('../../bench/peers/gobl.mjs')
    const { invoiceOf } = await import('../../bench/documents.mjs')
    const document = invoiceOf(10)
    const rates: Record<string, number> = { general: 21, reduced: 10, 'super-reduced': 4 }
    const lines = goblOf(document).lines.map(({ quantity, item, discounts, taxes }: Record<string, any>) => [
      Number(quantity),
      Number(item.price),
      discounts ? Number.parseFloat(discounts[0].percent) : undefined,
      rates[taxes[0].rate],
    ])
    expect(lines).toEqual(
      document.invoice.lines.map((line: Record<string, any>) => [
        line.quantity,
        line.unit_price_without_tax,
        line.discount_rate,
        line.tax_output_rate,
      ]),
    )
  })
})
