/** Reads and writes the parts of a backup: compressed lines of JSON, with the SHA-256 of the file. */
import { createReadStream, createWriteStream } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { CuadraError } from '#core/errors/index.ts'
import { MeasuringStream } from '../../src/documents/measuring-stream.ts'
import type { RowToInsert } from '../../src/store/dump.ts'
import type { Part } from './manifest.ts'

/** Compression level. A higher level takes twice as long and saves only a tenth of the size. */
const LEVEL = 4
/** Lines are collected up to this number of characters, then compressed in one call. */
const CHUNK = 128 * 1024
/** Maximum length of a line, which is one row. The largest rows contain a mail, or three copies of a 4 MiB invoice. */
const LONGEST = 500_000_000

async function* chunksOf(values: AsyncIterable<unknown>): AsyncGenerator<string> {
  let lines: string[] = []
  let length = 0
  for await (const value of values) {
    const line = `${JSON.stringify(value)}\n`
    lines.push(line)
    length += line.length
    if (length < CHUNK) continue
    yield lines.join('')
    lines = []
    length = 0
  }
  yield lines.join('')
}

/** Writes a part with one line per value. */
export async function writeLines(
  folder: string,
  file: string,
  values: AsyncIterable<unknown>,
): Promise<Part> {
  const measured = new MeasuringStream()
  const target = createWriteStream(join(folder, file), { flags: 'wx', mode: PRIVATE_MODES.file })
  await pipeline(chunksOf(values), createGzip({ level: LEVEL }), measured, target)
  return { file, ...measured.result() }
}

async function* linesIn(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = chunk.split('\n')
    const last = lines.pop() ?? ''
    if (lines.length > 0) {
      lines[0] = rest + lines[0]
      rest = ''
      yield* lines
    }
    if (rest.length + last.length > LONGEST) throw new SyntaxError('line too long')
    rest += last
  }
  if (rest !== '') yield rest
}

/** Yields the lines of a part, each as an array. Throws a `CuadraError` with the name of the part if it is damaged. */
export async function* readLines(folder: string, { file }: Pick<Part, 'file'>): AsyncGenerator<RowToInsert> {
  const source = createReadStream(join(folder, file))
  const stream = source.pipe(createGunzip())
  source.once('error', (error) => stream.destroy(error))
  try {
    for await (const line of linesIn(stream)) {
      const values: unknown = JSON.parse(line)
      if (!Array.isArray(values)) throw new SyntaxError('line is not an array')
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
