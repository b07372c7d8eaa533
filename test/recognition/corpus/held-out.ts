/**
 * The second held-out part of the corpus, written by an author who had not read the recognition code: invoices, scans of
 * half of them, and traps. The details of their results are not looked at while recognition is built.
 */
import { browserMissing, setMissing } from '../../needs.ts'
import type { Document } from './document.ts'
import { liftSheet, restaurantSheet, sparesSheet } from './held-out-more-sheets.ts'
import {
  accountPage,
  attorneyPage,
  brokerPage,
  coffeePage,
  communityPage,
  dentalPage,
  duePage,
  machineryPage,
  powerPage,
  shopPage,
  telecomPage,
  vetPage,
  wineryPage,
  workwearPage,
} from './held-out-pages.ts'
import { HELD } from './held-out-sales.ts'
import {
  architectSource,
  canteenSource,
  marbleContent,
  saasBoxes,
  signsContent,
  translatorContent,
} from './held-out-set.ts'
import { fruitSheet, logisticsSheet, pestsSheet } from './held-out-sheets.ts'
import { byChromium } from './html.ts'
import { byJsPdf } from './jspdf.ts'
import { OURS } from './parties.ts'
import { byPdfLib } from './pdf-lib.ts'
import { byPdfkit } from './pdfkit.ts'
import { defined } from './pdfmake.ts'
import { byHand } from './raw.ts'
import { rendered } from './react-pdf.ts'
import { pdfOfScans, QUALITIES, type Quality, type ScanOptions, scanned, tiffOf } from './scan.ts'
import type { Sheet } from './sheet.ts'
import type { Truth } from './truth.ts'
import { typeset } from './typst.ts'

/** Alters a text that is printed. */
type Change = (text: string) => string
type Pdf = Uint8Array | Promise<Uint8Array>

interface Print {
  readonly generator: string
  readonly missing: string | undefined
  readonly print: (truth: Truth, change: Change) => Pdf
}

const packages = setMissing('documents')
const peers = setMissing('peers')

/** The texts of a sheet are altered one by one; those of a source as a whole. */
const altered = (sheet: Sheet, change: Change): Sheet => ({
  ...sheet,
  pages: sheet.pages.map((page) => ({
    ...page,
    texts: page.texts.map((mark) => ({ ...mark, text: change(mark.text) })),
  })),
})

/** Alters the texts in an element of React. */
function inNode(node: any, change: Change): any {
  if (typeof node === 'string') return change(node)
  if (Array.isArray(node)) return node.map((one) => inNode(one, change))
  if (!node?.props) return node
  return { ...node, props: { ...node.props, children: inNode(node.props.children, change) } }
}

const web = (page: (truth: Truth) => string): Print => ({
  generator: 'Chromium',
  missing: browserMissing,
  print: (truth, change) => byChromium(change(page(truth))),
})
const set = (source: (truth: Truth) => string): Print => ({
  generator: 'Typst',
  missing: packages,
  print: (truth, change) => typeset(change(source(truth))),
})
const pdfmake = (content: (truth: Truth) => readonly unknown[]): Print => ({
  generator: 'pdfmake',
  missing: packages,
  print: (truth, change) => defined(JSON.parse(change(JSON.stringify(content(truth))))),
})
const react = (boxes: typeof saasBoxes): Print => ({
  generator: 'React-PDF',
  missing: packages,
  print: (truth, change) => {
    const { style, children } = boxes(truth)
    return rendered(style, ...children.map((child) => inNode(child, change)))
  },
})
const placed =
  (generator: string, missing: string | undefined, by: (sheet: Sheet, truth: Truth) => Pdf) =>
  (sheet: (truth: Truth) => Sheet): Print => ({
    generator,
    missing,
    print: (truth, change) => by(altered(sheet(truth), change), truth),
  })
const pdfLib = placed('pdf-lib', peers, byPdfLib)
const pdfkit = placed('pdfkit', undefined, (sheet, truth) =>
  byPdfkit(sheet, truth, { family: 'ibm-plex-sans' }),
)
const jsPdf = placed('jsPDF', packages, byJsPdf)
const hand = placed('PDF by hand', undefined, byHand)

const PRINTS = {
  telecom: web(telecomPage),
  vet: web(vetPage),
  dental: web(dentalPage),
  logistics: jsPdf(logisticsSheet),
  saas: react(saasBoxes),
  restaurant: hand(restaurantSheet),
  architect: set(architectSource),
  community: web(communityPage),
  signs: pdfmake(signsContent),
  machinery: web(machineryPage),
  fruit: pdfLib(fruitSheet),
  winery: web(wineryPage),
  canteen: set(canteenSource),
  translator: pdfmake(translatorContent),
  attorney: web(attorneyPage),
  workwear: web(workwearPage),
  power: web(powerPage),
  lift: pdfkit(liftSheet),
  broker: web(brokerPage),
  pests: jsPdf(pestsSheet),
  marble: pdfmake(marbleContent),
  coffee: web(coffeePage),
  spares: pdfkit(sparesSheet),
  shop: web(shopPage),
} satisfies Record<keyof typeof HELD, Print>

type Name = keyof typeof PRINTS

