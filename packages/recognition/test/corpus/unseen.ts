/**
 * The independent part of the corpus: invoices, scans of some of them, and traps. Its author had not read the recognition
 * code.
 */
import { setMissing } from '#test/needs.ts'
import type { Document } from './document.ts'
import rows from './documents/unseen.json' with { type: 'json' }
import { xmlOf } from './factur-x.ts'
import { byPdfLib } from './pdf-lib.ts'
import {
  hand,
  jsPdf,
  type Print,
  partOf,
  pdfkitIn,
  pdfLib,
  pdfmake,
  type Rows,
  react,
  set,
  web,
} from './printed.ts'
import { UNSEEN } from './sales.ts'
import type { Sheet } from './sheet.ts'
import { type Whole, wholeOf } from './truth.ts'
import * as sets from './unseen-set.ts'
import * as sheets from './unseen-sheets.ts'
import * as pages from './unseen-web.ts'

const pdfkit = pdfkitIn('source-serif-4')

const PRINTS = {
  electricity: web(pages.electricityPage),
  gas: pdfkit(sheets.gasSheet),
  mobile: pdfmake(sets.mobileContent),
  marketplace: web(pages.marketplacePage),
  airline: jsPdf(sheets.airlineSheet),
  hotel: web(pages.hotelPage),
  taxi: web(pages.taxiPage),
  parking: hand(sheets.parkingSheet),
  lawyer: set(sets.lawyerSource),
  notary: set(sets.notarySource),
  landlord: web(pages.landlordPage),
  farmer: pdfLib(sheets.farmerSheet),
  surcharge: hand(sheets.surchargeSheet),
  hardware: pdfLib(sheets.hardwareSheet),
  reverse: react(sets.reverseBoxes),
  software: react(sets.softwareBoxes),
  german: jsPdf(sheets.germanSheet),
  french: pdfmake(sets.frenchContent),
  portuguese: pdfkit(sheets.portugueseSheet),
  catalan: set(sets.catalanSource),
  galician: web(pages.galicianPage),
  courier: pdfkit(sheets.courierSheet),
  gestoria: pdfmake(sets.gestoriaContent),
  repair: web(pages.repairPage),
  prevention: react(sets.preventionBoxes),
  credit: pdfLib(sheets.creditSheet),
  advance: set(sets.advanceSource),
  fuel: jsPdf(sheets.fuelSheet),
  gym: hand(sheets.gymSheet),
  freelancer: web(pages.freelancerPage),
} satisfies Record<keyof typeof UNSEEN, Print>

const { texts, scans, traps } = partOf(
  {
    labels: { text: 'unseen', scan: 'unseen scan', trap: 'unseen trap' },
    prints: PRINTS,
    truths: UNSEEN,
    trapPages: {
      reminder: () => pages.reminderPage(wholeOf(UNSEEN.courier)),
      statement: pages.statementPage,
      payslip: pages.payslipPage,
    },
  },
  rows as Rows,
)

/** Makes a Factur-X document: CII data beside a printed page with its own layout. */
const withXml = (name: 'hardware' | 'courier', sheet: (truth: Whole) => Sheet): Document => {
  const truth = UNSEEN[name]
  return {
    name: `unseen: Factur-X beside ${name}`,
    generator: 'Factur-X by hand',
    kind: 'pdf',
    source: 'xml',
    pages: name === 'hardware' ? 2 : 1,
    has_code: name === 'courier',
    truth,
    missing: setMissing('peers'),
    make: () =>
      byPdfLib(sheet(wholeOf(truth)), truth, {
        attachment: { name: 'factur-x.xml', bytes: xmlOf(truth, 'EN16931') },
      }),
  }
}

export const UNSEEN_INVOICES: readonly Document[] = [
  ...texts,
  ...scans,
  withXml('hardware', sheets.hardwareSheet),
  withXml('courier', sheets.courierSheet),
]

export const UNSEEN_TRAPS: readonly Document[] = traps
