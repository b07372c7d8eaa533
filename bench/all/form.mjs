/**
 * The format of the report of each part of `npm run bench:all`, and the pages built from the reports. Nothing is
 * measured here.
 *
 * A report is `{ figures, goals, skipped, notes, rounds }`, where `figures` or `goals` may be missing:
 * - a figure of the public page: `{ row, what, value, unit, instead: [{ name, value }], differs }`, where `row` is the
 *   number of the row on the page, and `instead` has the values of alternatives to cuadra in the same unit;
 * - a goal for developers: `{ what, value, unit, goal: { most } or { least }, detail }`;
 * - a skipped measurement: `{ row, name, why }`.
 */
import { ROWS } from './parts.mjs'

const isNumber = (value) => typeof value === 'number' && Number.isFinite(value)

/** Returns the problems of a report; an empty list if it is valid. */
export function problemsOf(report) {
  if (report === null || typeof report !== 'object' || !(report.figures ?? report.goals))
    return ['the report has neither figures nor goals']
  const problems = []
  const expect = (value, what) => {
    if (!isNumber(value)) problems.push(`${what} is ${JSON.stringify(value) ?? 'missing'} and not a number`)
  }
  for (const { row, what, value, instead } of report.figures ?? []) {
    expect(value, `the figure of "${what}"`)
    if (!ROWS[row - 1]) problems.push(`"${what}" is in row ${row}, which does not exist`)
    for (const { name, value: theirs } of instead) expect(theirs, `the figure of ${name} for "${what}"`)
  }
  for (const { what, value, goal } of report.goals ?? []) {
    expect(value, `the figure of "${what}"`)
    expect(goal.most ?? goal.least, `the goal of "${what}"`)
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
const quantity = (value, unit) =>
  unit === '%' ? `${Math.round(value * 100)} %` : `${digits(value)}${unit === 'x' ? '' : ' '}${unit}`

/** Returns a text that compares a figure with another one: a multiple of its rate, memory or time. */
export function comparison(value, other, unit) {
  if (unit.includes('/')) return `${digits(value / other)} times the rate`
  if (unit === 'MB') return `${digits(value / other)} times the memory`
  return value <= other ? `${digits(other / value)} times as fast` : `${digits(value / other)} times the time`
}

const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')
const table = (head, align, rows) => [
  `| ${head.join(' | ')} |`,
  `|${align.join('|')}|`,
  ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
  '',
]

/** Returns a text with the date and load of the measurement of a part. */
const measuredOn = ({ report, date, commit, load }) =>
  `${report?.rounds > 1 ? `Medians of ${report.rounds} rounds. ` : ''}Measured on ${date}, ${commit}. Load average ${load.map((value) => value.toFixed(1)).join(' before, ')} after.`

const headOf = ({ parts, machine, versions, isQuick }) => {
  const busy = parts.filter(({ load }) => load[0] > machine.cores / 2)
  return [
    ...(isQuick
      ? ['**A sample**: small counts and few rounds. It shows that all parts run; its figures are rough.', '']
      : []),
    ...(busy.length > 0
      ? [
          `**The machine was busy with other work** when these parts began: ${busy.map(({ name }) => name).join(', ')}. Their times are longer than on an idle machine; the comparisons are affected least.`,
          '',
        ]
      : []),
    `- Machine: ${machine.cores} cores of ${machine.processor}, ${machine.memory} GB, ${machine.system}.`,
    `- Versions: ${versions.map(([name, version]) => `${name} ${version}`).join(', ')}.`,
    '',
  ]
}

const partOf = (parts, name) => parts.find((part) => part.name === name)

/** Returns the table cells of a measured row: a list for each alternative, or the reason why there are no figures. */
function linesOf(number, title, part) {
  const first = (at) => (at === 0 ? [String(number), `**${title}**`] : ['', ''])
  if (!part) return [[...first(0), 'not measured yet', '', '']]
  if (part.problem) return [[...first(0), `not measured: ${part.problem}`, '', '']]
  const { figures = [], skipped = [] } = part.report
  const lines = figures
    .filter(({ row }) => row === number)
    .flatMap(({ what, value, unit, instead }) => {
      const ours = `${what}: **${quantity(value, unit)}**`
      return instead.length === 0
        ? [[ours, '', '']]
        : instead.map(({ name, value: theirs }, at) => [
            at === 0 ? ours : '',
            `${name}: ${quantity(theirs, unit)}`,
            comparison(value, theirs, unit),
          ])
    })
  for (const { row, name, why } of skipped)
    if (row === number) lines.push([`${name}: skipped, ${why}`, '', ''])
  if (lines.length === 0) lines.push(['not measured: the part reported no figure', '', ''])
  return lines.map((line, at) => [...first(at), ...line])
}

/** Returns the public page. */
export function pageOf(run) {
  const { parts, isQuick } = run
  return [
    '# Benchmark results',
    '',
    `Ten figures that matter to users, each compared with a program that does the same work without cuadra, measured in the same run. Created by \`npm run bench:all${isQuick ? ' -- --quick' : ''}\`; [docs/bench.md](../docs/bench.md) describes the method. Times are CPU time unless a line states otherwise. The comparisons are more reliable than the figures, which depend on the machine.`,
    '',
    ...headOf(run),
    ...table(
      ['', 'What', 'cuadra', 'Without cuadra', 'cuadra in comparison'],
      ['--:', '---', '---', '---', '---'],
      ROWS.flatMap(({ title, part }, at) => linesOf(at + 1, title, partOf(parts, part))),
    ),
    '## How each row is measured',
    '',
    ...ROWS.flatMap(({ title, part: name }, at) => {
      const part = partOf(parts, name)
      const isFirst = ROWS.findIndex((row) => row.part === name) === at
      const differences = (part?.report?.figures ?? []).filter(
        ({ row, differs }) => row === at + 1 && differs,
      )
      return [
        `${at + 1}. **${title}** (\`node bench/all/${name}.mjs\`). ${[
          ...(part && isFirst ? [part.about] : []),
          ...differences.map(({ differs }) => differs),
          ...(isFirst ? (part?.report?.notes ?? []) : []),
          ...(part ? [measuredOn(part)] : []),
        ].join(' ')}`,
      ]
    }),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}

const isReached = (value, { most, least }) => (most === undefined ? value >= least : value <= most)

/** Returns the page for developers: the goals, each with its figure. */
export function developersPageOf(run) {
  const parts = run.parts.filter(({ problem, report }) => problem || report.goals)
  return [
    '# Performance goals',
    '',
    'For developers: ratios and limits that a change must not make worse. The goals apply to an idle machine; read [docs/bench.md](../docs/bench.md) before you draw conclusions. [RESULTS.md](RESULTS.md) has the figures for users.',
    '',
    ...headOf({ ...run, parts }),
    ...table(
      ['Part', 'What', 'Measured', 'Goal', 'Reached', 'Detail'],
      ['---', '---', '--:', '---', ':-:', '---'],
      parts.flatMap(({ name, problem, report }) =>
        problem
          ? [[name, `not measured: ${problem}`, '', '', '', '']]
          : report.goals.map(({ what, value, unit, goal, detail }) => [
              name,
              what,
              `**${quantity(value, unit)}**`,
              goal.most === undefined
                ? `at least ${quantity(goal.least, unit)}`
                : `at most ${quantity(goal.most, unit)}`,
              isReached(value, goal) ? 'yes' : 'no',
              detail ?? '',
            ]),
      ),
    ),
    ...parts.map((part) =>
      [
        `- **${part.name}** (\`node ${part.program}\`). ${part.about}`,
        ...(part.report?.notes ?? []),
        measuredOn(part),
      ].join(' '),
    ),
  ]
    .join('\n')
    .trimEnd()
    .concat('\n')
}
