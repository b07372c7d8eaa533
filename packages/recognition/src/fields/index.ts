/** Interprets the text of a document: proposes an invoice, with a score for each field. */

export type { ProposalContext } from './agreement/agree.ts'
export {
  isBetter,
  needsFineReading,
  type Proposal,
  type RecognitionStatus,
  reviewReasons,
  scoreOf,
  statusOf,
} from './agreement/score.ts'
export type { KnownSupplier } from './agreement/supplier-memory.ts'
export { REASONS, type ReasonCode, reasonsIn } from './field-reasons.ts'
export { scoresIn } from './proposal/field-locations.ts'
export { proposeInvoice, proposeXml } from './propose.ts'
