/** Creates the pdfkit document, with valid metadata and reproducible bytes. */
import PDFDocument from 'pdfkit'
import { visitFaces } from './faces.ts'

export interface DocumentInfo {
  readonly title: string
  readonly author: string
  readonly language: 'es' | 'en'
  /** Creation date of the file. Not the current time, so that the bytes are reproducible. */
  readonly timestamp: Date
  /** Whether to create PDF/A-3a, which an embedded file requires. */
  readonly archival: boolean
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** Escapes a text for XML, and removes the characters that XML does not allow. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)

class InvoiceDocument extends PDFDocument {
  /**
   * Escapes title and author, which pdfkit writes unescaped into the XML metadata. When this method runs, pdfkit has
   * already written the info dictionary.
   */
  override endMetadata(): void {
    const { Title = '', Author = '', ...info } = this.info
    this.info = { ...info, Title: escapeXml(Title), Author: escapeXml(Author) }
    super.endMetadata()
  }
}

export function openDocument({
  title,
  author,
  language,
  timestamp,
  archival,
}: DocumentInfo): InvoiceDocument {
  const doc = new InvoiceDocument({
    pdfVersion: '1.7',
    autoFirstPage: false,
    tagged: true,
    displayTitle: true,
    lang: language,
    // No standard font, because standard fonts are not embedded.
    font: '',
    info: {
      Title: title,
      Author: author,
      Creator: 'cuadra',
      Producer: 'cuadra (PDFKit)',
      CreationDate: timestamp,
    },
    ...(archival && { subset: 'PDF/A-3a' }),
  })
  // pdfkit accepts parsed fonts, but its types lack them.
  visitFaces(({ name, font }) => doc.registerFont(name, font as unknown as Uint8Array))
  return doc
}

/** Ends a document and returns its bytes. */
export async function bytesOf(doc: InvoiceDocument): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  doc.end()
  for await (const part of doc as unknown as AsyncIterable<Uint8Array>) parts.push(part)
  return Buffer.concat(parts)
}
