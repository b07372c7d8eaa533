/**
 * The second held-out part of the corpus, written by an author who had not read the recognition code: invoices, scans of
 * half of them, and traps. The details of their results are not looked at while recognition is built.
 */
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
import { OURS } from './parties.ts'
import {
  hand,
  jsPdf,
  type Print,
  partOf,
  pdfkitIn,
  pdfLib,
  pdfmake,
  react,
  replacing,
  set,
  web,
} from './printed.ts'
import { pdfOfScans, QUALITIES, type Quality, type ScanOptions, scanned, tiffOf } from './scan.ts'

const pdfkit = pdfkitIn('ibm-plex-sans')

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

const { texts, scanOf, trap, page } = partOf<Name>({
  labels: { text: 'held out', scan: 'held out, scan', trap: 'held out, trap' },
  prints: PRINTS,
  truths: HELD,
  coded: CODED,
  pages: { spares: 3 },
})

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

export const HELD_OUT_INVOICES: readonly Document[] = [...texts, ...SCANS]

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
  page('statement of account', 'winery', () => accountPage(HELD.winery)),
  page('reminder', 'machinery', () => duePage(HELD.machinery)),
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
