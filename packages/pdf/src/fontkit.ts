/** Typed subset of fontkit, which parses fonts for pdfkit and has no types. */
// @ts-expect-error: fontkit has no types.
import * as fontkit from 'fontkit'

/** Lengths in font units. */
export interface GlyphPosition {
  xAdvance: number
  yAdvance: number
  xOffset: number
  yOffset: number
}

/** A glyph with the characters that it represents. */
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

/** OpenType features that are off by default. */
export type Features = readonly 'tnum'[]

/** The glyphs of a face that are embedded in a file. The slot of a glyph is its index in `glyphs`. */
interface Subset {
  readonly glyphs: number[]
  /** Slot of each glyph by glyph id, to find the parts of a composite glyph. */
  readonly mapping: Record<number, number>
  includeGlyph: (glyph: number | Glyph) => number
}

export interface Font {
  readonly postscriptName: string
  readonly unitsPerEm: number
  readonly hasGlyphForCodePoint: (codePoint: number) => boolean
  readonly layout: (text: string, features?: Features) => GlyphRun
  getGlyph: (id: number, characters?: readonly number[]) => Glyph
  createSubset: () => Subset
}

type GlyphConstructor = new (id: number, characters: readonly number[], font: Font) => Glyph

/**
 * Makes `getGlyph` return a separate object for each combination of glyph and characters.
 *
 * fontkit caches one object for each glyph, with the characters of its first use. If an "Ñ" was embedded first, "N" has
 * no characters, because a composite glyph requests its parts without characters. The text of a file would then depend
 * on the files rendered before.
 */
function keepCharacters(font: Font): void {
  const shared = font.getGlyph.bind(font)
  const glyphs = new Map<string, Glyph>()
  font.getGlyph = (id, characters = []) => {
    const key = `${id} ${characters.join(' ')}`
    const known = glyphs.get(key)
    if (known) return known
    const glyph = new (shared(id).constructor as GlyphConstructor)(id, characters, font)
    glyphs.set(key, glyph)
    return glyph
  }
}

/** Gives each combination of glyph and characters its own slot, because a slot has only one text in the file. */
function separateSlots(font: Font): void {
  const plain = font.createSubset.bind(font)
  font.createSubset = () => {
    const subset = plain()
    const include = subset.includeGlyph.bind(subset)
    const slots = new Map<Glyph, number>()
    subset.includeGlyph = (glyph) => {
      if (typeof glyph === 'number') return include(glyph)
      const known = slots.get(glyph)
      if (known !== undefined) return known
      const slot = subset.glyphs.push(glyph.id) - 1
      slots.set(glyph, slot)
      subset.mapping[glyph.id] ??= slot
      return slot
    }
    return subset
  }
}

export function parseFont(bytes: Uint8Array): Font {
  const font = (fontkit as unknown as { create: (bytes: Uint8Array) => Font }).create(bytes)
  keepCharacters(font)
  separateSlots(font)
  return font
}
