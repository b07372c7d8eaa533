/**
 * The second held-out part of the corpus, written by an author who had not read the recognition code: invoices, scans of
 * half of them, and traps. The details of their results are not looked at while recognition is built.
 */
import type { Document } from './document.ts'
import rows from './documents/held-out.json' with { type: 'json' }
import * as pages from './held-out-pages.ts'
import * as sets from './held-out-set.ts'
import * as sheets from './held-out-sheets.ts'
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
import { HELD } from './sales.ts'
import { wholeOf } from './truth.ts'

const pdfkit = pdfkitIn('ibm-plex-sans')

const PRINTS = {
  telecom: web(pages.telecomPage),
  vet: web(pages.vetPage),
  dental: web(pages.dentalPage),
  logistics: jsPdf(sheets.logisticsSheet),
  saas: react(sets.saasBoxes),
  restaurant: hand(sheets.restaurantSheet),
  architect: set(sets.architectSource),
  community: web(pages.communityPage),
  signs: pdfmake(sets.signsContent),
  machinery: web(pages.machineryPage),
  fruit: pdfLib(sheets.fruitSheet),
  winery: web(pages.wineryPage),
  canteen: set(sets.canteenSource),
  translator: pdfmake(sets.translatorContent),
  attorney: web(pages.attorneyPage),
  workwear: web(pages.workwearPage),
  power: web(pages.powerPage),
  lift: pdfkit(sheets.liftSheet),
  broker: web(pages.brokerPage),
  pests: jsPdf(sheets.pestsSheet),
  marble: pdfmake(sets.marbleContent),
  coffee: web(pages.coffeePage),
  spares: pdfkit(sheets.sparesSheet),
  shop: web(pages.shopPage),
} satisfies Record<keyof typeof HELD, Print>

const { texts, scans, traps } = partOf(
  {
    labels: { text: 'held out', scan: 'held out, scan', trap: 'held out, trap' },
    prints: PRINTS,
    truths: HELD,
    trapPages: {
      account: () => pages.accountPage(wholeOf(HELD.winery)),
      due: () => pages.duePage(wholeOf(HELD.machinery)),
    },
  },
  rows as Rows,
)

export const HELD_OUT_INVOICES: readonly Document[] = [...texts, ...scans]

export const HELD_OUT_TRAPS: readonly Document[] = traps
