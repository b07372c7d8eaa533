/** Renders the view of an invoice as PDF. */
import type { InvoiceView } from '#view/index.ts'
import type { StructureElement } from './box.ts'
import { designAndPaletteOf } from './designs.ts'
import { ACCESSIBLE_METADATA, FACTURX_FILE, FACTURX_METADATA } from './facturx.ts'
import { layOut } from './layout.ts'
import { type LayoutContext, type Logo, printableWidthOf } from './layout-context.ts'
import { paint } from './paint.ts'
import { bytesOf, openDocument } from './pdf-document.ts'
import { inOneLine } from './runs.ts'

export { TEMPLATES } from './designs.ts'
export { logoOf } from './logo.ts'

export interface PdfOptions {
  /** `<design>-<style>`, one of `TEMPLATES`. */
  readonly template: string
  readonly logo?: Logo
  /**
   * Creation date of the file, in ISO 8601. Use the time of issue, so that the file of an invoice is always the same.
   */
  readonly timestamp: string
  /** The invoice as CII, embedded as `factur-x.xml`; the file is then PDF/A-3a. */
  readonly facturx?: { readonly xml: string }
}

/**
 * Renders an invoice as a tagged PDF of A4 pages with embedded fonts. The same view, options and timestamp give the
 * same bytes.
 *
 * Throws a `RangeError` for an unknown template or an invalid timestamp.
 */
export async function renderPdf(view: InvoiceView, options: PdfOptions): Promise<Uint8Array> {
  const template = designAndPaletteOf(options.template)
  if (!template) throw new RangeError(`Unknown template ${JSON.stringify(options.template)}.`)
  const timestamp = new Date(options.timestamp)
  if (Number.isNaN(timestamp.getTime()))
    throw new RangeError(
      `${JSON.stringify(options.timestamp)} is not a timestamp. Use the form 2026-03-05T12:00:00Z.`,
    )
  const document: StructureElement = { type: 'Document', children: [] }
  const context: LayoutContext = {
    view,
    ...template,
    logo: options.logo ?? null,
    document,
    width: printableWidthOf(template.design),
  }
  const pages = layOut(context)
  const doc = openDocument({
    title: inOneLine([view.title.text, view.number].filter(Boolean).join(' ')),
    author: inOneLine(view.supplier.name),
    language: view.language === 'en' ? 'en' : 'es',
    timestamp,
    archival: options.facturx !== undefined,
  })
  paint(doc, document, pages, options.logo?.bytes ?? null)
  doc.appendXML(ACCESSIBLE_METADATA)
  if (options.facturx) {
    doc.file(Buffer.from(options.facturx.xml, 'utf8'), {
      name: FACTURX_FILE,
      type: 'text/xml',
      description: 'Factur-X Invoice',
      creationDate: timestamp,
      modifiedDate: timestamp,
      relationship: 'Alternative',
    } as Parameters<typeof doc.file>[1])
    doc.appendXML(FACTURX_METADATA)
  }
  return bytesOf(doc)
}
export { unprintableIn } from './printable-characters.ts'
