/** A request in the form that the services use, independent of HTTP. */
import type { Locale } from '#core/invoice/index.ts'
import type { App } from '../../app/app.ts'
import type { CompanyStore } from '../../store/store.ts'
import type { CompanyRecord } from '../company/company.ts'

export const SCOPES = [
  'invoices:read',
  'invoices:write',
  'invoices:issue',
  'received:write',
  'compliance:read',
  '*',
] as const
export type Scope = (typeof SCOPES)[number]

/** An authenticated request that has passed the checks of its route. */
export interface Call {
  readonly app: App
  readonly requestId: string
  readonly locale: Locale
  /** The company of the API key. Services can reach only the rows of this company. */
  readonly company: CompanyRecord
  readonly store: CompanyStore
  readonly keyId: string
  /**
   * Whether the client has disconnected and does not need the response. Always false with an `Idempotency-Key`, because
   * the client repeats the request to get the response.
   */
  readonly hasLeft?: () => boolean
  /** Size of the body in bytes. Large documents are validated in another thread. */
  readonly size: number
  /** Maximum number of problems to report for a document; the engine's default if undefined. */
  readonly mostProblems?: number
  /** The `Idempotency-Key` header. It identifies the request if the client sends it again. */
  readonly idempotencyKey: string | undefined
  /** Method, path, query and body. They must be the same if the request is sent again with its key. */
  readonly requestIdentity?: readonly (string | Uint8Array)[]
  /** The `If-Match` header: the version that the client wants to change. */
  readonly ifMatch?: string | undefined
}

/** Returns a call whose work is finished even if the client disconnects. Use it once a part of the work is stored. */
export const uninterruptibleCall = <C extends Call>(call: C): C => ({ ...call, hasLeft: () => false })

/** Returns the client of a call, for components that all companies share. */
export const clientOf = ({ company, hasLeft }: Pick<Call, 'company' | 'hasLeft'>) => ({
  company: company.id,
  hasLeft,
})
