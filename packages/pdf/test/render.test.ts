import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { required } from '#core/errors/index.ts'
import { itInAll, sized } from '#test/size.ts'
import type { InvoiceView } from '#view/view-model.ts'
import type { Item } from '../src/box.ts'
import { designAndPaletteOf, PAGE } from '../src/designs.ts'
import { renderPdf, TEMPLATES } from '../src/index.ts'
import { layOut } from '../src/layout.ts'
import { printableWidthOf } from '../src/layout-context.ts'
import { textWidth } from '../src/measure.ts'
import * as samples from './samples.ts'
import { ordinary, QR_URL } from './samples.ts'
import { POPPLER, pagesOf, QPDF, qrOf, rasterOf, run, textOf, upper, withFile } from './tools.ts'

const timestamp = '2026-03-05T12:00:00Z'
const DESIGNS = ['classic-blue', 'modern-green', 'compact-wine'] as const

const render = (view: InvoiceView, template: string = 'modern-blue'): Promise<Uint8Array> =>
  renderPdf(view, { template, timestamp })

/** Returns the layout items of each page, before they are painted. */
const laidOut = (view: InvoiceView, template: string): Item[][] => {
  const { design, palette } = required(designAndPaletteOf(template))
  return layOut({
    view,
    design,
    palette,
    logo: null,
    document: { type: 'Document', children: [] },
    width: printableWidthOf(design),
  })
}

/** Returns every text that a view prints, at any depth. */
function textsOf(value: unknown, key = ''): string[] {
  const unprinted = ['language', 'direction', 'key', 'align', 'weight', 'content', 'running']
  const carried = ['carriedForward', 'broughtForward', 'pageOf']
  if ([...unprinted, ...carried].includes(key)) return []
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, each]) => textsOf(each, name))
}

/** Splits a text into words. Comparing words makes the tests independent of line breaks. */
const wordsIn = (text: string): string[] =>
  text
    .normalize('NFC')
    .split(/[\s\u00A0]+/)
    .filter(Boolean)

function expectAllTexts(view: InvoiceView, text: string): void {
  const found = new Set(wordsIn(text))
  const joined = text.replace(/[\s\u00A0]+/g, '')
  const missing = textsOf(view)
    .flatMap(wordsIn)
    .filter((word) => !found.has(word) && !joined.includes(word))
  expect(missing).toEqual([])
}

/** Returns the items that extend beyond the page. */
function outside(pages: readonly (readonly Item[])[]): string[] {
  const inside = (left: number, top: number, right: number, bottom: number): boolean =>
    left >= -0.5 && top >= -0.5 && right <= PAGE.width + 0.5 && bottom <= PAGE.height + 0.5
  return pages.flat().flatMap((item) => {
    if (item.kind === 'text') {
      if (item.turned !== undefined) return []
      const right = item.x + textWidth(item.text, item.style)
      return inside(item.x, item.y - item.style.size, right, item.y + item.style.size * 0.3)
        ? []
        : [item.text]
    }
    const [width, height] = item.kind === 'modules' ? [item.side, item.side] : [item.width, item.height]
    return inside(item.x, item.y, item.x + width, item.y + height) ? [] : [item.kind]
  })
}

const all = Object.entries(samples).filter(
  (entry): entry is [string, () => InvoiceView] =>
    typeof entry[1] === 'function' && !['labelIn', 'money'].includes(entry[0]),
)

test('each design has at least three styles, and an unknown template is refused', async () => {
  for (const design of ['classic', 'modern', 'compact'])
    expect(TEMPLATES.filter((template) => template.startsWith(`${design}-`)).length).toBeGreaterThanOrEqual(3)
  await expect(render(ordinary(), 'classic-pink')).rejects.toThrow('Unknown template "classic-pink"')
  await expect(render(ordinary(), 'constructor-blue')).rejects.toThrow('Unknown template')
})

