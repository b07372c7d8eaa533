/** Logs as JSON lines; tax ids, names and keys never get into them. */
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

/** Spanish ids inside of a text: a database may repeat a value in its error. */
const TAX_ID = /\b(?:ES)?[A-Z]?\d{7,8}[A-Z0-9]\b/gi

const withoutIds = (text: string): string => text.replaceAll(TAX_ID, '[id]')

/** Tax ids with their letter, and keys: what a client may put where it names its request. Numbers and UUIDs are neither. */
const SECRET = /cuadra_[\w.-]+|(?<![a-z\d])(?:ES)?(?:[A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])(?![a-z\d])/gi

/** What a parser says of a text that it cannot read holds a piece of the text. */
const messageOf = (error: Error): string =>
  error instanceof SyntaxError ? 'a text that cannot be read' : withoutIds(String(error.message))

/** Where it happened; the message stands above. */
const stackOf = ({ stack = '', message }: Error): string =>
  withoutIds(stack.replace(message, '').split('\n').slice(1).join('\n'))

/** Bytes of lines that wait for room. What comes when there are more is lost. */
const WAITING = 1024 * 1024
const STDOUT = 1

/** Where lines go. A full disk ends no server: lines wait for room, and are written with the next one that comes. */
function destinationOf(descriptor: number) {
  // What is written at once needs no flush at the end, which would wait for room as long as there is none.
  const destination = pino.destination({ dest: descriptor, sync: true, maxLength: WAITING })
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
        // Which file, where it is one.
        path: error.path,
        message: messageOf(error),
        stack: stackOf(error),
      }),
    },
  }
  return pino(options, destinationOf(descriptor))
}
