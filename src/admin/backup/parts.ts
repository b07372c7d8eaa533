/** Parts of a backup: lines of JSON, compressed, with the SHA-256 of what is on the disk. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough, type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { CuadraError } from '../../errors/index.ts'
import { PRIVATE } from '../../storage/private-files.ts'
import type { Part } from './manifest.ts'

/** Texts repeat much: a higher level takes twice the time for a tenth less. */
const LEVEL = 4
/** Lines are handed over in pieces of this size. */
const PIECE = 128 * 1024
/** A line is a row: the largest has a mail, or an invoice of 4 MiB three times. */
const LONGEST = 512 * 1024 * 1024

/** Passes bytes on, and knows what they were. */
export class Measured extends Transform {
  size = 0
  readonly #hash = createHash('sha256')

  override _transform(piece: Buffer, _: unknown, done: () => void): void {
    this.size += piece.length
    this.#hash.update(piece)
    this.push(piece)
    done()
  }

  sha256(): string {
    return this.#hash.digest('hex')
  }
}

export interface Lines {
  readonly add: (value: unknown) => Promise<void>
  /** Flushes to the disk, and answers what was written. */
  readonly close: () => Promise<Part>
  readonly abandon: () => Promise<void>
}

/** A part that is written line by line. */
export async function writeLines(folder: string, file: string): Promise<Lines> {
  const handle = await open(join(folder, file), 'wx', PRIVATE.file)
  const source = new PassThrough({ highWaterMark: PIECE })
  const measured = new Measured()
  const target = handle.createWriteStream({ flush: true })
  let failure: unknown
  const done = pipeline(source, createGzip({ level: LEVEL }), measured, target).catch((error: unknown) => {
    failure = error
  })
  let waiting: string[] = []
  let length = 0
  const flush = async () => {
    const text = waiting.join('')
    waiting = []
    length = 0
    // Whoever waits for room in a pipe that has burst would wait for ever.
    if (failure === undefined && !source.write(text)) await Promise.race([once(source, 'drain'), done])
    if (failure !== undefined) throw failure
  }
  return {
    async add(value) {
      const line = `${JSON.stringify(value)}\n`
      waiting.push(line)
      length += line.length
      if (length >= PIECE) await flush()
    },
    async close() {
      await flush()
      source.end()
      await done
      if (failure !== undefined) throw failure
      return { file, size: measured.size, sha256: measured.sha256() }
    },
    async abandon() {
      source.destroy()
      await done
    },
  }
}

/** What a file is, or whatever is read. */
export async function measure(
  from: string | Readable,
): Promise<{ readonly size: number; readonly sha256: string }> {
  const measured = new Measured()
  measured.resume()
  await pipeline(typeof from === 'string' ? createReadStream(from) : from, measured)
  return { size: measured.size, sha256: measured.sha256() }
}

async function* linesIn(stream: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer[] = []
  let length = 0
  for await (const piece of stream as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = piece.indexOf(10); at >= 0; at = piece.indexOf(10, from)) {
      const end = piece.subarray(from, at)
      yield rest.length > 0 ? Buffer.concat([...rest, end]) : end
      rest = []
      length = 0
      from = at + 1
    }
    if (from < piece.length) rest.push(piece.subarray(from))
    length += piece.length - from
    if (length > LONGEST) throw new SyntaxError('a line without an end')
  }
  if (rest.length > 0) yield Buffer.concat(rest)
}

export interface Line {
  readonly values: readonly unknown[]
  readonly bytes: number
}

/** The lines of a part, each a list. Throws a `CuadraError` that names the part where they are none. */
export async function* readLines(folder: string, { file }: Pick<Part, 'file'>): AsyncGenerator<Line> {
  const source = createReadStream(join(folder, file))
  const stream = source.pipe(createGunzip())
  source.once('error', (error) => stream.destroy(error))
  try {
    for await (const line of linesIn(stream)) {
      const values: unknown = JSON.parse(line.toString('utf8'))
      if (!Array.isArray(values)) throw new SyntaxError('a line that is no list')
      yield { values, bytes: line.length }
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
