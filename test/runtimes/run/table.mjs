/** What a comparison found, as text. */
import { OPERATIONS } from '../cases.mjs'
import { isEqual, totalsOf } from './run.mjs'

/** Differences of one runtime that are shown. */
const SHOWN = 10

const percent = ({ cases, equal }) => {
  if (cases === 0) return '-'
  // Not rounded up: 100 is all of them.
  return equal === cases ? '100' : (Math.floor((equal / cases) * 10_000) / 100).toFixed(2)
}

const count = (equal, cases) => `${equal}/${cases}`

const HEADER = ['runtime', 'version', ...OPERATIONS, 'total', '%']

/** What a runtime did, in the order of the header; nothing of one that is missing. */
function rowOf(report) {
  if (report.missing) return [report.name, ...HEADER.slice(1).map(() => '-')]
  const totals = totalsOf(report)
  const each = OPERATIONS.map((operation) => count(report.equal[operation], report.cases[operation]))
  return [report.name, report.version, ...each, count(totals.equal, totals.cases), percent(totals)]
}

/** Header and rows of the runtimes that ran, with the time they took. */
const timed = (reports) => [
  [...HEADER, 'seconds'],
  ...reports.filter(({ missing }) => !missing).map((report) => [...rowOf(report), report.seconds.toFixed(1)]),
]

/** Columns under each other: the first two to the left, numbers to the right. */
export function aligned(rows) {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const cell = (text, column) => (column < 2 ? text.padEnd(widths[column]) : text.padStart(widths[column]))
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}

/** Where an answer differs. */
export const differenceText = (name, { name: title, position, expected, actual }) =>
  `${name}: differs: ${title}\n  at byte ${position}\n  expected ${expected}\n  answered ${actual}`

/** Lines about what is not as it should be. */
function troubles({ golden, reports }, required) {
  const needed = (name) => (required.includes(name) ? ', and is required' : '')
  const lines = reports
    .filter(({ missing }) => missing)
    .map(({ name, missing }) => `${name}: ${missing}${needed(name)}`)
  for (const { name, failed, differences } of reports) {
    if (failed !== undefined) lines.push(`${name}: failed: ${failed}`)
    for (const difference of differences.slice(0, SHOWN)) lines.push(differenceText(name, difference))
    if (differences.length > SHOWN) lines.push(`${name}: and ${differences.length - SHOWN} more`)
  }
  if (reports.some(({ name, differences }) => name.startsWith('wasm-') && differences.length > 0))
    lines.push(
      'Is dist/cuadra.wasm made from the same sources as dist/? "npm run build -- module" makes it anew.',
    )
  for (const name of golden.wrong) lines.push(`golden: not as expected.json says: ${name}`)
  return lines
}

/** The sum of all, and whether it is as it should be. */
export function summaryOf({ golden, reports }) {
  const ran = reports.filter(({ missing }) => !missing)
  const totals = ran.map(totalsOf)
  const add = (member) => totals.reduce((total, one) => total + one[member], 0)
  const all = { cases: add('cases'), equal: add('equal') }
  return {
    ok: golden.wrong.length === 0 && ran.every(isEqual),
    percent: percent(all),
    line: `runtimes: ${all.equal} of ${all.cases} answers equal in ${ran.length} runtimes`,
  }
}

/** All that the command prints. */
export function textOf(result, required = []) {
  const { golden, reports, seconds } = result
  const { line, percent: share } = summaryOf(result)
  return [
    aligned(timed(reports)),
    '',
    ...troubles(result, required),
    `golden: ${golden.cases - golden.wrong.length} of ${golden.cases} answers are as expected.json says`,
    `${share} % equal, ${seconds.toFixed(1)} s`,
    line,
  ].join('\n')
}

/** The table as Markdown, for a page: without times, which are others each time. */
export const markdownOf = ({ reports }) => {
  const bars = HEADER.map((_, column) => (column < 2 ? '---' : '--:'))
  return [HEADER, bars, ...reports.map(rowOf)].map((row) => `| ${row.join(' | ')} |`).join('\n')
}
