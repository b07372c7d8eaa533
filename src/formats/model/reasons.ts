/** Messages of `export_not_possible`: the reasons why a format cannot represent an invoice. */
import { EXPORT_REASONS as REASONS } from '../generated/texts/reasons.ts'

export const EXPORT_REASONS = REASONS
export type ExportReason = keyof typeof REASONS
