/** Classifies the errors of both databases and of the file system. */
import { ConditionError } from '../errors/conditions.ts'

interface Facts {
  readonly code?: unknown
  readonly message?: unknown
  readonly syscall?: unknown
  readonly path?: unknown
}
const factsOf = (error: unknown): Facts => Object(error)

/** Returns the code that the system or the database gives an error; empty if there is none. */
export const codeOf = (error: unknown): string => String(factsOf(error).code ?? '')
export const messageOf = (error: unknown): string => String(factsOf(error).message ?? '')

/** Whether another process is writing (SQLite). */
export const isBusy = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error)) || /database (table )?is locked/.test(messageOf(error))

/**
 * Whether an error is a serialization failure or a deadlock: the same transaction may succeed when it is tried again.
 */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** Whether a lock was not released within the timeout of the transaction. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** Whether a table does not exist, so the database is new. */
export const isWithoutTable = (error: unknown): boolean =>
  codeOf(error) === '42P01' || /no such table/.test(messageOf(error))

/** Whether two transactions wrote the same key. A retry of the second one finds the row that the first one wrote. */
export const isDuplicate = (error: unknown): boolean =>
  codeOf(error) === '23505' ||
  /^SQLITE_CONSTRAINT/.test(codeOf(error)) ||
  /UNIQUE constraint/.test(messageOf(error))

/** Whether the database file is corrupt, cannot be read, or is not a database. */
export const isDamaged = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|DATA|CORRUPTFS))/.test(codeOf(error))

/** Whether the disk is full. */
export const isFull = (error: unknown): boolean =>
  !isDamaged(error) &&
  (['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error)) ||
    /^SQLITE_IOERR_(WRITE|FSYNC|TRUNCATE|SHMSIZE)/.test(codeOf(error)) ||
    /disk is full|disk I\/O error|No space left/i.test(messageOf(error)))

/** Whether the data folder is a file, or is below a file. */
export const isNoFolder = (error: unknown): boolean =>
  ['EEXIST', 'ENOTDIR'].includes(codeOf(error)) && factsOf(error).syscall === 'mkdir'

/** Whether the program has no access to the file or its folder. */
const isClosed = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)) ||
  /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(codeOf(error)) ||
  // For a read-only folder, libsql gives a code without a name.
  /unable to open (connection|database)|readonly database/i.test(messageOf(error))

/** Whether the database accepts no changes, such as a replica or a file opened for reading. */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error) === '25006' ||
  /^SQLITE_READONLY/.test(codeOf(error)) ||
  /readonly database/.test(messageOf(error))

const damageOf = (path: string, error: unknown): string =>
  `${path} is damaged (${messageOf(error)}). Stop every server that uses it, keep a copy of the file as it is, and restore your last backup into an empty folder (docs/operations.md, "Restore").`

/** Returns what is wrong with the file or folder of the embedded database and how to fix it, or undefined. */
export function fileProblem(error: unknown): string | undefined {
  const path = String(factsOf(error).path || 'The database')
  if (isDamaged(error)) return damageOf(path, error)
  const code = codeOf(error).replace(/^UNKNOWN_.*/, '')
  if (isClosed(error))
    return `${path} cannot be read and written (${code || messageOf(error)}). Grant the user that runs this program access to it and to its folder, on a writable disk, or set CUADRA_DATA_DIR to another folder.`
  return undefined
}

/** Reports a damaged database file and what to do. */
export const damagedDatabase = (path: string, cause: unknown): ConditionError =>
  new ConditionError('database_damaged', damageOf(path, cause), { path })

/** Codes of a database that stops, starts, is unreachable, has no connection left, or times out (57014). */
const AWAY_CODE = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|57P|57014|08|53300)/
/** Messages of such errors without a code, from the client of PostgreSQL or from a distributed database. */
const AWAY_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|could not commit transaction for shard/

/** Whether the database cannot be reached, or has no connection left. */
export const isAway = (error: unknown): boolean =>
  AWAY_CODE.test(codeOf(error)) ||
  AWAY_MESSAGES.test(messageOf(error)) ||
  // A local database listens on a socket file, which does not exist while it is stopped.
  factsOf(error).syscall === 'connect'
