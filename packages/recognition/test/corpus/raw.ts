/** PDFs written operator by operator, as programs without a PDF library do: sheets, and output of a text printer. */
import { squaresOf } from './code.ts'
import type { Sheet, SheetPage } from './sheet.ts'
import type { Sketch } from './sketch.ts'
import type { Truth } from './truth.ts'

const literal = (text: string): string =>
  text
    .replaceAll(/[\\()]/g, (character) => `\\${character}`)
    .replaceAll('€', '\\200')
    .replaceAll('’', '\\222')
    .replaceAll('–', '\\226')

/** Estimates the width of a text in Helvetica for right alignment, in thousandths of the font size. */
const widthOf = (text: string): number =>
  [...text].reduce(
    (sum, letter) => sum + (/[.,: ilI|]/.test(letter) ? 278 : /[A-ZÑ%]/.test(letter) ? 667 : 556),
    0,
  )

/** Assembles a PDF from the content streams of its pages. */
export function fileOf(contents: readonly string[], width: number, height: number, font: string): Uint8Array {
  const kids = contents.map((_, at) => `${4 + at * 2} 0 R`)
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${contents.length}>>`,
    `<</F<</Type/Font/Subtype/Type1/BaseFont/${font}/Encoding/WinAnsiEncoding>>>>`,
    ...contents.flatMap((content, at) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Contents ${5 + at * 2} 0 R/Resources<</Font 3 0 R>>>>`,
      `<</Length ${content.length}>>stream\n${content}\nendstream`,
    ]),
  ]
  let text = '%PDF-1.3\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return `${String(place).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${places.join('')}`
  return Buffer.from(
    `${text}${table}trailer<</Size ${objects.length + 1}/Root 1 0 R>>\nstartxref\n${text.length}\n%%EOF`,
    'latin1',
  )
}

function codeOperators(truth: Truth, x: number, top: number, side: number): string {
  const squares = squaresOf(truth)
  const each = side / squares.length
  const dark = squares.flatMap((row, down) =>
    row.map((isDark, across) =>
      isDark
        ? `${(x + across * each).toFixed(3)} ${(top - (down + 1) * each).toFixed(3)} ${each.toFixed(3)} ${each.toFixed(3)} re`
        : '',
    ),
  )
  return `${dark.join(' ')} f`
}

function operators(page: SheetPage, height: number, truth: Truth | null): string {
  const texts = page.texts.map(({ text, x, y, size, align }) => {
    const left = align === 'right' ? x - (widthOf(text) * size) / 1000 : x
    return `BT /F ${size} Tf 1 0 0 1 ${left.toFixed(2)} ${height - y} Tm (${literal(text)}) Tj ET`
  })
  const rules = page.rules.map(({ x, y, width }) => `${x} ${height - y} m ${x + width} ${height - y} l S`)
  const codes = truth ? page.codes.map(({ x, y, side }) => codeOperators(truth, x, height - y, side)) : []
  return [...texts, ...rules, ...codes].join('\n')
}

export const byHand = ({ pages, width, height }: Sheet, truth: Truth | null): Uint8Array =>
  fileOf(
    pages.map((page) => operators(page, height, truth)),
    width,
    height,
    'Helvetica',
  )

/** Prints 80 columns in Courier, in one text block with line feeds, as mainframes print to PDF. */
export function byTextPrinter(sketch: Sketch): Uint8Array {
  const [wide, ...narrow] = sketch.head
  const row = (cells: readonly string[]) =>
    (cells[0] ?? '').slice(0, 38).padEnd(38) +
    cells
      .slice(1)
      .map((cell) => cell.padStart(narrow.length > 3 ? 10 : 13))
      .join('')
  const lines = [
    ...sketch.supplier,
    '',
    `${' '.repeat(30)}${sketch.title.toUpperCase()}`,
    ...sketch.facts.map(([label, value]) => `${label.toUpperCase().padEnd(24)}: ${value}`),
    '',
    ...(sketch.customer.length > 0
      ? [`${sketch.customerLabel.toUpperCase()}:`, ...sketch.customer.map((one) => `   ${one}`)]
      : []),
    '='.repeat(78),
    row([wide ?? '', ...narrow]),
    '-'.repeat(78),
    ...sketch.rows.map(row),
    '-'.repeat(78),
    ...sketch.totals.map(([label, value]) => `${' '.repeat(34)}${label.padEnd(30)}${value.padStart(14)}`),
    '='.repeat(78),
    ...sketch.notes,
    ...sketch.small,
  ]
  const pages = Array.from({ length: Math.ceil(lines.length / 60) }, (_, at) =>
    lines.slice(at * 60, at * 60 + 60),
  )
  return fileOf(
    pages.map(
      (page) => `BT /F 10 Tf 12 TL 50 790 Td ${page.map((line) => `(${literal(line)}) Tj T*`).join('\n')} ET`,
    ),
    595,
    842,
    'Courier',
  )
}
