/** Grey pixels of one page. */

export interface Raster {
  readonly width: number
  readonly height: number
  /** One byte for each pixel, row by row. */
  readonly grey: Uint8Array
  /** Pixels per point (1/72 inch). */
  readonly scale: number
}

/**
 * Returns the picture as an uncompressed file (Netpbm), which the QR reader and the OCR accept without decompression.
 */
export function netpbmOf({ width, height, grey }: Raster): Buffer {
  return Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), grey])
}

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Returns the picture with the boxes, given in pixels, filled with white. */
export function masked(raster: Raster, boxes: readonly Box[]): Raster {
  if (boxes.length === 0) return raster
  const { width, height } = raster
  const grey = raster.grey.slice()
  for (const box of boxes) {
    const left = Math.max(0, Math.floor(box.left))
    const right = Math.min(width, Math.ceil(box.right))
    const bottom = Math.min(height, Math.ceil(box.bottom))
    for (let y = Math.max(0, Math.floor(box.top)); y < bottom; y++)
      if (left < right) grey.fill(255, y * width + left, y * width + right)
  }
  return { ...raster, grey }
}
