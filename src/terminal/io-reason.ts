const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'is a directory; name the files in it',
  ERR_FS_FILE_TOO_LARGE: 'larger than 2 GiB; use NDJSON',
  ERR_STRING_TOO_LONG: 'too large for one document; use NDJSON',
  EMFILE: 'too many open files',
}

/** In words, why a file could not be read. */
export function ioReason(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return (code !== undefined && REASONS[code]) || code || message || 'cannot be read'
}
