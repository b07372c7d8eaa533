/** What the simulator's parts say to each other. */

/** Addresses below `/production` are those of production; all others are of the test environment. */
export type Environment = 'test' | 'production'

/** `request`: records sent because the authority asked for them, which it keeps apart. */
export type Service = 'verifactu' | 'request' | 'sii'

/** Books of the SII; VeriFactu has none. */
export type Book = '' | 'ISSUED' | 'RECEIVED'

export type Kind = 'submission' | 'query'

/** State of a line in an answer. */
export type LineState = 'Correcto' | 'AceptadoConErrores' | 'Incorrecto'

/** State of a whole message; `Fault` where nothing of it was stored. */
export type MessageState = 'Correcto' | 'ParcialmenteCorrecto' | 'Incorrecto' | 'Fault'

/** What becomes of a record. */
export interface Verdict {
  readonly state: LineState
  readonly code: number | null
  /** In Spanish, as the authority answers. */
  readonly description: string | null
}

export const CORRECT: Verdict = { state: 'Correcto', code: null, description: null }

/** What a message gets back: a document of the official schema, or a fault in its place. */
export type Outcome =
  | { readonly kind: 'answer'; readonly xml: string }
  | { readonly kind: 'fault'; readonly code: number | null; readonly text: string; readonly client: boolean }

/** Any value of a vocabulary, once its shape has been checked. */
export type Block = { readonly [name: string]: unknown }

export const blockOf = (value: unknown): Block =>
  typeof value === 'object' && value !== null ? (value as Block) : {}
export const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
export const blocksOf = (value: unknown): readonly Block[] => (Array.isArray(value) ? value.map(blockOf) : [])

/** State of a message by those of its lines. */
export function messageState(states: readonly LineState[]): Exclude<MessageState, 'Fault'> {
  if (states.every((state) => state === 'Incorrecto')) return 'Incorrecto'
  return states.every((state) => state === 'Correcto') ? 'Correcto' : 'ParcialmenteCorrecto'
}
