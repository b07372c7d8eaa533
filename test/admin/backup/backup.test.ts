/**
 * Backups of both databases, each put back, and what a restore refuses, makes safe and asks. One file of tests, since
 * what they import is loaded once for each file.
 *
 * A sample of what `npm run test:long` does, where each kind of database is backed up under more load, put back into
 * both kinds, goes on, and programs are killed at many moments: here PostgreSQL is backed up and put back into the
 * embedded database, which goes on from its own backup; programs are killed at one moment each.
 */
import { describe, it } from 'vitest'
import { hasPostgres } from '../../conformance/postgres.ts'
import { LONG } from '../../size.ts'
import { refusalSuite } from './suites/refused.ts'
import { restoreSuite } from './suites/restored.ts'
import { roundSuite } from './suites/round.ts'
import { wholeBackup } from './suites/whole.ts'

describe('a backup of the embedded database', () => roundSuite('sqlite', 'sqlite'))
if (hasPostgres()) {
  describe('a backup of PostgreSQL, put back into the embedded database', () =>
    roundSuite('postgres', 'sqlite'))
  if (LONG) {
    describe('a backup of PostgreSQL, put back into PostgreSQL', () => roundSuite('postgres', 'postgres'))
    describe('a backup of the embedded database, put back into PostgreSQL', () =>
      roundSuite('sqlite', 'postgres'))
  } else it.skip('a backup put back into PostgreSQL under load: with CUADRA_LONG', () => {})
} else it.skip('a backup of PostgreSQL: it is not installed here', () => {})

describe('a restore', () => {
  const backup = wholeBackup()
  refusalSuite(backup)
  restoreSuite(backup)
})
