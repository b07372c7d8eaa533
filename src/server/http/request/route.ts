/**
 * Declarations of routes: scope, shapes and service function. The router, the validation of requests and responses, and
 * the OpenAPI document derive from them, as do the types of calls and results.
 */
import type { IncomingMessage } from 'node:http'
import type { Operation } from '../../../invoice/index.ts'
import type { Code } from '../../errors/codes.ts'
import type { Batch } from '../../reading/batch-body.ts'
import type { Call, Scope } from '../../service/access/call.ts'
import type { ApiResponse, EncodedResponse, JsonResponse } from '../../service/access/response.ts'
import type { Validated } from '../../service/invoice/validate.ts'
import type { Schema, Static } from '../../shapes/builders.ts'
import type { Parameters, QueryOf } from '../../shapes/parameters.ts'
import type { Tx } from '../../store/store.ts'

/** Base path of the interface in the specification. */
export const BASE_PATH = '/api/v1.1'

export type Body =
  | {
      readonly kind: 'json'
      readonly schema: Schema
      /** A schema for the OpenAPI document only, with rules that are checked later and have their own codes. */
      readonly documented?: Schema
      readonly required: boolean
      /** The engine validates the document; the schema is for the OpenAPI document only. */
      readonly validatedByEngine?: true
      readonly maxBytes?: number
      /** A batch of invoices for this operation, read in a worker thread and passed as `Batch`. */
      readonly batchOf?: Operation
    }
  | { readonly kind: 'multipart' }
  /** One XML document, as bytes, since it declares its own encoding. */
  | { readonly kind: 'xml'; readonly maxBytes: number }

/** Shapes of successful responses by status; null: no body; a string: a media type. */
type DeclaredResponses = Readonly<Record<number, Schema | string | null>>

/** The names of a path's parameters, in braces. */
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

type JsonResponses<A> = {
  [S in keyof A & number]: A[S] extends string | null ? never : JsonResponse<S, Static<A[S] & Schema>>
}
type ResponseOf<A> = EncodedResponse | JsonResponses<A>[keyof A & number]

/** A request that has passed the checks of its route. */
export interface RouteCall<Params = unknown, Query = unknown, Body = unknown> extends Call {
  readonly params: Params
  readonly query: Query
  /** The JSON value; undefined if there is none. */
  readonly body: Body
  /** The raw request, for streams. */
  readonly incoming: IncomingMessage
}

type Method = 'get' | 'put' | 'post' | 'delete'

/** A call of a batch route. */
export type BatchCall = RouteCall<unknown, unknown, Batch>

interface Declared<Q, B, A> {
  readonly summary: string
  /** Null: any key. */
  readonly scope: Scope | null
  /** False only for `/health`. */
  readonly authenticated?: false
  readonly query?: Q
  readonly body?: B
  readonly responses: A
  /** Codes besides those of every route of its kind. */
  readonly errors?: readonly Code[]
  /**
   * Accepts `Idempotency-Key`. The key covers method, path and query (`request`), the URL as sent (`url`), or the path
   * below the base with ids in lower case (`path`). `write` runs under the key; `handle` calls `once` itself.
   */
  readonly idempotency?: 'request' | 'url' | 'path'
  /** The invoice has versions: reading returns an `ETag`, writing accepts it as `If-Match`. */
  readonly versioned?: true
  /** The refusal of an unknown or malformed id in the path. */
  readonly unknownId?: Code
}

/** Reads, or manages its transactions itself. */
interface Reading<C, A> {
  handle(call: C): Promise<A>
}

/** Runs in one transaction with its idempotency key. */
interface Writing<C, A> {
  /** Validates before the transaction begins, so that the database is not locked meanwhile. */
  validate?(call: C): Promise<Validated>
  /** `validated` returns the result of `validate`, or throws its error. */
  write(call: C, tx: Tx, validated: () => Validated): Promise<A>
}

type Handling<C, A> = Reading<C, A> | Writing<C, A>

/** Any route, as the router and the OpenAPI document use it. */
export type Route = Declared<Parameters, Body, DeclaredResponses> &
  Handling<RouteCall, ApiResponse> & {
    readonly method: Method
    /** Relative to the base path, as in the specification: `/drafts/{invoice_id}`. */
    readonly path: string
  }
export type WritingRoute = Extract<Route, Writing<RouteCall, ApiResponse>>

/**
 * Declares a route by its method and path, such as `get /drafts/{invoice_id}`. Path and shapes determine the types of
 * the call and its result.
 */
export const route = <
  const Address extends `${Method} /${string}`,
  const A extends DeclaredResponses,
  const Q extends Parameters = Record<never, never>,
  const B extends Body | undefined = undefined,
>(
  address: Address,
  declared: Declared<Q, B, A> & Handling<RouteCall<ParamsOf<Address>, QueryOf<Q>, BodyOf<B>>, ResponseOf<A>>,
): Route => {
  const [method, path] = address.split(' ')
  return { method, path, ...declared } as Route
}
