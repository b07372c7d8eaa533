/** Files that a command names; `-` is the standard input. */
import { readFile } from 'node:fs/promises'
import { UsageError } from '../errors/index.ts'
import { ioReason } from '../terminal/io-reason.ts'
import type { Io } from './io.ts'

const STDIN = '-'

const shown = (file: string): string => (file === STDIN ? '<stdin>' : file)

/** The bytes of a file. Throws a `UsageError`. */
export async function bytesOf(io: Io, file: string): Promise<Buffer> {
  try {
    if (file !== STDIN) return await readFile(file)
    const pieces: Uint8Array[] = []
    for await (const piece of io.input()) pieces.push(piece)
    return Buffer.concat(pieces)
  } catch (error) {
    throw new UsageError(`${shown(file)}: ${ioReason(error)}`)
  }
}

/** The text of a file in UTF-8, without the mark that some editors write at its beginning. */
export async function textOf(io: Io, file: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await bytesOf(io, file))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${shown(file)}: is no text in UTF-8`)
  }
}

export async function jsonOf(io: Io, file: string): Promise<unknown> {
  const text = await textOf(io, file)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${shown(file)}: is not JSON: ${(error as Error).message}`)
  }
}

/** A password is the first line of its file: editors end lines. */
export async function passwordOf(io: Io, file: string): Promise<string> {
  const [line = ''] = (await textOf(io, file)).split(/\r?\n/)
  return line
}
