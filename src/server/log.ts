/** Logs as JSON lines; tax ids, names and keys never get into them. */
import { type Logger, pino } from 'pino'

const PERSONAL = [
  'tax_id',
  'name',
  'legal_name',
  'supplier_tax_id',
  'customer_tax_id',
  'supplier_name',
  'customer_name',
  'key',
  'secret_hash',
  'x-api-key',
  'authorization',
]

/** Spanish ids inside of a text: a database may repeat a value in its error. */
const TAX_ID = /\b(?:ES)?[A-Z]?\d{7,8}[A-Z0-9]\b/gi

const withoutIds = (text: string): string => text.replaceAll(TAX_ID, '[id]')

export function createLog(level: string): Logger {
  return pino({
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: PERSONAL.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '[redacted]' },
    serializers: {
      err: (error: Error & { code?: unknown }) => ({
        type: error.name,
        code: error.code,
        message: withoutIds(String(error.message)),
        stack: withoutIds(String(error.stack)),
      }),
    },
  })
}
