/** QR codes as vectors, with what stands above and below them. */
import { encode } from 'uqr'
import type { QrView } from '../../view/model.ts'
import { type Box, part, stack, textBox } from './box.ts'
import type { TextStyle } from './measure.ts'
import { type Setting, styleOf } from './setting.ts'

const POINTS_PER_MM = 72 / 25.4

/** Side of a module, in millimetres, from which a plain scan of the page at 100 dpi can be read. */
const READABLE_MODULE = 0.72
/** The law allows the tax QR 40 mm, and others are no larger. */
const LARGEST = 40
/** At least 2 mm around the code stay white; the columns beside it are further away. */
const QUIET_MM = 2.6

/** ISO/IEC 18004 with error correction M (Orden HAC/1177/2024 art. 21; EPC069-12 wants the same). */
const modulesOf = (content: string): boolean[][] =>
  encode(content, { ecc: 'M', boostEcc: false, border: 0 }).data

/**
 * The code with its texts. `least` is its side in millimetres; one of more modules is larger, up to 40.
 * Its texts are not smaller than those of the invoice, as the law wants it for the tax QR.
 */
export function qrBox(
  setting: Setting,
  qr: QrView,
  least: number,
  style: TextStyle = styleOf(setting, 'body'),
): Box {
  const modules = modulesOf(qr.content)
  const side = Math.min(LARGEST, Math.max(least, modules.length * READABLE_MODULE)) * POINTS_PER_MM
  const quiet = QUIET_MM * POINTS_PER_MM
  const above = qr.above === '' ? [] : [textBox(qr.above, style, side, { part: part(setting.document, 'P') })]
  const figure = part(setting.document, 'Figure', { alt: [qr.above, qr.content].filter(Boolean).join(' ') })
  const code: Box = {
    width: side,
    height: side,
    at: (x, y) => [{ kind: 'modules', part: figure, x, y, side, modules }],
  }
  const below = qr.below === '' ? [] : [textBox(qr.below, style, side, { part: part(setting.document, 'P') })]
  return stack([...above, code, ...below], quiet)
}
