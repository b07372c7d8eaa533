/** Bytes on their way from one place to another, with their number and their SHA-256. */
import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Files } from './files.ts'

export interface Measure {
  readonly size: number
  readonly sha256: string
}

/** Passes bytes on, and knows what they were. */
export class Measured extends Transform {
  #size = 0
  readonly #hash = createHash('sha256')

  override _transform(chunk: Buffer, _: unknown, done: (error: null, chunk: Buffer) => void): void {
    this.#size += chunk.length
    this.#hash.update(chunk)
    done(null, chunk)
  }

  /** Of all of it: to be asked once, at the end. */
  result(): Measure {
    return { size: this.#size, sha256: this.#hash.digest('hex') }
  }
}

/** Reads a stream to its end. */
export async function measure(from: Readable): Promise<Measure> {
  const measured = new Measured()
  measured.resume()
  await pipeline(from, measured)
  return measured.result()
}

/** Stores a stream under a key, and returns what was stored. */
export async function copyInto(files: Files, key: string, from: Readable): Promise<Measure> {
  const measured = new Measured()
  from.once('error', (error) => measured.destroy(error))
  await files.write(key, from.pipe(measured))
  return measured.result()
}

/** The file of a key; null where there is none. */
export const readIfThere = (files: Files, key: string): Promise<Readable | null> =>
  files.read(key).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
