/** A request as the services see it: without HTTP's ways of saying so. */
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

/** Who asks, and in which language, after the request has passed the checks of its route. */
export interface Call {
  readonly app: App
  readonly requestId: string
  readonly locale: Locale
  /** The company of the key, and its rows: no service reaches another's. */
  readonly company: CompanyRecord
  readonly store: CompanyStore
  readonly keyId: string
  /** Bytes of what the call says: what is large is judged beside the event loop. */
  readonly size: number
  /** At most so many problems are looked for in a document, where it is not as many as ever. */
  readonly mostProblems?: number
  /** Names the request where the same one is sent again. */
  readonly idempotencyKey: string | undefined
  /** Method and address that such a request has to be sent to again. */
  readonly requestIdentity?: readonly string[]
  /** `If-Match`: the version that the client has, where it says so. */
  readonly ifMatch?: string | undefined
}
