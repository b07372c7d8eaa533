/** Writes results to a folder, with portable file names and without overwriting other files. */
import { randomUUID } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { required } from '#core/errors/index.ts'
import type { Cli } from './cli.ts'
import { hasCode, unwritableFileError } from './inputs.ts'

/** Device names reserved by Windows. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i
const FORBIDDEN = /[<>:"|?*\\\p{Cc}\p{Cf}\p{Cs}]/gu
const MOST = 120

/** Replaces the characters of a path segment that file systems or shells treat specially. */
function safeSegment(step: string): string {
  const plain = [...step.normalize('NFC').replace(FORBIDDEN, '_')].slice(0, MOST).join('')
  const name = plain.replace(/^[-.~\s]+/, '_').replace(/(?<![.\s])[.\s]+$/, '_')
  return DEVICE.test(name) ? `_${name}` : name || '_'
}

/**
 * Returns the name of a result in its folder: the name of its source, with the number of the document.
 *
 * @example
 * resultName('2026/-a:b.json', [], 'xml') // => '2026/_a_b.xml'
 * resultName('batch.ndjson', ['12'], 'xml') // => 'batch-12.xml'
 */
export function resultName(relativePath: string, numbers: readonly string[], extension: string): string {
  const steps = relativePath.split(/[\\/]/)
  const stem = required(steps.pop()).replace(/\.(?:xml|xsig|pdf|jsonc?|ndjson|jsonl|csv)$/i, '')
  return [...steps.map(safeSegment), `${[safeSegment(stem), ...numbers].join('-')}.${extension}`].join('/')
}

export type WriteFault = 'convert.file_exists' | 'convert.file_taken'

export class Results {
  readonly #cli: Cli
  readonly #folder: string
  readonly #force: boolean
  /**
   * Sources and results of this run, which are never replaced. In lower case, because some file systems ignore case.
   */
  readonly #taken: Set<string>

  constructor(cli: Cli, folder: string, force: boolean, sources: readonly string[]) {
    this.#cli = cli
    this.#folder = folder
    this.#force = force
    this.#taken = new Set(sources.map((file) => cli.pathOf(file).toLowerCase()))
  }

  pathOf(name: string): string {
    return join(this.#folder, name)
  }

  /**
   * Writes a complete file or none. Returns the fault if the name is in use. Throws a `UsageError` if writing fails.
   */
  async write(name: string, text: string | Uint8Array): Promise<WriteFault | null> {
    const cli = this.#cli
    const shown = this.pathOf(name)
    const path = cli.pathOf(shown)
    const key = path.toLowerCase()
    if (this.#taken.has(key)) return 'convert.file_taken'
    try {
      await mkdir(dirname(path), { recursive: true })
      if (this.#force) await replace(path, text)
      else await create(path, text)
    } catch (error) {
      if (!this.#force && hasCode(error, 'EEXIST')) return 'convert.file_exists'
      throw unwritableFileError(cli, shown, error)
    }
    this.#taken.add(key)
    return null
  }
}

/** Creates a file, or removes it again if writing fails. Never follows an existing link. */
async function create(path: string, text: string | Uint8Array): Promise<void> {
  try {
    await writeFile(path, text, { flag: 'wx' })
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) await rm(path, { force: true }).catch(() => undefined)
    throw error
  }
}

/** Replaces a file atomically. */
async function replace(path: string, text: string | Uint8Array): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`
  await create(draft, text)
  try {
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
