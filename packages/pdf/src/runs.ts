/** Splits text into runs of one face each, with a substitute for characters that no face has. */
import { required } from '#core/errors/index.ts'
import { type Face, faceFor } from './faces.ts'
import type { Family, Weight } from './font-files.ts'
import type { Features } from './fontkit.ts'

export interface FontStyle {
  readonly family: Family
  readonly weight: Weight
  /** Whether figures have equal widths, to align vertically. */
  readonly figures: boolean
}

export interface TextRun {
  readonly face: Face
  readonly text: string
  /** Original text for copying and screen readers, if it differs. */
  readonly actual?: string
}

/** Unicode replacement character. */
const SUBSTITUTE = '\uFFFD'

const TABULAR: Features = ['tnum']

export const fontFeaturesOf = ({ figures }: FontStyle): Features | undefined =>
  figures ? TABULAR : undefined

/** Replaces blanks of any width with an ordinary space, and non-breaking blanks with U+00A0. */
const asBlanks = (text: string): string =>
  text.replace(/[\u00A0\u202F\u2007]/g, '\u00A0').replace(/(?!\u00A0)[\t\p{Zs}]/gu, ' ')
/** Characters without a glyph: controls, directions, joiners. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/** Returns the text in composed form (NFC), split into its lines. */
export const linesIn = (text: string): string[] =>
  text
    .replace(/\p{Surrogate}/gu, SUBSTITUTE)
    .normalize('NFC')
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => asBlanks(line).replace(INVISIBLE, ''))

/** Returns the text in one line. */
export const inOneLine = (text: string): string => linesIn(text).join(' ').replace(/ +/g, ' ').trim()

/** Returns a substitute for a character that no face has: its compatibility form, or the replacement character. */
function substituteOf(character: string, { family, weight }: FontStyle): TextRun {
  const usual = character.normalize('NFKC')
  if (usual !== character) {
    const face = faceFor(required(usual.codePointAt(0)), family, weight)
    if (face && [...usual].every((each) => face.font.hasGlyphForCodePoint(required(each.codePointAt(0)))))
      return { face, text: usual, actual: character }
  }
  return {
    face: required(faceFor(required(SUBSTITUTE.codePointAt(0)), family, weight)),
    text: SUBSTITUTE,
    actual: character,
  }
}

/** Matches a combining mark, which stays in the run of its letter if the face has both characters. */
const MARK = /^\p{M}$/u

/** Returns the text in runs, from left to right. */
export function textRunsOf(text: string, fontStyle: FontStyle): TextRun[] {
  const runs: { face: Face; text: string; actual?: string }[] = []
  for (const character of text) {
    const codePoint = required(character.codePointAt(0))
    const last = runs.at(-1)
    const stays =
      MARK.test(character) && last?.actual === undefined && last?.face.font.hasGlyphForCodePoint(codePoint)
    const face = stays ? required(last).face : faceFor(codePoint, fontStyle.family, fontStyle.weight)
    if (!face) runs.push(substituteOf(character, fontStyle))
    else if (last?.face === face && last.actual === undefined) last.text += character
    else runs.push({ face, text: character })
  }
  return runs
}

/** Returns the width at a size of one point. */
export function textRunWidth(run: TextRun, fontStyle: FontStyle): number {
  return run.face.font.widthOf(run.text, fontFeaturesOf(fontStyle)) / run.face.font.unitsPerEm
}
