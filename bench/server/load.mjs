/** Creates load with autocannon, and measures the CPU time that the server uses for it. */
import { hasSet, howToHave, requireFrom } from '../../scripts/dev-packages.mjs'
import { cpu } from '../measure.mjs'
import { cpuOf } from './process.mjs'

if (!hasSet('load')) {
  console.error(`bench: ${howToHave('load')}`)
  process.exit(2)
}
const autocannon = requireFrom('load')('autocannon')

/**
 * Sends requests for some seconds. Returns the requests per second, and the microseconds of CPU per request of the
 * server and of the client. `clientShare` and `serverShare` are fractions of one core. If `clientShare` is near 1, the
 * client limits the result.
 */
export async function load({ url, pid, method = 'GET', body, headers = {}, connections = 16, seconds = 3 }) {
  const [before, own, at] = [cpuOf(pid), cpu(), performance.now()]
  const result = await autocannon({ url, method, body, headers, connections, duration: seconds })
  const total = result.requests.total
  const failed = result.non2xx + result.errors
  if (failed > 0) throw new Error(`${method} ${url}: ${failed} of ${total} requests failed`)
  const [server, client, wall] = [(cpuOf(pid) - before) * 1000, cpu() - own, (performance.now() - at) * 1000]
  return {
    perSecond: result.requests.average,
    cpu: server / total,
    client: client / total,
    clientShare: client / wall,
    serverShare: server / wall,
    p99: result.latency.p99,
    total,
  }
}
