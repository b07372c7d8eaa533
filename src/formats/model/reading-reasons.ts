/** Messages of `export_not_possible`: the reasons why a format cannot represent an invoice. */
import type { MessageText } from '#core/messages/index.ts'
import { EXPORT_REASONS as REASONS } from '../generated/texts/reasons.ts'

export type ExportReason = keyof typeof REASONS

export const EXPORT_REASONS: Readonly<Record<ExportReason, MessageText>> = REASONS
