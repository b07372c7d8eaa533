/**
 * Codes of the audit of a chain, with their texts: the finding, the record and field, and the next step. Findings cite
 * no law, because their legal meaning is for the reader to decide.
 */
import type { Severity } from '#core/invoice/index.ts'
import type { MessageText } from '#core/messages/index.ts'
import { CHAIN_CODES as CODES } from '../generated/texts/chain.ts'

export { UNCERTAIN } from '../generated/texts/chain.ts'

interface ChainMessages extends MessageText {
  readonly severity: Severity
}

export type ChainCode = keyof typeof CODES

/** Codes of the audit. `{record}` is the number and date of the invoice, or the type and timestamp of the event. */
export const CHAIN_CODES: Readonly<Record<ChainCode, ChainMessages>> = CODES
