/** Reads the QR codes on a page. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, type ReadResult, readBarcodes } from 'zxing-wasm/reader'
import { type Box, netpbmOf, type Raster } from './raster.ts'

export interface Code {
  readonly text: string
  /** The box of the code in pixels, with a margin. */
  readonly box: Box
  /** Number of clockwise quarter turns from upright. */
  readonly turns: number
}

/** Margin for the blurred edge of a code, as a share of its width. */
const MARGIN = 0.04

// The WebAssembly module is passed to the library, which would otherwise load it from the network.
const module = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(module).buffer } })

function codeOf({ text, position, orientation }: ReadResult): Code {
  const corners = [position.topLeft, position.topRight, position.bottomLeft, position.bottomRight]
  const across = corners.map(({ x }) => x)
  const down = corners.map(({ y }) => y)
  const margin = MARGIN * (Math.max(...across) - Math.min(...across))
  return {
    text,
    box: {
      left: Math.min(...across) - margin,
      right: Math.max(...across) + margin,
      top: Math.min(...down) - margin,
      bottom: Math.max(...down) + margin,
    },
    turns: (Math.round(orientation / 90) + 4) % 4,
  }
}

export async function codesOn(raster: Raster): Promise<Code[]> {
  const found = await readBarcodes(netpbmOf(raster), { formats: ['QRCode'], tryInvert: false })
  return found.filter(({ isValid, text }) => isValid && text !== '').map(codeOf)
}
