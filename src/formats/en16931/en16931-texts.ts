/** Joins texts of a document for which json_1_1 has only one member. */
import type { ReadingReport } from '../model/index.ts'

/** Maximum number of characters of a text in json_1_1. */
export const MAX_TEXT = 2500
/** Maximum number of characters of `invoice_description`. */
const MAX_DESCRIPTION = 500

export const fitsDescription = (text: string): boolean =>
  text.length <= MAX_DESCRIPTION || [...text].length <= MAX_DESCRIPTION

/** Joins texts, one per line. Text beyond the limit is cut with a warning; the original document still has it. */
export function joinTexts(
  texts: readonly (string | undefined)[],
  at: string,
  report: ReadingReport,
): string | undefined {
  const kept = texts.filter((text) => text !== undefined)
  return kept.length === 0 ? undefined : shortenText(kept.join('\n'), at, report)
}

export function shortenText(text: string, at: string, report: ReadingReport): string {
  const characters = text.length > MAX_TEXT ? [...text] : []
  if (characters.length <= MAX_TEXT) return text
  report.warn('en16931.text_shortened', at, { received: characters.length, allowed: MAX_TEXT })
  return characters.slice(0, MAX_TEXT).join('')
}
