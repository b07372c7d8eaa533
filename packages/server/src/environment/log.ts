/** Writes log entries as lines of JSON. Tax ids, names and keys are never logged. */
import { type Logger, type LoggerOptions, pino } from 'pino'

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

/** Matches UUIDs, and Spanish tax ids outside of them. An error message of the database may contain a tax id. */
const IDS = /(\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b)|\b(?:ES)?[A-Z]?\d{7,8}[A-Z0-9]\b/gi

/** Replaces tax ids. UUIDs remain, because they name an invoice. */
const withoutTaxIds = (text: string): string =>
  text.replaceAll(IDS, (_, uuid: string | undefined) => uuid ?? '[id]')

/**
 * Matches API keys and tax ids with a letter, which a client may send as its request id. Numbers and UUIDs do not
 * match.
 */
const SECRET = /cuadra_[\w.-]+|(?<![a-z\d])(?:ES)?(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])(?![a-z\d])/gi

/** Returns the message of an error. The message of a syntax error is replaced, because it quotes the parsed text. */
const messageOf = (error: Error): string =>
  error instanceof SyntaxError ? 'a text that cannot be read' : withoutTaxIds(String(error.message))

/** Returns the stack without the message. */
const stackOf = ({ stack = '', message }: Error): string =>
  withoutTaxIds(stack.replace(message, '').split('\n').slice(1).join('\n'))

/** Maximum number of bytes of log entries that are kept while the disk is full. Further entries are lost. */
const MAX_BUFFERED_BYTES = 1024 * 1024
const STDOUT = 1

/**
 * Opens the destination of the log. While the disk is full, entries are kept in memory, and written together with the
 * next entry that can be written.
 */
function destinationOf(descriptor: number) {
  // Writing synchronously needs no flush at exit. A flush would block while the disk is full.
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: MAX_BUFFERED_BYTES })
  destination.on('error', () => {})
  return destination
}

export function createLog(level: string, descriptor = STDOUT): Logger {
  const options: LoggerOptions = {
    level,
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: PERSONAL.flatMap((name) => [`["${name}"]`, `*["${name}"]`]), censor: '[redacted]' },
    serializers: {
      request_id: (id: string) => id.replaceAll(SECRET, '[redacted]'),
      err: (error: Error & { code?: unknown; path?: unknown }) => ({
        type: error.name,
        code: error.code,
        // For errors of the file system: the path of the file.
        path: error.path,
        message: messageOf(error),
        stack: stackOf(error),
      }),
    },
  }
  return pino(options, destinationOf(descriptor))
}
