/** Interprets the text of a document: proposes an invoice, with a score for each field. */
export { scoresIn } from './locations.ts'
export type { KnownSupplier } from './memory.ts'
export { type Proposal, type ProposalContext, proposeInvoice, proposeXml } from './propose.ts'
export { REASONS, type ReasonCode, reasonsIn } from './reasons.ts'
export {
  isBetter,
  needsFineReading,
  type RecognitionStatus,
  reviewReasons,
  scoreOf,
  statusOf,
} from './score.ts'