itInAll('the same view and timestamp give the same bytes, even after other invoices', async () => {
  for (const template of DESIGNS) {
    const first = await render(samples.foreign(), template)
    await render(samples.full(), template)
    expect(Buffer.compare(first, await render(samples.foreign(), template))).toBe(0)
  }
  expect(
    Buffer.compare(
      await render(ordinary()),
      await renderPdf(ordinary(), { template: 'modern-blue', timestamp: '2026-03-06T12:00:00Z' }),
    ),
  ).not.toBe(0)
})

test('an invalid timestamp is refused', async () => {
  await expect(renderPdf(ordinary(), { template: 'modern-blue', timestamp: 'yesterday' })).rejects.toThrow(
    RangeError,
  )
})

describe.skipIf(!POPPLER)('read by poppler', () => {
  test.each(all)('every text of the invoice %s can be extracted, in every design', async (_, sample) => {
    const view = sample()
    for (const template of DESIGNS) expectAllTexts(view, textOf(await render(view, template)))
  })

  test('one, two and five pages are numbered in every design, and subtotals are carried forward', async () => {
    for (const template of DESIGNS) {
      const counts = new Map<number, InvoiceView>()
      for (let lines = 1; lines <= 220 && counts.size < 5; lines += lines < 30 ? 4 : 12) {
        const view = ordinary({ lines })
        counts.set(laidOut(view, template).length, view)
      }
      for (const pages of [1, 2, 5]) {
        const view = required(counts.get(pages))
        const pdf = await render(view, template)
        expect(pagesOf(pdf)).toBe(pages)
        const text = textOf(pdf)
        expectAllTexts(view, text)
        for (let page = 1; page <= pages; page++) expect(text).toContain(`Página ${page} de ${pages}`)
        const forward = [...text.matchAll(/Suma y sigue\s+(\S+)/g)].map((match) => match[1])
        const brought = [...text.matchAll(/Suma anterior\s+(\S+)/g)].map((match) => match[1])
        expect(forward).toEqual(brought)
        expect(forward.length).toBeGreaterThanOrEqual(pages === 1 ? 0 : 1)
        const sums = view.lines.rows.map(({ running }) => running.replace(/\s.*/u, ''))
        for (const sum of forward) expect(sums).toContain(sum)
      }
    }
  })

  test('the tax QR can be read at 72 to 300 dpi in every design, at the top of the first page', async () => {
    const longest = {
      ...ordinary(),
      qr: {
        ...required(ordinary().qr),
        content: `${QR_URL.replace('F-2026-000123', `F%2F${'9'.repeat(56)}`)}`,
      },
    }
    for (const template of TEMPLATES)
      expect([template, qrOf(upper(rasterOf(await render(ordinary(), template)), 0.4))]).toEqual([
        template,
        QR_URL,
      ])
    for (const template of DESIGNS)
      for (const view of [samples.cancelled(), samples.simplified(), longest])
        expect(qrOf(upper(rasterOf(await render(view, template)), 0.4))).toBe(required(view.qr).content)
    for (const template of DESIGNS)
      for (const dpi of [72, 150, 300])
        for (const view of [ordinary(), longest]) {
          const read = qrOf(upper(rasterOf(await render(view, template), 1, dpi), 0.4))
          expect([template, dpi, read]).toEqual([template, dpi, required(view.qr).content])
        }
  }, 120_000)

  test('the QR code of a transfer can be read', async () => {
    for (const template of DESIGNS) {
      const pdf = await render({ ...ordinary(), qr: null }, template)
      expect(qrOf(rasterOf(pdf))).toBe(samples.EPC)
    }
  })

  test('every font is embedded', async () => {
    for (const template of DESIGNS)
      withFile(await render(samples.foreign(), template), (file) => {
        const fonts = run('pdffonts', file).split('\n').slice(2).filter(Boolean)
        expect(fonts.length).toBeGreaterThan(3)
        for (const font of fonts) expect(font).toMatch(/ yes +yes +yes +\d+ +\d+$/)
      })
  })

  test('characters that no font has are printed as a replacement sign, and copied correctly', async () => {
    const view = { ...ordinary(), about: 'Papel 東京 y \u{1F4A9} fin' }
    const shown = laidOut(view, 'classic-blue').flat()
    expect(shown.some((item) => item.kind === 'text' && item.text.includes('東京'))).toBe(true)
    const text = textOf(await render(view, 'classic-blue')).replace(/\s/g, '')
    expect(text).toContain('Papel東京y\u{1F4A9}fin')
  })

  test('an embedded invoice is extracted unchanged, and the metadata describe it', async () => {
    const xml =
      '<?xml version="1.0" encoding="UTF-8"?>\n<rsm:CrossIndustryInvoice>ñ €</rsm:CrossIndustryInvoice>\n'
    const view = { ...ordinary(), supplier: { ...ordinary().supplier, name: 'Peña & Hijos <S.L.>' } }
    const pdf = await renderPdf(view, { template: 'classic-grey', timestamp, facturx: { xml } })
    withFile(pdf, (file, folder) => {
      expect(run('pdfdetach', '-list', file)).toContain('factur-x.xml')
      run('pdfdetach', '-save', '1', '-o', `${folder}/out.xml`, file)
      expect(readFileSync(`${folder}/out.xml`, 'utf8')).toBe(xml)
      const info = run('pdfinfo', '-isodates', file)
      expect(info).toMatch(/^Title:\s+Factura F-2026-000123$/m)
      expect(info).toMatch(/^Author:\s+Peña & Hijos <S.L.>$/m)
      expect(info).toMatch(/^CreationDate:\s+2026-03-05T12:00:00Z$/m)
      expect(info).toMatch(/^Tagged:\s+yes$/m)
      const metadata = run('pdfinfo', '-meta', file)
      expect(metadata).toContain('<rdf:li>Peña &amp; Hijos &lt;S.L.&gt;</rdf:li>')
      expect(metadata).toContain('<pdfaid:part>3</pdfaid:part>')
      expect(metadata).toContain('<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel>')
    })
    const raw = Buffer.from(pdf).toString('latin1')
    expect(raw).toContain('/AFRelationship /Alternative')
    expect(raw).toContain('/S /GTS_PDFA1')
  })

  test('the structure tree has the title, tables with header cells, and the QR codes as text', async () => {
    const tree = withFile(await render(ordinary(), 'compact-blue'), (file) =>
      run('pdfinfo', '-struct-text', file),
    )
    for (const element of ['Document', 'H1', 'Table', 'TR', 'TH', 'TD', 'Figure'])
      expect(tree).toContain(element)
    expect(tree).toMatch(/H1 \(block\)\s+"Factura N\.º\sF-2026-000123 ?"/)
  })
})

