/** QR codes as vectors, with the texts above and below. */
import { encode } from 'uqr'
import type { QrView } from '../view/model.ts'
import { type Align, type Box, linesBox, part, rectangle, stack } from './box.ts'
import { balanced, naturalWidth, type TextStyle } from './measure.ts'
import { type Setting, styleOf } from './setting.ts'

const POINTS_PER_MM = 72 / 25.4

/** Side of a module, in millimetres, that a plain page scan at 100 dpi can resolve. */
const READABLE_MODULE = 0.62
/** Maximum side, in millimetres, that the law allows for the tax QR; used for all codes. */
const LARGEST = 40
/** Quiet zone: at least 2 mm are required; the columns beside are further away. */
const QUIET_MM = 2.6

/** Encodes with ISO/IEC 18004, error correction M (Orden HAC/1177/2024 art. 21; EPC069-12 requires the same). */
const modulesOf = (content: string): boolean[][] =>
  encode(content, { ecc: 'M', boostEcc: false, border: 0 }).data

export interface QrStyle {
  /** Minimum side in millimetres; a code with more modules is larger. */
  readonly least: number
  readonly style: TextStyle
  readonly align?: Align
}

/** Returns the code with its texts, which may be wider. */
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
      // The quiet zone covers the watermark.
      ...white.at(x + left - quiet, y - quiet),
      { kind: 'modules', part: figure, x: x + left, y, side, modules },
    ],
  }
  return stack([...above, code, ...text(qr.below)], quiet)
}

/** Returns the tax QR. Its texts must not be smaller than those of the invoice. */
export const taxQr = (setting: Setting, qr: QrView): Box =>
  qrBox(setting, qr, { least: setting.design.qr, style: styleOf(setting, 'body') })

/** Side of the code of a transfer, in millimetres. */
const TRANSFER = 24

/** Returns the QR code of a bank transfer, aligned to the right. */
export const transferQr = (setting: Setting, qr: QrView): Box =>
  qrBox(setting, qr, { least: TRANSFER, style: styleOf(setting, 'small', 'soft'), align: 'end' })
