/** Load: autocannon, with the processor time that the server used for it. */
import autocannon from 'autocannon'
import { cpuOf } from './process.mjs'

/** Sends requests for some seconds; answers requests a second, and microseconds of the server's CPU for each. */
export async function load({ url, pid, method = 'GET', body, headers = {}, connections = 16, seconds = 3 }) {
  const before = cpuOf(pid)
  const result = await autocannon({ url, method, body, headers, connections, duration: seconds })
  const total = result.requests.total
  const failed = result.non2xx + result.errors
  if (failed > 0) throw new Error(`${method} ${url}: ${failed} of ${total} requests failed`)
  return {
    perSecond: result.requests.average,
    cpu: ((cpuOf(pid) - before) * 1000) / total,
    p99: result.latency.p99,
    total,
  }
}