test.skipIf(!QPDF)(
  'qpdf finds no errors in any sample and design, with and without an embedded invoice',
  async () => {
    for (const [name, sample] of all)
      for (const template of DESIGNS)
        for (const facturx of name === 'full' ? [undefined, { xml: '<a/>' }] : [undefined]) {
          const pdf = await renderPdf(sample(), { template, timestamp, ...(facturx && { facturx }) })
          expect(withFile(pdf, (file) => run('qpdf', '--check', file))).toContain(
            'No syntax or stream encoding errors',
          )
        }
  },
)

itInAll('500 lines, a word of 300 letters and a name of 120 stay on the page', () => {
  for (const template of DESIGNS) {
    expect(samples.long().customer?.name).toHaveLength(120)
    expect(outside(laidOut(samples.long(), template))).toEqual([])
    const pages = laidOut(ordinary({ lines: 500 }), template)
    expect(pages.length).toBeGreaterThan(8)
    expect(outside(pages)).toEqual([])
  }
})

test('the tax QR is 30 to 40 mm wide', () => {
  for (const template of TEMPLATES)
    for (const content of ['A', QR_URL, QR_URL.repeat(3)]) {
      const view = { ...ordinary(), qr: { ...required(ordinary().qr), content } }
      const code = laidOut({ ...view, payment: null }, template)
        .flat()
        .find((item) => item.kind === 'modules')
      const side = (required(code?.side) / 72) * 25.4
      expect([template, side >= 30 && side <= 40]).toEqual([template, true])
    }
})

