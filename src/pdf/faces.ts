/**
 * The faces of a family, parsed once in each thread: parsing takes longer than an invoice.
 *
 * A family comes in parts (Latin, Greek, Cyrillic). What the own family does not have is looked for in the others.
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
  /** Its file, by which pdfkit tells it from others. */
  readonly name: string
  readonly font: Font
}

/** Words laid out in a face; a thread keeps so many of each, so that its memory stays flat. */
const KEPT_WORDS = 4_000
/** A longer word is not one that comes again. */
const LONGEST_KEPT = 40

/**
 * The same font, which remembers how it laid out a word. Words and blanks are laid out apart, so that a line is as wide
 * as its words were when the line was broken.
 */
function remembering(font: Font, name: string): Font {
  const kept = new Map<string, GlyphRun>()
  const wordRun = (word: string, features: Features | undefined): GlyphRun => {
    if (word.length > LONGEST_KEPT) return font.layout(word, features)
    const key = features ? `#${word}` : word
    const known = kept.get(key)
    if (known) return known
    if (kept.size >= KEPT_WORDS) kept.clear()
    const run = font.layout(word, features)
    kept.set(key, run)
    return run
  }
  const layout = (text: string, features?: Features) => {
    const runs = (text.match(/ +|[^ ]+/g) ?? []).map((word) => wordRun(word, features))
    return {
      // pdfkit hands `id` on to the subset, which needs the characters too.
      glyphs: runs.flatMap(({ glyphs }) =>
        glyphs.map((glyph) => ({
          id: glyph,
          advanceWidth: glyph.advanceWidth,
          codePoints: glyph.codePoints,
        })),
      ),
      // pdfkit scales the positions where they are.
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
    // The parts of a family share one name, and pdfkit would take one part for another.
    postscriptName: { value: name },
  }) as Font
}

const faces = new Map<string, Face>()

function faceOf(family: Family, script: Script, weight: Weight): Face {
  const file = fontFile(family, script, weight)
  const known = faces.get(file)
  if (known) return known
  const font = parseFont(unpackedWoff(readFont(family, script, weight)))
  const face = { name: file, font: remembering(font, `${font.postscriptName}-${script}`) }
  faces.set(file, face)
  return face
}

/** Where a character is looked for: the own family first. */
function* searched(family: Family, weight: Weight): Generator<Face> {
  for (const each of [family, ...FAMILIES.filter((other) => other !== family)])
    for (const script of SCRIPTS) if (hasScript(each, script)) yield faceOf(each, script, weight)
}

const found = new Map<string, Face | null>()
const KEPT_CHARACTERS = 8_000

/** The first face that has the character; null where none has it. */
export function faceFor(codePoint: number, family: Family, weight: Weight): Face | null {
  const key = `${family} ${weight} ${codePoint}`
  const known = found.get(key)
  if (known !== undefined) return known
  let face: Face | null = null
  for (const candidate of searched(family, weight)) {
    if (!candidate.font.hasGlyphForCodePoint(codePoint)) continue
    face = candidate
    break
  }
  if (found.size >= KEPT_CHARACTERS) found.clear()
  found.set(key, face)
  return face
}

/** The faces that this thread has parsed so far: after the layout, all that the document needs. */
export function forEachFace(visit: (face: Face) => void): void {
  for (const face of faces.values()) visit(face)
}
