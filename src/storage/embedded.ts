/**
 * The library of the embedded database, loaded where it is used: its binary is an optional package of its own for each
 * platform, which `npm install --omit=optional` leaves out. A server on PostgreSQL does without.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Database from 'libsql'
import { CuadraError } from '../errors/index.ts'
import { messageOf } from './faults.ts'

const BINARY = /'(@libsql\/[\w-]+)'/

/** How to install the package that an error of the library names. */
export function loadFailureMessage(message: string, versions: Readonly<Record<string, string>>): string {
  const [, name = ''] = BINARY.exec(message) ?? []
  const version = versions[name]
  const fix =
    version === undefined
      ? 'there is none for this platform'
      : `npm install ${name}@${version} brings it; npm leaves it out with --omit=optional`
  return `The embedded database cannot be loaded (${message.split('\n')[0]}): ${fix}. Or set CUADRA_DATABASE_URL to a PostgreSQL.`
}

/** Read past what the library exports, which its own description is not among. */
function versionsOfBinaries(): Readonly<Record<string, string>> {
  try {
    const file = join(dirname(createRequire(import.meta.url).resolve('libsql')), 'package.json')
    return JSON.parse(readFileSync(file, 'utf8')).optionalDependencies
  } catch {
    return {}
  }
}

/** The class that opens a file. Rejects where the binary is not installed, or not for this machine. */
export async function embeddedDatabase(): Promise<typeof Database> {
  try {
    return (await import('libsql')).default
  } catch (error) {
    throw new CuadraError(loadFailureMessage(messageOf(error), versionsOfBinaries()))
  }
}
