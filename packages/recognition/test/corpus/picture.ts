/** Draws sheets as images, without an intermediate PDF: librsvg renders an SVG in other fonts. */
import sharp from 'sharp'
import { squaresOf } from './code.ts'
import type { Sheet } from './sheet.ts'
import type { Truth } from './truth.ts'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

export async function byPicture(
  { pages, width, height }: Sheet,
  truth: Truth | null,
  { dpi = 200, font = 'DejaVu Sans', jpeg = 0 } = {},
): Promise<Uint8Array> {
  const [page] = pages
  if (!page) throw new Error('a sheet without pages')
  const texts = page.texts.map(
    ({ text, x, y, size, bold, align }) =>
      `<text x="${x}" y="${y}" font-size="${size * 0.9}" ${bold ? 'font-weight="bold"' : ''} ${align === 'right' ? 'text-anchor="end"' : ''}>${escaped(text)}</text>`,
  )
  const codes = truth
    ? page.codes.map(({ x, y, side }) => {
        const squares = squaresOf(truth)
        const path = squares.flatMap((row, down) =>
          row.map((isDark, across) => (isDark ? `M${across} ${down}h1v1h-1z` : '')),
        )
        return `<path transform="translate(${x} ${y}) scale(${side / squares.length})" shape-rendering="crispEdges" d="${path.join('')}"/>`
      })
    : []
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="${font}"><rect width="100%" height="100%" fill="#fdfcf8"/>${texts.join('')}${codes.join('')}</svg>`
  const image = sharp(Buffer.from(svg), { density: dpi }).withMetadata({ density: dpi })
  return new Uint8Array(await (jpeg ? image.jpeg({ quality: jpeg }) : image.png()).toBuffer())
}
