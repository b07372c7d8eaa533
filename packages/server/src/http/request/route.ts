/**
 * Declares routes: their scope, schemas and service function. The router, the validation of requests and responses, the
 * OpenAPI document, and the types of calls and results are derived from these declarations.
 */
import type { IncomingMessage } from 'node:http'
import type { Operation } from '#core/invoice/index.ts'
import type { MemoryReservation } from '../../documents/body-memory.ts'
import type { Code } from '../../errors/error-codes.ts'
import type { BatchBody } from '../../reading/batch-body.ts'
import type { Call, Scope } from '../../service/access/call.ts'
import type { ApiResponse, EncodedResponse, JsonResponse } from '../../service/access/http-response.ts'
import type { Validated } from '../../service/invoice/validate-sent.ts'
import type { Schema, Static } from '../../shapes/builders.ts'
import type { Parameters, QueryOf } from '../../shapes/parameter-shapes.ts'
import type { Tx } from '../../store/store.ts'

export type Body =
  | {
      readonly kind: 'json'
      readonly schema: Schema
      /**
       * A stricter schema for the OpenAPI document only. Its additional rules are checked later and have their own
       * codes.
       */
      readonly documented?: Schema
      readonly required: boolean
      /** The engine validates the document. The schema is for the OpenAPI document only. */
      readonly validatedByEngine?: true
      readonly maxBytes?: number
      /** A batch of invoices for this operation. A worker thread reads it, and the handler receives a `BatchBody`. */
      readonly batchOf?: Operation
    }
  | { readonly kind: 'multipart' }
  /** One XML document. It is passed as bytes, since it declares its own encoding. */
  | { readonly kind: 'xml'; readonly maxBytes: number }

/** Schemas of successful responses by status. Null means no body; a string is the media type of a file. */
type DeclaredResponses = Readonly<Record<number, Schema | string | null>>

/** The names of the parameters in a path; the path has them in braces. */
type ParamsOf<Path> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [N in Name]: string } & ParamsOf<Rest>
  : unknown

type BodyOf<B> = B extends { readonly batchOf: Operation }
  ? BatchBody
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
  /** The JSON value; undefined if the request has no body. */
  readonly body: Body
  /** The raw request, for reading it as a stream. */
  readonly incoming: IncomingMessage
  /** The memory that is reserved for the body. */
  readonly held: MemoryReservation
}

type Method = 'get' | 'put' | 'post' | 'delete'

/** A call of a batch route. */
export type BatchCall = RouteCall<unknown, unknown, BatchBody>

interface Declared<Q, B, A> {
  readonly summary: string
  /** The required scope; null if any key may use the route. */
  readonly scope: Scope | null
  /** False only for `/health`. */
  readonly authenticated?: false
  readonly query?: Q
  readonly body?: B
  readonly responses: A
  /** Error codes in addition to those that `codesOf` adds. */
  readonly errors?: readonly Code[]
  /**
   * Accepts `Idempotency-Key`. The server stores the response of `write`. A `handle` function must use
   * `idempotentRequest` itself.
   */
  readonly idempotency?: true
  /** The invoice has versions: responses to reads have an `ETag`, and writes accept it as `If-Match`. */
  readonly versioned?: true
  /** The error code if an id in the path is unknown or malformed. */
  readonly unknownId?: Code
}

/** A route that only reads, or that manages its transactions itself. */
interface Reading<C, A> {
  handle(call: C): Promise<A>
}

/** A route that runs in one transaction, together with its idempotency key. */
interface Writing<C, A> {
  /** Validates before the transaction begins, so that the database is not locked during the validation. */
  validate?(call: C): Promise<Validated>
  /** `validated` returns the result of `validate`, or throws its error. */
  write(call: C, tx: Tx, validated: () => Validated): Promise<A>
}

type Handling<C, A> = Reading<C, A> | Writing<C, A>

/** Any route, in the form that the router and the OpenAPI document use. */
export type Route = Declared<Parameters, Body, DeclaredResponses> &
  Handling<RouteCall, ApiResponse> & {
    readonly method: Method
    /** The path relative to the base path, as in the API specification: `/drafts/{invoice_id}`. */
    readonly path: string
  }
export type WritingRoute = Extract<Route, Writing<RouteCall, ApiResponse>>

/**
 * Declares a route by its method and path, such as `get /drafts/{invoice_id}`. The types of the call and its result are
 * derived from the path and the shapes.
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
