/** Prints sketches with pdfmake, which lays out the page itself. */
import { createRequire } from 'node:module'
import { requireFrom } from '../../../../scripts/dev-packages.mjs'
import { urlOf } from './code.ts'
import type { Row, Sketch } from './sketch.ts'

const { resolve } = createRequire(import.meta.url)
const face = (weight: number) => resolve(`@fontsource/inter/files/inter-latin-${weight}-normal.woff`)

export type Content = readonly unknown[]

/** A text at the right margin. */
export const right = (text: string, style: object = {}) => ({ text, alignment: 'right', ...style })

/** A table with a flexible first column. */
export const table = (body: readonly (readonly unknown[])[], style: object = {}) => ({
  ...style,
  table: { widths: ['*', ...(body[0] ?? []).slice(1).map(() => 'auto')], body },
})

const pairs = (rows: readonly Row[]) => ({
  layout: 'lightHorizontalLines',
  table: { body: rows.map(([label, value]) => [label, { text: value, alignment: 'right' }]) },
})

/** Renders a document definition of pdfmake as PDF. */
export async function defined(content: Content): Promise<Uint8Array> {
  const pdfmake = requireFrom('documents')('pdfmake')
  const weights = { normal: face(400), bold: face(600), italics: face(400), bolditalics: face(600) }
  pdfmake.addFonts({ Inter: weights })
  pdfmake.setUrlAccessPolicy(() => false)
  pdfmake.setLocalAccessPolicy(() => true)
  const made = pdfmake.createPdf({
    pageSize: 'A4',
    defaultStyle: { font: 'Inter', fontSize: 9.5 },
    content,
  })
  return new Uint8Array(await made.getBuffer())
}

/** Prints the parties side by side, the facts in a table, and the totals in a table on the right. */
export function byPdfmake(sketch: Sketch): Promise<Uint8Array> {
  const width = ['*', ...sketch.head.slice(1).map(() => 'auto')]
  const aligned = (cells: readonly string[], bold: boolean) =>
    cells.map((text, at) => ({ text, bold, alignment: at === 0 ? 'left' : 'right' }))
  return defined([
    {
      columns: [
        { text: sketch.title, fontSize: 22, bold: true },
        sketch.code ? { qr: urlOf(sketch.code), fit: 95, eccLevel: 'M', alignment: 'right' } : '',
      ],
    },
    {
      columns: [
        { stack: [...sketch.supplier] },
        {
          stack:
            sketch.customer.length > 0
              ? [{ text: sketch.customerLabel, bold: true }, ...sketch.customer]
              : [],
        },
      ],
      margin: [0, 14],
    },
    { columns: [{ width: 250, ...pairs(sketch.facts) }], margin: [0, 6] },
    {
      layout: 'headerLineOnly',
      table: {
        headerRows: 1,
        widths: width,
        body: [aligned(sketch.head, true), ...sketch.rows.map((cells) => aligned(cells, false))],
      },
      margin: [0, 12],
    },
    {
      columns: [
        { width: '*', text: '' },
        { width: 'auto', ...pairs(sketch.totals) },
      ],
    },
    ...sketch.notes.map((text) => ({ text, margin: [0, 8, 0, 0] })),
    ...sketch.small.map((text) => ({ text, fontSize: 6.5, margin: [0, 8, 0, 0] })),
  ])
}
