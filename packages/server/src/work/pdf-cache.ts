/**
 * Caches the PDFs of issued invoices in a folder. The name of a file is a digest of all data that determines the PDF,
 * so a cached PDF is never outdated. Several processes may share the folder. If it cannot be accessed, PDFs are
 * rendered each time.
 */
import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PRIVATE_MODES } from 'cuadra-storage/private-files.ts'
import type { ViewLanguage } from '#view/index.ts'
import type { Outcome, RenderedPdf, Rendering } from './worker.ts'

const MAX_BYTES = 256 * 1024 * 1024
/** Number of subfolders, by the first digit of the file name. Removing the oldest files lists only one subfolder. */
const FOLDERS = 16
const DIGEST_BYTES = 32

function digestOf(...parts: readonly (string | Uint8Array)[]): Buffer {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(part)
  return hash.digest()
}

/** Returns the digest of the program that renders PDFs. `worker` contains the digests of its imported modules. */
function programOf(worker: URL): string {
  const { resolve } = createRequire(worker)
  const fonts = fileURLToPath(new URL('fonts', worker))
  const fontFiles = existsSync(fonts) ? readdirSync(fonts).sort() : []
  const files = [worker, resolve('pdfkit'), resolve('fontkit'), ...fontFiles.map((name) => join(fonts, name))]
  return digestOf(process.version, ...files.map((file) => readFileSync(file))).toString('hex')
}

/** Removes the least recently used files until the folder has at most `maxBytes`. */
async function removeOldest(folder: string, maxBytes: number): Promise<void> {
  const found = (await readdir(folder)).map(async (name) => {
    const path = join(folder, name)
    // Another process may have removed the file.
    const file = await stat(path).catch(() => undefined)
    return file ? [{ path, size: file.size, mtimeMs: file.mtimeMs }] : []
  })
  const files = (await Promise.all(found)).flat()
  let sum = 0
  for (const { path, size } of files.sort((a, b) => b.mtimeMs - a.mtimeMs)) {
    sum += size
    if (sum > maxBytes) await rm(path, { recursive: true, force: true })
  }
}

/** Reads a cached file. It contains the digest of its name and content, a line with the language, and the PDF. */
async function read(path: string, key: string): Promise<RenderedPdf | undefined> {
  const file = await readFile(path).catch(() => undefined)
  if (!file) return undefined
  const content = file.subarray(DIGEST_BYTES)
  if (!digestOf(key, content).equals(file.subarray(0, DIGEST_BYTES))) return undefined
  const end = content.indexOf('\n')
  const now = new Date()
  await utimes(path, now, now).catch(() => undefined)
  const language = content.subarray(0, end).toString() as ViewLanguage
  return { pdf: content.subarray(end + 1), language, logoProblem: null }
}

async function write(folder: string, key: string, { language, pdf }: RenderedPdf, maxBytes: number) {
  const content = Buffer.concat([Buffer.from(`${language}\n`), pdf])
  const file = Buffer.concat([digestOf(key, content), content])
  if (file.length > maxBytes) return
  const part = join(folder, `${randomUUID()}.part`)
  try {
    await writeFile(part, file, { flag: 'wx', mode: PRIVATE_MODES.file })
    await rename(part, join(folder, key))
    await removeOldest(folder, maxBytes)
  } catch {
    // The disk is full or read-only, or the data folder was removed.
    await rm(part, { force: true }).catch(() => undefined)
  }
}

/** Creates the cache in the folder `root`, whose parent must exist. `worker` is the module that renders. */
export function createPdfCache(root: string, worker: URL, maxBytes = MAX_BYTES) {
  let program: string | undefined
  /** Returns functions that find the cached PDF of an invoice, and that render it otherwise; undefined for drafts. */
  return (rendering: Rendering) => {
    const { text, logo, ...rest } = rendering
    const { direction, status } = rest.page
    if (direction !== 'issued' || status === 'draft') return undefined
    program ??= programOf(worker)
    const printed = [program, rest, logo && Buffer.from(logo).toString('base64')]
    const key = digestOf(JSON.stringify(printed), text).toString('hex')
    const folder = join(root, key.slice(0, 1))
    const find = () => read(join(folder, key), key)
    const findOr = async (render: () => Promise<Outcome<RenderedPdf>>): Promise<Outcome<RenderedPdf>> => {
      const found = await find()
      if (found) return { value: found }
      const outcome = await render()
      if ('value' in outcome && outcome.value.logoProblem === null) {
        for (const one of [root, folder]) await mkdir(one, PRIVATE_MODES.folder).catch(() => undefined)
        await write(folder, key, outcome.value, maxBytes / FOLDERS)
      }
      return outcome
    }
    return { find, findOr }
  }
}
