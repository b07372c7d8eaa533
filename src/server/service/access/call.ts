/** A request as the services see it, independent of HTTP. */
import type { Locale } from '../../../invoice/index.ts'
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
   * Whether the client has disconnected, so that its response is not needed. Never with an `Idempotency-Key`, because the
   * client repeats the request to get the response.
   */
  readonly hasLeft?: () => boolean
  /** Size of the body in bytes: large documents are validated in another thread. */
  readonly size: number
  /** Maximum number of problems to look for in a document, if it differs from the default. */
  readonly mostProblems?: number
  /** The `Idempotency-Key` header: identifies the request when it is sent again. */
  readonly idempotencyKey: string | undefined
  /** Method, path, query and body, which must match when the request is sent again. */
  readonly requestIdentity?: readonly (string | Uint8Array)[]
  /** `If-Match`: the version that the client has, if it states one. */
  readonly ifMatch?: string | undefined
}

/** Returns a call for work that is finished even if the client disconnects, because part of it is done. */
export const begun = <C extends Call>(call: C): C => ({ ...call, hasLeft: () => false })

/** Returns the client of a call, for work that is shared by all companies. */
export const clientOf = ({ company, hasLeft }: Pick<Call, 'company' | 'hasLeft'>) => ({
  company: company.id,
  hasLeft,
})
