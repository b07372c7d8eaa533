/** Measures the start of the server in an empty folder. */
import { median } from '../measure.mjs'
import { cpuOf, root, startProcess, temporaryFolder } from '../server/process.mjs'
import { hand, ROUNDS } from './report.mjs'

/** Returns the seconds until a process accepts requests, and its CPU time until then. */
async function started(program, env, ready) {
  const start = performance.now()
  const server = await startProcess(`${root}${program}`, env, ready, [], 0)
  const times = { wall: (performance.now() - start) / 1000, cpu: cpuOf(server.pid) / 1000 }
  await server.stop()
  return times
}
const rounds = []
for (let round = 0; round <= ROUNDS; round++) {
  const env = {
    PORT: '0',
    CUADRA_LOG_LEVEL: 'warn',
    CUADRA_DATA_DIR: temporaryFolder(),
    CUADRA_WORKERS: 'off',
  }
  const one = {
    echo: await started('bench/server/echo.mjs', {}, /echo (http:\S+)\n/),
    ours: await started('dist/server/main.js', env, /cuadra serves (http:\S+)\n/),
  }
  // Discards the first round, which reads files that are not in memory yet.
  if (round > 0) rounds.push(one)
}
const middle = (value) => median(rounds.map(value))
const figure = (what, of) => ({
  row: 2,
  what,
  value: middle(({ ours }) => ours[of]),
  unit: 's',
  instead: [{ name: 'a Hono process with one route', value: middle(({ echo }) => echo[of]) }],
})
hand({
  rounds: ROUNDS,
  figures: [figure('until it accepts requests, wall time', 'wall'), figure('CPU time until then', 'cpu')],
  goals: [
    {
      what: 'an empty folder, wall time',
      value: middle(({ ours }) => ours.wall),
      unit: 's',
      goal: { most: 0.8 },
      detail: `CPU time ${middle(({ ours }) => ours.cpu).toFixed(2)} s`,
    },
  ],
})
