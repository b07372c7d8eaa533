/** A process that migrates a database, and stops before one of its statements, to be killed there. */
import { writeSync } from 'node:fs'
import { migrate } from '../../src/store/migrate.ts'
import { openUnmigrated } from '../../src/store/store.ts'

const { target, steps, stopBefore } = JSON.parse(process.argv[2] ?? '')
let statements = 0
const db = (await openUnmigrated(target)).withPlugin({
  transformQuery({ node }) {
    if (statements++ === stopBefore) {
      writeSync(1, 'stopped')
      // Blocks the process for good.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
    }
    return node
  },
  transformResult: async ({ result }) => result,
})
const isPostgres = target.databaseUrl !== undefined
await migrate(db, { isPostgres, location: 'The database' }, steps)
await db.destroy()
writeSync(1, `${statements}`)
