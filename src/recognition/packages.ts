/** The libraries that read files: an installation may do without them. */
import { createRequire } from 'node:module'

/** What is asked for of each; the names of packages are not always files. */
const NEEDED = [
  'unpdf',
  '@hyzyla/pdfium',
  'sharp',
  'zxing-wasm/reader',
  'tesseract.js',
  '@tesseract.js-data/spa/package.json',
]

/** Those that are not installed, seen from a file. Nothing is loaded. */
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
