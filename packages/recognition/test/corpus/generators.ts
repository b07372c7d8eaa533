/** The generators of the corpus, by name. Each prints a sketch with its own layout. None of them is under test. */
import { browserMissing, setMissing } from '#test/needs.ts'
import { type Arrangement, arranged } from './arranged.ts'
import { byChromium } from './html.ts'
import { byJsPdf } from './jspdf.ts'
import { byPdfLib } from './pdf-lib.ts'
import { byPdfkit } from './pdfkit.ts'
import { byPdfmake } from './pdfmake.ts'
import { byHand, byTextPrinter } from './raw.ts'
import { byReactPdf } from './react-pdf.ts'
import type { Sketch } from './sketch.ts'
import type { Truth } from './truth.ts'
import { byTypst } from './typst.ts'
import { airy, receipt, spreadsheet, utility } from './web-pages.ts'

export interface Generator {
  readonly missing: string | undefined
  readonly print: (sketch: Sketch, truth: Truth, arrangement: Arrangement) => Promise<Uint8Array> | Uint8Array
}

const packages = setMissing('documents')
const peers = setMissing('peers')
const web = (page: (sketch: Sketch) => string): Generator => ({
  missing: browserMissing,
  print: (sketch) => byChromium(page(sketch)),
})

export const GENERATORS = {
  'pdf-lib': {
    missing: peers,
    print: (sketch, truth, how) => byPdfLib(arranged(sketch, how), sketch.code ?? truth),
  },
  pdfkit: {
    missing: undefined,
    print: (sketch, truth, how) =>
      byPdfkit(arranged(sketch, how), sketch.code ?? truth, { family: 'ibm-plex-sans' }),
  },
  jsPDF: {
    missing: packages,
    print: (sketch, truth, how) => byJsPdf(arranged(sketch, how), sketch.code ?? truth, 'times'),
  },
  'PDF by hand': {
    missing: undefined,
    print: (sketch, truth, how) => byHand(arranged(sketch, how), sketch.code ?? truth),
  },
  'text printer': { missing: undefined, print: (sketch) => byTextPrinter(sketch) },
  pdfmake: { missing: packages, print: (sketch) => byPdfmake(sketch) },
  'React-PDF': { missing: packages, print: (sketch) => byReactPdf(sketch) },
  Typst: { missing: packages, print: (sketch) => byTypst(sketch) },
  'Chromium, utility': web(utility),
  'Chromium, airy': web(airy),
  'Chromium, spreadsheet': web(spreadsheet),
  'Chromium, receipt': web(receipt),
} satisfies Record<string, Generator>

export type GeneratorName = keyof typeof GENERATORS
