export { BoundedCache } from './bounded-cache.ts'
export { embeddedDatabase } from './embedded-database.ts'
export { checkIntegrity } from './integrity.ts'
export {
  closeToOthers,
  flush,
  makeDurableFolder,
  makePrivateFile,
  makePrivateFolder,
  PRIVATE_MODES,
} from './private-files.ts'
export { openSqlite, sqliteDialect } from './sqlite.ts'
export {
  codeOf,
  damagedDatabase,
  type FaultKind,
  faultOf,
  fileProblem,
  isConflict,
  isDamaged,
  isDatabaseUnreachable,
  isDiskFull,
  isDuplicate,
  isFileError,
  isLockTimeout,
  isPathBlockedByFile,
  isReadOnly,
  isTableMissing,
  isUnwritable,
  isWriteLocked,
  messageOf,
  throwWithPath,
} from './storage-faults.ts'
