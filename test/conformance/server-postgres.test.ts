/** The conformance suite on PostgreSQL. @slowest */
import { describe, it } from 'vitest'
import { hasPostgres } from './postgres.ts'

if (hasPostgres()) {
  const { conformance } = await import('./suite.ts')
  describe('the server on PostgreSQL', () => conformance('postgres'))
} else it.skip('the server on PostgreSQL: it is not installed here', () => {})
