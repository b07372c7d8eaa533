/** Texts of the rules that determine a deadline. */
import type { Text } from '#core/invoice/index.ts'
import { DEADLINE_RULES as DEADLINE_RULES_TEXTS } from '../generated/texts/deadlines.ts'

export type DeadlineRule =
  | 'issued'
  | 'issued_by_other'
  | 'corrective'
  | 'received'
  | 'collection'
  | 'payment'
  | 'modification'

export const DEADLINE_RULES: Readonly<Record<DeadlineRule, Text>> = DEADLINE_RULES_TEXTS
