/** What is used of fontkit, which parses the faces for pdfkit and has no types of its own. */
// @ts-expect-error: fontkit has no types.
import * as fontkit from 'fontkit'

/** Lengths in units of the face. */
export interface GlyphPosition {
  xAdvance: number
  yAdvance: number
  xOffset: number
  yOffset: number
}

export interface Glyph {
  readonly id: number
  readonly advanceWidth: number
  readonly codePoints: readonly number[]
}

export interface GlyphRun {
  readonly glyphs: readonly Glyph[]
  readonly positions: readonly GlyphPosition[]
  readonly advanceWidth: number
}

/** OpenType features that are not on by themselves. */
export type Features = readonly 'tnum'[]

/** A parsed face. */
export interface Font {
  readonly postscriptName: string
  readonly unitsPerEm: number
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
  readonly layout: (text: string, features?: Features) => GlyphRun
}

export const parseFont = (bytes: Uint8Array): Font =>
  (fontkit as unknown as { create: (bytes: Uint8Array) => Font }).create(bytes)
