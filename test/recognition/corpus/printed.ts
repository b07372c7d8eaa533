/** Parts of the corpus by authors of their own: invoices by several generators, scans of them, and traps. */
import { browserMissing, setMissing } from '../../needs.ts'
import type { Document } from './document.ts'
import { byChromium } from './html.ts'
import { byJsPdf } from './jspdf.ts'
import { byPdfLib } from './pdf-lib.ts'
import { byPdfkit, type PdfkitOptions } from './pdfkit.ts'
import { defined } from './pdfmake.ts'
import { byHand } from './raw.ts'
import { type Boxes, rendered } from './react-pdf.ts'
import type { Sheet } from './sheet.ts'
import type { Truth } from './truth.ts'
import { typeset } from './typst.ts'

/** Changes a text before it is printed. */
export type Change = (text: string) => string
type Pdf = Uint8Array | Promise<Uint8Array>

export interface Print {
  readonly generator: string
  readonly missing: string | undefined
  readonly print: (truth: Truth, change: Change) => Pdf
}

const packages = setMissing('documents')
export const peers: string | undefined = setMissing('peers')

/** Changes each text of a sheet. */
const altered = (sheet: Sheet, change: Change): Sheet => ({
  ...sheet,
  pages: sheet.pages.map((page) => ({
    ...page,
    texts: page.texts.map((mark) => ({ ...mark, text: change(mark.text) })),
  })),
})

/** Changes the texts in a React element. */
function inNode(node: any, change: Change): any {
  if (typeof node === 'string') return change(node)
  if (Array.isArray(node)) return node.map((one) => inNode(one, change))
  if (!node?.props) return node
  return { ...node, props: { ...node.props, children: inNode(node.props.children, change) } }
}

export const web = (page: (truth: Truth) => string): Print => ({
  generator: 'Chromium',
  missing: browserMissing,
  print: (truth, change) => byChromium(change(page(truth))),
})
export const set = (source: (truth: Truth) => string): Print => ({
  generator: 'Typst',
  missing: packages,
  print: (truth, change) => typeset(change(source(truth))),
})
export const pdfmake = (content: (truth: Truth) => readonly unknown[]): Print => ({
  generator: 'pdfmake',
  missing: packages,
  print: (truth, change) => defined(JSON.parse(change(JSON.stringify(content(truth))))),
})
export const react = (boxes: (truth: Truth) => Boxes): Print => ({
  generator: 'React-PDF',
  missing: packages,
  print: (truth, change) => {
    const { style, children } = boxes(truth)
    return rendered(style, ...children.map((child) => inNode(child, change)))
  },
})

type Placed = (sheet: (truth: Truth) => Sheet) => Print

const placed =
  (generator: string, missing: string | undefined, by: (sheet: Sheet, truth: Truth) => Pdf): Placed =>
  (sheet) => ({
    generator,
    missing,
    print: (truth, change) => by(altered(sheet(truth), change), truth),
  })
export const pdfLib = placed('pdf-lib', peers, byPdfLib)
export const pdfkitIn = (family: NonNullable<PdfkitOptions['family']>): Placed =>
  placed('pdfkit', undefined, (sheet, truth) => byPdfkit(sheet, truth, { family }))
export const jsPdf = placed('jsPDF', packages, byJsPdf)
export const hand = placed('PDF by hand', undefined, byHand)

/** Returns a change that replaces texts wherever they occur. */
export const replacing =
  (...changes: readonly (readonly [from: string, to: string])[]): Change =>
  (text) =>
    changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

type Capture = (pdf: Uint8Array) => Promise<Uint8Array>

export interface Part<Name extends string> {
  /** The invoices as text. */
  readonly texts: readonly Document[]
  readonly textOf: (name: Name) => Document
  readonly scanOf: (name: Name, look: string, kind: Document['kind'], capture: Capture) => Document
  /** An invoice that was changed so that it must not be ready. Its `truth` is the printed content, and not expected. */
  readonly trap: (
    label: string,
    name: Name,
    change: Change,
    parties?: Partial<Pick<Truth, 'supplier' | 'customer'>>,
  ) => Document
  /** A web page that is not printed from the invoice `name`, whose `truth` is not counted. */
  readonly page: (label: string, name: Name, page: () => string) => Document
}

/** Makes the documents of a part from its invoices and how each is printed. */
export function partOf<Name extends string>({
  labels,
  prints,
  truths,
  coded,
  pages = {},
}: {
  readonly labels: { readonly text: string; readonly scan: string; readonly trap: string }
  readonly prints: Readonly<Record<Name, Print>>
  readonly truths: Readonly<Record<Name, Truth>>
  /** The invoices with a QR code. */
  readonly coded: readonly Name[]
  /** The number of pages of an invoice, if it has several. */
  readonly pages?: Partial<Readonly<Record<Name, number>>>
}): Part<Name> {
  const unchanged: Change = (text) => text

  function changedText(name: Name, truth: Truth, change: Change): Document {
    const { generator, missing, print } = prints[name]
    return {
      name: `${labels.text}: ${name} (${generator})`,
      generator,
      kind: 'pdf',
      source: 'text',
      pages: pages[name] ?? 1,
      has_code: coded.includes(name),
      truth,
      missing,
      make: async () => print(truth, change),
    }
  }
  const textOf = (name: Name) => changedText(name, truths[name], unchanged)

  return {
    texts: (Object.keys(prints) as Name[]).map(textOf),
    textOf,
    scanOf(name, look, kind, capture) {
      const printed = textOf(name)
      return {
        ...printed,
        name: `${labels.scan}, ${look}: ${name} (${printed.generator})`,
        kind,
        source: 'scan',
        pages: kind === 'jpeg' || kind === 'png' ? 1 : printed.pages,
        missing: printed.missing ?? (kind === 'pdf' ? peers : undefined),
        make: async () => capture(await printed.make()),
      }
    },
    trap(label, name, change, parties = {}) {
      const document = changedText(name, { ...truths[name], ...parties }, change)
      return { ...document, name: `${labels.trap}: ${label} (${document.generator})` }
    },
    page: (label, name, page) => ({
      ...textOf(name),
      name: `${labels.trap}: ${label} (Chromium)`,
      generator: 'Chromium',
      has_code: false,
      missing: browserMissing,
      make: async () => byChromium(page()),
    }),
  }
}
