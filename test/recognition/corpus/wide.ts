/** The larger part of the corpus: many trades, languages, notations and generators, as text and as scans. */
import { setMissing } from '../../needs.ts'
import { type Arrangement, arranged } from './arranged.ts'
import type { Document } from './document.ts'
import { GENERATORS, type GeneratorName } from './generators.ts'
import { MORE } from './more-sales.ts'
import { byPicture } from './picture.ts'
import { SALES } from './sales.ts'
import { pdfOfScans, type Quality, type ScanOptions, scanned } from './scan.ts'
import { type Sketch, type Style, sketchOf } from './sketch.ts'
import type { Truth } from './truth.ts'
import { NOTATIONS } from './words.ts'

type Shown = readonly [
  name: string,
  generator: GeneratorName,
  truth: Truth,
  style?: Style,
  arrangement?: Arrangement,
  pages?: number,
]

/** Makes a document with a generator. `change` changes the sketch before it is printed. */
export function printed(
  [name, generator, truth, style = {}, arrangement = {}, pages = 1]: Shown,
  change: (sketch: Sketch) => Sketch = (sketch) => sketch,
): Document {
  const { missing, print } = GENERATORS[generator]
  return {
    name: `${name} (${generator})`,
    generator: generator.split(',')[0] ?? generator,
    kind: 'pdf',
    source: 'text',
    pages,
    has_code: style.hasCode === true && generator !== 'text printer',
    truth,
    missing,
    make: async () => print(change(sketchOf(truth, style)), truth, arrangement),
  }
}

const { spanish, bare, spaces, ungrouped, behind, code, english } = NOTATIONS
const QR = true
const REGISTER =
  'Inscrita en el Registro Mercantil, tomo 4.211, libro 0, folio 73, sección 8, hoja M-69.812, inscripción 1.ª'

