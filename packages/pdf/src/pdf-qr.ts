/** Draws QR codes as vector graphics, with the texts above and below. */
import { encode } from 'uqr'
import type { QrView } from '#view/index.ts'
import { type Align, type Box, linesBox, rectangle, stack, structureElement } from './box.ts'
import { type LayoutContext, styleOf } from './layout-context.ts'
import { naturalWidth, type TextStyle, wrapEvenly } from './measure.ts'

const POINTS_PER_MM = 72 / 25.4

/** Minimum side of a module in millimetres, so that an ordinary scan of the page at 100 dpi can resolve it. */
const MIN_MODULE_MM = 0.62
/** Maximum side of a code in millimetres: the legal maximum of the tax QR, applied to all codes. */
const MAX_SIDE_MM = 40
/** Width of the quiet zone in millimetres; at least 2 are required. Columns beside the code are further away. */
const QUIET_MM = 2.6

/** Encodes by ISO/IEC 18004 with error correction M, as Orden HAC/1177/2024, art. 21, and EPC069-12 require. */
const modulesOf = (content: string): boolean[][] =>
  encode(content, { ecc: 'M', boostEcc: false, border: 0 }).data

export interface QrStyle {
  /** Minimum side in millimetres; a code with many modules is larger. */
  readonly least: number
  readonly style: TextStyle
  readonly align?: Align
}

/** Returns the box of a QR code with its texts, which may be wider than the code. */
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
            part: structureElement(context.document, 'P'),
            align,
          }),
        ]
  const above = caption(qr.above)
  const figure = structureElement(context.document, 'Figure', {
    alt: [qr.above, qr.content].filter(Boolean).join(' '),
  })
  const left = align === 'end' ? width - side : 0
  const white = rectangle(side + 2 * quiet, side + 2 * quiet, context.palette.paper)
  const code: Box = {
    width,
    height: side,
    at: (x, y) => [
      // The quiet zone is painted white, to cover the watermark.
      ...white.at(x + left - quiet, y - quiet),
      { kind: 'modules', part: figure, x: x + left, y, side, modules },
    ],
  }
  return stack([...above, code, ...caption(qr.below)], quiet)
}

/** Returns the tax QR. Its texts must not be smaller than the texts of the invoice. */
export const taxQr = (context: LayoutContext, qr: QrView): Box =>
  qrBox(context, qr, { least: context.design.qr, style: styleOf(context, 'body') })

/** Side of the code of a transfer, in millimetres. */
const TRANSFER_SIDE_MM = 24

/** Returns the QR code of a bank transfer. */
export const transferQr = (context: LayoutContext, qr: QrView, align: Align): Box =>
  qrBox(context, qr, { least: TRANSFER_SIDE_MM, style: styleOf(context, 'small', 'soft', true), align })
