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
import { type Features, type Font, type Glyph, type GlyphRun, parseFont } from './fontkit.ts'
import { unpackWoff } from './woff.ts'

export interface Face {
  /** File name, by which pdfkit identifies the face. */
  readonly name: string
  readonly font: Font & {
    /** Returns the width of a text in font units. */
    readonly widthOf: (text: string, features?: Features) => number
  }
}

/** Maximum number of words whose layout is kept for each face, to limit the memory of a thread. */
const MAX_CACHED_WORDS = 4_000
/** Maximum number of characters of a cached word. Longer words rarely repeat. */
const MAX_CACHED_LENGTH = 40

/** Parts of a text that are laid out and cached separately. */
const WORDS = / +|[^ ]+/g
/** Digits of equal width are cached one by one, because numbers seldom repeat and such digits have no kerning. */
const WORDS_AND_DIGITS = / +|\d|[^ \d]+/g

/**
 * Returns the font with a cache of laid-out words. Words and blanks are laid out separately, so a printed line is as
 * wide as it was measured when the text was broken into lines.
 */
function withLayoutCache(font: Font, name: string): Face['font'] {
  const cache = new Map<string, GlyphRun>()
  const laidOut = (word: string, features: Features | undefined): GlyphRun => {
    const { glyphs, positions, advanceWidth } = font.layout(word, features)
    // pdfkit passes `id` to the subset, which also needs the characters.
    const named = glyphs.map((id) => ({ id, advanceWidth: id.advanceWidth, codePoints: id.codePoints }))
    return { glyphs: named as unknown as Glyph[], positions, advanceWidth }
  }
  const wordRun = (word: string, features: Features | undefined): GlyphRun => {
    if (word.length > MAX_CACHED_LENGTH) return laidOut(word, features)
    const key = features ? `#${word}` : word
    const known = cache.get(key)
    if (known) return known
    if (cache.size >= MAX_CACHED_WORDS) cache.clear()
    const run = laidOut(word, features)
    cache.set(key, run)
    return run
  }
  const runsIn = (text: string, features: Features | undefined): GlyphRun[] =>
    (text.match(features ? WORDS_AND_DIGITS : WORDS) ?? []).map((word) => wordRun(word, features))
  const widthOf = (text: string, features?: Features): number =>
    runsIn(text, features).reduce((sum, { advanceWidth }) => sum + advanceWidth, 0)
  const layout = (text: string, features?: Features): GlyphRun => {
    const runs = runsIn(text, features)
    return {
      glyphs: runs.flatMap(({ glyphs }) => glyphs),
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
    widthOf: { value: widthOf },
    // The subsets of a family share one PostScript name, so pdfkit would confuse them.
    postscriptName: { value: name },
  }) as Face['font']
}

const faces = new Map<string, Face>()

function faceOf(family: Family, script: Script, weight: Weight): Face {
  const file = fontFile(family, script, weight)
  const known = faces.get(file)
  if (known) return known
  const font = parseFont(unpackWoff(readFont(family, script, weight)))
  const face = { name: file, font: withLayoutCache(font, `${font.postscriptName}-${script}`) }
  faces.set(file, face)
  return face
}

/** Yields the faces to search for a character: first those of the given family. */
function* candidateFaces(family: Family, weight: Weight): Generator<Face> {
  for (const each of [family, ...FAMILIES.filter((other) => other !== family)])
    for (const script of SCRIPTS) if (hasScript(each, script)) yield faceOf(each, script, weight)
}

/** For each family and weight, the face of each character. */
const faceByCharacter = new Map<string, Map<number, Face | null>>()
const MAX_CACHED_CHARACTERS = 8_000

/** Returns the first face that has the character, or null. */
export function faceFor(codePoint: number, family: Family, weight: Weight): Face | null {
  const key = `${family} ${weight}`
  const known = faceByCharacter.get(key) ?? new Map<number, Face | null>()
  faceByCharacter.set(key, known)
  const found = known.get(codePoint)
  if (found !== undefined) return found
  let face: Face | null = null
  for (const candidate of candidateFaces(family, weight)) {
    if (!candidate.font.hasGlyphForCodePoint(codePoint)) continue
    face = candidate
    break
  }
  if (known.size >= MAX_CACHED_CHARACTERS) known.clear()
  known.set(codePoint, face)
  return face
}

/** Visits the faces parsed so far in this thread. After the layout, they include all faces that the document needs. */
export function visitFaces(visit: (face: Face) => void): void {
  for (const face of faces.values()) visit(face)
}
