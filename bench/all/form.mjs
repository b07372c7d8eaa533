/**
 * The format of the report of each part of `npm run bench:all`, and the page built from the reports. Nothing is
 * measured here.
 *
 * A report is `{ rows, peers, skipped, notes, rounds }`. All members except `rows` are optional:
 * - a row: `{ name, value, unit, goal, baseline: { name, value }, ratio: { value, unit, goal } }`; the baseline has the unit of
 *   the row, a ratio is a number shown as `x` or `%`, a goal is `{ most }` or `{ least }`;
 * - a peer: `{ work, name, version, unit, ours, theirs, goal, differs }`, the same work by another library;
 * - a skipped measurement: `{ name, why }`.
 */

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value)

/** Returns the problems of a report; an empty list if it is valid. */
export function problemsOf(report) {
  if (report === null || typeof report !== 'object' || !Array.isArray(report.rows))
    return ['the report has no list of rows']
  const problems = []
  const expect = (value, what) => {
    if (!isNumber(value)) problems.push(`${what} is ${JSON.stringify(value) ?? 'missing'} and not a number`)
  }
  for (const { name, value, goal, baseline, ratio } of report.rows) {
    expect(value, `the figure of "${name}"`)
    if (baseline) expect(baseline.value, `the baseline of "${name}"`)
    if (ratio) expect(ratio.value, `the ratio of "${name}"`)
    for (const one of [goal, ratio?.goal]) if (one) expect(one.most ?? one.least, `a goal of "${name}"`)
  }
  for (const { work, name, ours, theirs } of report.peers ?? []) {
    expect(ours, `our figure of "${work}"`)
    expect(theirs, `the figure of ${name} for "${work}"`)
  }
  return problems
}

/** Formats a number with three significant digits, or as an integer if it has more digits. */
const digits = (value) => {
  if (value !== 0 && Math.abs(value) < 0.01) return value.toPrecision(2)
  if (Math.abs(value) < 10) return value.toFixed(2)
  if (Math.abs(value) < 100) return value.toFixed(1)
  return Math.round(value).toLocaleString('en')
}
export const quantity = (value, unit) => `${digits(value)} ${unit}`
export const share = (value, unit) => (unit === '%' ? `${Math.round(value * 100)} %` : `${value.toFixed(2)}x`)

const isReached = (value, { most, least }) => (most === undefined ? value >= least : value <= most)
const bound = ({ most, least }, show) =>
  most === undefined ? `at least ${show(least)}` : `at most ${show(most)}`

function goalOf({ value, unit, goal, ratio }) {
  const goals = [
    ...(goal ? [[bound(goal, (number) => quantity(number, unit)), isReached(value, goal)]] : []),
    ...(ratio?.goal
      ? [[bound(ratio.goal, (number) => share(number, ratio.unit)), isReached(ratio.value, ratio.goal)]]
      : []),
  ]
  const reached = goals.map(([, yes]) => (yes ? 'yes' : 'no'))
  return {
    goal: goals.map(([text]) => text).join('; '),
    reached: new Set(reached).size === 1 ? reached[0] : reached.join('; '),
  }
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (head, align, rows) => [
  `| ${head.join(' | ')} |`,
  `|${align.join('|')}|`,
  ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  '',
]

/** Returns the Markdown of a part, `{ title, about, report, problem, date, commit, load }`. */
export function sectionOf({ title, about, report, problem, date, commit, load }) {
  const lines = [`## ${title}`, '', about, '']
  const busy = `Measured on ${date}, ${commit}. Load average ${load.map((value) => value.toFixed(1)).join(' before, ')} after.`
  if (problem) return [...lines, `**Not measured**: ${cell(problem)}.`, '', busy, '']
  const { rows, peers = [], skipped = [], notes = [], rounds } = report
  if (rows.length > 0)
    lines.push(
      ...table(
        ['figure', 'goal', 'measured', 'baseline in the same run', 'ratio', 'goal reached'],
        ['---', '---', '--:', '---', '--:', ':-:'],
        rows.map((row) => {
          const { goal, reached } = goalOf(row)
          return [
            row.name,
            goal || '-',
            `**${quantity(row.value, row.unit)}**`,
            row.baseline ? `${quantity(row.baseline.value, row.unit)}: ${row.baseline.name}` : '-',
            row.ratio ? share(row.ratio.value, row.ratio.unit) : '-',
            reached || '-',
          ]
        }),
      ),
    )
  if (peers.length > 0)
    lines.push(
      ...table(
        ['work', 'peer', 'cuadra', 'peer', 'times as fast', 'what differs'],
        ['---', '---', '--:', '--:', '--:', '---'],
        peers.map(({ work, name, version, unit, ours, theirs, goal, differs }) => [
          work,
          `${name} ${version}`,
          quantity(ours, unit),
          quantity(theirs, unit),
          `${digits(theirs / ours)}${goal ? ` (goal: at least ${goal.least})` : ''}`,
          differs,
        ]),
      ),
    )
  for (const { name, why } of skipped) lines.push(`- Skipped: **${name}**, ${cell(why)}.`)
  for (const note of notes) lines.push(`- ${cell(note)}`)
  if (skipped.length + notes.length > 0) lines.push('')
  return [...lines, `${rounds ? `Medians of ${rounds} rounds. ` : ''}${busy}`, '']
}

/** Returns a sentence with the number of goals, in all parts, that were reached. */
const tally = (parts) => {
  const all = parts.flatMap(({ report }) =>
    (report?.rows ?? []).map((row) => goalOf(row).reached).filter(Boolean),
  )
  const reached = all.filter((answer) => answer === 'yes').length
  return `${reached} of ${all.length} rows that have a goal reach it in this run.`
}

/** Returns the whole page. */
export function pageOf({ parts, machine, versions, isQuick }) {
  const busy = parts.filter(({ load }) => load[0] > machine.cores / 2)
  return [
    '# What everything costs',
    '',
    `Created by \`npm run bench:all${isQuick ? ' -- --quick' : ''}\`. The parts ran one after the other, some on another day than the rest, each in a separate process. Tasks and their baselines alternate. The figures are CPU time unless a row states otherwise. Ratios are more reliable than absolute figures. [docs/bench.md](../docs/bench.md) describes the measurements.`,
    '',
    ...(isQuick
      ? [
          '**A sample**: small counts and few rounds. It shows that all parts run, and gives approximate figures.',
          '',
        ]
      : []),
    ...(busy.length > 0
      ? [
          `**The machine was busy with other work** when these parts began: ${busy.map(({ title }) => title).join(', ')}. Their absolute times are longer than on an idle machine, and wall times and rates are unreliable. Ratios are affected least.`,
          '',
        ]
      : []),
    `- Machine: ${machine.cores} cores of ${machine.processor}, ${machine.memory} GB, ${machine.system}.`,
    `- Versions: ${versions.map(([name, version]) => `${name} ${version}`).join(', ')}.`,
    `- ${tally(parts)}`,
    '',
    ...parts.flatMap(sectionOf),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}
