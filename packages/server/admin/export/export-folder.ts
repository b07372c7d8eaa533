/**
 * Writes the files of an export one by one, with the checksum of each in `index.json`. That file gets its final name
 * last, so a folder without it is an incomplete export.
 */
import { createHash } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import { CuadraError } from '#core/errors/index.ts'
import { ioReason } from '#entry/terminal/index.ts'
import { MeasuringStream, type StreamMeasure } from '../../src/documents/measuring-stream.ts'

/** A text file that is written in several calls. */
export interface TextFile {
  readonly add: (text: string) => Promise<void>
  readonly close: () => Promise<void>
}

export class ExportFolder {
  readonly #root: string
  readonly #index: FileHandle
  readonly #counts: Record<string, number> = {}
  readonly #folders = new Set<string>()
  #files = 0

  private constructor(root: string, index: FileHandle) {
    this.#root = root
    this.#index = index
  }

  /** Creates the folder. Throws a `CuadraError` if it is not empty. */
  static async make(root: string): Promise<ExportFolder> {
    try {
      await mkdir(root, { recursive: true, mode: PRIVATE_MODES.folder })
      if ((await readdir(root)).length > 0)
        throw new CuadraError(`${root} is not empty. Name a new or empty folder.`)
      return new ExportFolder(root, await open(join(root, 'index.json.part'), 'wx', PRIVATE_MODES.file))
    } catch (error) {
      if (error instanceof CuadraError) throw error
      throw new CuadraError(`Cannot write ${root}: ${ioReason(error)}.`)
    }
  }

  async #open(path: string): Promise<FileHandle> {
    const folder = dirname(join(this.#root, path))
    if (!this.#folders.has(folder)) {
      await mkdir(folder, { recursive: true, mode: PRIVATE_MODES.folder })
      this.#folders.add(folder)
    }
    return open(join(this.#root, path), 'wx', PRIVATE_MODES.file)
  }

  async #note(path: string, { size, sha256 }: StreamMeasure): Promise<void> {
    const before = this.#files++ === 0 ? '{\n"files": [\n' : ',\n'
    await this.#index.appendFile(before + JSON.stringify({ path, size, sha256 }))
  }

  count(name: string, by = 1): void {
    this.#counts[name] = (this.#counts[name] ?? 0) + by
  }

  async bytes(path: string, content: Uint8Array): Promise<void> {
    await this.copy(path, [content])
  }

  text(path: string, content: string): Promise<void> {
    return this.bytes(path, Buffer.from(content))
  }

  json(path: string, value: unknown): Promise<void> {
    return this.text(path, `${JSON.stringify(value, null, 2)}\n`)
  }

  /** Writes a stream to a file, and returns its size and hash for verification. */
  async copy(path: string, content: Readable | Iterable<Uint8Array>): Promise<StreamMeasure> {
    const measured = new MeasuringStream()
    const handle = await this.#open(path)
    await pipeline(content, measured, handle.createWriteStream())
    const written = measured.result()
    await this.#note(path, written)
    return written
  }

  /** Opens a text file that is written in several calls. */
  async textFile(path: string): Promise<TextFile> {
    const handle = await this.#open(path)
    const hash = createHash('sha256')
    let size = 0
    return {
      add: async (text) => {
        hash.update(text)
        size += Buffer.byteLength(text)
        await handle.appendFile(text)
      },
      close: async () => {
        await handle.close()
        await this.#note(path, { size, sha256: hash.digest('hex') })
      },
    }
  }

  /** Writes one line per value, and counts the values under a name. Creates no file if there are no values. */
  async lines(path: string, name: string, values: AsyncIterable<unknown>): Promise<void> {
    let file: TextFile | undefined
    for await (const value of values) {
      file ??= await this.textFile(path)
      await file.add(`${JSON.stringify(value)}\n`)
      this.count(name)
    }
    await file?.close()
  }

  /** Writes `index.json`, which completes the export. */
  async finish(about: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, number>>> {
    const counts = { ...this.#counts, files: this.#files }
    const rest = JSON.stringify({ ...about, counts }, null, 2).slice(1)
    await this.#index.appendFile(`${this.#files === 0 ? '{\n"files": [' : ''}\n],${rest}\n`)
    await this.#index.sync()
    await this.#index.close()
    await rename(join(this.#root, 'index.json.part'), join(this.#root, 'index.json'))
    return counts
  }

  async abandon(): Promise<void> {
    await this.#index.close().catch(() => undefined)
  }
}
