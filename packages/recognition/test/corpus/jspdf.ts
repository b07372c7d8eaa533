/** Prints sheets with jsPDF, as many web applications export PDFs. */

import { jsPDF } from 'jspdf'
import { required } from '#core/errors/index.ts'
import { squaresOf } from './code.ts'
import type { Sheet } from './sheet.ts'
import type { Truth } from './truth.ts'

export function byJsPdf(
  { pages, width, height }: Sheet,
  truth: Truth | null,
  font = 'helvetica',
): Uint8Array {
  const document = new jsPDF({ unit: 'pt', format: [width, height] })
  pages.forEach(({ texts, rules, codes }, at) => {
    if (at > 0) document.addPage([width, height])
    for (const { text, x, y, size, bold, align } of texts)
      document
        .setFont(font, bold ? 'bold' : 'normal')
        .setFontSize(size)
        .text(text, x, y, { align })
    for (const rule of rules) document.line(rule.x, rule.y, rule.x + rule.width, rule.y)
    for (const { x, y, side } of truth ? codes : []) {
      const squares = squaresOf(required(truth))
      const each = side / squares.length
      squares.forEach((row, down) => {
        row.forEach((isDark, across) => {
          if (isDark) document.rect(x + across * each, y + down * each, each, each, 'F')
        })
      })
    }
  })
  return new Uint8Array(document.output('arraybuffer'))
}
