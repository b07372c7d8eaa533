/** Texts of a document that share one member of json_1_1. */
import type { ReadingReport } from '../model/index.ts'

/** Characters of a text of json_1_1. */
export const MAX_TEXT = 2500
/** Characters of `invoice_description`. */
const MAX_DESCRIPTION = 500

export const fitsDescription = (text: string): boolean =>
  text.length <= MAX_DESCRIPTION || [...text].length <= MAX_DESCRIPTION

/** Several texts as one, a line each; what is beyond the limit is told, since the original has it. */
export function joinTexts(
  texts: readonly (string | undefined)[],
  at: string,
  report: ReadingReport,
): string | undefined {
  const kept = texts.filter((text) => text !== undefined)
  return kept.length === 0 ? undefined : shortened(kept.join('\n'), at, report)
}

export function shortened(text: string, at: string, report: ReadingReport): string {
  const characters = text.length > MAX_TEXT ? [...text] : []
  if (characters.length <= MAX_TEXT) return text
  report.warn('en16931.text_shortened', at, { received: characters.length, allowed: MAX_TEXT })
  return characters.slice(0, MAX_TEXT).join('')
}
