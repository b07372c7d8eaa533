/** The file: pdfkit's document with metadata that are right, and the same bytes for the same invoice. */
import PDFDocument from 'pdfkit'
import { forEachFace } from './faces.ts'

export interface About {
  readonly title: string
  readonly author: string
  readonly language: 'es' | 'en'
  /** When the file is said to be made; nothing in it is of the time of now. */
  readonly timestamp: Date
  /** PDF/A-3b, for a file with another in it. */
  readonly archival: boolean
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
/** What XML cannot carry is left out. */
const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
    .replace(/[&<>]/g, (character) => ENTITIES[character] ?? character)

class InvoiceDocument extends PDFDocument {
  /** pdfkit writes title and author into the XML of the metadata as they are. The other dictionary is written by then. */
  override endMetadata(): void {
    const { Title = '', Author = '', ...info } = this.info
    this.info = { ...info, Title: escapeXml(Title), Author: escapeXml(Author) }
    super.endMetadata()
  }
}

export function openDocument({ title, author, language, timestamp, archival }: About): InvoiceDocument {
  const doc = new InvoiceDocument({
    pdfVersion: '1.7',
    autoFirstPage: false,
    tagged: true,
    displayTitle: true,
    lang: language,
    // No standard font is asked for: they are not embedded.
    font: '',
    info: {
      Title: title,
      Author: author,
      Creator: 'cuadra',
      Producer: 'cuadra (PDFKit)',
      CreationDate: timestamp,
    },
    ...(archival && { subset: 'PDF/A-3b' }),
  })
  // pdfkit takes parsed faces, which its types do not know yet.
  forEachFace(({ name, font }) => doc.registerFont(name, font as unknown as Uint8Array))
  return doc
}

/** The bytes of a document that is complete. */
export async function bytesOf(doc: InvoiceDocument): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  doc.end()
  for await (const part of doc as unknown as AsyncIterable<Uint8Array>) parts.push(part)
  return Buffer.concat(parts)
}