const CODED: readonly Name[] = ['vet', 'machinery', 'pests', 'restaurant']

function textOf(name: Name, truth: Truth = HELD[name], change: Change = (text) => text): Document {
  const { generator, missing, print } = PRINTS[name]
  return {
    name: `held out: ${name} (${generator})`,
    generator,
    kind: 'pdf',
    source: 'text',
    pages: name === 'spares' ? 3 : 1,
    has_code: CODED.includes(name),
    truth,
    missing,
    make: async () => print(truth, change),
  }
}

const TEXTS = (Object.keys(PRINTS) as Name[]).map((name) => textOf(name))

const scanOf = (
  name: Name,
  look: string,
  kind: Document['kind'],
  capture: (pdf: Uint8Array) => Promise<Uint8Array>,
): Document => {
  const printed = textOf(name)
  return {
    ...printed,
    name: `held out, scan, ${look}: ${name} (${printed.generator})`,
    kind,
    source: 'scan',
    pages: kind === 'jpeg' || kind === 'png' ? 1 : printed.pages,
    missing: printed.missing ?? (kind === 'pdf' ? peers : undefined),
    make: async () => capture(await printed.make()),
  }
}
const scan = (name: Name, look: keyof typeof QUALITIES, options: ScanOptions = {}) => {
  const quality: Quality = QUALITIES[look]
  return scanOf(name, look, quality.jpeg === null ? 'png' : 'jpeg', (pdf) => scanned(pdf, quality, options))
}

const SCANS: readonly Document[] = [
  scan('vet', 'fair'),
  scan('dental', 'clean'),
  scan('logistics', 'fair', { turns: 1 }),
  scan('restaurant', 'fair'),
  scan('architect', 'clean'),
  scan('community', 'poor'),
  scanOf('fruit', 'poor, in a PDF', 'pdf', (pdf) => pdfOfScans(pdf, QUALITIES.poor)),
  scan('workwear', 'fair', { turns: 2 }),
  scan('lift', 'poor'),
  scan('broker', 'fair', { turns: 3, exif: true }),
  scanOf('spares', 'clean, in a TIFF', 'tiff', (pdf) => tiffOf(pdf, QUALITIES.clean)),
  scanOf('coffee', 'fair, in a PDF', 'pdf', (pdf) => pdfOfScans(pdf, QUALITIES.fair)),
]

export const HELD_OUT_INVOICES: readonly Document[] = [...TEXTS, ...SCANS]

/** Replaces texts wherever they occur. */
const replacing =
  (...changes: readonly (readonly [from: string, to: string])[]): Change =>
  (text) =>
    changes.reduce((changed, [from, to]) => changed.replaceAll(from, to), text)

const trap = (
  label: string,
  name: Name,
  change: Change,
  parties: Partial<Pick<Truth, 'supplier' | 'customer'>> = {},
): Document => {
  const document = textOf(name, { ...HELD[name], ...parties }, change)
  return { ...document, name: `held out, trap: ${label} (${document.generator})` }
}

/** A document that no invoice was printed for; its truth is not counted. */
const other = (label: string, name: Name, page: (truth: Truth) => string): Document => ({
  ...textOf(name),
  name: `held out, trap: ${label} (Chromium)`,
  generator: 'Chromium',
  has_code: false,
  missing: browserMissing,
  make: async () => byChromium(page(HELD[name])),
})

/** `truth` of a trap is what is printed, not what is to be found. */
export const HELD_OUT_TRAPS: readonly Document[] = [
  trap(
    'quote',
    'signs',
    replacing(
      ['"Factura"', '"Presupuesto"'],
      ['"Vence"', '"Validez"'],
      ['"OT 9.114 Fachada"', '"Pendiente de aceptación"'],
      ['FAC 2026-0388', 'P 2026-0388'],
      ['Indique el número de factura, por favor.', 'Al aceptar se factura el 50 % por anticipado.'],
    ),
  ),
  trap(
    'order confirmation',
    'shop',
    replacing(
      ['<b style="font-size:14pt">Factura</b>', '<b style="font-size:14pt">Confirmación de pedido</b>'],
      ['TW26-4518203', 'XKPQWTRZA'],
      ['Fecha de pedido', 'Recibirá la factura con el envío. Fecha de pedido'],
    ),
  ),
  trap(
    'delivery note with amounts',
    'fruit',
    replacing(['FACTURA', 'ALBARÁN'], ['GIRO DOMICILIADO 15 DIAS.', 'SE FACTURARÁ A FIN DE QUINCENA.']),
  ),
  other('statement of account', 'winery', accountPage),
  other('reminder', 'machinery', duePage),
  trap('own invoice', 'logistics', (text) => text, { supplier: OURS, customer: HELD.signs.supplier }),
  trap(
    'two totals',
    'lift',
    replacing([
      'Instalazioa: RAE 20/11.874.',
      'Fakturaren guztizko zenbatekoa / Importe total de la factura: 861,72 €.',
    ]),
  ),
  trap(
    'pro forma in English',
    'saas',
    replacing(['INVOICE', 'PRO FORMA INVOICE'], ['Invoice no.', 'Pro forma no.'], ['Invoice date', 'Date']),
  ),
]
