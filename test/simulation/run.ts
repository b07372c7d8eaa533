/**
 * Runs simulations in a process of its own, as it replaces builtins of Node: `--seed N`, `--days D`, `--steps S`,
 * `--seeds COUNT`. Prints shortened stories of failures, or a line of JSON for each seed with `--json`.
 */
import { parseArgs } from 'node:util'
import { acts } from './acts.ts'
import { counts, installDatabaseFaults } from './faults.ts'
import { installPostgresFaults, readNumbers } from './postgres.ts'
import { watchFlushes } from './power.ts'
import { SABOTAGES } from './sabotage.ts'
import { shorten } from './shorten.ts'
import { type Settings, simulate, watchRejections } from './simulate.ts'
import { type Step, storyOf } from './story.ts'
import { time } from './virtual.ts'
import { prepare } from './world.ts'

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    days: { type: 'string', default: '400' },
    steps: { type: 'string', default: '120' },
    sabotage: { type: 'string' },
    store: { type: 'string', default: 'sqlite' },
    json: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    'no-shorten': { type: 'boolean', default: false },
  },
})
const [first, seeds, days, steps] = [values.seed, values.seeds, values.days, values.steps].map(Number) as [
  number,
  number,
  number,
  number,
]
const sabotage = values.sabotage ? SABOTAGES[values.sabotage] : undefined
if (values.sabotage && !sabotage)
  throw new Error(`Unknown sabotage ${values.sabotage}. Use one of ${Object.keys(SABOTAGES).join(', ')}.`)
const print = (line: string) => void process.stdout.write(`${line}\n`)

const textOf = (lines: readonly string[], failure: { readonly message: string }) =>
  [...lines.map((line, index) => `  ${index + 1}. ${line}`), `  => ${failure.message}`].join('\n')

/** Shortens a failing story, and returns it with its text. */
async function shortened(story: readonly Step[], settings: Settings, rule: string, at: number) {
  const until = at === -1 ? story : story.slice(0, at + 1)
  const fails = async (candidate: readonly Step[]) =>
    (await simulate(candidate, settings)).failure?.rule === rule
  const short = (await fails(until)) ? await shorten(until, fails) : story
  return { short, ...(await simulate(short, settings)) }
}

const began = process.hrtime.bigint()
if (values.store !== 'sqlite' && values.store !== 'postgres')
  throw new Error(`Unknown store ${values.store}. Use sqlite or postgres.`)
await prepare(values.store)
time.install()
installDatabaseFaults()
await watchFlushes()
if (values.store === 'postgres') {
  readNumbers()
  installPostgresFaults()
}
watchRejections()
let failures = 0
let simulated = 0
for (let seed = first; seed < first + seeds; seed++) {
  const story = storyOf(seed, days, steps)
  const settings: Settings = { seed, sabotage }
  const { failure, lines, digest, days: passed, log } = await simulate(story, settings)
  simulated += passed
  if (values.verbose) print(lines.join('\n'))
  if (log) print(log.join('\n'))
  if (!failure) {
    if (values.json) print(JSON.stringify({ seed, digest }))
    else print(`seed ${seed}: ${steps} steps, ${passed} days, digest ${digest}`)
    continue
  }
  failures++
  if (!values.json) print(`seed ${seed} FAILED at step ${failure.at + 1}: ${failure.message}`)
  if (values['no-shorten']) {
    if (values.json) print(JSON.stringify({ seed, digest, rule: failure.rule, message: failure.message }))
    continue
  }
  const {
    short,
    lines: shortLines,
    failure: last,
  } = await shortened(story, settings, failure.rule, failure.at)
  const message = (last ?? failure).message
  if (values.json)
    print(
      JSON.stringify({
        seed,
        digest,
        rule: failure.rule,
        message,
        steps: short.length,
        story: textOf(shortLines, { message }),
      }),
    )
  else
    print(
      `shortened to ${short.length} steps:\n${textOf(shortLines, { message })}\nReplay: npm run simulate -- --seed ${seed} --days ${days} --steps ${steps}`,
    )
}
const seconds = Number(process.hrtime.bigint() - began) / 1e9
const summary = {
  seeds,
  failures,
  days: simulated,
  seconds: Math.round(seconds * 10) / 10,
  faults: Object.fromEntries([...counts].sort()),
  acts: Object.fromEntries([...acts].sort()),
}
print(
  values.json
    ? JSON.stringify(summary)
    : `\n${seeds} seeds, ${simulated} days, ${failures} failed, ${summary.seconds} s\n${JSON.stringify({ faults: summary.faults, acts: summary.acts }, null, 1)}`,
)
process.exit(failures > 0 ? 1 : 0)
