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
  /** Size of the body in bytes: large documents are validated in another thread. */
  readonly size: number
  /** Maximum number of problems to look for in a document, if it differs from the default. */
  readonly mostProblems?: number
  /** The `Idempotency-Key` header: identifies the request when it is sent again. */
  readonly idempotencyKey: string | undefined
  /** Method and address that must match when the request is sent again. */
  readonly requestIdentity?: readonly string[]
  /** `If-Match`: the version that the client has, if it states one. */
  readonly ifMatch?: string | undefined
}
