/** Reads the documents of the corpus: all printed text is found, in rows and upright. */
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { required } from '#core/errors/index.ts'
import { ALL, LONG } from '#test/size.ts'
import type { FileContent, Page } from '../src/index.ts'
import { withoutSpecks } from '../src/reader/specks.ts'
import { xmlOf } from './corpus/canonical.ts'
import { urlOf } from './corpus/code.ts'
import { closeBrowser, DOCUMENTS, type Document } from './corpus/index.ts'
import { dayFirst, englishAmount, euros } from './corpus/print.ts'
import { fileOf } from './corpus/raw.ts'
import { QUALITIES, scanned, scanOf } from './corpus/scan.ts'
import { amountOf, type Truth } from './corpus/truth.ts'
import { withHiddenText } from './hostile.ts'
import { type BuiltReader, buildReader, type TestRecogniser } from './recogniser.ts'

/**
 * Names the scans of an ordinary run, because OCR takes a second per page. The list has one document for each
 * difficulty that the sample of `accuracy.test.ts` lacks. `npm run test:long` reads all documents.
 */
const SAMPLE = [
  'letter, clean',
  ...(ALL ? ['rates, poor'] : []),
  'two pages in a TIFF',
  'cards as a camera sees them, on their side',
  'corrective inside a PDF, fair',
]

const tried = DOCUMENTS.filter(({ name, source }) => LONG || source !== 'scan' || SAMPLE.includes(name))
const chosen = tried.filter(({ missing }) => missing === undefined)
for (const { name, missing } of tried)
  if (missing !== undefined) it.skip(`${name} (${missing})`, () => undefined)

const documentOf = (name: string): Document => required(DOCUMENTS.find((one) => one.name === name))
/** Defines a test for one document. Skips the test if this machine cannot make the document. */
const testWith = (name: string, test: string, body: (document: Document) => Promise<void>): void => {
  const document = documentOf(name)
  if (document.missing === undefined) it(test, () => body(document))
  else it.skip(`${test} (${document.missing})`, () => undefined)
}

let reader: BuiltReader
let recogniser: TestRecogniser

beforeAll(async () => {
  reader = await buildReader()
  recogniser = reader.create({ timeMs: { text: 100_000, pixels: 100_000 } })
}, 60_000)

afterAll(async () => {
  reader.remove()
  await closeBrowser()
})

const materials = new Map<string, Promise<FileContent>>()

async function read({ name, make }: Document): Promise<FileContent> {
  const reading = await recogniser.read(await make())
  if (!('material' in reading)) throw new Error(`${name}: ${JSON.stringify(reading)}`)
  return reading.material
}

/** Reads each document only once. */
function materialOf(document: Document): Promise<FileContent> {
  const known = materials.get(document.name)
  const material = known ?? read(document)
  materials.set(document.name, material)
  return material
}

const rowsOf = ({ pages }: FileContent): string[] => pages.flatMap(({ rows }) => rows.map(({ text }) => text))

/** Returns the values that every layout prints, as printed. */
function printed(truth: Truth, isEnglish: boolean): string[] {
  const amount = isEnglish ? englishAmount : euros
  const { supplier, customer, number, taxes, total, withheld, items } = truth
  return [
    number,
    supplier.tax_id,
    supplier.name,
    customer?.tax_id,
    customer?.name,
    amount(total),
    withheld && amount(withheld.amount),
    ...taxes.map((tax) => amount(tax.amount)),
    ...items.map((item) => amount(amountOf(item))),
  ].filter((text) => typeof text === 'string')
}

/** Returns the texts that no row contains. */
const missing = (material: FileContent, texts: readonly string[]): string[] => {
  const rows = rowsOf(material)
  return texts.filter((text) => !rows.some((row) => row.includes(text)))
}

describe.each(chosen.filter(({ source }) => source !== 'scan'))('$name', (document) => {
  const { truth, pages, has_code } = document
  const isEnglish = document.name.startsWith('english') || document.name.startsWith('UBL')

  it('has all printed text, with each item and its amount in one row', async () => {
    const material = await materialOf(document)
    expect(material.kind).toBe('pdf')
    expect(material.pages.map(({ source }) => source)).toEqual(Array.from({ length: pages }, () => 'text'))
    expect(missing(material, printed(truth, isEnglish))).toEqual([])
    expect(material.codes).toEqual(has_code ? [urlOf(truth)] : [])
    const rows = rowsOf(material)
    const amount = isEnglish ? englishAmount : euros
    for (const item of truth.items)
      expect(rows.some((row) => row.includes(item.text) && row.includes(amount(amountOf(item))))).toBe(true)
  })

  it('has its words upright, inside the page, and from left to right', async () => {
    const { pages } = await materialOf(document)
    for (const { width, height, rows } of pages) {
      let above = 0
      for (const { words } of rows) {
        const [first] = words
        if (!first) throw new Error('a row without words')
        expect(first.bottom).toBeGreaterThanOrEqual(above)
        above = first.bottom
        words.forEach((word, at) => {
          expect(word.left).toBeGreaterThan(0)
          expect(word.right).toBeLessThan(width)
          expect(word.top).toBeGreaterThan(0)
          expect(word.bottom).toBeLessThan(height)
          expect(word.left).toBeGreaterThanOrEqual((words[at - 1]?.left ?? 0) - 0.01)
        })
      }
    }
  })
})

