/**
 * Runs `npm run test:all` and writes `docs/evidence.md`: what was checked against what, with the
 * counts of this run. Nothing is on the page that the run did not do. An earlier run prints its files at its end.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf as folderOfSet, setOf } from './dev-packages.mjs'
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

/** Returns the version of a package of the project, or of a set of `dev-packages/`. */
function versionIn(name) {
  const set = setOf(name)
  const path = join(set ? folderOfSet(set) : root, 'node_modules', name, 'package.json')
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')).version : undefined
}

const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
const sum = (list, name) => list.reduce((total, one) => total + one[name], 0)
const day = new Date(startTime).toISOString().slice(0, 10)
const cell = (text) => text.replaceAll('|', '\\|').replaceAll('\n', ' ')

/** The claims, what each was checked against and the folders of its tests, and the programs used. */
const { claims, programs } = JSON.parse(readFileSync('scripts/evidence.json', 'utf8'))
const folders = claims.flatMap((claim) => claim.folders).sort((one, other) => other.length - one.length)
/** The innermost folder of a claim that has a file. */
const folderOf = (file = '') => folders.find((folder) => file.startsWith(`test/${folder}/`))

const sections = claims
  .map(({ title, against, folders }) => {
    const own = results.filter(({ file }) => folders.includes(folderOf(file)))
    const [passed, failed, skipped] = ['passed', 'failed', 'skipped'].map((name) => sum(own, name))
    const lines = counted
      .filter(({ file }) => folders.includes(folderOf(file)))
      .map(({ text }) => `- ${text.split('\n')[0]}`)
    const tested = [...new Set(own.map(({ file }) => file.split('/').slice(0, 2).join('/')))].sort()
    return { title, against, folders: tested, passed, failed, skipped, lines }
  })
  .filter(({ passed, failed }) => passed + failed > 0)
const page = [
  '# Evidence',
  '',
  `Created by \`node scripts/evidence.mjs\` on ${day}, commit ${commit}, with Node ${process.version} on ${cpus().length} cores. The command runs \`npm run test:all\` and writes what that run has checked against what. Tests that were skipped, because a program or a folder was absent, are counted as skipped.`,
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
  ...programs.map(({ name, command, package: file, purpose }) => {
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
