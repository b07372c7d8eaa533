/**
 * The independent part of the corpus: invoices, scans of some of them, and traps. Its author had not read the recognition
 * code.
 */
import sharp from 'sharp'
import type { Document } from './document.ts'
import { xmlOf } from './factur-x.ts'
import { OURS } from './parties.ts'
import { byPdfLib } from './pdf-lib.ts'
import {
  hand,
  jsPdf,
  type Print,
  partOf,
  pdfkitIn,
  pdfLib,
  pdfmake,
  peers,
  react,
  replacing,
  set,
  web,
} from './printed.ts'
import { pdfOfScans, QUALITIES, type Quality, type ScanOptions, scanned, tiffOf } from './scan.ts'
import type { Sheet } from './sheet.ts'
import type { Truth } from './truth.ts'
import { UNSEEN } from './unseen-sales.ts'
import {
  advanceSource,
  catalanSource,
  frenchContent,
  gestoriaContent,
  lawyerSource,
  mobileContent,
  notarySource,
  preventionBoxes,
  reverseBoxes,
  softwareBoxes,
} from './unseen-set.ts'
import {
  airlineSheet,
  courierSheet,
  creditSheet,
  farmerSheet,
  fuelSheet,
  gasSheet,
  germanSheet,
  gymSheet,
  hardwareSheet,
  parkingSheet,
  portugueseSheet,
  surchargeSheet,
} from './unseen-sheets.ts'
import {
  electricityPage,
  freelancerPage,
  galicianPage,
  hotelPage,
  landlordPage,
  marketplacePage,
  payslipPage,
  reminderPage,
  repairPage,
  statementPage,
  taxiPage,
} from './unseen-web.ts'

const pdfkit = pdfkitIn('source-serif-4')

const PRINTS = {
  electricity: web(electricityPage),
  gas: pdfkit(gasSheet),
  mobile: pdfmake(mobileContent),
  marketplace: web(marketplacePage),
  airline: jsPdf(airlineSheet),
  hotel: web(hotelPage),
  taxi: web(taxiPage),
  parking: hand(parkingSheet),
  lawyer: set(lawyerSource),
  notary: set(notarySource),
  landlord: web(landlordPage),
  farmer: pdfLib(farmerSheet),
  surcharge: hand(surchargeSheet),
  hardware: pdfLib(hardwareSheet),
  reverse: react(reverseBoxes),
  software: react(softwareBoxes),
  german: jsPdf(germanSheet),
  french: pdfmake(frenchContent),
  portuguese: pdfkit(portugueseSheet),
  catalan: set(catalanSource),
  galician: web(galicianPage),
  courier: pdfkit(courierSheet),
  gestoria: pdfmake(gestoriaContent),
  repair: web(repairPage),
  prevention: react(preventionBoxes),
  credit: pdfLib(creditSheet),
  advance: set(advanceSource),
  fuel: jsPdf(fuelSheet),
  gym: hand(gymSheet),
  freelancer: web(freelancerPage),
} satisfies Record<keyof typeof UNSEEN, Print>

type Name = keyof typeof PRINTS

const CODED: readonly Name[] = ['electricity', 'parking', 'catalan', 'courier', 'repair', 'credit']

const { texts, textOf, scanOf, trap, page } = partOf<Name>({
  labels: { text: 'unseen', scan: 'unseen scan', trap: 'unseen trap' },
  prints: PRINTS,
  truths: UNSEEN,
  coded: CODED,
  pages: { electricity: 2, hardware: 2 },
})

interface Photo {
  readonly dpi: number
  /** Degrees by which the photographed sheet is rotated. */
  readonly turn: number
  /** Perspective distortion of the sides, as a share of the size. */
  readonly lean: number
  /** Brightness of the table, and of the darkest corner. */
  readonly table: number
  readonly shadow: number
}

