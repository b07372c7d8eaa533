/** Messages of `export_not_possible`: the reasons why a format cannot represent an invoice. */
import { EN16931_REASONS, EXPORT_REASONS as REASONS } from '../generated/texts/reasons.ts'

export const EXPORT_REASONS = { ...REASONS, ...EN16931_REASONS }

export type ExportReason = keyof typeof EXPORT_REASONS
