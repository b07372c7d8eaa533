/** QR codes as vectors, with what stands above and below them. */
import { encode } from 'uqr'
import type { QrView } from '../view/model.ts'
import { type Align, type Box, linesBox, part, rectangle, stack } from './box.ts'
import { balanced, naturalWidth, type TextStyle } from './measure.ts'
import { type Setting, styleOf } from './setting.ts'

const POINTS_PER_MM = 72 / 25.4

/** Side of a module, in millimetres, from which a plain scan of the page at 100 dpi can be read. */
const READABLE_MODULE = 0.62
/** The law allows the tax QR 40 mm, and others are no larger. */
const LARGEST = 40
/** At least 2 mm around the code stay white; the columns beside it are further away. */
const QUIET_MM = 2.6

/** ISO/IEC 18004 with error correction M (Orden HAC/1177/2024 art. 21; EPC069-12 wants the same). */
const modulesOf = (content: string): boolean[][] =>
  encode(content, { ecc: 'M', boostEcc: false, border: 0 }).data

export interface QrStyle {
  /** Side in millimetres, at least; a code of more modules is larger. */
  readonly least: number
  readonly style: TextStyle
  readonly align?: Align
}

/** The code with its texts, which may be wider than it. */
function qrBox(setting: Setting, qr: QrView, { least, style, align = 'start' }: QrStyle): Box {
  const modules = modulesOf(qr.content)
  const side = Math.min(LARGEST, Math.max(least, modules.length * READABLE_MODULE)) * POINTS_PER_MM
  const wanted = naturalWidth(qr.above, style).whole
  const width = Math.max(side, Math.min(wanted, LARGEST * POINTS_PER_MM))
  const quiet = QUIET_MM * POINTS_PER_MM
  const text = (words: string): Box[] =>
    words === ''
      ? []
      : [linesBox(balanced(words, style, width), style, width, { part: part(setting.document, 'P'), align })]
  const above = text(qr.above)
  const figure = part(setting.document, 'Figure', { alt: [qr.above, qr.content].filter(Boolean).join(' ') })
  const left = align === 'end' ? width - side : 0
  const white = rectangle(side + 2 * quiet, side + 2 * quiet, setting.palette.paper)
  const code: Box = {
    width,
    height: side,
    at: (x, y) => [
      // A watermark ends where the quiet zone begins.
      ...white.at(x + left - quiet, y - quiet),
      { kind: 'modules', part: figure, x: x + left, y, side, modules },
    ],
  }
  return stack([...above, code, ...text(qr.below)], quiet)
}

/** The tax QR. Its texts are not smaller than those of the invoice, as the law wants it. */
export const taxQr = (setting: Setting, qr: QrView): Box =>
  qrBox(setting, qr, { least: setting.design.qr, style: styleOf(setting, 'body') })

/** Side of the code of a transfer, in millimetres. */
const TRANSFER = 24

/** A transfer for banking programs, at the right edge. */
export const transferQr = (setting: Setting, qr: QrView): Box =>
  qrBox(setting, qr, { least: TRANSFER, style: styleOf(setting, 'small', 'soft'), align: 'end' })
