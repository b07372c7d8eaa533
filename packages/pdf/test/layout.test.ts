/** Checks what stands where on the page: the amount to pay, the due date, words in narrow columns, long invoices. */
import { expect, test, vi } from 'vitest'
import { required } from '#core/errors/index.ts'
import { issued, LINE } from '#test/formats/invoice.ts'
import { type InvoiceView, VIEW_LANGUAGES, viewOf } from '#view/index.ts'
import type { TextItem } from '../src/box.ts'
import { designAndPaletteOf, PAGE } from '../src/designs.ts'
import { faceFor } from '../src/faces.ts'
import { layOut } from '../src/layout.ts'
import { printableWidthOf } from '../src/layout-context.ts'
import { textWidth } from '../src/measure.ts'
import * as samples from './samples.ts'

const DESIGNS = ['classic-blue', 'modern-green', 'compact-wine'] as const

/** Returns the texts of each page; the watermark is not among them. */
const textsOn = (view: InvoiceView, template: string): TextItem[][] => {
  const { design, palette } = required(designAndPaletteOf(template))
  const document = { type: 'Document' as const, children: [] }
  const pages = layOut({ view, design, palette, logo: null, document, width: printableWidthOf(design) })
  return pages.map((items) =>
    items.filter((item): item is TextItem => item.kind === 'text' && item.part !== null),
  )
}

test('the amount to pay is larger than every other text, with and without another total above it', () => {
  for (const template of DESIGNS)
    for (const view of [samples.ordinary(), samples.simplified(), samples.corrective(), samples.draft()]) {
      const texts = textsOn(view, template).flat()
      const amount = required(view.sums.at(-1)).value
      const largest = texts.filter(
        ({ style }) => style.size === Math.max(...texts.map((one) => one.style.size)),
      )
      expect(largest.map(({ text }) => text)).toEqual([amount])
    }
})

test('an amount to pay of 15 digits is set smaller, in one line', () => {
  const view = samples.ordinary()
  const sums = view.sums.map((sum) =>
    sum.weight === 'pay' ? { ...sum, value: '-9.999.999.999.999,99\u00A0€' } : sum,
  )
  for (const template of DESIGNS)
    expect(
      textsOn({ ...view, sums }, template)
        .flat()
        .map(({ text }) => text),
    ).toContain('-9.999.999.999.999,99\u00A0€')
})

test('the due date is above the lines, beside the date of issue', () => {
  const document = issued({
    payment_details: [
      { installment_due_date: '2026-05-16', payment_method_code: '04', installment_amount: 90.75 },
      { installment_due_date: '2026-04-16', payment_method_code: '04', installment_amount: 90.75 },
    ],
  })
  const view = viewOf(document, { language: 'es', direction: 'issued', status: 'issued' })
  for (const template of DESIGNS) {
    const [first = []] = textsOn(view, template)
    const yOf = (text: string) => required(first.find((item) => item.text === text)).y
    expect(yOf('16/04/2026 – 16/05/2026')).toBeLessThan(yOf(LINE.item_description))
    expect(Math.abs(yOf('16/04/2026 – 16/05/2026') - yOf('16/03/2026'))).toBeLessThan(30)
  }
})

test('the number follows the title in the same line, after about the space of a letter, or is below it', () => {
  const view = samples.ordinary()
  const gapIn = (template: string): number | undefined => {
    const [first = []] = textsOn(view, template)
    const title = required(first.find(({ text }) => text === view.title.text))
    const number = required(first.find(({ text }) => text.endsWith(view.number)))
    return number.y === title.y
      ? (number.x - title.x - textWidth(title.text, title.style)) / title.style.size
      : undefined
  }
  const gaps = DESIGNS.map(gapIn)
  expect(gaps).toEqual([undefined, expect.closeTo(0.4, 1), expect.closeTo(0.4, 1)])
})

test('the head of the classic design takes little more than a third of the page, with the tax QR', () => {
  const view = samples.ordinary()
  const [first = []] = textsOn(view, 'classic-blue')
  const line = required(first.find(({ text }) => text === view.lines.rows[0]?.cells.reference))
  expect(line.y / PAGE.height).toBeLessThan(0.36)
})

test('no word of a label or of the tax table is cut, and labels are in one line if there is room', () => {
  for (const template of DESIGNS)
    for (const language of VIEW_LANGUAGES) {
      const view = samples.full({ language })
      const shown = textsOn(view, template)
        .flat()
        .map(({ text }) => text)
      const words = new Set(shown.flatMap((text) => text.split(' ')))
      const { columns, rows } = required(view.breakdown)
      const labels = [...columns, ...view.lines.columns].flatMap(({ label }) => [
        label.text,
        label.second ?? '',
      ])
      for (const text of [...labels, ...rows.flat()])
        for (const word of text.split(' ').filter(Boolean))
          expect([template, language, word, words.has(word)]).toEqual([template, language, word, true])
    }
  const view = viewOf(issued(), { language: 'es', direction: 'issued', status: 'issued' })
  for (const template of DESIGNS)
    expect(
      textsOn(view, template)
        .flat()
        .map(({ text }) => text),
    ).toContain('Base imponible')
})

test('149 lines with long descriptions take fewer than nine pages', () => {
  const view = samples.ordinary({ lines: 149 })
  const description =
    'Servicio de consultoría: revisión del cierre contable del primer trimestre y del modelo 303'
  const rows = view.lines.rows.map((row) => ({ ...row, cells: { ...row.cells, description } }))
  for (const template of DESIGNS)
    expect(textsOn({ ...view, lines: { ...view.lines, rows } }, template).length).toBeLessThan(9)
})

test('thousands of different amounts are measured from their ten digits', () => {
  const style = {
    family: 'inter',
    weight: 'regular',
    figures: true,
    size: 9,
    leading: 12,
    color: '#000000',
  } as const
  const { font } = required(faceFor(0x30, style.family, style.weight))
  const layout = vi.spyOn(Object.getPrototypeOf(font), 'layout')
  for (let cents = 0; cents < 5_000; cents++) textWidth(samples.money(1_000_000 + cents), style)
  expect(layout.mock.calls.length).toBeLessThan(20)
  layout.mockRestore()
})
