/** Files and the standard input. */
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { UsageError } from '../../errors/index.ts'
import { ioReason } from '../../terminal/io-reason.ts'
import type { Cli } from './cli.ts'

export const STDIN = '-'

export const shownName = (file: string): string => (file === STDIN ? '<stdin>' : file)

/** Refuses to read the standard input for two purposes: the second one would find it empty. */
export function checkStdin(cli: Cli, files: readonly (string | undefined)[]): void {
  if (files.filter((file) => file === STDIN).length > 1)
    throw new UsageError(
      cli.say({
        en: 'the standard input can be read only once',
        es: 'la entrada estándar solo puede leerse una vez',
      }),
    )
}

export const isBatchName = (file: string): boolean => /\.(?:ndjson|jsonl)$/i.test(file)

/** Marks of UTF-8 and UTF-16, blanks, and the zeros of UTF-16: what may stand before the first `<` of XML. */
const BEFORE = new Set([0xef, 0xbb, 0xbf, 0xff, 0xfe, 0, 32, 9, 10, 13])

/** True of bytes that begin as XML does. No JSON does. */
export const looksLikeXml = (bytes: Uint8Array): boolean => bytes.find((byte) => !BEFORE.has(byte)) === 0x3c

const failure = (cli: Cli, file: string, error: unknown): UsageError =>
  new UsageError(`${shownName(file)}: ${ioReason(error, cli.locale)}`)

async function* guarded(
  cli: Cli,
  file: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  try {
    yield* chunks
  } catch (error) {
    throw failure(cli, file, error)
  }
}

/** The bytes of a file in pieces. Throws a `UsageError` while it is read. */
export const openStream = (cli: Cli, file: string): AsyncIterable<Uint8Array> =>
  guarded(
    cli,
    file,
    file === STDIN ? cli.input() : createReadStream(cli.pathOf(file), { highWaterMark: 256 * 1024 }),
  )

/** All bytes of a file. Throws a `UsageError`. */
export async function readAll(cli: Cli, file: string): Promise<Uint8Array> {
  try {
    if (file !== STDIN) return await readFile(cli.pathOf(file))
    const chunks: Uint8Array[] = []
    for await (const chunk of cli.input()) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    throw failure(cli, file, error)
  }
}

/** Size of all files together; 0 when one is not a plain file. */
export async function sizeOf(cli: Cli, files: readonly string[]): Promise<number> {
  let size = 0
  for (const file of files) {
    const found = file === STDIN ? null : await stat(cli.pathOf(file)).catch(() => null)
    if (!found?.isFile()) return 0
    size += found.size
  }
  return size
}
