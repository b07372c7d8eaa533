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

/** A glyph with the characters it stands for. */
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

/** The glyphs of a face that go into a file: a slot for each, in the order of `glyphs`. */
interface Subset {
  readonly glyphs: number[]
  /** The slot of a glyph, by its id: where the parts of a composite are found. */
  readonly mapping: Record<number, number>
  includeGlyph: (glyph: number | Glyph) => number
}

/** A parsed face. */
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
 * Gives every glyph the characters of the text that is laid out.
 *
 * fontkit keeps one object for each glyph, with the characters of its first use: none for "N" after an "Ñ" was
 * embedded, since the composite asks for its parts without any. What a file says would depend on the files before it.
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

/** Gives a glyph that stands for different characters a slot for each of them: a slot has one text in the file. */
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
