/** Options of whoever deploys the handler; a wrong one is found when the handler is made, not by a client. */
import { checkMembers } from '../fiscal/check-options.ts'
import { type Company, readOptions } from '../invoice/index.ts'
import { LIMITS } from '../request/limits.ts'

export interface HandlerOptions {
  /** What stands before every path, as `/api/v1.1`. Absent: nothing. */
  readonly basePath?: string | undefined
  /** The company whose invoices these are; absent: the rules that depend on a company are skipped. */
  readonly company?: Company | undefined
  /** Origins whose pages may ask, as `https://app.example`; `*` (default): all; an empty list: none. */
  readonly origins?: '*' | readonly string[] | undefined
  /** The largest body, in bytes. Absent: 4 MiB. */
  readonly maxBytes?: number | undefined
  /** Milliseconds since 1970. Absent: `Date.now`. */
  readonly clock?: (() => number) | undefined
  /** Makes the id of a request that brings none. Absent: `crypto.randomUUID`. */
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

/** The options with their defaults. Throws a `TypeError` that names the wrong one. */
export function readSettings(options: HandlerOptions): Settings {
  checkMembers(options, OPTIONS, 'options of createHandler')
  const { basePath = '', company = null, origins = '*', maxBytes = LIMITS.maxBytes } = options
  if (!/^(?:\/[\w.~-]+)*$/.test(basePath))
    fail('basePath', 'a path like /api/v1.1, without a slash at its end')
  if (origins !== '*' && !(Array.isArray(origins) && origins.every(isOrigin)))
    fail('origins', '"*" or a list like ["https://app.example"]')
  if (!(Number.isSafeInteger(maxBytes) && maxBytes > 0)) fail('maxBytes', 'a whole number above 0')
  readOptions({}, { company })
  const { clock = Date.now, requestId = () => crypto.randomUUID() } = options
  return { basePath, company, origins, maxBytes, clock, requestId }
}
