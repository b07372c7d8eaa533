/** The options of the handler. They are checked when the handler is created, not for each request. */

import { type Company, readOptions } from '#core/invoice/index.ts'
import { checkMembers } from '#records/fiscal/index.ts'
import { LIMITS } from '../request/request-limits.ts'

export interface HandlerOptions {
  /** Prefix of every path, such as `/api/v1.1`. Default: none. */
  readonly basePath?: string | undefined
  /** The company of the invoices. Without it, the rules about the company are skipped. */
  readonly company?: Company | undefined
  /**
   * Origins whose pages may call the service, such as `https://app.example`; `*` (default) allows all origins, an empty
   * list allows none.
   */
  readonly origins?: '*' | readonly string[] | undefined
  /** Largest body, in bytes. Default: 4 MiB. */
  readonly maxBytes?: number | undefined
  /** Returns the current time in milliseconds since 1970. Default: `Date.now`. */
  readonly clock?: (() => number) | undefined
  /** Creates the id of a request without one. Default: `crypto.randomUUID`. */
  readonly requestId?: (() => string) | undefined
}

export interface Settings {
  readonly basePath: string
  readonly company: Company | null
  readonly origins: '*' | readonly string[]
  readonly maxBytes: number
  readonly clock: () => number
  readonly requestId: () => string
}

const OPTIONS = {
  basePath: 'text',
  company: 'object',
  origins: 'any',
  maxBytes: 'number',
  clock: 'function',
  requestId: 'function',
} as const

const isOrigin = (value: unknown): boolean => {
  try {
    return new URL(value as string).origin === value
  } catch {
    return false
  }
}

function fail(option: string, accepted: string): never {
  throw new TypeError(`cuadra: option "${option}" of createHandler must be ${accepted}`)
}

/** Returns the options with their defaults. Throws a `TypeError` that names the invalid one. */
export function readSettings(options: HandlerOptions): Settings {
  checkMembers(options, OPTIONS, 'options of createHandler')
  const { basePath = '', company = null, origins = '*', maxBytes = LIMITS.maxBytes } = options
  if (!/^(?:\/[\w.~-]+)*$/.test(basePath)) fail('basePath', 'a path like /api/v1.1, without a trailing slash')
  if (origins !== '*' && !(Array.isArray(origins) && origins.every(isOrigin)))
    fail('origins', '"*" or a list like ["https://app.example"]')
  if (!(Number.isSafeInteger(maxBytes) && maxBytes > 0)) fail('maxBytes', 'a positive integer')
  readOptions({}, { company })
  const { clock = Date.now, requestId = () => crypto.randomUUID() } = options
  return { basePath, company, origins, maxBytes, clock, requestId }
}
