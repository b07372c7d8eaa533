/** Checks all pages of an embedded database. */
import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { messageOf } from './storage-faults.ts'

/** The program of a separate process, which can be terminated although statements of the database block it. */
const PROGRAM = `
  const [, library, file] = process.argv
  try {
    const rows = new (require(library))(file).prepare('PRAGMA integrity_check(5)').all()
    console.log(rows.map(({ integrity_check }) => integrity_check).join('; '))
  } catch ({ message }) {
    console.log(message)
  }`

/** Returns the problems of a file, or `ok`; undefined if the check takes longer than `timeout` milliseconds. */
export const checkIntegrity = (file: string, timeout: number): Promise<string | undefined> =>
  new Promise((resolve) => {
    const library = createRequire(import.meta.url).resolve('libsql')
    execFile(process.execPath, ['-e', PROGRAM, library, file], { timeout }, (error, out) =>
      resolve(error?.killed ? undefined : out.trim() || messageOf(error)),
    )
  })
