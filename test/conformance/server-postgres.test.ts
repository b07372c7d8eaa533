import { describe, it } from 'vitest'
import { hasPostgres } from './postgres.ts'
import { conformance } from './suite.ts'

if (hasPostgres()) describe('the server on PostgreSQL', () => conformance('postgres'))
else it.skip('the server on PostgreSQL: it is not installed here', () => {})
