/** Reads the files given on the command line. `-` means the standard input. */
import { readFile } from 'node:fs/promises'
import { UsageError } from '#core/errors/index.ts'
import { ioReason } from '#entry/terminal/index.ts'
import type { Io } from './io.ts'

const STDIN = '-'

const shown = (file: string): string => (file === STDIN ? '<stdin>' : file)

/** Returns the bytes of a file. Throws a `UsageError` if it cannot be read. */
export async function readBytes(io: Io, file: string): Promise<Buffer> {
  try {
    if (file !== STDIN) return await readFile(file)
    const chunks: Uint8Array[] = []
    for await (const chunk of io.input()) chunks.push(chunk)
    return Buffer.concat(chunks)
  } catch (error) {
    throw new UsageError(`${shown(file)}: ${ioReason(error)}`)
  }
}

/** Returns the text of a UTF-8 file, without a byte order mark. */
export async function readText(io: Io, file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readBytes(io, file))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${shown(file)}: invalid UTF-8`)
  }
}

export async function readJson(io: Io, file: string): Promise<unknown> {
  const text = await readText(io, file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${shown(file)}: invalid JSON: ${(error as Error).message}`)
  }
}

/** Returns the password from the first line of a file, because editors add a line break. */
export async function readPassword(io: Io, file: string): Promise<string> {
  const [line = ''] = (await readText(io, file)).split(/\r?\n/)
  return line
}
