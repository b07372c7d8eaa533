/** Prints sketches with React-PDF, which lays out its boxes with flexbox. */
import * as ReactPdf from '@react-pdf/renderer'
import { requireFrom } from '../../../scripts/dev-packages.mjs'
import { squaresOf } from './code.ts'
import type { Row, Sketch } from './sketch.ts'

/** Takes React from the set `documents`, because another set has React too. Late, because it may not be installed. */
const createElement = (...arguments_: readonly unknown[]): any =>
  requireFrom('documents')('react').createElement(...arguments_)

export type Styled = Readonly<Record<string, string | number>>

/** The style of a page, and what is on it. */
export interface Boxes {
  readonly style: Styled
  readonly children: readonly unknown[]
}

/** Functions instead of constants, because the packages may not be installed. */
export const box = (key: string, style: Styled, ...children: unknown[]) =>
  createElement(ReactPdf.View as any, { key, style }, ...(children as any[]))
export const text = (key: string, style: Styled, content: string) =>
  createElement(ReactPdf.Text as any, { key, style }, content)

/** Renders a page with these children. */
export async function rendered(style: Styled, ...children: readonly unknown[]): Promise<Uint8Array> {
  const page = createElement(ReactPdf.Page as any, { size: 'A4', style }, ...children)
  return new Uint8Array(
    await ReactPdf.renderToBuffer(createElement(ReactPdf.Document as any, null, page) as any),
  )
}

const stack = (key: string, texts: readonly string[]) =>
  box(
    key,
    { width: '48%' },
    ...texts.map((one, at) => text(String(at), { fontSize: at === 0 ? 11 : 9 }, one)),
  )

/** A box with the label in small type above the value. */
const card = ([label, value]: Row, at: number) =>
  box(
    `card${at}`,
    { border: '1pt solid #999', borderRadius: 4, padding: 5, marginRight: 6, flexGrow: 1 },
    text('label', { fontSize: 7, color: '#777' }, label),
    text('value', { fontSize: 10 }, value),
  )

function code(sketch: Sketch) {
  if (!sketch.code) return []
  const squares = squaresOf(sketch.code)
  const d = squares.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  const svg = { key: 'qr', width: 96, height: 96, viewBox: `0 0 ${squares.length} ${squares.length}` }
  return [createElement(ReactPdf.Svg as any, svg, createElement(ReactPdf.Path as any, { d, fill: '#000' }))]
}

export function byReactPdf(sketch: Sketch): Promise<Uint8Array> {
  const cells = (key: string, row: readonly string[], style: Styled) =>
    box(
      key,
      { flexDirection: 'row', paddingVertical: 3, ...style },
      ...row.map((cell, at) =>
        text(
          String(at),
          at === 0 ? { width: '50%' } : { width: `${50 / (row.length - 1)}%`, textAlign: 'right' },
          cell,
        ),
      ),
    )
  return rendered(
    { padding: 40, fontSize: 9 },
    box(
      'top',
      { flexDirection: 'row', justifyContent: 'space-between' },
      text('title', { fontSize: 20 }, sketch.title),
      ...code(sketch),
    ),
    box(
      'parties',
      { flexDirection: 'row', justifyContent: 'space-between', marginVertical: 16 },
      stack('supplier', sketch.supplier),
      ...(sketch.customer.length > 0 ? [stack('customer', [sketch.customerLabel, ...sketch.customer])] : []),
    ),
    box('facts', { flexDirection: 'row', marginBottom: 14 }, ...sketch.facts.map(card)),
    cells('head', sketch.head, { backgroundColor: '#e8eef5' }),
    ...sketch.rows.map((row, at) => cells(`row${at}`, row, { borderBottom: '0.5pt solid #ccc' })),
    box(
      'totals',
      { marginTop: 18, marginLeft: 260 },
      ...sketch.totals.map(([label, value], at) =>
        box(
          `total${at}`,
          { flexDirection: 'row', justifyContent: 'space-between', paddingVertical: 2 },
          text('label', {}, label),
          text('value', {}, value),
        ),
      ),
    ),
    ...[...sketch.notes, ...sketch.small].map((one, at) =>
      text(`note${at}`, { marginTop: 8, fontSize: 7.5 }, one),
    ),
  )
}
