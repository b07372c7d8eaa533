/**
 * Loads the embedded database when it is needed. Its binary is an optional package for each platform, which `npm
 * install --omit=optional` does not install. A server with PostgreSQL does not need it.
 */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type Database from 'libsql'
import { CuadraError } from '#core/errors/index.ts'
import { messageOf } from './storage-faults.ts'

const BINARY = /'(@libsql\/[\w-]+)'/

/** Returns a message with the command that installs the missing package, which the library's error names. */
export function loadFailureMessage(message: string, versions: Readonly<Record<string, string>>): string {
  const [, name = ''] = BINARY.exec(message) ?? []
  const version = versions[name]
  const fix =
    version === undefined
      ? 'there is none for this platform'
      : `install it with npm install ${name}@${version}; npm skips it with --omit=optional`
  return `The embedded database cannot be loaded (${message.split('\n')[0]}): ${fix}. Or set CUADRA_DATABASE_URL to a PostgreSQL.`
}

/** Reads the library's `package.json` from the disk, because the library does not export it. */
function versionsOfBinaries(): Readonly<Record<string, string>> {
  try {
    const file = join(dirname(createRequire(import.meta.url).resolve('libsql')), 'package.json')
    return JSON.parse(readFileSync(file, 'utf8')).optionalDependencies
  } catch {
    return {}
  }
}

/** Returns the class that opens a database file. Rejects if its binary is missing, or is for another platform. */
export async function embeddedDatabase(): Promise<typeof Database> {
  try {
    return (await import('libsql')).default
  } catch (error) {
    throw new CuadraError(loadFailureMessage(messageOf(error), versionsOfBinaries()))
  }
}