/** Renders the first page as a phone photo: on a table, lit from one side, with perspective distortion. */
async function photographed(pdf: Uint8Array, { dpi, turn, lean, table, shadow }: Photo): Promise<Uint8Array> {
  const background = { r: table, g: Math.round(table * 0.85), b: Math.round(table * 0.7) }
  const margin = Math.round(dpi * 0.5)
  const page = await sharp(await scanned(pdf, { ...QUALITIES.clean, dpi }))
    .toColourspace('srgb')
    .extend({ top: margin, bottom: margin, left: margin, right: margin, background })
    .png()
    .toBuffer()
  const turned = await sharp(page)
    .rotate(turn, { background })
    .affine([1, lean, lean / 2, 1], { background })
    .png()
    .toBuffer()
  const { width = 0, height = 0 } = await sharp(turned).metadata()
  const light = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><linearGradient id="l" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="rgb(252,248,240)"/><stop offset="1" stop-color="rgb(${shadow},${shadow},${shadow})"/></linearGradient><rect width="100%" height="100%" fill="url(#l)"/></svg>`
  return new Uint8Array(
    await sharp(turned)
      .composite([{ input: Buffer.from(light), blend: 'multiply' }])
      .blur(0.5)
      .jpeg({ quality: 78 })
      .toBuffer(),
  )
}

const scan = (name: Name, look: string, quality: Quality, options: ScanOptions = {}) =>
  scanOf(name, look, quality.jpeg === null ? 'png' : 'jpeg', (pdf) => scanned(pdf, quality, options))
const inPdf = (name: Name, quality: Quality) =>
  scanOf(name, 'in a PDF', 'pdf', (pdf) => pdfOfScans(pdf, quality))
const photo = (name: Name, look: Photo) => scanOf(name, 'photo', 'jpeg', (pdf) => photographed(pdf, look))

const office: Quality = { dpi: 240, skew: -0.4, noise: 6, blur: 0.4, jpeg: 70 }
const copier: Quality = { dpi: 180, skew: 1, noise: 10, blur: 0.4, jpeg: 55 }

const SCANS: readonly Document[] = [
  inPdf('electricity', office),
  inPdf('hardware', copier),
  scanOf('electricity', 'in a TIFF', 'tiff', (pdf) => tiffOf(pdf, QUALITIES.clean)),
  scan('landlord', 'copier', copier),
  scan('lawyer', 'office', office),
  scan('farmer', 'office', office, { turns: 1 }),
  scan('surcharge', 'clean', QUALITIES.clean),
  scan('galician', 'office', office),
  scan('repair', 'copier', copier),
  scan('gestoria', 'poor', QUALITIES.poor),
  scan('german', 'office', office, { turns: 2 }),
  scan('courier', 'turned by EXIF', office, { turns: 3, exif: true }),
  photo('taxi', { dpi: 300, turn: 2, lean: 0.02, table: 90, shadow: 175 }),
  photo('parking', { dpi: 300, turn: -3, lean: 0.01, table: 120, shadow: 190 }),
  photo('hotel', { dpi: 220, turn: 1.2, lean: 0.015, table: 70, shadow: 165 }),
  photo('freelancer', { dpi: 200, turn: -0.8, lean: 0.008, table: 140, shadow: 200 }),
]

/** Makes a Factur-X document: CII data beside a printed page with its own layout. */
const withXml = (name: Name, sheet: (truth: Truth) => Sheet): Document => {
  const truth = UNSEEN[name]
  return {
    ...textOf(name),
    name: `unseen: Factur-X beside ${name}`,
    generator: 'Factur-X by hand',
    source: 'xml',
    missing: peers,
    make: () =>
      byPdfLib(sheet(truth), truth, {
        attachment: { name: 'factur-x.xml', bytes: xmlOf(truth, 'EN16931') },
      }),
  }
}

export const UNSEEN_INVOICES: readonly Document[] = [
  ...texts,
  ...SCANS,
  withXml('hardware', hardwareSheet),
  withXml('courier', courierSheet),
]

export const UNSEEN_TRAPS: readonly Document[] = [
  trap(
    'pro forma',
    'freelancer',
    replacing(['<h1>FACTURA</h1>Nº', '<h1>PRO FORMA</h1>Factura pro forma nº']),
  ),
  trap(
    'quote accepted',
    'advance',
    replacing(['FACTURA', 'PRESUPUESTO ACEPTADO'], ['Total factura', 'Total']),
  ),
  trap('delivery note', 'surcharge', replacing(['FACTURA', 'NOTA DE ENTREGA'])),
  trap(
    'order confirmed',
    'marketplace',
    replacing(
      ['<b>Factura</b>', '<b>Pedido confirmado</b>'],
      ['Fecha de la factura/Fecha de la entrega', 'Fecha del pedido'],
      ['Número de la factura', 'Número de pedido'],
      ['Total factura', 'Total pedido'],
    ),
  ),
  trap(
    'copy without validity',
    'lawyer',
    replacing(['#line(length', '#align(center)[COPIA SIN VALIDEZ]\n#line(length']),
  ),
  trap('draft', 'gestoria', replacing(['Factura 1126', 'BORRADOR - Factura (pendiente de numerar)'])),
  trap(
    'Catalan quote',
    'catalan',
    replacing(['Factura núm.', 'Pressupost núm.'], ['Data de venciment', 'Vàlid fins al']),
  ),
  trap(
    'English quotation',
    'software',
    replacing(['TAX INVOICE', 'QUOTATION'], ['Invoice #', 'Quote #'], ['Payment due', 'Valid until']),
  ),
  trap(
    'German order confirmation',
    'german',
    replacing(
      ['Rechnungs-Nr.', 'Auftrags-Nr.'],
      ['Rechnungsbetrag', 'Auftragswert'],
      ['Rechnung', 'Auftragsbestätigung'],
      ['wir berechnen Ihnen wie folgt', 'wir bestätigen Ihren Auftrag wie folgt'],
    ),
  ),
  trap(
    'two totals',
    'electricity',
    replacing([
      '<td>TOTAL IMPORTE FACTURA<td class="n">276,10 €',
      '<td>TOTAL IMPORTE FACTURA<td class="n">267,10 €',
    ]),
  ),
  trap('altered total', 'fuel', replacing(['424,22', '434,22'])),
  trap('tax that does not follow', 'galician', replacing(['472,71', '452,71'], ['2.723,71', '2.703,71'])),
  trap('own invoice', 'repair', (text) => text, { supplier: OURS, customer: UNSEEN.advance.supplier }),
  trap('invoice to another company', 'notary', (text) => text, { customer: UNSEEN.galician.supplier }),
  trap(
    'receipt of payment',
    'landlord',
    replacing(
      ['FACTURA N.º 3/2026', 'RECIBO DE PAGO'],
      ['Por el alquiler', 'He recibido el pago de la factura 3/2026, por el alquiler'],
      ['Rogamos ingresen el importe en la cuenta', 'Importe recibido en la cuenta'],
      ['antes del día siete del mes en curso', 'el 5 de marzo de 2026'],
    ),
  ),
  page('reminder', 'courier', () => reminderPage(UNSEEN.courier)),
  page('bank statement', 'courier', statementPage),
  page('payslip', 'courier', payslipPage),
]
