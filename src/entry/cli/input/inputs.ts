/** Reads files and the standard input. */
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { UsageError } from '#core/errors/index.ts'
import { faultOf, LineIndex, withoutComments } from '#core/json/index.ts'
import { ioReason } from '../../terminal/io-reason.ts'
import { USAGE } from '../generated/texts/usage.ts'
import type { Cli } from './cli.ts'
import { invoiceOfPdf, MAX_PDF_BYTES } from './pdf-input.ts'

export const STDIN = '-'

export const shownName = (file: string): string => (file === STDIN ? '<stdin>' : file)

/** Throws a `UsageError` if the standard input would be read twice. */
export function checkStdin(cli: Cli, files: readonly (string | undefined)[]): void {
  if (files.filter((file) => file === STDIN).length > 1) throw cli.usageError(USAGE.standard_input_twice)
}

export const isBatchName = (file: string): boolean => /\.(?:ndjson|jsonl)$/i.test(file)

/** Bytes that may precede the first `<` of XML: byte order marks, blanks, and zero bytes of UTF-16. */
const BEFORE = new Set([0xef, 0xbb, 0xbf, 0xff, 0xfe, 0, 32, 9, 10, 13])

/** Whether the bytes begin like XML, as JSON never does. */
export const looksLikeXml = (bytes: Uint8Array): boolean => bytes.find((byte) => !BEFORE.has(byte)) === 0x3c

const isPdf = (bytes: Uint8Array): boolean =>
  new TextDecoder('latin1').decode(bytes.subarray(0, 5)) === '%PDF-'

/** Whether an error has this system code, such as `ENOENT`. */
export const hasCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

/** Returns the error for a file that cannot be read. */
export const unreadableFileError = (cli: Cli, file: string, error: unknown): UsageError =>
  new UsageError(`${shownName(file)}: ${ioReason(error, cli.locale)}`)

/** Returns the error for a file that cannot be written. */
export const unwritableFileError = (
  cli: Cli,
  file: string,
  error: unknown,
  reason = ioReason(error, cli.locale),
): UsageError =>
  cli.usageErrorAbout(file, { en: `cannot be written: ${reason}`, es: `no se puede escribir: ${reason}` })

async function* guarded(
  cli: Cli,
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let isFirst = true
  const pdf: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of chunks) {
      if (pdf.length > 0 || (isFirst && isPdf(chunk))) pdf.push(chunk)
      else yield chunk
      isFirst = false
      size += chunk.length
      if (pdf.length > 0 && size > MAX_PDF_BYTES) break
    }
  } catch (error) {
    throw unreadableFileError(cli, file, error)
  }
  if (pdf.length > 0)
    yield await invoiceOfPdf(Buffer.concat(pdf), (reason) => cli.usageErrorAbout(shownName(file), reason))
}

/**
 * Returns the bytes of a file as a stream, which throws a `UsageError` if reading fails. For a PDF, returns the bytes
 * of the invoice that the PDF embeds.
 */
export const openStream = (cli: Cli, file: string): AsyncGenerator<Uint8Array> =>
  guarded(
    cli,
    file,
    file === STDIN ? cli.input() : createReadStream(cli.pathOf(file), { highWaterMark: 256 * 1024 }),
  )

/** Returns all bytes of a file, or of the invoice that a PDF embeds. Throws a `UsageError`. */
export async function readAll(cli: Cli, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of openStream(cli, file)) chunks.push(chunk)
  return chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes UTF-8, without a byte order mark. Returns null for invalid UTF-8. */
export function utf8Of(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes)
  } catch {
    return null
  }
}

/** Returns the JSON of a file: without comments in a `.jsonc` file and in the standard input, otherwise as it is. */
export const jsonIn = (file: string, text: string): string =>
  file === STDIN || file === shownName(STDIN) || /\.jsonc$/i.test(file) ? withoutComments(text) : text

/** Parses JSON. Throws a `UsageError` with the line and column of the problem; `about` names the source. */
export function parsedJson(cli: Cli, about: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    const { line, column } = new LineIndex(text).positionOf(faultOf(text)?.offset ?? 0)
    throw cli.usageErrorAbout(about, {
      en: `invalid JSON at line ${line}, column ${column}`,
      es: `JSON no válido en la línea ${line}, columna ${column}`,
    })
  }
}

/** Returns the total size of the files; 0 if any of them is not a regular file. */
export async function sizeOf(cli: Cli, files: readonly string[]): Promise<number> {
  let size = 0
  for (const file of files) {
    const found = file === STDIN ? null : await stat(cli.pathOf(file)).catch(() => null)
    if (!found?.isFile()) return 0
    size += found.size
  }
  return size
}
