/** The conformance suite of the server: the same on every store. */
import { afterAll, beforeAll, describe } from 'vitest'
import { startServer, type TestServer } from './harness.ts'
import { draftsSuite } from './suites/drafts.ts'

export function conformance(store: 'sqlite' | 'postgres'): void {
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ store })
  }, 60_000)
  afterAll(async () => {
    await server?.stop()
  })
  const running = () => server
  describe('drafts', () => draftsSuite(running))
}
