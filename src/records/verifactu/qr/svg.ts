/** Builds the QR code as modules and as a drawing. */
import { encode } from 'uqr'
import type { Text } from '#core/invoice/index.ts'
import { displayTextOf, fault, QrError, type QrField } from './fault.ts'
import { legendsOf } from './legends.ts'
import { parseQr, type QrParse } from './parse.ts'

/** Options of the drawing. */
export interface QrSvgOptions {
  /** Side of the code without its quiet zone, in millimetres: 30 to 40. Default 35. */
  readonly size?: number | undefined
  /** Minimum width of the quiet zone, in modules: 4 (ISO/IEC 18004) to 100; never under 2 mm. Default 4. */
  readonly quietZone?: number | undefined
  /**
   * Whether to draw the legends. Below the code, `true` and `'long'` draw the long text, `'short'` the short text.
   * Default `false`.
   */
  readonly legend?: boolean | 'long' | 'short' | undefined
  /** Size of the legends in points: 6 to 12, no smaller than the letters of the invoice. Default 8. */
  readonly fontSize?: number | undefined
}

const MM_PER_POINT = 25.4 / 72

/** Width of a letter assumed for line breaks, relative to the font size. Common sans serif fonts are narrower. */
const LETTER_WIDTH = 0.6

const LINE_HEIGHT = 1.25

/** Minimum width of the quiet zone on paper, in millimetres (AEAT, QR document 0.5.0). */
const LEAST_QUIET_MM = 2

/**
 * Returns the parsed address. Throws a `QrError` if the text is not the address of an invoice's QR code, because it
 * must not be printed as one.
 */
function parsedUrl(url: string): QrParse & { valid: true } {
  const read = parseQr(url)
  if (!read.valid) throw new QrError(read.errors[0]!)
  return read
}

const modulesOf = (url: string): boolean[][] => encode(url, { ecc: 'M', border: 0 }).data

/**
 * Returns the modules of the QR code, row by row from the top: `true` is dark. The caller must add the quiet zone of at
 * least 4 light modules.
 *
 * Follows ISO/IEC 18004 with error correction level M (Orden HAC/1177/2024 art. 21).
 *
 * @param url The result of `qrUrl`.
 * @throws {QrError} With the first fault, if the address is not that of an invoice (see `parseQr`).
 * @example
 * const service = 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR'
 * const matrix = qrMatrix(service + '?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=241.4')
 * matrix.length // => 45
 * matrix[0].slice(0, 8) // => [true, true, true, true, true, true, true, false]
 */
export function qrMatrix(url: string): boolean[][] {
  parsedUrl(url)
  return modulesOf(url)
}

const inRange = (field: QrField, value: number, from: number, to: number, { en, es }: Text): void => {
  if (typeof value === 'number' && value >= from && value <= to) return
  const code = typeof value === 'number' ? 'range' : 'type'
  throw new QrError(
    fault(field, code, `${field} is ${displayTextOf(value)}: ${en}`),
    `${field} es ${displayTextOf(value)}: ${es}`,
  )
}

