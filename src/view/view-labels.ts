/** All labels of the page in both languages, named after the fields whose values they accompany. */
import { TITLES as TITLES_TEXTS } from './generated/texts/labels.ts'
import type { Pair } from './page-language.ts'

export {
  BREAKDOWN,
  CORRECTED,
  DETAILS,
  FACTS,
  LINES,
  PAGE,
  PARTY,
  PAYMENT,
  SUMS,
  TEXTS,
} from './generated/texts/labels.ts'

export const TITLES: Readonly<Record<string, Pair>> = TITLES_TEXTS