describe('the XML embedded in a PDF', () => {
  for (const [name, file, format] of [
    ['Factur-X', 'factur-x.xml', 'cii_d16b'],
    ['ZUGFeRD of old', 'ZUGFeRD-invoice.xml', 'cii_d16b'],
    ['UBL as XRechnung', 'xrechnung.xml', 'ubl_2_1'],
    ['Facturae beside its print', 'factura_2026-017.xml', 'facturae_3_2_2'],
  ] as const)
    testWith(name, `${name} is returned as attached`, async (document) => {
      const { xml } = await materialOf(document)
      expect(xml?.name).toBe(file)
      expect(Buffer.from(xml?.bytes ?? [])).toEqual(Buffer.from(xmlOf(document.truth, format)))
    })

  testWith('ticket by pdfkit', 'is null if nothing is attached', async (document) => {
    expect((await materialOf(document)).xml).toBeNull()
  })
})

describe('scans', () => {
  const found = new Map<string, { hit: number; of: number }>()

  it.each(chosen.filter(({ source }) => source === 'scan'))(
    '$name is read upright, with its QR code and nearly all printed text',
    async (document) => {
      const { truth, kind, pages, has_code } = document
      const material = await materialOf(document)
      expect(material.kind).toBe(kind)
      expect(material.pages.map(({ source }) => source)).toEqual(Array.from({ length: pages }, () => 'ocr'))
      expect(material.codes).toEqual(has_code ? [urlOf(truth)] : [])
      // The page is portrait, whatever the orientation of the scanned sheet.
      for (const { width, height } of material.pages) expect(height).toBeGreaterThan(width)
      const texts = printed(truth, document.name.startsWith('english'))
      const lost = missing(material, texts)
      found.set(document.name, { hit: texts.length - lost.length, of: texts.length })
      expect(lost.length).toBeLessThanOrEqual(Math.max(2, texts.length / 5))
    },
  )

  const gone = tried.find(({ missing }) => missing !== undefined)?.missing
  it.skipIf(gone)(`at least 90 % of all printed values are read${gone ? ` (${gone})` : ''}`, () => {
    const sums = [...found.values()]
    expect(sums).not.toHaveLength(0)
    const hit = sums.reduce((all, one) => all + one.hit, 0)
    const of = sums.reduce((all, one) => all + one.of, 0)
    if (process.env.CUADRA_FIGURES) process.stderr.write(`${hit} of ${of} ${JSON.stringify([...found])}\n`)
    expect(hit / of).toBeGreaterThanOrEqual(0.9)
  })

  testWith('letter, clean', 'the dates of a clean scan are read', async (document) => {
    const { issue_date, due_date } = document.truth
    expect(
      missing(
        await materialOf(document),
        [issue_date, due_date ?? ''].map((date) => dayFirst(date)),
      ),
    ).toEqual([])
  })
})

describe('a fax', () => {
  testWith('letter by pdf-lib', 'is read without its specks, and a clean one as it is', async (document) => {
    const scan = sharp(await scanned(await document.make(), QUALITIES.clean))
      .greyscale()
      .threshold(150)
    const { data, info } = await scan.raw().toBuffer({ resolveWithObject: true })
    const { width, height } = info
    const clean = { grey: new Uint8Array(data), width, height, scale: 200 / 72 }
    expect(withoutSpecks(clean)).toBe(clean)
    // Single specks and pairs, in paper and in ink.
    for (let at = 0; at < data.length - 1; at += 331) {
      data[at] = 255 - (data[at] ?? 0)
      if (at % 3 === 0) data[at + 1] = data[at] ?? 0
    }
    const raw = { width, height, channels: 1 } as const
    const fax = sharp(data, { raw }).withMetadata({ density: 200 }).png()
    const reading = await recogniser.read(await fax.toBuffer())
    const material = required('material' in reading ? reading.material : null)
    expect(missing(material, printed(document.truth, false)).length).toBeLessThanOrEqual(1)
  })
})

