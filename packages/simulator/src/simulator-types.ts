/** Types of the simulator. */

/** Environment of a request. Paths below `/production` belong to production, all others to the test environment. */
export type Environment = 'test' | 'production'

/** `request` stands for records sent at the request of the authority, which are stored separately. */
export type Service = 'verifactu' | 'request' | 'sii'

/** Books of the SII. VeriFactu has no books, so its book is empty. */
export type Book = '' | 'ISSUED' | 'RECEIVED'

export type Kind = 'submission' | 'query'

/** State of a response line. */
export type LineState = 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'

/** State of a whole message. `Fault` means that none of its records was stored. */
export type MessageState = 'Correcto' | 'ParcialmenteCorrecto' | 'Incorrecto' | 'Fault'

/** The result of a record. */
export interface Decision {
  readonly state: LineState
  readonly code: number | null
  /** Description in Spanish, the language of the authority. */
  readonly description: string | null
}

export const CORRECT: Decision = { state: 'Correcto', code: null, description: null }

/** The outcome of a message: a document of the official schema, or a fault. */
export type Outcome =
  | { readonly kind: 'response'; readonly xml: string }
  | { readonly kind: 'fault'; readonly code: number | null; readonly text: string; readonly client: boolean }

/** A value whose structure was validated. */
export type Block = { readonly [name: string]: unknown }

export const blockOf = (value: unknown): Block =>
  typeof value === 'object' && value !== null ? (value as Block) : {}
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const blocksOf = (value: unknown): readonly Block[] => (Array.isArray(value) ? value.map(blockOf) : [])

/** Returns the state of a message, derived from the states of its lines. */
export function messageState(states: readonly LineState[]): Exclude<MessageState, 'Fault'> {
  if (states.every((state) => state === 'Incorrecto')) return 'Incorrecto'
  return states.every((state) => state === 'Correcto') ? 'Correcto' : 'ParcialmenteCorrecto'
}
