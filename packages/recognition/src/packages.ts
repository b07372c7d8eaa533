/** The libraries that read files, which are optional. */
import { createRequire } from 'node:module'

/** Required modules; package names alone do not always resolve. */
const NEEDED = [
  'unpdf',
  '@hyzyla/pdfium',
  'sharp',
  'zxing-wasm/reader',
  'tesseract.js',
  '@tesseract.js-data/spa/package.json',
]

/** Returns the needed modules that cannot be resolved from a file. Loads none of them. */
export function missingPackages(from: URL, needed: readonly string[] = NEEDED): string[] {
  const { resolve } = createRequire(from)
  return needed.filter((name) => {
    try {
      return !resolve(name)
    } catch {
      return true
    }
  })
}
