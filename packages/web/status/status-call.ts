/** Calls to the API. The key is sent in a header, never in an address. */
import type { Locale } from '../parts/locale.ts'

/** Address of the API, relative to the page. */
const BASE = 'api/v1.1'

/** A failed call. */
export interface CallFailure {
  /** HTTP status; 0 if there was no response. */
  readonly status: number
  readonly code: string
  readonly message: string
  /** The scope that the key lacks. */
  readonly missing?: string
  /** Seconds to wait before the next call. */
  readonly retryAfter?: number
  /** Further messages. */
  readonly reasons: readonly string[]
}

export type CallResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly failure: CallFailure }

/** The timeout is long, because the server forwards queries to the authority. */
const TIMEOUT_MS = 130_000

const unreachable: CallFailure = { status: 0, code: 'unreachable', message: '', reasons: [] }

interface Body {
  readonly detail?: {
    readonly code?: unknown
    readonly message?: unknown
    readonly missing?: unknown
    readonly errors?: unknown
  }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

function failureOf(response: Response, body: Body | null): CallFailure {
  const { code, message, missing, errors } = body?.detail ?? {}
  const wait = Number(response.headers.get('Retry-After') ?? '')
  return {
    status: response.status,
    code: textOf(code) || `HTTP ${response.status}`,
    message: textOf(message),
    ...(typeof missing === 'string' ? { missing } : {}),
    ...(wait > 0 ? { retryAfter: wait } : {}),
    reasons: Array.isArray(errors) ? errors.map((one) => textOf(one?.message)).filter(Boolean) : [],
  }
}

export type Call = <Value>(path: string) => Promise<CallResult<Value>>

export const createApiCaller =
  (key: string, locale: () => Locale): Call =>
  async <Value>(path: string): Promise<CallResult<Value>> => {
    try {
      const response = await fetch(`${BASE}${path}`, {
        headers: { 'X-API-Key': key, 'Accept-Language': locale(), Accept: 'application/json' },
        cache: 'no-store',
        credentials: 'omit',
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const body: unknown = await response.json().catch(() => null)
      if (response.ok && body !== null) return { ok: true, value: body as Value }
      return { ok: false, failure: failureOf(response, body as Body | null) }
    } catch {
      return { ok: false, failure: unreachable }
    }
  }
