/** Text as it can be set: runs of one face each, with something visible for what no face has. */
import { required } from '../errors/index.ts'
import { type Face, faceFor } from './faces.ts'
import type { Family, Weight } from './font-files.ts'
import type { Features } from './fontkit.ts'

export interface Lettering {
  readonly family: Family
  readonly weight: Weight
  /** Figures of one width, so that they stand below each other. */
  readonly figures: boolean
}

export interface Run {
  readonly face: Face
  readonly text: string
  /** What the text stands for, to whoever copies or listens, where it is not the text itself. */
  readonly actual?: string
}

/** The sign of Unicode for a character that could not be shown. */
const SUBSTITUTE = '\uFFFD'

const TABULAR: Features = ['tnum']

export const featuresOf = ({ figures }: Lettering): Features | undefined => (figures ? TABULAR : undefined)

/** Blanks of any width are one blank, those that do not break another. */
const asBlanks = (text: string): string =>
  text.replace(/[\u00A0\u202F\u2007]/g, '\u00A0').replace(/(?!\u00A0)[\t\p{Zs}]/gu, ' ')
/** What has no form of its own: controls, directions, joiners. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Variation_Selector}]/gu

/** The text in composed letters, in lines as it was written. */
export const linesIn = (text: string): string[] =>
  text
    .replace(/\p{Surrogate}/gu, SUBSTITUTE)
    .normalize('NFC')
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => asBlanks(line).replace(INVISIBLE, ''))

/** The text in one line. */
export const inOneLine = (text: string): string => linesIn(text).join(' ').replace(/ +/g, ' ').trim()

/** A character that no face has: the usual letters that mean the same, or the sign of Unicode. */
function substituteOf(character: string, { family, weight }: Lettering): Run {
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

/** A mark goes with the letter under it where their face has both. */
const MARK = /^\p{M}$/u

/** The text in runs, in reading order from the left. */
export function runsOf(text: string, lettering: Lettering): Run[] {
  const runs: { face: Face; text: string; actual?: string }[] = []
  for (const character of text) {
    const codePoint = required(character.codePointAt(0))
    const last = runs.at(-1)
    const stays =
      MARK.test(character) && last?.actual === undefined && last?.face.font.hasGlyphForCodePoint(codePoint)
    const face = stays ? required(last).face : faceFor(codePoint, lettering.family, lettering.weight)
    if (!face) runs.push(substituteOf(character, lettering))
    else if (last?.face === face && last.actual === undefined) last.text += character
    else runs.push({ face, text: character })
  }
  return runs
}

/** Width at the size of one point. */
export function widthOf(run: Run, lettering: Lettering): number {
  return run.face.font.layout(run.text, featuresOf(lettering)).advanceWidth / run.face.font.unitsPerEm
}
