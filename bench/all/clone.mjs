/** Measures the first command of the README on a clone, compared with installing another library. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readmeCommands } from '../../scripts/bare-clone.mjs'
import { packagesOf } from '../../scripts/dev-packages.mjs'
import { median } from '../measure.mjs'
import { root, runTree, temporaryFolder } from '../server/process.mjs'
import { hand, isQuick } from './report.mjs'

const ROUNDS = isQuick ? 1 : 3
const LIBRARY = '@stackforge-eu/factur-x'
const library = `${LIBRARY}@${packagesOf('peers')[LIBRARY]}`
const folder = temporaryFolder()
const [clone, other] = ['clone', 'other'].map((name) => join(folder, name))

const shell = (command, cwd) => runTree('bash', ['-c', command], { cwd })
const [command] = readmeCommands(readFileSync(`${root}README.md`, 'utf8'))
const stages = command.split(' && ')

async function round() {
  for (const path of [clone, other]) rmSync(path, { recursive: true, force: true })
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', root, clone])
  mkdirSync(other)
  writeFileSync(join(other, 'package.json'), '{ "private": true }')
  const costs = []
  for (const stage of stages) costs.push(await shell(stage, clone))
  return { costs, other: await shell(`npm install --no-audit --no-fund ${library}`, other) }
}
// Discards the first round, which fills npm's cache.
if (!isQuick) await round()
const rounds = []
for (let at = 0; at < ROUNDS; at++) rounds.push(await round())

const middle = (value) => median(rounds.map(value))
const figure = (what, unit, of, ours) => ({
  row: 1,
  what,
  value: middle(({ costs }) => ours(costs.map((cost) => cost[of]))),
  unit,
  instead: [
    { name: `\`${stages[0]}\` alone`, value: middle(({ costs }) => costs[0][of]) },
    { name: `\`npm install ${library}\``, value: middle(({ other }) => other[of]) },
  ],
})
const split = stages.map(
  (stage, at) =>
    `\`${stage}\` ${middle(({ costs }) => costs[at].cpu).toFixed(1)} s and ${middle(({ costs }) => costs[at].peak).toFixed(0)} MB`,
)
hand({
  rounds: ROUNDS,
  figures: [
    figure('CPU time', 's', 'cpu', (all) => all.reduce((sum, one) => sum + one)),
    figure('memory of the largest process', 'MB', 'peak', (all) => Math.max(...all)),
  ],
  notes: [
    `CPU time and memory by stage: ${split.join(', ')}. The library only writes CII from calculated amounts.`,
  ],
})
