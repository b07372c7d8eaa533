/** What a document that was read means: a proposal, and how far it can be believed. */
export { scoresIn } from './places.ts'
export { type Asking, type Proposal, propose, proposeXml } from './propose.ts'
export { REASONS, type ReasonCode, reasonsIn } from './reasons.ts'
export { type RecognitionStatus, scoreOf, statusOf } from './score.ts'
