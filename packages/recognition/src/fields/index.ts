/** Interprets the text of a document: proposes an invoice, with a score for each field. */
export { scoresIn } from './field-locations.ts'
export { REASONS, type ReasonCode, reasonsIn } from './field-reasons.ts'
export { type Proposal, type ProposalContext, proposeInvoice, proposeXml } from './propose.ts'
export {
  isBetter,
  needsFineReading,
  type RecognitionStatus,
  reviewReasons,
  scoreOf,
  statusOf,
} from './score.ts'
export type { KnownSupplier } from './supplier-memory.ts'
