/** Prints sheets with pdfkit, with an embedded font. */
import { createRequire } from 'node:module'
import PDFDocument from 'pdfkit'
import { squaresOf } from './code.ts'
import type { Sheet } from './sheet.ts'
import type { Truth } from './truth.ts'

const { resolve } = createRequire(import.meta.url)
const font = (family: string, weight: number) =>
  resolve(`@fontsource/${family}/files/${family}-latin-${weight}-normal.woff`)

export interface PdfkitOptions {
  readonly family?: 'inter' | 'source-serif-4' | 'ibm-plex-sans'
  readonly userPassword?: string
  readonly ownerPassword?: string
  /** Draws everything sideways on a landscape page, without a rotation entry in the PDF. */
  readonly sideways?: boolean
}

export function byPdfkit(sheet: Sheet, truth: Truth, options: PdfkitOptions = {}): Promise<Uint8Array> {
  const { family = 'inter', userPassword, ownerPassword, sideways = false } = options
  const size: [number, number] = sideways ? [sheet.height, sheet.width] : [sheet.width, sheet.height]
  const document = new PDFDocument({
    autoFirstPage: false,
    size,
    margin: 0,
    info: { CreationDate: new Date('2026-01-01T00:00:00Z') },
    ...(userPassword ? { userPassword } : {}),
    ...(ownerPassword ? { ownerPassword } : {}),
  })
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  document.registerFont('plain', font(family, 400))
  document.registerFont('bold', font(family, 600))
  for (const { texts, rules, codes } of sheet.pages) {
    document.addPage({ size, margin: 0 })
    if (sideways) document.rotate(90).translate(0, -sheet.height)
    for (const { text, x, y, size: points, bold, align } of texts) {
      document.font(bold ? 'bold' : 'plain').fontSize(points)
      const left = align === 'right' ? x - document.widthOfString(text) : x
      document.text(text, left, y, { lineBreak: false, baseline: 'alphabetic' })
    }
    for (const { x, y, width } of rules)
      document
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.7)
        .stroke()
    for (const { x, y, side } of codes) {
      const squares = squaresOf(truth)
      const each = side / squares.length
      squares.forEach((row, down) => {
        row.forEach((isDark, across) => {
          if (isDark) document.rect(x + across * each, y + down * each, each, each)
        })
      })
      document.fill('black')
    }
  }
  return new Promise((done) => {
    document.on('end', () => done(new Uint8Array(Buffer.concat(chunks))))
    document.end()
  })
}
