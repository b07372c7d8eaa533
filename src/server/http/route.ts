/**
 * A route says its scope, its schemas and its service function, and nothing else. Router, checks of what comes in,
 * checks of what goes out (in tests) and the OpenAPI document are made from it.
 */
import type { Operation } from '../../invoice/index.ts'
import type { Code } from '../errors/codes.ts'
import type { Answer, Call, Scope } from '../service/call.ts'
import type { Judged } from '../service/judge.ts'
import type { Tx } from '../store/store.ts'

export type Group =
  | 'Drafts'
  | 'Issued'
  | 'Received'
  | 'Attachments'
  | 'Catalogs'
  | 'Company'
  | 'Compliance'
  | 'Health'

/** A JSON Schema (2020-12); `$ref` to `#/components/schemas/...` finds what `schemas.ts` declares. */
export type Schema = Readonly<Record<string, unknown>>

export interface Parameter {
  readonly schema: Schema
  readonly description: string
  readonly required?: boolean
  /** The code of its own that a value outside of its list is refused with. */
  readonly unknownValue?: Code
}

export type Body =
  /** `any`: a document that the engine judges; the schema is for the reader of the OpenAPI document. */
  | {
      readonly kind: 'json'
      readonly schema: Schema
      /** What the OpenAPI document says instead: what is refused later, with a code of its own, is told there too. */
      readonly documented?: Schema
      readonly required: boolean
      readonly judgedByEngine?: true
      readonly maxBytes?: number
      /** A batch of invoices for this operation: read beside the event loop, and handed on as `Batch`. */
      readonly batchOf?: Operation
    }
  | { readonly kind: 'multipart' }

interface Declared {
  readonly method: 'get' | 'put' | 'post' | 'delete'
  /** Relative to the base path, as the specification writes it: `/drafts/{invoice_id}`. */
  readonly path: string
  readonly group: Group
  readonly summary: string
  /** Null: any key will do. */
  readonly scope: Scope | null
  /** False for `/health` only. */
  readonly authenticated?: false
  readonly query?: Readonly<Record<string, Parameter>>
  readonly body?: Body
  /** Status and schema of success; `null`: no body; a text: a media type. */
  readonly answers: Readonly<Record<number, Schema | string | null>>
  /** Codes of its own, beside those that every route of its kind has. */
  readonly errors?: readonly Code[]
  /** Takes `Idempotency-Key`. */
  readonly idempotent?: true
  /** What an unknown or malformed id in the path answers. */
  readonly unknownId?: Code
}

/** Reads, or sees to its transactions itself. */
export interface ReadingRoute extends Declared {
  readonly handle: (call: Call) => Promise<Answer>
}

/** Runs in one transaction, together with its idempotency key: all of it happens, or nothing. */
export interface WritingRoute extends Declared {
  /** What is looked at before the transaction begins, so that nobody waits for it with the database locked. */
  readonly judge?: (call: Call) => Promise<Judged>
  /** `judged` answers what `judge` found, or throws what it threw. */
  readonly write: (call: Call, tx: Tx, judged: () => Judged) => Promise<Answer>
}

export type Route = ReadingRoute | WritingRoute
