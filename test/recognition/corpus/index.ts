/** The documents that recognition is held against: made by tests, the same each time, with what stands on them. */
import type { FormatCode } from '../../../src/formats/index.ts'
import type { FileKind } from '../../../src/recognition/index.ts'
import { browserMissing, setMissing } from '../../needs.ts'
import { xmlOf } from './canonical.ts'
import { byChromium, cards, frames } from './html.ts'
import { columns, english, letter, long, ticket } from './layouts.ts'
import { byPdfLib } from './pdf-lib.ts'
import { byPdfkit } from './pdfkit.ts'
import { SALES } from './sales.ts'
import { pdfOfScans, QUALITIES, scanned, tiffOf } from './scan.ts'
import type { Truth } from './truth.ts'

export { closeBrowser } from './html.ts'
export { OURS } from './parties.ts'
export type { TaxTruth, Truth } from './truth.ts'

/** Makes a file, where what it is made with is installed. */
type Make = (() => Promise<Uint8Array>) & { readonly missing?: string | undefined }

/** Made with pdf-lib. */
const lib = (make: () => Promise<Uint8Array>): Make =>
  Object.assign(() => make(), { missing: setMissing('peers') })
/** Made with Chromium. */
const web = (make: () => Promise<Uint8Array>): Make =>
  Object.assign(() => make(), { missing: browserMissing })

export interface Document {
  readonly name: string
  readonly kind: FileKind
  /** Where its values can be read from: data, print that says what it says, or pixels. */
  readonly source: 'xml' | 'text' | 'scan'
  readonly pages: number
  readonly has_code: boolean
  readonly truth: Truth
  readonly make: Make
  /** Why it cannot be made here. */
  readonly missing: string | undefined
}

const text = (name: string, truth: Truth, has_code: boolean, make: Make, pages = 1): Document => ({
  name,
  kind: 'pdf',
  source: 'text',
  pages,
  has_code,
  truth,
  make,
  missing: make.missing,
})

const scan = (
  name: string,
  kind: FileKind,
  truth: Truth,
  has_code: boolean,
  make: Make,
  pages = 1,
): Document => ({
  name,
  kind,
  source: 'scan',
  pages,
  has_code,
  truth,
  make,
  missing: make.missing,
})

const { plain, rates, withheld, fees, surcharge, exempt, electricity, corrective, timber } = SALES

const TEXTS: readonly Document[] = [
  text(
    'letter by pdf-lib',
    plain,
    true,
    lib(() => byPdfLib(letter(plain, true), plain)),
  ),
  text(
    'rates by pdf-lib',
    rates,
    true,
    lib(() => byPdfLib(columns(rates, true), rates)),
  ),
  text(
    'withheld by pdf-lib, no code',
    withheld,
    false,
    lib(() => byPdfLib(letter(withheld, false), withheld)),
  ),
  text(
    'surcharge by pdf-lib',
    surcharge,
    true,
    lib(() => byPdfLib(columns(surcharge, true), surcharge)),
  ),
  text(
    'two pages by pdf-lib',
    timber,
    true,
    lib(() => byPdfLib(long(timber, true), timber)),
    2,
  ),
  text(
    'turned by pdf-lib',
    plain,
    true,
    lib(() => byPdfLib(letter(plain, true), plain, { rotate: 90 })),
  ),
  text('english by pdfkit', SALES.english, true, () => byPdfkit(english(SALES.english, true), SALES.english)),
  text('corrective by pdfkit', corrective, true, () =>
    byPdfkit(letter(corrective, true), corrective, { family: 'source-serif-4' }),
  ),
  text('exempt by pdfkit, no code', exempt, false, () =>
    byPdfkit(columns(exempt, false), exempt, { family: 'ibm-plex-sans' }),
  ),
  text('ticket by pdfkit', SALES.ticket, true, () => byPdfkit(ticket(SALES.ticket, true), SALES.ticket)),
  text('sideways by pdfkit', withheld, true, () =>
    byPdfkit(columns(withheld, true), withheld, { sideways: true }),
  ),
  text(
    'cards by Chromium',
    electricity,
    true,
    web(() => byChromium(cards(electricity, true))),
  ),
  text(
    'frames by Chromium',
    rates,
    true,
    web(() => byChromium(frames(rates, true))),
  ),
  text(
    'frames with surcharge by Chromium, no code',
    surcharge,
    false,
    web(() => byChromium(frames(surcharge, false))),
  ),
  text(
    'fees by Chromium',
    fees,
    true,
    web(() => byChromium(cards(fees, true))),
  ),
]

