/**
 * `npm run evidence`: runs `npm run test:all` and writes `docs/evidence.md`: what was checked against what, with the
 * counts of this run. Nothing is on the page that the run did not do. An earlier run prints its files at its end.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { GROUPS, PROGRAMS } from './evidence/groups.mjs'
import { readOptions, wrongUsage } from './options.mjs'
import { skippedTests } from './test-counts.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
process.chdir(root)
const { values, positionals } = readOptions({
  about: 'Runs all tests and writes docs/evidence.md, which states what was checked against what.',
  options: {
    from: { type: 'boolean', about: 'use REPORT and FIGURES of an earlier run instead of testing' },
  },
  operands: '[REPORT FIGURES]',
})
if (positionals.length !== (values.from ? 2 : 0))
  wrongUsage('Name REPORT and FIGURES with --from, and only then.')
let [report, figures] = positionals
const isNew = !values.from
if (isNew) {
  const folder = mkdtempSync(join(tmpdir(), 'cuadra-evidence-'))
  report = join(folder, 'report.json')
  figures = join(folder, 'figures.jsonl')
  spawnSync(process.execPath, ['scripts/test.mjs', '--all', '--report', report], {
    stdio: 'inherit',
    env: { ...process.env, CUADRA_EVIDENCE: figures },
  })
}

const { testResults, startTime } = JSON.parse(readFileSync(report, 'utf8'))
const results = testResults.map(({ name, assertionResults }) => ({
  file: name.replace(root, ''),
  passed: assertionResults.filter(({ status }) => status === 'passed').length,
  failed: assertionResults.filter(({ status }) => status === 'failed').length,
  skipped: assertionResults.filter(({ status }) => !['passed', 'failed'].includes(status)).length,
}))
const counted = existsSync(figures)
  ? readFileSync(figures, 'utf8')
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  : []

/** Returns the first line with a version that a program prints, or undefined if it is not installed. */
function versionOf([program, ...args]) {
  try {
    const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' })
    return /\d+\.\d[\w.]*|(?<=version )\d+/.exec(`${stdout}\n${stderr}`)?.[0]
  } catch {
    return undefined
  }
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const sum = (list, name) => list.reduce((total, one) => total + one[name], 0)
const day = new Date(startTime).toISOString().slice(0, 10)
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

const sections = GROUPS.map(({ title, against, files }) => {
  const own = results.filter(({ file }) => files.test(file))
  const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((name) => sum(own, name))
  const lines = counted
    .filter(({ file }) => files.test(file ?? ''))
    .map(({ text }) => `- ${text.split('\n')[0]}`)
  const folders = [...new Set(own.map(({ file }) => file.split('/').slice(0, 2).join('/')))].sort()
  return { title, against, folders, passed, failed, skipped, lines }
}).filter(({ passed, failed }) => passed + failed > 0)
const page = [
  '# Evidence',
  '',
  `Created by \`npm run evidence\` on ${day}, commit ${commit}, with Node ${process.version} on ${cpus().length} cores. The command runs \`npm run test:all\` and writes what that run has checked against what. Tests that were skipped, because a program or a folder was absent, are counted as skipped.`,
  '',
  '- [Summary](#summary)',
  '- [Counts](#counts)',
  '- [Programs](#programs)',
  '- [Skipped](#skipped)',
  '',
  '## Summary',
  '',
  `${sum(results, 'passed').toLocaleString('en')} tests passed, ${sum(results, 'failed')} failed, ${sum(results, 'skipped')} skipped. Repeat a row with \`CUADRA_TEST_SIZE=all npx vitest run FOLDER\`, after \`npm run build -- all\`.`,
  '',
  '| Claim | Checked against | Folders | Passed | Failed | Skipped |',
  '|---|---|---|--:|--:|--:|',
  ...sections.map(
    ({ title, against, folders, passed, failed, skipped }) =>
      `| ${cell(title)} | ${cell(against)} | ${folders.map((folder) => `\`${folder}\``).join(', ')} | ${passed} | ${failed} | ${skipped} |`,
  ),
  '',
  '## Counts',
  '',
  ...sections.flatMap(({ title, lines }) => (lines.length > 0 ? [`**${title}.**`, '', ...lines, ''] : [])),
  '## Programs',
  '',
  'Versions of the programs and libraries that results were compared with:',
  '',
  ...PROGRAMS.map(({ name, command, package: file, purpose }) => {
    const version = command ? versionOf(command) : versionIn(file)
    return `- ${name} ${version ?? '(not installed: its tests were skipped)'}: ${purpose}`
  }),
  '',
  '## Skipped',
  '',
  ...(sum(results, 'skipped') === 0
    ? ['None.']
    : skippedTests(JSON.parse(readFileSync(report, 'utf8')), root).map((name) => `- ${cell(name)}`)),
  '',
].join('\n')
writeFileSync('docs/evidence.md', page)
console.log(`evidence: wrote docs/evidence.md${isNew ? ` from ${report} and ${figures}` : ''}`)
if (sum(results, 'failed') > 0) process.exitCode = 1

/** Returns the version of an installed package of a development set, or of the project. */
function versionIn(file) {
  const path = [
    '',
    'dev-packages/module/',
    'dev-packages/peers/',
    'dev-packages/documents/',
    'dev-packages/browser/',
    'dev-packages/clients/',
  ]
    .map((folder) => join(root, folder, 'node_modules', file, 'package.json'))
    .find(existsSync)
  return path && JSON.parse(readFileSync(path, 'utf8')).version
}
