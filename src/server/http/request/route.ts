/**
 * A route says its scope, its shapes and its service function, and nothing else. Router, checks of what comes in,
 * checks of what goes out and the OpenAPI document are made from it; so are the types of its call and of its answers.
 */
import type { IncomingMessage } from 'node:http'
import type { Operation } from '../../../invoice/index.ts'
import type { Code } from '../../errors/codes.ts'
import type { Batch } from '../../reading/batch-body.ts'
import type { Answer, Encoded, JsonAnswer } from '../../service/access/answer.ts'
import type { Call, Scope } from '../../service/access/call.ts'
import type { Validated } from '../../service/invoice/validate.ts'
import type { Schema, Static } from '../../shapes/kinds.ts'
import type { Parameters, QueryOf } from '../../shapes/parameters.ts'
import type { Tx } from '../../store/store.ts'

/** Where the interface of the specification begins. */
export const BASE_PATH = '/api/v1.1'

export type Body =
  | {
      readonly kind: 'json'
      readonly schema: Schema
      /** What the OpenAPI document says instead: what is refused later, with a code of its own, is told there too. */
      readonly documented?: Schema
      readonly required: boolean
      /** A document that the engine judges; the schema is for the reader of the OpenAPI document. */
      readonly validatedByEngine?: true
      readonly maxBytes?: number
      /** A batch of invoices for this operation: read beside the event loop, and handed on as `Batch`. */
      readonly batchOf?: Operation
    }
  | { readonly kind: 'multipart' }
  /** One XML document: its bytes as they came, which say themselves how they are encoded. */
  | { readonly kind: 'xml'; readonly maxBytes: number }

/** Shape of success by its status; `null`: no body; a text: a media type. */
type Answers = Readonly<Record<number, Schema | string | null>>

/** Ids and names that a path has between braces. */
type ParamsOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & ParamsOf<Rest>
  : unknown

type BodyOf<B> = B extends { readonly batchOf: Operation }
  ? Batch
  : B extends { readonly validatedByEngine: true }
    ? unknown
    : B extends { readonly kind: 'xml' }
      ? Uint8Array
      : B extends { readonly schema: infer S extends Schema; readonly required: infer R }
        ? Static<S> | (R extends true ? never : undefined)
        : undefined

type JsonAnswers<A> = {
  [S in keyof A & number]: A[S] extends string | null ? never : JsonAnswer<S, Static<A[S] & Schema>>
}
type AnswerOf<A> = Encoded | JsonAnswers<A>[keyof A & number]

/** A request that has passed the checks of its route. */
export interface RouteCall<Params = unknown, Query = unknown, Body = unknown> extends Call {
  readonly params: Params
  readonly query: Query
  /** The JSON value; undefined where there is none. */
  readonly body: Body
  /** The raw request, for what is streamed. */
  readonly incoming: IncomingMessage
}

type Method = 'get' | 'put' | 'post' | 'delete'

/** A call of a route that takes a batch. */
export type BatchCall = RouteCall<unknown, unknown, Batch>

interface Declared<Q, B, A> {
  readonly summary: string
  /** Null: any key will do. */
  readonly scope: Scope | null
  /** False for `/health` only. */
  readonly authenticated?: false
  readonly query?: Q
  readonly body?: B
  readonly answers: A
  /** Codes of its own, beside those that every route of its kind has. */
  readonly errors?: readonly Code[]
  /**
   * Takes `Idempotency-Key`, which remembers of the address: method, path and query; the URL as it was sent; its path
   * below the base, with ids in lower case. `write` runs under the key; `handle` says where, by `once`.
   */
  readonly idempotency?: 'request' | 'url' | 'path'
  /** Its invoice has versions: reading answers their `ETag`, writing takes it as `If-Match`. */
  readonly versioned?: true
  /** What an unknown or malformed id in the path answers. */
  readonly unknownId?: Code
}

/** Reads, or sees to its transactions itself. */
interface Reading<C, A> {
  handle(call: C): Promise<A>
}

/** Runs in one transaction, together with its idempotency key: all of it happens, or nothing. */
interface Writing<C, A> {
  /** What is looked at before the transaction begins, so that nobody waits for it with the database locked. */
  validate?(call: C): Promise<Validated>
  /** `judged` answers what `judge` found, or throws what it threw. */
  write(call: C, tx: Tx, validated: () => Validated): Promise<A>
}

type Handling<C, A> = Reading<C, A> | Writing<C, A>

/** Any route, as router and document see it. */
export type Route = Declared<Parameters, Body, Answers> &
  Handling<RouteCall, Answer> & {
    readonly method: Method
    /** Relative to the base path, as the specification writes it: `/drafts/{invoice_id}`. */
    readonly path: string
  }
export type WritingRoute = Extract<Route, Writing<RouteCall, Answer>>

/**
 * Declares what answers a method at a path, `get /drafts/{invoice_id}`: path and shapes give the call and the answer their
 * types.
 */
export const route = <
  const Address extends `${Method} /${string}`,
  const A extends Answers,
  const Q extends Parameters = Record<never, never>,
  const B extends Body | undefined = undefined,
>(
  address: Address,
  declared: Declared<Q, B, A> & Handling<RouteCall<ParamsOf<Address>, QueryOf<Q>, BodyOf<B>>, AnswerOf<A>>,
): Route => {
  const [method, path] = address.split(' ')
  return { method, path, ...declared } as Route
}
