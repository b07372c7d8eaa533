/** Classifies the errors of both databases and of the file system. */
import { ConditionError, isCondition } from '#core/errors/index.ts'

interface Facts {
  readonly code?: unknown
  readonly message?: unknown
  readonly syscall?: unknown
  readonly path?: unknown
}
const factsOf = (error: unknown): Facts => Object(error)

/** Returns the error code that the system or the database assigned; empty if there is none. */
export const codeOf = (error: unknown): string => String(factsOf(error).code ?? '')
export const messageOf = (error: unknown): string => String(factsOf(error).message ?? '')

/** Whether another process is writing (SQLite). */
export const isWriteLocked = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error)) || /database (table )?is locked/.test(messageOf(error))

/** Whether an error is a serialization failure or a deadlock. The same transaction may succeed if it is repeated. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** Whether a lock was not released within the timeout of the transaction. */
export const isLockTimeout = (error: unknown): boolean => codeOf(error) === '55P03'

/** Whether a table does not exist, so the database is new. */
export const isTableMissing = (error: unknown): boolean =>
  codeOf(error) === '42P01' || /no such table/.test(messageOf(error))

/** Whether two transactions wrote the same key. A retry of the second one finds the row that the first one wrote. */
export const isDuplicate = (error: unknown): boolean =>
  codeOf(error) === '23505' ||
  /^SQLITE_CONSTRAINT/.test(codeOf(error)) ||
  /UNIQUE constraint/.test(messageOf(error))

/**
 * Whether stored data is damaged: a corrupt or unreadable page or file (PostgreSQL: XX001, XX002, 58030, 58P01), or a
 * file that is not a database.
 */
export const isDamaged = (error: unknown): boolean =>
  isCondition(error, 'database_damaged') ||
  /^(SQLITE_(CORRUPT|NOTADB|IOERR_(READ|SHORT_READ|DATA|CORRUPTFS))|XX00[12]$|58030$|58P01$|EIO$)/.test(
    codeOf(error),
  ) ||
  /database disk image is malformed/.test(messageOf(error))

/** Whether the disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  ['SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', 'ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error)) ||
  /disk is full|No space left/i.test(messageOf(error))

/** Whether the path of the data folder, or of a parent folder, is a file. */
export const isPathBlockedByFile = (error: unknown): boolean =>
  ['EEXIST', 'ENOTDIR'].includes(codeOf(error)) && factsOf(error).syscall === 'mkdir'

/** Whether the program has no access to the file or its folder. */
const isClosed = (error: unknown): boolean =>
  ['EACCES', 'EPERM', 'EROFS'].includes(codeOf(error)) ||
  /^SQLITE_(READONLY|CANTOPEN|PERM|AUTH)/.test(codeOf(error)) ||
  // For a read-only folder, the error of libsql has no code with a name.
  /unable to open (connection|database)|readonly database/i.test(messageOf(error))

/**
 * Whether the database or its disk accepts no changes: a replica, a file that was opened for reading, or a read-only
 * disk. After a disk error, Linux makes a file system read-only; SQLite then reports SQLITE_IOERR_WRITE.
 */
export const isReadOnly = (error: unknown): boolean =>
  ['25006', 'EROFS'].includes(codeOf(error)) ||
  /^SQLITE_(READONLY|IOERR_(WRITE|FSYNC|TRUNCATE))/.test(codeOf(error)) ||
  (!isDamaged(error) && /readonly database|disk I\/O error/.test(messageOf(error)))

/** Whether the file system refused an operation on a file or folder. */
export const isFileError = (error: unknown): boolean =>
  typeof factsOf(error).syscall === 'string' && typeof factsOf(error).path === 'string'

/** Adds the path to the error of an operation on an open file, which does not contain it, and throws the error. */
export const throwWithPath =
  (path: string) =>
  (error: unknown): never => {
    throw Object.assign(Object(error), { path })
  }

/** Whether nothing can be saved now, although data can be read. */
export const isUnwritable = (error: unknown): boolean =>
  isDiskFull(error) || isReadOnly(error) || isDamaged(error)

export type FaultKind = 'damaged' | 'read_only'

/** Returns the fault of the database that an administrator has to fix; undefined for other errors. */
export const faultOf = (error: unknown): FaultKind | undefined =>
  isDamaged(error) ? 'damaged' : isReadOnly(error) || isClosed(error) ? 'read_only' : undefined

const damageOf = (path: string, error: unknown): string =>
  `${path} is damaged (${messageOf(error)}). Stop every server that uses it, keep a copy of it as it is, and restore your last backup into an empty folder (docs/operations.md, "Restore").`

/** Returns the problem of the database or its files and how to fix it; undefined for other errors. */
export function fileProblem(error: unknown): string | undefined {
  const path = String(factsOf(error).path || 'The database')
  const kind = faultOf(error)
  if (kind === undefined) return undefined
  if (kind === 'damaged') return damageOf(path, error)
  const code = codeOf(error).replace(/^UNKNOWN_.*/, '')
  if (code === '25006')
    return `${path} accepts no changes (${messageOf(error)}). Make the server of CUADRA_DATABASE_URL writable again: promote it, or turn off default_transaction_read_only; or set CUADRA_DATABASE_URL to the primary.`
  return `${path} cannot be read and written (${code || messageOf(error)}). Check that its disk works and is not mounted read-only, and grant the user that runs this program access to it and to its folder; or set CUADRA_DATA_DIR to another folder.`
}

/** Returns the error for a damaged database file, with instructions. */
export const damagedDatabase = (path: string, cause: unknown): ConditionError =>
  new ConditionError('database_damaged', damageOf(path, cause), { path })

/** Matches codes of a database that stops, starts, is unreachable, has no free connection, or times out (57014). */
const AWAY_CODE = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|57P|57014|08|53300)/
/** Matches messages of these errors without a code, from the PostgreSQL client or a distributed database. */
const AWAY_MESSAGES =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|could not commit transaction for shard/

/** Whether the database cannot be reached, or has no free connection. */
export const isDatabaseUnreachable = (error: unknown): boolean =>
  AWAY_CODE.test(codeOf(error)) ||
  AWAY_MESSAGES.test(messageOf(error)) ||
  // A local database listens on a socket file, which does not exist while it is stopped.
  factsOf(error).syscall === 'connect'