describe('a photo', () => {
  testWith(
    'letter by pdf-lib',
    'of a skewed sheet on a dark table, half in shadow, is read',
    async (document) => {
      const photo = { dpi: 200, turn: 14, lean: 0.01, table: 110, shadow: 90 }
      const reading = await recogniser.read(await scanOf(document, 'photo', { photo }).make())
      const material = required('material' in reading ? reading.material : null)
      expect(missing(material, printed(document.truth, false)).length).toBeLessThanOrEqual(2)
    },
  )
})

describe('invisible text under a picture', () => {
  testWith('corrective inside a PDF, fair', 'is ignored, and the picture is read', async (document) => {
    const hidden = 'Total factura 999.999,99 euros a la cuenta ES00 0000 0000 0000 0000 0000'
    const file = await withHiddenText(await document.make(), hidden)
    const reading = await recogniser.read(file)
    const material = 'material' in reading ? reading.material : null
    expect(material?.pages.map(({ source }) => source)).toEqual(['ocr'])
    const rows = rowsOf(required(material)).join('\n')
    expect(rows).toContain('115,92')
    expect(rows).not.toContain('999')
  })
})

describe('text that is not set as words on a level line', () => {
  const OTHER = ['Factura 2026/17 de Papeles Sueltos, S.L., a 3 de mayo', 'Tornillos 1 2 3 4 100,00']

  /** Reads a page with usual text and other operators. */
  async function pageOf(operators: string): Promise<Page> {
    const texts = OTHER.map((text, at) => `BT /F 10 Tf 50 ${780 - at * 20} Td (${text}) Tj ET`)
    const reading = await recogniser.read(
      fileOf([`${texts.join('\n')}\n${operators}`], 595, 842, 'Helvetica'),
    )
    return required('material' in reading ? reading.material.pages[0] : undefined)
  }
  const lines = ({ rows }: Page): string[] => rows.map(({ text }) => text)

  it('is a mark if it is slanted, also letter by letter', async () => {
    const at = (x: number, y: number) => `0.8 0.6 -0.6 0.8 ${x} ${y} Tm`
    const letters = (text: string, x: number, step: number) =>
      [...text].map((letter, n) => `${at(x + n * step * 0.8, 200 + n * step * 0.6)} (${letter}) Tj`).join(' ')
    const page = await pageOf(
      [
        `BT /F 40 Tf ${at(50, 400)} (PAGO) Tj ${at(178, 496)} (ANULADO) Tj ET`,
        `BT /F 40 Tf ${letters('BORRADOR', 100, 30)} ET`,
        `BT /F 40 Tf ${letters('COPIA', 200, 110)} ET`,
        `BT /F 20 Tf ${at(300, 200)} 9 Tc (MUESTRA) Tj ET`,
      ].join('\n'),
    )
    expect(lines(page)).toEqual(OTHER)
    expect([...(page.marks ?? [])].sort()).toEqual(['BORRADOR', 'COPIA', 'MUESTRA', 'PAGO ANULADO'])
    expect((await pageOf('')).marks).toBeUndefined()
  })

  it('has its words joined if its letters are spaced', async () => {
    const spaced = ['BT /F 12 Tf 4 Tc 50 500 Td (Nota de entrega n.\\272 3) Tj ET']
    const typed = ['BT /F 12 Tf 0 Tc 50 460 Td (F A C T U R A  D E  V E N T A) Tj ET']
    const beside = ['BT /F 12 Tf 50 420 Td (T O T A L   121,00 de S A y otra) Tj ET']
    const placed = [...'COBRADO'].map((letter, at) => `BT /F 12 Tf ${50 + at * 18} 380 Td (${letter}) Tj ET`)
    const page = await pageOf([...spaced, ...typed, ...beside, ...placed].join('\n'))
    expect(lines(page)).toEqual([
      ...OTHER,
      'Nota de entrega n.º 3',
      'FACTURA DE VENTA',
      'TOTAL 121,00 de S A y otra',
      'COBRADO',
    ])
  })

  it('has its words joined on a page of spaced letters, whose gaps vary', async () => {
    const amounts = 'BT /F 10 Tf 450 500 Td [(1)-180(2)-140(1)-160(,)-170(0)-150(0)] TJ ET'
    const text = `BT /F 10 Tf 2 Tc 0 0 1 rg 50 500 Td (Total a pagar por los 2 d\\355as de alquiler de una sala) Tj ET`
    const more = 'BT /F 10 Tf 1.5 Tc 50 470 Td (N.I.F.: B12345674, C/ Mayor, 1, 28001 Madrid, y otros) Tj ET'
    const page = await pageOf([text, amounts, more, more.replace('470', '440')].join('\n'))
    expect(lines(page).slice(2)).toEqual([
      'Total a pagar por los 2 días de alquiler de una sala 121,00',
      'N.I.F.: B12345674, C/ Mayor, 1, 28001 Madrid, y otros',
      'N.I.F.: B12345674, C/ Mayor, 1, 28001 Madrid, y otros',
    ])
  })
})
