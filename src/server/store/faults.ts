/** What the databases say when they cannot, in one vocabulary. */

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? '')
const messageOf = (error: unknown): string => String((error as { message?: unknown } | null)?.message ?? '')

/** SQLite: another process writes. */
export const isBusy = (error: unknown): boolean =>
  /^SQLITE_(BUSY|LOCKED)/.test(codeOf(error)) || /database (table )?is locked/.test(messageOf(error))

/** Serialization failure or deadlock: the same transaction may go through when it is tried again. */
export const isConflict = (error: unknown): boolean => ['40001', '40P01'].includes(codeOf(error))

/** The table is not there: the database is new. */
export const isWithoutTable = (error: unknown): boolean =>
  codeOf(error) === '42P01' || /no such table/.test(messageOf(error))

/** Two transactions wrote the same key: tried again, the second one finds what the first one wrote. */
export const isDuplicate = (error: unknown): boolean =>
  codeOf(error) === '23505' ||
  /^SQLITE_CONSTRAINT/.test(codeOf(error)) ||
  /UNIQUE constraint/.test(messageOf(error))

/** Nothing more fits on the disk. */
export const isFull = (error: unknown): boolean =>
  ['SQLITE_FULL', 'ENOSPC', 'EDQUOT', '53100'].includes(codeOf(error)) ||
  /^SQLITE_IOERR_(WRITE|FSYNC|TRUNCATE|SHMSIZE)/.test(codeOf(error)) ||
  /disk is full|disk I\/O error|No space left/i.test(messageOf(error))

/** The folder of the data is a file, or lies in one. */
export const isNoFolder = (error: unknown): boolean =>
  ['EEXIST', 'ENOTDIR'].includes(codeOf(error)) && (error as { syscall?: unknown }).syscall === 'mkdir'

/** What a database says that stops, starts, is gone, has no connection left, or does not answer in time (57014). */
const AWAY_CODE = /^(ECONN|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_|EHOSTUNREACH|ENETUNREACH|57P|57014|08|53300)/
/** The same where it has no code: PostgreSQL's client says it, and a distributed one of its machines. */
const AWAY_WORDS =
  /timeout exceeded when trying to connect|Connection terminated|is not queryable|could not commit transaction for shard/

/** The database cannot be reached, or has no connection left. */
export const isAway = (error: unknown): boolean =>
  AWAY_CODE.test(codeOf(error)) ||
  AWAY_WORDS.test(messageOf(error)) ||
  // The socket of a database on this machine is a file, which is gone while it does not run.
  (error as { syscall?: unknown } | null)?.syscall === 'connect'