const SHOWN: readonly Shown[] = [
  [
    'water bill',
    'Chromium, utility',
    MORE.water,
    { hasCode: QR, isIdSmall: true, register: REGISTER },
    {},
    2,
  ],
  [
    'water bill, plain',
    'PDF by hand',
    MORE.water,
    { notation: bare, words: { number: 'Nº de factura', total: 'IMPORTE TOTAL' } },
    { labels: 'far' },
  ],
  [
    'telephone',
    'Chromium, utility',
    MORE.phone,
    {
      dating: 'words',
      words: { number: 'Número de factura', date: 'Fecha de emisión', total: 'Total a pagar' },
    },
    {},
    2,
  ],
  ['telephone', 'pdfmake', MORE.phone, { hasCode: QR, words: { due: 'Fecha de cargo' } }],
  [
    'telephone, totals at the left',
    'jsPDF',
    MORE.phone,
    { notation: spaces },
    { totals: 'left', labels: 'above' },
  ],
  ['hotel with 0 %', 'Chromium, airy', MORE.hotel, { hasCode: QR, hasRates: true }],
  [
    'hotel with 0 %',
    'React-PDF',
    MORE.hotel,
    { hasRates: true, words: { number: 'Nº Factura', date: 'Fecha' } },
  ],
  [
    'hotel in English',
    'pdfkit',
    MORE.hotel,
    { language: 'en', hasRates: true, dating: 'words', words: { id: 'Tax ID' } },
  ],
  ['architect, RET', 'Typst', MORE.architect, { words: { withheld: 'RET.', number: 'Factura núm.' } }],
  [
    'architect, IRPF',
    'Chromium, airy',
    MORE.architect,
    { hasCode: QR, words: { withheld: 'IRPF', payable: 'Líquido a percibir' } },
  ],
  [
    'architect, retención',
    'PDF by hand',
    MORE.architect,
    { dating: 'words', words: { withheld: 'Retención a cuenta' } },
    { labels: 'dots' },
  ],
  ['beginner at 7 %', 'text printer', MORE.beginner, { notation: bare, words: { withheld: 'Ret. IRPF' } }],
  ['beginner at 7 %', 'pdf-lib', MORE.beginner, { hasCode: QR, dating: 'short' }, { labels: 'below' }],
  [
    'farmer with compensation',
    'pdfkit',
    MORE.farmer,
    { words: { tax: 'Compensación REAGP', withheld: 'Retención', title: 'Recibo agrario - Factura' } },
  ],
  [
    'notary',
    'Typst',
    MORE.notary,
    {
      dating: 'words',
      words: { number: 'Minuta-factura número', withheld: 'Retención IRPF', payable: 'Total líquido' },
    },
  ],
  ['notary', 'Chromium, spreadsheet', MORE.notary, { hasCode: QR, words: { withheld: 'I.R.P.F.' } }],
  ['outlays', 'pdfmake', MORE.suplidos, { extras: [['Suplidos (tasas DGT)', 55.7]] }],
  [
    'outlays with code',
    'jsPDF',
    MORE.suplidos,
    {
      hasCode: QR,
      extras: [
        ['Suplidos', 55.7],
        ['Provisión de fondos', -100],
      ],
    },
  ],
  ['Catalan', 'pdf-lib', MORE.printer, { language: 'ca', hasCode: QR }],
  ['Catalan, words in date', 'Typst', MORE.printer, { language: 'ca', dating: 'words' }],
  ['Catalan, spreadsheet', 'Chromium, spreadsheet', MORE.printer, { language: 'ca', notation: spaces }],
  [
    'transport',
    'text printer',
    MORE.transport,
    { notation: ungrouped, dating: '-', words: { total: 'TOTAL EUROS' } },
  ],
  ['transport', 'React-PDF', MORE.transport, { hasCode: QR, notation: code }],
  ['Basque', 'pdfkit', MORE.foundry, { language: 'eu', dating: 'iso' }, { labels: 'above' }],
  ['Basque with code', 'Chromium, airy', MORE.foundry, { language: 'eu', dating: '/', hasCode: QR }],
  ['Galician', 'jsPDF', MORE.cannery, { language: 'gl' }, { supplier: 'right' }],
  ['Galician, words in date', 'pdfmake', MORE.cannery, { language: 'gl', dating: 'words', hasCode: QR }],
  [
    'cleaning',
    'PDF by hand',
    MORE.cleaner,
    { hasCode: QR, register: REGISTER, isIdSmall: true },
    { labels: 'above', totals: 'band' },
  ],
  ['cleaning, large type', 'pdf-lib', MORE.cleaner, { notation: code }, { size: 12, totals: 'left' }],
  [
    'rent',
    'Chromium, spreadsheet',
    MORE.landlord,
    { words: { withheld: 'Ret. 19% s/arrendamientos', concept: 'Concepto' } },
  ],
  ['rent', 'text printer', MORE.landlord, { notation: bare, dating: 'words' }],
  ['rent with code', 'pdfmake', MORE.landlord, { hasCode: QR, words: { payable: 'Importe neto' } }],
  [
    'fuel with tax included',
    'Chromium, receipt',
    MORE.petrol,
    { isTaxIncluded: true, notes: ['IVA incluido en los precios'] },
  ],
  [
    'fuel with tax included',
    'PDF by hand',
    MORE.petrol,
    { isTaxIncluded: true, hasCode: QR, notes: ['Precios con IVA incluido'] },
  ],
  [
    'consultancy in English',
    'React-PDF',
    MORE.consulting,
    { language: 'en', notation: english, dating: 'words' },
  ],
  [
    'consultancy in English',
    'Typst',
    MORE.consulting,
    {
      language: 'en',
      notation: english,
      dating: 'iso',
      hasCode: QR,
      words: { base: 'Net amount', total: 'Grand total' },
    },
  ],
  ['surcharge', 'jsPDF', MORE.wholesale, { notation: bare, hasRates: true, words: { surcharge: 'R.E.' } }],
  ['surcharge', 'text printer', MORE.wholesale, { notation: bare, words: { surcharge: 'Recargo equiv.' } }],
  ['surcharge with code', 'Chromium, airy', MORE.shop, { hasCode: QR, words: { surcharge: 'Recargo' } }],
  [
    'builder',
    'Chromium, spreadsheet',
    MORE.builder,
    { dating: '.', words: { id: 'C.I.F.', total: 'TOTAL PRESENTE FACTURA' } },
  ],
  [
    'builder',
    'pdf-lib',
    MORE.builder,
    { hasCode: QR, register: REGISTER },
    { labels: 'far', totals: 'band' },
  ],
  [
    'builder, by hand',
    'PDF by hand',
    MORE.builder,
    { notation: spaces, isIdSmall: true },
    { supplier: 'right' },
  ],
  [
    'advance deducted',
    'Typst',
    MORE.advance,
    { extras: [['Anticipo a cuenta', -3000]], words: { payable: 'Pendiente de pago' } },
  ],
  [
    'advance deducted',
    'pdfkit',
    MORE.advance,
    { hasCode: QR, extras: [['Entregado a cuenta', -3000]] },
    { labels: 'dots' },
  ],
  ['credit note', 'pdfmake', MORE.credit, { hasCode: QR, words: { title: 'Factura rectificativa' } }],
  [
    'credit note, minus behind',
    'text printer',
    MORE.credit,
    { notation: behind, words: { title: 'Factura de abono' } },
  ],
  [
    'return, minus behind',
    'jsPDF',
    MORE.returned,
    { notation: behind, words: { title: 'Factura rectificativa' } },
  ],
  ['return', 'React-PDF', MORE.returned, { words: { title: 'Abono', number: 'Abono nº' } }],
  [
    'French',
    'Typst',
    MORE.french,
    {
      language: 'fr',
      notation: spaces,
      dating: 'words',
      notes: ['Exonération de TVA, article 262 ter I du CGI. Autoliquidation.'],
    },
  ],
  ['French', 'Chromium, airy', MORE.french, { language: 'fr', notation: spaces }],
  [
    'German',
    'jsPDF',
    MORE.german,
    { language: 'de', dating: '.', notes: ['Steuerfreie innergemeinschaftliche Lieferung'] },
  ],
  ['German', 'React-PDF', MORE.german, { language: 'de', dating: 'words', notation: spanish }],
  [
    'Portuguese',
    'pdfmake',
    MORE.portuguese,
    { language: 'pt', dating: '-', notes: ['IVA - autoliquidação, isento artigo 14.º do RITI'] },
  ],
  [
    'Italian',
    'PDF by hand',
    MORE.italian,
    { language: 'it', notes: ['Operazione non imponibile art. 41 DL 331/93'] },
    { labels: 'above' },
  ],
  [
    'exempt course',
    'Chromium, receipt',
    MORE.academy,
    { notes: ['Exento de IVA, art. 20.Uno.9.º Ley 37/1992'] },
  ],
  [
    'exempt course',
    'pdf-lib',
    MORE.academy,
    { notes: ['Operación exenta (artículo 20 LIVA)'] },
    { labels: 'below' },
  ],
  [
    'receipt of a till',
    'Chromium, receipt',
    MORE.parking,
    { hasCode: QR, isTaxIncluded: true, words: { title: 'Factura simplificada' } },
  ],
  [
    'receipt of a till',
    'text printer',
    MORE.parking,
    { notation: bare, words: { title: 'Factura simplificada', total: 'TOTAL' } },
  ],
  ['more than a million', 'pdfkit', MORE.large, { hasCode: QR }, { totals: 'band' }],
  ['more than a million', 'Chromium, spreadsheet', MORE.large, {}],
  ['yearly, two pages', 'PDF by hand', MORE.yearly, {}, { step: 16 }, 2],
  ['yearly, several pages', 'pdfmake', MORE.yearly, { hasCode: QR }, {}, 2],
  ['three pages', 'jsPDF', MORE.pages, { notation: bare, hasRates: true }, { step: 15 }, 3],
  ['three pages with code', 'pdf-lib', MORE.pages, { hasCode: QR }, { step: 16 }, 3],
]

