/** Parts of a backup: lines of JSON, compressed, with the SHA-256 of what is on the disk. */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { CuadraError } from '../../errors/index.ts'
import { Measured } from '../../server/documents/measured.ts'
import type { Line } from '../../server/store/dump.ts'
import { PRIVATE } from '../../storage/private-files.ts'
import type { Part } from './manifest.ts'

/** Texts repeat much: a higher level takes twice the time for a tenth less. */
const LEVEL = 4
/** Lines are handed over in pieces of this size. */
const PIECE = 128 * 1024
/** A line is a row: the largest has a mail, or an invoice of 4 MiB three times. */
const LONGEST = 500_000_000

async function* piecesOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let lines: string[] = []
  let length = 0
  for await (const value of values) {
    const line = `${JSON.stringify(value)}\n`
    lines.push(line)
    length += line.length
    if (length < PIECE) continue
    yield lines.join('')
    lines = []
    length = 0
  }
  yield lines.join('')
}

/** Writes a part with a line for each value, flushed to the disk. */
export async function writeLines(
  folder: string,
  file: string,
  values: AsyncIterable<unknown>,
): Promise<Part> {
  const measured = new Measured()
  const target = createWriteStream(join(folder, file), { flags: 'wx', mode: PRIVATE.file, flush: true })
  await pipeline(piecesOf(values), createGzip({ level: LEVEL }), measured, target)
  return { file, ...measured.result() }
}

async function* linesIn(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const piece of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = piece.split('\n')
    const last = lines.pop() ?? ''
    if (lines.length > 0) {
      lines[0] = rest + lines[0]
      rest = ''
      yield* lines
    }
    if (rest.length + last.length > LONGEST) throw new SyntaxError('a line without an end')
    rest += last
  }
  if (rest !== '') yield rest
}

/** The lines of a part, each a list. Throws a `CuadraError` that names the part where they are none. */
export async function* readLines(folder: string, { file }: Pick<Part, 'file'>): AsyncGenerator<Line> {
  const source = createReadStream(join(folder, file))
  const stream = source.pipe(createGunzip())
  source.once('error', (error) => stream.destroy(error))
  try {
    for await (const line of linesIn(stream)) {
      const values: unknown = JSON.parse(line)
      if (!Array.isArray(values)) throw new SyntaxError('a line that is no list')
      yield { values, length: line.length }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (error instanceof SyntaxError || code?.startsWith('Z_'))
      throw new CuadraError(`${file} of the backup is damaged: ${message}. Nothing was restored.`)
    throw error
  } finally {
    source.destroy()
  }
}
