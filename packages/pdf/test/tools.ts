/** Runs independent programs that read PDFs: poppler and qpdf. */
import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import jsqr from 'jsqr'
import { required } from '#core/errors/index.ts'
import { temporaryFolder } from '#test/folders.ts'

const has = (program: string): boolean => spawnSync(program, ['--version']).error === undefined
/** Whether `pdftotext` is installed (Debian package `poppler-utils`). */
export const POPPLER = has('pdftotext')
export const QPDF = has('qpdf')

/** Writes the PDF to a temporary folder and calls `work` with the file. */
export function withFile<T>(pdf: Uint8Array, work: (file: string, folder: string) => T): T {
  const folder = temporaryFolder()
  const file = join(folder, 'invoice.pdf')
  try {
    writeFileSync(file, pdf)
    return work(file, folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

export const run = (program: string, ...args: string[]): string =>
  execFileSync(program, args, { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })

export const textOf = (pdf: Uint8Array): string =>
  withFile(pdf, (file) => run('pdftotext', '-raw', file, '-').normalize('NFC'))

export const pagesOf = (pdf: Uint8Array): number =>
  withFile(pdf, (file) => Number(required(/^Pages:\s+(\d+)$/m.exec(run('pdfinfo', file)))[1]))

export interface Raster {
  readonly width: number
  readonly height: number
  readonly data: Uint8ClampedArray
}

/** Renders a page to pixels, by default at 100 dpi. */
export function rasterOf(pdf: Uint8Array, page = 1, dpi = 100): Raster {
  return withFile(pdf, (file, folder) => {
    run('pdftoppm', '-r', String(dpi), '-f', String(page), '-l', String(page), file, join(folder, 'page'))
    const ppm = readFileSync(
      join(folder, required(readdirSync(folder).find((name) => name.endsWith('.ppm')))),
    )
    const [head, width, height] = required(/^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(ppm.toString('latin1', 0, 40)))
    const data = new Uint8ClampedArray(Number(width) * Number(height) * 4).fill(255)
    for (let from = head.length, to = 0; from < ppm.length; from += 3, to += 4) {
      data[to] = required(ppm[from])
      data[to + 1] = required(ppm[from + 1])
      data[to + 2] = required(ppm[from + 2])
    }
    return { width: Number(width), height: Number(height), data }
  })
}

// The module's types do not match its runtime export.
const read: typeof jsqr = (jsqr as { default?: typeof jsqr }).default ?? jsqr

/** Returns the content of the first QR code of a page, or `null`. */
export function qrOf({ width, height, data }: Raster): string | null {
  return read(data, width, height)?.data ?? null
}

/** Returns the upper part of a raster, with the given share of its height. */
export const upper = ({ width, height, data }: Raster, share: number): Raster => {
  const rows = Math.floor(height * share)
  return { width, height: rows, data: data.slice(0, rows * width * 4) }
}
