/** What can be sent to the tax authority, and what each is answered with. */
import type { PaymentsSummary, QuerySummary, ResponseSummary } from '../../sii/index.ts'
import type { Answer, RecordsAnswer } from '../../verifactu/index.ts'

/** Messages of VeriFactu. */
export interface VerifactuMessage {
  readonly service: 'verifactu'
  /**
   * `submission` sends records, `requirement` sends them because the authority has asked for them (NO VERI*FACTU),
   * `query` asks what is stored.
   */
  readonly operation: 'submission' | 'requirement' | 'query'
  /** With its SOAP envelope or without. */
  readonly xml: string
}

/** Books of the SII, each with an address of its own. */
export type SiiBook = 'issued' | 'received' | 'collections' | 'payments'

/** Messages of the SII. */
export interface SiiMessage {
  readonly service: 'sii'
  readonly book: SiiBook
  /** `submission` registers, modifies or deletes; `query` asks what is stored. */
  readonly operation: 'submission' | 'query'
  /** With its SOAP envelope or without. */
  readonly xml: string
}

export type Message = (VerifactuMessage | SiiMessage) & {
  /** The company tries things out: its messages go to the test service, whatever this installation works with. */
  readonly sandbox?: boolean
}

/** What an answer can say, as the engine reads it. */
export type AnyAnswer = Answer | RecordsAnswer | ResponseSummary | QuerySummary | PaymentsSummary

/** What an answer to a message says. */
export type AnswerTo<M extends Message> = M extends { service: 'verifactu'; operation: infer O }
  ? O extends 'query'
    ? RecordsAnswer
    : Answer
  : M extends { operation: infer O; book: infer B }
    ? O extends 'query'
      ? B extends 'collections' | 'payments'
        ? PaymentsSummary
        : QuerySummary
      : ResponseSummary
    : never