function checkOptions(size: number, quietZone: number, legend: unknown, fontSize: number): void {
  inRange('size', size, 30, 40, {
    en: 'the printed code must measure 30 to 40 millimetres (art. 21 Orden HAC/1177/2024). Pass the side of the code without its frame.',
    es: 'el código impreso mide de 30 a 40 milímetros (art. 21 Orden HAC/1177/2024). Indique el lado del código sin el marco.',
  })
  inRange('quietZone', quietZone, 4, 100, {
    en: 'the quiet zone must be 4 to 100 modules; ISO/IEC 18004 requires 4. Pass 4 or more.',
    es: 'el margen en blanco tiene de 4 a 100 módulos; ISO/IEC 18004 exige 4. Indique 4 o más.',
  })
  if (!Number.isInteger(quietZone)) {
    const why = 'the quiet zone must be a whole number of modules. Round it up.'
    throw new QrError(
      fault('quietZone', 'range', `quietZone is ${quietZone}: ${why}`),
      `quietZone es ${quietZone}: el margen en blanco se cuenta en módulos enteros. Redondéelo hacia arriba.`,
    )
  }
  inRange('fontSize', fontSize, 6, 12, {
    en: 'the letters of the legends must be 6 to 12 points high. To draw other sizes, use the texts in QR_LEGENDS.',
    es: 'las letras de las leyendas tienen de 6 a 12 puntos. Para otras, dibújelas con QR_LEGENDS.',
  })
  if (typeof legend !== 'boolean' && legend !== 'long' && legend !== 'short') {
    const why = 'pass true or "long" for the long text below, "short" for VERI*FACTU, false for none.'
    throw new QrError(
      fault('legend', 'type', `legend is ${displayTextOf(legend)}: ${why}`),
      `legend es ${displayTextOf(legend)}: indique true o "long" para el texto largo debajo, "short" para VERI*FACTU o false para ninguno.`,
    )
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)

/** Returns the SVG path: one rectangle for each run of dark modules in a row. */
function pathOf(matrix: readonly (readonly boolean[])[], left: number, top: number): string {
  let path = ''
  matrix.forEach((row, y) => {
    for (const { index, 0: run } of row.map(Number).join('').matchAll(/1+/g))
      path += `M${index + left} ${y + top}h${run.length}v1h-${run.length}z`
  })
  return path
}

/** Breaks a text into lines of at most `width` letters. */
function linesOf(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1)} ${word}`
    if (lines.length > 0 && longer.length <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** Returns a number with at most three decimals. */
const short = (value: number): string => String(Number(value.toFixed(3)))

/**
 * Returns the QR code as an SVG text at its printed size: black on white, with the quiet zone and optionally the
 * legends. Coordinates are modules, `width` and `height` millimetres.
 *
 * The quiet zone has `quietZone` modules, or more if these are less than 2 mm on paper. The recommended quiet zone is 6
 * mm: `quietZone` 8 for a code of 45 modules with `size` 35. Title and description are for screen readers.
 *
 * Print the code at the start of the first page, before any other QR. Source: Orden HAC/1177/2024 arts. 20 and 21;
 * AEAT, QR document 0.5.0.
 *
 * @param url The result of `qrUrl`.
 * @throws {QrError} If the address is not that of an invoice, or an option is out of range.
 * @example
 * const service = 'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR'
 * const url = service + '?nif=89890001K&numserie=12345678-G33&fecha=01-09-2024&importe=241.4'
 * const svg = qrSvg(url)
 * svg.match(/viewBox="[^"]+" width="[^"]+"/)?.[0] // => 'viewBox="0 0 53 53" width="41.222mm"'
 * qrSvg(url, { legend: 'short' }).includes('>VERI*FACTU</text>') // => true
 */
export function qrSvg(url: string, options: QrSvgOptions = {}): string {
  const { size = 35, quietZone = 4, legend = false, fontSize = 8 } = options
  const { verifiable } = parsedUrl(url)
  checkOptions(size, quietZone, legend, fontSize)
  const matrix = modulesOf(url)
  const mm = size / matrix.length
  const quiet = Math.max(quietZone, Math.ceil(LEAST_QUIET_MM / mm))
  const width = matrix.length + 2 * quiet

  const { above, below } = legendsOf(verifiable)
  const letters = (fontSize * MM_PER_POINT) / mm
  const broken = (text: string): string[] => linesOf(text, Math.floor(width / (letters * LETTER_WIDTH)))
  const head = legend === false ? [] : broken(above)
  const foot = legend === false || !below ? [] : broken(legend === 'short' ? below.short : below.long)
  // The legends take up whole modules, so that the modules of the code have integer coordinates.
  const heightOf = (lines: readonly string[]): number => Math.ceil(lines.length * letters * LINE_HEIGHT)
  const top = heightOf(head)
  const height = top + width + heightOf(foot)
  const written = (lines: readonly string[], from: number): string =>
    lines
      .map((line, index) => {
        const y = short(from + letters * (1 + index * LINE_HEIGHT))
        return `<text x="${width / 2}" y="${y}">${escapeXml(line)}</text>`
      })
      .join('')
  const texts = written(head, 0) + written(foot, top + width)
  const font = `font-family="Arial, Helvetica, sans-serif" font-size="${short(letters)}"`

  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${short(width * mm)}mm"`,
    ` height="${short(height * mm)}mm" role="img" xml:lang="es">`,
    `<title>${escapeXml(below ? `${above} ${below.long}` : above)}</title>`,
    `<desc>${escapeXml(url)}</desc>`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    `<path d="${pathOf(matrix, quiet, top + quiet)}" fill="#000" shape-rendering="crispEdges"/>`,
    texts && `<g ${font} text-anchor="middle" fill="#000">${texts}</g>`,
    '</svg>',
  ].join('')
}