const { clean, fair, poor } = QUALITIES

const SCANS: readonly Document[] = [
  scan(
    'letter, clean',
    'png',
    plain,
    true,
    lib(async () => scanned(await byPdfLib(letter(plain, true), plain), clean)),
  ),
  scan(
    'letter, fair',
    'jpeg',
    plain,
    true,
    lib(async () => scanned(await byPdfLib(letter(plain, true), plain), fair)),
  ),
  scan(
    'letter, poor',
    'jpeg',
    plain,
    true,
    lib(async () => scanned(await byPdfLib(letter(plain, true), plain), poor)),
  ),
  scan('withheld, clean, no code', 'png', withheld, false, async () =>
    scanned(await byPdfkit(letter(withheld, false), withheld), clean),
  ),
  scan('rates, fair', 'jpeg', rates, true, async () =>
    scanned(await byPdfkit(columns(rates, true), rates), fair),
  ),
  scan('rates, poor', 'jpeg', rates, true, async () =>
    scanned(await byPdfkit(columns(rates, true), rates), poor),
  ),
  scan(
    'two pages in a TIFF',
    'tiff',
    timber,
    true,
    lib(async () => tiffOf(await byPdfLib(long(timber, true), timber), clean)),
    2,
  ),
  scan('fees lying on their side', 'jpeg', fees, true, async () =>
    scanned(await byPdfkit(letter(fees, true), fees), fair, { turns: 1 }),
  ),
  scan('exempt upside down, no code', 'png', exempt, false, async () =>
    scanned(await byPdfkit(letter(exempt, false), exempt), clean, { turns: 2 }),
  ),
  scan('ticket, fair', 'jpeg', SALES.ticket, true, async () =>
    scanned(await byPdfkit(ticket(SALES.ticket, true), SALES.ticket), fair),
  ),
  scan(
    'english, poor',
    'jpeg',
    SALES.english,
    true,
    lib(async () => scanned(await byPdfLib(english(SALES.english, true), SALES.english), poor)),
  ),
  scan('withheld, poor, no code', 'jpeg', withheld, false, async () =>
    scanned(await byPdfkit(letter(withheld, false), withheld, { family: 'ibm-plex-sans' }), poor),
  ),
  scan(
    'surcharge in frames, fair, no code',
    'jpeg',
    surcharge,
    false,
    web(async () => scanned(await byChromium(frames(surcharge, false)), fair)),
  ),
  scan(
    'cards as a camera sees them, on their side',
    'jpeg',
    electricity,
    true,
    web(async () => scanned(await byChromium(cards(electricity, true)), fair, { turns: 3, exif: true })),
  ),
  scan(
    'corrective inside a PDF, fair',
    'pdf',
    corrective,
    true,
    lib(async () => pdfOfScans(await byPdfkit(letter(corrective, true), corrective), fair)),
  ),
  scan(
    'two pages inside a PDF, poor',
    'pdf',
    timber,
    true,
    lib(async () => pdfOfScans(await byPdfkit(long(timber, true), timber), poor)),
    2,
  ),
]

const withXml = (
  name: string,
  file: string,
  truth: Truth,
  format: FormatCode,
  layout: typeof letter,
): Document => ({
  ...text(
    name,
    truth,
    true,
    lib(() =>
      byPdfLib(layout(truth, true), truth, { attachment: { name: file, bytes: xmlOf(truth, format) } }),
    ),
  ),
  source: 'xml',
})

const ELECTRONIC: readonly Document[] = [
  withXml('Factur-X', 'factur-x.xml', plain, 'cii_d16b', letter),
  withXml('ZUGFeRD of old', 'ZUGFeRD-invoice.xml', rates, 'cii_d16b', columns),
  withXml('UBL as XRechnung', 'xrechnung.xml', SALES.english, 'ubl_2_1', english),
  withXml('Facturae beside its print', 'factura_2026-017.xml', withheld, 'facturae_3_2_2', letter),
]

export const DOCUMENTS: readonly Document[] = [...ELECTRONIC, ...TEXTS, ...SCANS]
