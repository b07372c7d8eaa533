import type { Locale, Text } from '../invoice/index.ts'

const REASONS: Readonly<Record<string, Text>> = {
  ENOENT: { en: 'no such file', es: 'no existe' },
  EACCES: { en: 'permission denied', es: 'sin permiso' },
  EPERM: { en: 'permission denied', es: 'sin permiso' },
  EISDIR: { en: 'is a folder; specify its files', es: 'es una carpeta; indique sus ficheros' },
  ENOSPC: { en: 'the disk is full', es: 'el disco está lleno' },
  EROFS: { en: 'the disk is read-only', es: 'el disco es de solo lectura' },
  ERR_FS_FILE_TOO_LARGE: { en: 'larger than 2 GiB; use NDJSON', es: 'supera 2 GiB; use NDJSON' },
  ERR_STRING_TOO_LONG: {
    en: 'too large for one document; use NDJSON',
    es: 'demasiado grande para un documento; use NDJSON',
  },
  EMFILE: { en: 'too many open files', es: 'demasiados ficheros abiertos' },
}

const UNKNOWN: Text = { en: 'cannot be read', es: 'no se puede leer' }

/** Returns why a file could not be read or written. */
export function ioReason(error: unknown, locale: Locale = 'en'): string {
  const { code, message } = error as { code?: string; message?: string }
  const known = code === undefined ? undefined : REASONS[code]
  return known?.[locale] ?? (code || message || UNKNOWN[locale])
}
