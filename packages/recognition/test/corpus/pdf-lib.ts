/** Prints sheets with pdf-lib, in the standard PDF fonts. */
import { degrees, PDFDocument, type PDFPage, rgb, StandardFonts } from 'pdf-lib'
import { squaresOf } from './code.ts'
import type { Sheet } from './sheet.ts'
import type { Truth } from './truth.ts'

const DAY = new Date('2026-01-01T00:00:00Z')
/** A function instead of a constant, because pdf-lib may not be installed. */
const black = () => rgb(0, 0, 0)

export interface PdfLibOptions {
  /** Rotation entry of the pages, in degrees. */
  readonly rotate?: number
  readonly attachment?: { readonly name: string; readonly bytes: Uint8Array }
}

function drawCode(page: PDFPage, truth: Truth, x: number, top: number, side: number): void {
  const squares = squaresOf(truth)
  const each = side / squares.length
  squares.forEach((row, down) => {
    row.forEach((isDark, across) => {
      if (!isDark) return
      page.drawRectangle({
        x: x + across * each,
        y: top - (down + 1) * each,
        width: each,
        height: each,
        color: black(),
      })
    })
  })
}

export async function byPdfLib(sheet: Sheet, truth: Truth, options: PdfLibOptions = {}): Promise<Uint8Array> {
  const document = await PDFDocument.create()
  document.setCreationDate(DAY)
  document.setModificationDate(DAY)
  const plain = await document.embedFont(StandardFonts.Helvetica)
  const strong = await document.embedFont(StandardFonts.HelveticaBold)
  for (const { texts, rules, codes } of sheet.pages) {
    const page = document.addPage([sheet.width, sheet.height])
    for (const { text, x, y, size, bold, align } of texts) {
      const font = bold ? strong : plain
      const left = align === 'right' ? x - font.widthOfTextAtSize(text, size) : x
      page.drawText(text, { x: left, y: sheet.height - y, size, font })
    }
    for (const { x, y, width } of rules)
      page.drawLine({
        start: { x, y: sheet.height - y },
        end: { x: x + width, y: sheet.height - y },
        thickness: 0.7,
      })
    for (const { x, y, side } of codes) drawCode(page, truth, x, sheet.height - y, side)
    if (options.rotate) page.setRotation(degrees(options.rotate))
  }
  if (options.attachment) {
    const { name, bytes } = options.attachment
    await document.attach(bytes, name, {
      mimeType: 'text/xml',
      description: 'Invoice',
      creationDate: DAY,
      modificationDate: DAY,
    })
  }
  return document.save()
}