export const WIDE_TEXTS: readonly Document[] = SHOWN.map((shown) => printed(shown))

const QUALITIES = {
  fine: { dpi: 300, skew: 0.3, noise: 4, blur: 0, jpeg: 80 },
  office: { dpi: 200, skew: -0.5, noise: 8, blur: 0.4, jpeg: 65 },
  fax: { dpi: 150, skew: 0.9, noise: 12, blur: 0.4, jpeg: 55 },
  coarse: { dpi: 110, skew: 0.2, noise: 3, blur: 0, jpeg: 75 },
} satisfies Record<string, Quality>

type QualityName = keyof typeof QUALITIES
type Scanned = readonly [
  text: string,
  quality: QualityName,
  options?: ScanOptions & { readonly inPdf?: boolean },
]

const SCANNED: readonly Scanned[] = [
  ['water bill, plain (PDF by hand)', 'office'],
  ['telephone (pdfmake)', 'fine'],
  ['telephone, totals at the left (jsPDF)', 'fax'],
  ['hotel with 0 % (Chromium, airy)', 'office'],
  ['hotel in English (pdfkit)', 'office'],
  ['architect, RET (Typst)', 'fine'],
  ['architect, IRPF (Chromium, airy)', 'fax'],
  ['beginner at 7 % (text printer)', 'office'],
  ['beginner at 7 % (pdf-lib)', 'coarse'],
  ['notary (Chromium, spreadsheet)', 'office', { turns: 1 }],
  ['outlays (pdfmake)', 'fax', { inPdf: true }],
  ['Catalan (pdf-lib)', 'office'],
  ['Catalan, words in date (Typst)', 'fine', { turns: 2 }],
  ['transport (text printer)', 'fine'],
  ['transport (React-PDF)', 'office', { turns: 3, exif: true }],
  ['Basque (pdfkit)', 'office'],
  ['Galician (jsPDF)', 'office', { inPdf: true }],
  ['cleaning (PDF by hand)', 'fine'],
  ['cleaning, large type (pdf-lib)', 'coarse'],
  ['rent (text printer)', 'fax'],
  ['fuel with tax included (Chromium, receipt)', 'fine'],
  ['consultancy in English (React-PDF)', 'office'],
  ['surcharge with code (Chromium, airy)', 'fax'],
  ['builder (Chromium, spreadsheet)', 'office', { inPdf: true }],
  ['credit note (pdfmake)', 'office'],
  ['French (Typst)', 'office'],
  ['German (jsPDF)', 'fine'],
  ['receipt of a till (Chromium, receipt)', 'office'],
]

