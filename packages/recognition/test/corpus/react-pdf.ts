/** Prints sketches with React-PDF, which lays out its boxes with flexbox. */
import * as ReactPdf from '@react-pdf/renderer'
import { requireFrom } from '../../../../scripts/dev-packages.mjs'
import { squaresOf } from './code.ts'
import type { Row, Sketch } from './sketch.ts'

/** An element of React, whose own types need not be installed. */
export interface Element {
  readonly type: unknown
  readonly props: { readonly children?: unknown }
}

/** Takes React from the set `documents`, because another set has React too. Late, because it may not be installed. */
const createElement = (type: unknown, props: object | null, ...children: readonly unknown[]): Element =>
  requireFrom('documents')('react').createElement(type, props, ...children)

const isElement = (node: unknown): node is Element =>
  typeof node === 'object' && node !== null && 'props' in node

/** Changes the texts in an element and its children. */
export function altered(node: unknown, change: (text: string) => string): unknown {
  if (typeof node === 'string') return change(node)
  if (!isElement(node)) return node
  const children = [node.props.children].flat()
  return createElement(node.type, node.props, ...children.map((child) => altered(child, change)))
}

export type Styled = Readonly<Record<string, string | number>>

/** The style of a page, and what is on it. */
export interface Boxes {
  readonly style: Styled
  readonly children: readonly unknown[]
}

/** Functions instead of constants, because the packages may not be installed. */
export const box = (style: Styled, ...children: readonly unknown[]) =>
  createElement(ReactPdf.View, { style }, ...children)
export const text = (style: Styled, content: string) => createElement(ReactPdf.Text, { style }, content)

/** A style for boxes side by side. */
export const BETWEEN: Styled = { flexDirection: 'row', justifyContent: 'space-between' }

/** Renders a page with these children. */
export async function rendered(style: Styled, ...children: readonly unknown[]): Promise<Uint8Array> {
  const page = createElement(ReactPdf.Page, { size: 'A4', style }, ...children)
  const document = createElement(ReactPdf.Document, null, page)
  return new Uint8Array(
    await ReactPdf.renderToBuffer(document as Parameters<typeof ReactPdf.renderToBuffer>[0]),
  )
}

const stack = (texts: readonly string[]) =>
  box({ width: '48%' }, ...texts.map((one, at) => text({ fontSize: at === 0 ? 11 : 9 }, one)))

/** A box with the label in small type above the value. */
const card = ([label, value]: Row) =>
  box(
    { border: '1pt solid #999', borderRadius: 4, padding: 5, marginRight: 6, flexGrow: 1 },
    text({ fontSize: 7, color: '#777' }, label),
    text({ fontSize: 10 }, value),
  )

function code(sketch: Sketch) {
  if (!sketch.code) return []
  const squares = squaresOf(sketch.code)
  const d = squares.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('')
  const svg = { width: 96, height: 96, viewBox: `0 0 ${squares.length} ${squares.length}` }
  return [createElement(ReactPdf.Svg, svg, createElement(ReactPdf.Path, { d, fill: '#000' }))]
}

export function byReactPdf(sketch: Sketch): Promise<Uint8Array> {
  const cells = (row: readonly string[], style: Styled) =>
    box(
      { flexDirection: 'row', paddingVertical: 3, ...style },
      ...row.map((cell, at) =>
        text(at === 0 ? { width: '50%' } : { width: `${50 / (row.length - 1)}%`, textAlign: 'right' }, cell),
      ),
    )
  return rendered(
    { padding: 40, fontSize: 9 },
    box(BETWEEN, text({ fontSize: 20 }, sketch.title), ...code(sketch)),
    box(
      { ...BETWEEN, marginVertical: 16 },
      stack(sketch.supplier),
      ...(sketch.customer.length > 0 ? [stack([sketch.customerLabel, ...sketch.customer])] : []),
    ),
    box({ flexDirection: 'row', marginBottom: 14 }, ...sketch.facts.map(card)),
    cells(sketch.head, { backgroundColor: '#e8eef5' }),
    ...sketch.rows.map((row) => cells(row, { borderBottom: '0.5pt solid #ccc' })),
    box(
      { marginTop: 18, marginLeft: 260 },
      ...sketch.totals.map(([label, value]) =>
        box({ ...BETWEEN, paddingVertical: 2 }, text({}, label), text({}, value)),
      ),
    ),
    ...[...sketch.notes, ...sketch.small].map((one) => text({ marginTop: 8, fontSize: 7.5 }, one)),
  )
}
