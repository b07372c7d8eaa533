/** Parts of the corpus by authors of their own: invoices by several generators, scans of them, and traps. */
import { browserMissing, setMissing } from '#test/needs.ts'
import type { Document } from './document.ts'
import { byChromium } from './html.ts'
import { byJsPdf } from './jspdf.ts'
import { named } from './named.ts'
import { OURS } from './parties.ts'
import { byPdfLib } from './pdf-lib.ts'
import { byPdfkit, type PdfkitOptions } from './pdfkit.ts'
import { defined } from './pdfmake.ts'
import { byHand } from './raw.ts'
import { type Boxes, altered as changed, rendered } from './react-pdf.ts'
import { type Capture, scanOf } from './scan.ts'
import type { Sheet } from './sheet.ts'
import { type Truth, type Whole, wholeOf } from './truth.ts'
import { typeset } from './typst.ts'

/** Changes a text before it is printed. */
type Change = (text: string) => string
type Pdf = Uint8Array | Promise<Uint8Array>

export interface Print {
  readonly generator: string
  readonly missing: string | undefined
  readonly print: (truth: Truth, change: Change) => Pdf
}

const packages = setMissing('documents')
const peers = setMissing('peers')

/** Changes each text of a sheet. */
const altered = (sheet: Sheet, change: Change): Sheet => ({
  ...sheet,
  pages: sheet.pages.map((page) => ({
    ...page,
    texts: page.texts.map((mark) => ({ ...mark, text: change(mark.text) })),
  })),
})

export const web = (page: (truth: Whole) => string): Print => ({
  generator: 'Chromium',
  missing: browserMissing,
  print: (truth, change) => byChromium(change(page(wholeOf(truth)))),
})
export const set = (source: (truth: Whole) => string): Print => ({
  generator: 'Typst',
  missing: packages,
  print: (truth, change) => typeset(change(source(wholeOf(truth)))),
})
export const pdfmake = (content: (truth: Whole) => readonly unknown[]): Print => ({
  generator: 'pdfmake',
  missing: packages,
  print: (truth, change) => defined(JSON.parse(change(JSON.stringify(content(wholeOf(truth)))))),
})
export const react = (boxes: (truth: Whole) => Boxes): Print => ({
  generator: 'React-PDF',
  missing: packages,
  print: (truth, change) => {
    const { style, children } = boxes(wholeOf(truth))
    return rendered(style, ...children.map((child) => changed(child, change)))
  },
})

type Placed = (sheet: (truth: Whole) => Sheet) => Print

const placed =
  (generator: string, missing: string | undefined, by: (sheet: Sheet, truth: Truth) => Pdf): Placed =>
  (sheet) => ({
    generator,
    missing,
    print: (truth, change) => by(altered(sheet(wholeOf(truth)), change), truth),
  })
export const pdfLib = placed('pdf-lib', peers, byPdfLib)
export const pdfkitIn = (family: NonNullable<PdfkitOptions['family']>): Placed =>
  placed('pdfkit', undefined, (sheet, truth) => byPdfkit(sheet, truth, { family }))
export const jsPdf = placed('jsPDF', packages, byJsPdf)
export const hand = placed('PDF by hand', undefined, byHand)

interface Trap {
  readonly label: string
  readonly sale: string
  /** Texts that are replaced wherever they occur. */
  readonly replace?: Readonly<Record<string, string>>
  /** Whether the invoice is from `OURS`. */
  readonly isOwn?: boolean
  /** The invoice whose supplier is the customer. */
  readonly customer?: string
  /** A web page that is printed instead of the invoice, whose `truth` is not counted. */
  readonly page?: string
}

interface Sources {
  readonly labels: { readonly text: string; readonly scan: string; readonly trap: string }
  readonly prints: Readonly<Record<string, Print>>
  readonly truths: Readonly<Record<string, Truth>>
  readonly trapPages: Readonly<Record<string, () => string>>
}

export interface Rows {
  /** The invoices with a QR code. */
  readonly coded: readonly string[]
  /** The number of pages of an invoice, if it has several. */
  readonly pages: Readonly<Record<string, number>>
  readonly scans: readonly (Capture & { readonly sale: string; readonly look: string })[]
  readonly traps: readonly Trap[]
}

/** The documents of a part. */
export interface Part {
  readonly texts: readonly Document[]
  readonly scans: readonly Document[]
  /** Invoices that were changed so that they must not be ready. Their `truth` is the printed content, and not expected. */
  readonly traps: readonly Document[]
}

/** Makes the documents of a part from its invoices and how each is printed. */
export function partOf({ labels, prints, truths, trapPages }: Sources, rows: Rows): Part {
  function textOf(sale: string, parties: Partial<Truth> = {}, change: Change = (text) => text): Document {
    const { generator, missing, print } = named(prints, sale)
    const truth = { ...named(truths, sale), ...parties }
    return {
      name: `${labels.text}: ${sale} (${generator})`,
      generator,
      kind: 'pdf',
      source: 'text',
      pages: rows.pages[sale] ?? 1,
      has_code: rows.coded.includes(sale),
      truth,
      missing,
      make: async () => print(truth, change),
    }
  }

  function trapOf({ label, sale, replace = {}, isOwn, customer, page }: Trap): Document {
    const replaced: Change = (text) =>
      Object.entries(replace).reduce((changed, [from, to]) => changed.replaceAll(from, to), text)
    const parties = {
      ...(isOwn && { supplier: OURS }),
      ...(customer && { customer: named(truths, customer).supplier }),
    }
    const document = textOf(sale, parties, replaced)
    const name = `${labels.trap}: ${label} (${page ? 'Chromium' : document.generator})`
    if (!page) return { ...document, name }
    const make = () => byChromium(named(trapPages, page)())
    return { ...document, name, generator: 'Chromium', has_code: false, missing: browserMissing, make }
  }

  return {
    texts: Object.keys(prints).map((sale) => textOf(sale)),
    scans: rows.scans.map(({ sale, look, ...capture }) => {
      const printed = textOf(sale)
      return scanOf(printed, `${labels.scan}, ${look}: ${sale} (${printed.generator})`, capture)
    }),
    traps: rows.traps.map(trapOf),
  }
}
