/** QR codes as vectors, with the texts above and below. */
import { encode } from 'uqr'
import type { QrView } from '../view/model.ts'
import { type Align, type Box, linesBox, part, rectangle, stack } from './box.ts'
import { type LayoutContext, styleOf } from './layout-context.ts'
import { naturalWidth, type TextStyle, wrapEvenly } from './measure.ts'

const POINTS_PER_MM = 72 / 25.4

/** Minimum side of a module in millimetres, so that an ordinary scan of the page at 100 dpi can resolve it. */
const MIN_MODULE_MM = 0.62
/** Maximum side, in millimetres, that the law allows for the tax QR; used for all codes. */
const MAX_SIDE_MM = 40
/** Quiet zone: at least 2 mm are required. The columns beside the code are further away than this. */
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

/** Returns the code with its texts, which may be wider than the code. */
function qrBox(context: LayoutContext, qr: QrView, { least, style, align = 'start' }: QrStyle): Box {
  const modules = modulesOf(qr.content)
  const side = Math.min(MAX_SIDE_MM, Math.max(least, modules.length * MIN_MODULE_MM)) * POINTS_PER_MM
  const wanted = naturalWidth(qr.above, style).whole
  const width = Math.max(side, Math.min(wanted, MAX_SIDE_MM * POINTS_PER_MM))
  const quiet = QUIET_MM * POINTS_PER_MM
  const caption = (content: string): Box[] =>
    content === ''
      ? []
      : [
          linesBox(wrapEvenly(content, style, width), style, width, {
            part: part(context.document, 'P'),
            align,
          }),
        ]
  const above = caption(qr.above)
  const figure = part(context.document, 'Figure', { alt: [qr.above, qr.content].filter(Boolean).join(' ') })
  const left = align === 'end' ? width - side : 0
  const white = rectangle(side + 2 * quiet, side + 2 * quiet, context.palette.paper)
  const code: Box = {
    width,
    height: side,
    at: (x, y) => [
      // The quiet zone covers the watermark.
      ...white.at(x + left - quiet, y - quiet),
      { kind: 'modules', part: figure, x: x + left, y, side, modules },
    ],
  }
  return stack([...above, code, ...caption(qr.below)], quiet)
}

/** Returns the tax QR. Its texts must not be smaller than those of the invoice. */
export const taxQr = (context: LayoutContext, qr: QrView): Box =>
  qrBox(context, qr, { least: context.design.qr, style: styleOf(context, 'body') })

/** Side of the code of a transfer, in millimetres. */
const TRANSFER_SIDE_MM = 24

/** Returns the QR code of a bank transfer. */
export const transferQr = (context: LayoutContext, qr: QrView, align: Align): Box =>
  qrBox(context, qr, { least: TRANSFER_SIDE_MM, style: styleOf(context, 'small', 'soft', true), align })
