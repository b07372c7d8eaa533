/** The view of an invoice on paper. */
import PDFDocument from 'pdfkit'
import type { InvoiceView } from '../../view/index.ts'

export interface PdfOptions {
  readonly template: string
  /** PNG or JPEG. */
  readonly logo?: Uint8Array
  /** ISO; the same invoice at the same moment is the same bytes. */
  readonly moment: string
  readonly facturx?: { readonly xml: string }
}

const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

export async function renderPdf(view: InvoiceView, { moment, facturx }: PdfOptions): Promise<Uint8Array> {
  const document = new PDFDocument({ size: 'A4', info: { CreationDate: new Date(moment) } })
  const pieces: Buffer[] = []
  document.on('data', (piece: Buffer) => pieces.push(piece))
  const ended = new Promise((resolve) => document.on('end', resolve))
  for (const text of textsOf(view)) document.fontSize(9).text(text)
  if (facturx) document.file(Buffer.from(facturx.xml), { name: 'factur-x.xml' })
  document.end()
  await ended
  return Buffer.concat(pieces)
}
