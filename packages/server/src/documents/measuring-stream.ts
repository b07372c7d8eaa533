/** Measures the size and SHA-256 of a stream. */
import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Files } from './files.ts'

export interface StreamMeasure {
  readonly size: number
  readonly sha256: string
}

/** Passes bytes on unchanged and measures them. */
export class MeasuringStream extends Transform {
  #size = 0
  readonly #hash = createHash('sha256')

  override _transform(chunk: Buffer, _: unknown, done: (error: null, chunk: Buffer) => void): void {
    this.#size += chunk.length
    this.#hash.update(chunk)
    done(null, chunk)
  }

  /** Returns size and hash. Call it only once, after the end of the stream. */
  result(): StreamMeasure {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }
}

/** Reads a stream to its end and measures it. */
export async function measureStream(from: Readable): Promise<StreamMeasure> {
  const measured = new MeasuringStream()
  measured.resume()
  await pipeline(from, measured)
  return measured.result()
}

/** Stores a stream under a key, and returns its size and SHA-256. */
export async function copyInto(
  files: Pick<Files, 'write'>,
  key: string,
  from: Readable,
): Promise<StreamMeasure> {
  const measured = new MeasuringStream()
  // `write` handles errors of the stream only after it has created the folders. Without this listener, an earlier error
  // would end the process. With it, `write` rejects.
  measured.on('error', () => {})
  from.once('error', (error) => measured.destroy(error))
  await files.write(key, from.pipe(measured))
  return measured.result()
}

/** Opens the file of a key; null if it does not exist. */
export const openIfExists = (files: Files, key: string): Promise<Readable | null> =>
  files.read(key).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
