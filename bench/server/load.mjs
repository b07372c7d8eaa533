/** Creates load with autocannon, and measures the CPU time that the server uses for it. */
import { hasSet, howToHave, requireFrom } from '../../scripts/dev-packages.mjs'
import { cpu } from '../measure.mjs'
import { cpuOf } from './process.mjs'

/** Sends a number of requests over 16 connections. Returns the microseconds of CPU per request of server and client. */
export async function load({ url, pid, method, body, headers, amount }) {
  if (!hasSet('load')) throw new Error(howToHave('load'))
  const autocannon = requireFrom('load')('autocannon')
  const [before, own] = [cpuOf(pid), cpu()]
  const result = await autocannon({ url, method, body, headers, connections: 16, amount })
  const failed = result.non2xx + result.errors
  if (failed > 0) throw new Error(`${method} ${url}: ${failed} of ${amount} requests failed`)
  return { cpu: ((cpuOf(pid) - before) * 1000) / amount, client: (cpu() - own) / amount }
}
