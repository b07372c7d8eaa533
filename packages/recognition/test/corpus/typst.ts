/** Prints sketches with Typst, a typesetting program. */
import typst from '@myriaddreamin/typst-ts-node-compiler'
import { squaresOf } from './code.ts'
import type { Sketch } from './sketch.ts'
import type { Truth } from './truth.ts'

let compiler: ReturnType<typeof typst.NodeCompiler.create> | undefined

export const string = (text: string): string => `#${JSON.stringify(text)}`
export const cell = (text: string): string => `[${string(text)}]`

/** Returns source of lines below each other. */
export const lines = (texts: readonly string[]): string => texts.map(string).join(' \\ ')
export const table = (options: string, rows: readonly (readonly string[])[]): string =>
  `#table(${options},\n${rows.map((row) => row.map(cell).join(', ')).join(',\n')})`

/** Compiles Typst source to PDF. */
export function typeset(source: string): Uint8Array {
  compiler ??= typst.NodeCompiler.create()
  return new Uint8Array(compiler.pdf({ mainFileContent: source }))
}

/** Returns Typst source that places the tax QR in the upper right corner. */
export function codeIn(truth: Truth): string {
  const squares = squaresOf(truth)
  const path = squares
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 ${squares.length} ${squares.length}'><path d='${path}'/></svg>`
  return `#place(top + right, image(bytes(${JSON.stringify(svg)}), format: "svg", width: 33mm))`
}

/** Prints one column: sender, recipient on the right, a line for each fact, and a ruled table. */
export function byTypst(sketch: Sketch): Uint8Array {
  const columns = sketch.head.map((_, at) => (at === 0 ? '1fr' : 'auto')).join(', ')
  const align = sketch.head.map((_, at) => (at === 0 ? 'left' : 'right')).join(', ')
  const source = `#set page(paper: "a4", margin: 18mm)
#set text(size: 10pt, font: "Libertinus Serif")
${sketch.code ? codeIn(sketch.code) : ''}
${lines(sketch.supplier)}
#v(8mm)
${sketch.customer.length > 0 ? `#align(right, block[#set align(left)\n${lines([sketch.customerLabel, ...sketch.customer])}])` : ''}
#text(size: 17pt, weight: "bold")[${string(sketch.title)}]

${sketch.facts.map(([label, value]) => `#grid(columns: (50mm, auto), ${cell(label)}, ${cell(value)})`).join('\n')}
#v(4mm)
#table(columns: (${columns}), align: (${align}), stroke: 0.4pt,
${[sketch.head, ...sketch.rows].map((row) => row.map(cell).join(', ')).join(',\n')})
#align(right, table(columns: 2, align: (left, right), stroke: none,
${sketch.totals.map(([label, value]) => `${cell(label)}, ${cell(value)}`).join(',\n')}))
${sketch.notes.map(string).join('\n\n')}
#text(size: 6.5pt)[${sketch.small.map(string).join(' \\ ')}]
`
  return typeset(source)
}
