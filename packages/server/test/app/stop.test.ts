/**
 * A server that is stopped under load answers every connection that it has accepted, and resets none. A connection that
 * only the system has accepted cannot be seen by the server.
 */
import { Agent, request } from 'node:http'
import { beforeAll, describe, expect } from 'vitest'
import { BASE_PATH, startServer, type TestCompany, type TestServer } from '#test/conformance/harness.ts'
import { draft } from '#test/conformance/invoices.ts'
import { itInAll, sized } from '#test/size.ts'
import { until } from '#test/until.ts'

const CLIENTS = 12
const ROUNDS = sized(1, 2, 10)

/** Status of a `PUT /drafts`, or the error code of its connection. */
const send = (url: string, key: string, agent: Agent): Promise<string> =>
  new Promise((resolve) => {
    const body = Buffer.from(JSON.stringify(draft()))
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Content-Length': body.length }
    const outgoing = request(`${url}${BASE_PATH}/drafts`, { method: 'PUT', headers, agent }, (incoming) => {
      incoming.resume()
      incoming.once('end', () => resolve(String(incoming.statusCode)))
      incoming.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    })
    outgoing.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    outgoing.end(body)
  })

describe('a stop under load', () => {
  let first: TestServer
  let company: TestCompany
  beforeAll(async () => {
    first = await startServer({ store: 'sqlite' })
    company = await first.company()
  }, 60_000)

  itInAll('resets no keep-alive connection, and loses nothing that was acknowledged', async () => {
    const { dataDir } = first
    const kept = new Set<string>()
    let saved = 0
    for (let round = 0; round < ROUNDS; round++) {
      const server = await startServer({ store: 'sqlite', dataDir })
      const client = async (n: number): Promise<void> => {
        // Every second client opens a new connection for each request.
        const keepAlive = n % 2 === 0
        const agent = new Agent({ keepAlive })
        for (;;) {
          const answer = await send(server.url, company.key, agent)
          if (keepAlive) kept.add(answer)
          if (answer === '201') saved++
          // The server listens no more, so the connection was never made.
          if (answer === 'ECONNREFUSED') return agent.destroy()
        }
      }
      const load = Promise.all(Array.from({ length: CLIENTS }, (_, n) => client(n)))
      const before = saved
      await until(() => saved > before + 10 * CLIENTS, 'every client has saved drafts')
      await server.stop()
      await load
    }
    expect([...kept].sort()).toEqual(['201', 'ECONNREFUSED'])
    const own = (await first.store()).of(company.id)
    expect(await own.select('invoices').select('invoice_id').execute()).toHaveLength(saved)
  })
})
