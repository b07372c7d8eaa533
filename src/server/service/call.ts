/** A request as the services see it, and what they answer: without HTTP's ways of saying so. */
import type { IncomingMessage } from 'node:http'
import type { Locale } from '../../invoice/index.ts'
import type { App } from '../app.ts'
import type { CompanyRecord } from './company.ts'

export type Scope =
  | 'invoices:read'
  | 'invoices:write'
  | 'invoices:issue'
  | 'received:write'
  | 'compliance:read'
  | '*'

/** What a request brings, after it has passed the checks of its route. */
export interface Call {
  readonly app: App
  readonly requestId: string
  readonly locale: Locale
  /** The company of the key; every statement begins with its id. */
  readonly company: CompanyRecord
  readonly keyId: string
  readonly params: Readonly<Record<string, string>>
  /** Parameters by name, as their schema says: numbers are numbers, defaults are filled in. */
  readonly query: Readonly<Record<string, string | number | boolean | undefined>>
  /** The JSON value; undefined where there is none. */
  readonly body: unknown
  /** Bytes of what the call says: what is large is judged beside the event loop. */
  readonly size: number
  /** At most so many problems are looked for in a document, where it is not as many as ever. */
  readonly mostProblems?: number
  /** The raw request, for what is streamed. */
  readonly incoming: IncomingMessage
  /** The `Idempotency-Key`, on routes that take one and see to it themselves. */
  readonly idempotencyKey: string | undefined
}

export interface Answer {
  readonly status: number
  /** A JSON value; undefined: nothing. */
  readonly json?: unknown
  /** Bytes instead of JSON: a file. */
  readonly stream?: NodeJS.ReadableStream
  readonly text?: string
  /** The same in pieces, some of them encoded already. */
  readonly pieces?: readonly (string | Uint8Array)[]
  readonly headers?: Readonly<Record<string, string>>
}

export const ok = (json: unknown): Answer => ({ status: 200, json })
export const created = (json: unknown): Answer => ({ status: 201, json })
export const noContent: Answer = { status: 204 }
