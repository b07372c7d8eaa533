/**
 * The faces of a font family, parsed once in each thread, because parsing them takes longer than rendering an invoice.
 *
 * A family is split into subsets (Latin, Greek, Cyrillic). Characters that a family lacks are taken from the other
 * families.
 */
import {
  FAMILIES,
  type Family,
  fontFile,
  hasScript,
  readFont,
  SCRIPTS,
  type Script,
  type Weight,
} from './font-files.ts'
import { type Features, type Font, type GlyphRun, parseFont } from './fontkit.ts'
import { unpackedWoff } from './woff.ts'

export interface Face {
  /** File name, by which pdfkit identifies the face. */
  readonly name: string
  readonly font: Font
}

/** Maximum number of words whose layout is kept for each face, to limit the memory of a thread. */
const MAX_CACHED_WORDS = 4_000
/** Longer words are not cached, because they rarely repeat. */
const MAX_CACHED_LENGTH = 40

/**
 * Returns the font with a cache of laid-out words. Words and blanks are laid out separately, so a printed line is as
 * wide as it was measured when the text was broken into lines.
 */
function withLayoutCache(font: Font, name: string): Font {
  const cache = new Map<string, GlyphRun>()
  const wordRun = (word: string, features: Features | undefined): GlyphRun => {
    if (word.length > MAX_CACHED_LENGTH) return font.layout(word, features)
    const key = features ? `#${word}` : word
    const known = cache.get(key)
    if (known) return known
    if (cache.size >= MAX_CACHED_WORDS) cache.clear()
    const run = font.layout(word, features)
    cache.set(key, run)
    return run
  }
  const layout = (text: string, features?: Features) => {
    const runs = (text.match(/ +|[^ ]+/g) ?? []).map((word) => wordRun(word, features))
    return {
      // pdfkit passes `id` to the subset, which also needs the characters.
      glyphs: runs.flatMap(({ glyphs }) =>
        glyphs.map((glyph) => ({
          id: glyph,
          advanceWidth: glyph.advanceWidth,
          codePoints: glyph.codePoints,
        })),
      ),
      // pdfkit scales positions in place, so these are copies.
      positions: runs.flatMap(({ positions }) =>
        positions.map(({ xAdvance, yAdvance, xOffset, yOffset }) => ({
          xAdvance,
          yAdvance,
          xOffset,
          yOffset,
        })),
      ),
      advanceWidth: runs.reduce((sum, { advanceWidth }) => sum + advanceWidth, 0),
    }
  }
  return Object.create(font, {
    layout: { value: layout },
    // The subsets of a family share one PostScript name, so pdfkit would confuse them.
    postscriptName: { value: name },
  }) as Font
}

const faces = new Map<string, Face>()

function faceOf(family: Family, script: Script, weight: Weight): Face {
  const file = fontFile(family, script, weight)
  const known = faces.get(file)
  if (known) return known
  const font = parseFont(unpackedWoff(readFont(family, script, weight)))
  const face = { name: file, font: withLayoutCache(font, `${font.postscriptName}-${script}`) }
  faces.set(file, face)
  return face
}

/** Yields the faces to search for a character: first those of the given family. */
function* candidateFaces(family: Family, weight: Weight): Generator<Face> {
  for (const each of [family, ...FAMILIES.filter((other) => other !== family)])
    for (const script of SCRIPTS) if (hasScript(each, script)) yield faceOf(each, script, weight)
}

const faceByCharacter = new Map<string, Face | null>()
const MAX_CACHED_CHARACTERS = 8_000

/** Returns the first face that has the character, or null. */
export function faceFor(codePoint: number, family: Family, weight: Weight): Face | null {
  const key = `${family} ${weight} ${codePoint}`
  const known = faceByCharacter.get(key)
  if (known !== undefined) return known
  let face: Face | null = null
  for (const candidate of candidateFaces(family, weight)) {
    if (!candidate.font.hasGlyphForCodePoint(codePoint)) continue
    face = candidate
    break
  }
  if (faceByCharacter.size >= MAX_CACHED_CHARACTERS) faceByCharacter.clear()
  faceByCharacter.set(key, face)
  return face
}

/** Visits the faces parsed so far in this thread. After the layout, these include all that the document needs. */
export function forEachFace(visit: (face: Face) => void): void {
  for (const face of faces.values()) visit(face)
}
