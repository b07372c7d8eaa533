/** Reads the headers of pictures, to refuse a picture that is too large before it waits for its turn. */
import type { FileKind } from './material.ts'
import { MAX_PAGES, MAX_PIXELS } from './recognition-limits.ts'

type Sizes = (readonly [width: number, height: number])[]

const pngSizes = (view: DataView): Sizes => [[view.getUint32(16), view.getUint32(20)]]

/** Markers of a JPEG before its size, which have a length; the size is in the first frame. */
function jpegSizes(view: DataView): Sizes {
  for (let at = 2; view.getUint8(at) === 0xff; ) {
    const marker = view.getUint8(at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return [[view.getUint16(at + 7), view.getUint16(at + 5)]]
    // A marker may be preceded by any number of fill bytes.
    at += marker === 0xff ? 1 : 2 + view.getUint16(at + 2)
  }
  return []
}

/** Tags and a type of TIFF. */
const [WIDTH, HEIGHT, SHORT] = [256, 257, 3]

function tiffSizes(view: DataView): Sizes {
  const isLittle = view.getUint8(0) === 0x49
  const sizes: Sizes = []
  for (let at = view.getUint32(4, isLittle); at !== 0 && sizes.length <= MAX_PAGES; ) {
    const end = at + 2 + 12 * view.getUint16(at, isLittle)
    const side = (tag: number): number => {
      for (let entry = at + 2; entry < end; entry += 12)
        if (view.getUint16(entry, isLittle) === tag)
          return view.getUint16(entry + 2, isLittle) === SHORT
            ? view.getUint16(entry + 8, isLittle)
            : view.getUint32(entry + 8, isLittle)
      return 0
    }
    sizes.push([side(WIDTH), side(HEIGHT)])
    at = view.getUint32(end, isLittle)
  }
  return sizes
}

const READERS = { png: pngSizes, jpeg: jpegSizes, tiff: tiffSizes }

/** Returns the reason in the header of a picture to refuse it; `null` for others, which must be opened to know. */
export function headerRefusal(
  kind: FileKind,
  bytes: Uint8Array,
): 'too_many_pages' | 'too_many_pixels' | null {
  if (kind === 'pdf') return null
  try {
    const sizes = READERS[kind](new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
    if (sizes.length > MAX_PAGES) return 'too_many_pages'
    return sizes.some(([width, height]) => width * height > MAX_PIXELS) ? 'too_many_pixels' : null
  } catch {
    // The header is cut or refers to bytes outside the file.
    return null
  }
}
