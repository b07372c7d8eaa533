/**
 * Tests backups, restores, and the backups that a restore rejects, for both databases. They share a file because every
 * test file loads its imports again.
 *
 * `npm run test:long` makes backups under more load, restores each backup into both databases, and kills programs at
 * many points. The short run restores PostgreSQL only into the embedded database, and kills each program at one point.
 *
 * @slow
 */
import { describe, it } from 'vitest'
import { hasPostgres } from '#test/conformance/postgres.ts'
import { LONG } from '#test/size.ts'
import { rejectionSuite } from './suites/rejected.ts'
import { restoreSuite } from './suites/restored.ts'
import { roundSuite } from './suites/round.ts'
import { wholeBackup } from './suites/whole.ts'

describe('a backup of the embedded database', () => roundSuite('sqlite', 'sqlite'))
if (hasPostgres()) {
  describe('a backup of PostgreSQL, restored into the embedded database', () =>
    roundSuite('postgres', 'sqlite'))
  if (LONG) {
    describe('a backup of PostgreSQL, restored into PostgreSQL', () => roundSuite('postgres', 'postgres'))
    describe('a backup of the embedded database, restored into PostgreSQL', () =>
      roundSuite('sqlite', 'postgres'))
  } else it.skip('a backup restored into PostgreSQL under load: only with npm run test:long', () => {})
} else it.skip('a backup of PostgreSQL: it is not installed here', () => {})

describe('a restore', () => {
  const backup = wholeBackup()
  rejectionSuite(backup)
  restoreSuite(backup)
})