/** Returns the index of the page with the given text. */
const pageWith = (pages: readonly (readonly Item[])[], text: string): number =>
  pages.findIndex((items) => items.some((item) => item.kind === 'text' && item.text === text))

test('the totals are on one page together with at least one line of the invoice', () => {
  for (const template of DESIGNS)
    for (let lines = 1; lines < 40; lines += 2) {
      const view = ordinary({ lines })
      const pages = laidOut(view, template)
      const last = pageWith(pages, required(required(view.lines.rows.at(-1)).cells.reference))
      for (const { label } of view.sums) expect(pageWith(pages, label.text)).toBe(last)
    }
})

itInAll('a row is split only if no page can hold it', () => {
  const view = ordinary({ lines: 3 })
  const [first, second, third] = view.lines.rows
  const description = Array.from({ length: 1500 }, (_, index) => `palabra${index}`).join(' ')
  const tall = {
    ...view,
    lines: {
      ...view.lines,
      rows: [
        required(first),
        { ...required(second), cells: { ...required(second).cells, description } },
        required(third),
      ],
    },
  }
  for (const template of DESIGNS) {
    const pages = laidOut(tall, template)
    expect(outside(pages)).toEqual([])
    const printed = pages.flat().flatMap((item) => (item.kind === 'text' ? item.text.split(' ') : []))
    for (const index of [0, 700, 1499]) expect(printed).toContain(`palabra${index}`)
    expect(pages.length).toBeGreaterThan(2)
  }
})

test('decimal signs are aligned', () => {
  const view = ordinary({ lines: 12 })
  const pages = laidOut(view, 'modern-blue')
  const quantities = view.lines.rows.map(({ cells }) => required(cells.quantity))
  const signs = pages.flat().flatMap((item) => {
    if (item.kind !== 'text' || !quantities.includes(item.text)) return []
    return [Math.round((item.x + textWidth(required(item.text.split(',')[0]), item.style)) * 100)]
  })
  expect(signs.length).toBeGreaterThanOrEqual(12)
  expect(new Set(signs).size).toBe(1)
})

test('a page count longer than the footer stays on the page', () => {
  const view = { ...ordinary(), pageOf: { text: 'W'.repeat(300), second: 'W'.repeat(300) } }
  for (const template of DESIGNS) expect(outside(laidOut(view, template))).toEqual([])
})

test('hostile characters neither cause an error nor extend beyond the page', async () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.string({ unit: 'grapheme', maxLength: 60 }),
    fc.constantFrom(
      '\u202E\u0000\u200B',
      '\uD800',
      'W'.repeat(300),
      '\n\n\n',
      ' ',
      'ﬁ½①㎏',
      'a\u0301'.repeat(40),
      '-1.234.567.890.123,45\u00A0€',
    ),
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(hostile, { minLength: 4, maxLength: 12 }),
      fc.constantFrom(...DESIGNS),
      async (texts, template) => {
        let next = 0
        const text = (): string => required(texts[next++ % texts.length])
        const hurt = (value: unknown, key = ''): unknown => {
          if (['language', 'direction', 'key', 'align', 'weight', 'content', 'watermark'].includes(key))
            return value
          if (typeof value === 'string') return text()
          if (Array.isArray(value)) return value.map((each) => hurt(each))
          if (value === null || typeof value !== 'object') return value
          return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, hurt(each, name)]))
        }
        const view = hurt(samples.full({ lines: 4 })) as InvoiceView
        expect(outside(laidOut(view, template))).toEqual([])
        expect((await render(view, template)).length).toBeGreaterThan(1000)
      },
    ),
    { numRuns: sized(4, 15) },
  )
})