function scanOf([text, quality, { inPdf = false, ...options } = {}]: Scanned): Document {
  const document = WIDE_TEXTS.find(({ name }) => name === text)
  if (!document) throw new Error(`No document "${text}"`)
  const { make } = document
  return {
    ...document,
    name: `scan, ${quality}: ${text}`,
    kind: inPdf ? 'pdf' : 'jpeg',
    source: 'scan',
    missing: document.missing ?? (inPdf ? setMissing('peers') : undefined),
    make: async () =>
      inPdf
        ? pdfOfScans(await make(), QUALITIES[quality])
        : scanned(await make(), QUALITIES[quality], options),
  }
}

/** Images that a vector graphics library draws, without an intermediate PDF. */
const pictures = (
  [
    ['paper', SALES.plain, { hasCode: QR }, { labels: 'above' }, { font: 'DejaVu Sans', dpi: 200 }],
    ['design', SALES.withheld, {}, { labels: 'far' }, { font: 'Liberation Serif', dpi: 150, jpeg: 70 }],
    ['food', SALES.rates, { hasCode: QR }, { totals: 'left' }, { font: 'Liberation Sans Narrow', dpi: 250 }],
    [
      'hosting',
      SALES.english,
      { language: 'en', notation: english },
      {},
      { font: 'DejaVu Serif', dpi: 100, jpeg: 85 },
    ],
    [
      'legal fees',
      SALES.fees,
      { hasCode: QR },
      { labels: 'dots' },
      { font: 'Liberation Mono', dpi: 200, jpeg: 60 },
    ],
  ] as const
).map(([name, truth, style, arrangement, look]): Document => {
  const shown: Style = style
  return {
    name: `picture: ${name} (librsvg)`,
    generator: 'librsvg',
    kind: 'jpeg' in look ? 'jpeg' : 'png',
    source: 'scan',
    pages: 1,
    has_code: shown.hasCode === true,
    truth,
    missing: undefined,
    make: () => byPicture(arranged(sketchOf(truth, shown), arrangement), shown.hasCode ? truth : null, look),
  }
})

export const WIDE_SCANS: readonly Document[] = [...SCANNED.map(scanOf), ...pictures]
