/** The picture of a company. */
import PDFDocument from 'pdfkit'
import type { Logo } from './setting.ts'

/** What pdfkit's types leave out. */
interface Reader {
  readonly openImage: (bytes: Uint8Array) => Logo & { readonly orientation?: number }
}

/** Its size in pixels. Throws a `RangeError` where it cannot be read. */
export function logoOf(bytes: Uint8Array): Logo {
  try {
    const doc = new PDFDocument({ autoFirstPage: false, font: '' }) as unknown as Reader
    const { width, height, orientation = 1 } = doc.openImage(bytes)
    // Turned by a quarter, as a camera may say.
    return orientation > 4 ? { width: height, height: width } : { width, height }
  } catch (error) {
    throw new RangeError(`The logo cannot be read: ${String(error)}. Pass a PNG or a JPEG file.`)
  }
}
