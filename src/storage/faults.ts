/** Failures of both databases, under common names. */
import { ConditionError } from '../errors/conditions.ts'

interface Facts {
  readonly code?: unknown
  readonly message?: unknown
  readonly syscall?: unknown
  readonly path?: unknown
}
const factsOf = (error: unknown): Facts => Object(error)

/** The code that a system or a database gives a failure; empty where there is none. */
export const codeOf = (error: unknown): string => String(factsOf(error).code ?? '')
export const messageOf = (error: unknown): string => String(factsOf(error).message ?? '')

/** SQLite: another process writes. */
export const isBusy = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error)) || /database (table )?is locked/.test(messageOf(error))

/** Serialization failure or deadlock: the same transaction may go through when it is tried again. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** A lock was waited for longer than this transaction may. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** The table is not there: the database is new. */
export const isWithoutTable = (error: unknown): boolean =>
  codeOf(error) === '42P01' || /no such table/.test(messageOf(error))

/** Two transactions wrote the same key: tried again, the second one finds what the first one wrote. */
export const isDuplicate = (error: unknown): boolean =>
  codeOf(error) === '23505' ||
  /^SQLITE_CONSTRAINT/.test(codeOf(error)) ||
  /UNIQUE constraint/.test(messageOf(error))

/** Pages of the database file are not what was written, cannot be read, or it is another file. */
export const isDamaged = (error: unknown): boolean =>
  /^SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|DATA|CORRUPTFS))/.test(codeOf(error))

/** Nothing more fits on the disk. */
export const isFull = (error: unknown): boolean =>
  !isDamaged(error) &&
  (['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error)) ||
    /^SQLITE_IOERR_(WRITE|FSYNC|TRUNCATE|SHMSIZE)/.test(codeOf(error)) ||
    /disk is full|disk I\/O error|No space left/i.test(messageOf(error)))

/** The folder of the data is a file, or lies in one. */
export const isNoFolder = (error: unknown): boolean =>
  ['EEXIST', 'ENOTDIR'].includes(codeOf(error)) && factsOf(error).syscall === 'mkdir'

/** The file or its folder is not open to this program. */
const isClosed = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)) ||
  /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(codeOf(error)) ||
  /unable to open (connection|database)/i.test(messageOf(error))

/** The database takes no changes: a replica, or a file that is open for reading alone. */
export const isReadOnly = (error: unknown): boolean =>
  codeOf(error) === '25006' ||
  /^SQLITE_READONLY/.test(codeOf(error)) ||
  /readonly database/.test(messageOf(error))

const damageOf = (path: string, error: unknown): string =>
  `${path} is damaged (${messageOf(error)}). Stop every server that uses it, keep a copy of it as it is, and restore your last backup into an empty folder (docs/operations.md, "Restore").`

/** What is wrong with the file of the embedded database, or with its folder, and what mends it; else undefined. */
export function fileProblem(error: unknown): string | undefined {
  const path = String(factsOf(error).path || 'The database')
  if (isDamaged(error)) return damageOf(path, error)
  if (isClosed(error))
    return `${path} cannot be read and written (${codeOf(error) || messageOf(error)}). Give the user that runs this program the rights to it and to its folder, on a disk that is not read-only, or set CUADRA_DATA_DIR to another folder.`
  return undefined
}

/** The file of the embedded database is damaged: which, and what to do. */
export const damagedDatabase = (path: string, cause: unknown): ConditionError =>
  new ConditionError('database_damaged', damageOf(path, cause), { path })

/** What a database says that stops, starts, is gone, has no connection left, or does not answer in time (57014). */
const AWAY_CODE = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|57P|57014|08|53300)/
/** The same where it has no code: PostgreSQL's client says it, and a distributed one of its machines. */
const AWAY_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|could not commit transaction for shard/

/** The database cannot be reached, or has no connection left. */
export const isAway = (error: unknown): boolean =>
  AWAY_CODE.test(codeOf(error)) ||
  AWAY_MESSAGES.test(messageOf(error)) ||
  // The socket of a database on this machine is a file, which is gone while it does not run.
  factsOf(error).syscall === 'connect'
