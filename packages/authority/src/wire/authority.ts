/**
 * The client of the tax authority: sends a message and returns its outcome. It never rejects, follows no redirects,
 * uses no proxy, and connects only to servers that it can verify.
 */
import type { Extra, Text } from '#core/invoice/index.ts'
import type { Pkcs12 } from '../pkcs12.ts'
import { type Authorities, createAgents } from './agents.ts'
import { addressOf, type Environment, type Replacements } from './endpoints.ts'
import { codeOf, LIMITS, type Limits, type PostResult, post } from './post.ts'
import { decoded, type ResponseReading, readResponseTo } from './read-response.ts'
import { enveloped, type Message } from './wire-message.ts'
import type { Exchange, Outcome } from './wire-outcome.ts'
import { PROBLEMS, type ProblemCode, problemOf } from './wire-problems.ts'

export interface SendOptions {
  /** Aborts the exchange when the server is being stopped. */
  readonly signal?: AbortSignal
}

/** The interface of the client, which tests can replace. */
export interface AuthorityClient {
  /** Sends one message once. Never rejects. */
  readonly send: (message: Message, certificate: Pkcs12, options?: SendOptions) => Promise<Outcome>
  /** Closes the connections that are kept open. */
  readonly close: () => void
}

export interface AuthorityClientOptions {
  readonly environment: Environment
  /** Addresses that replace the official addresses. */
  readonly addresses?: Replacements
  /** Certificate authorities (PEM texts) to trust in addition to those of Node. */
  readonly authorities?: Authorities
  readonly limits?: Partial<Limits>
  /** Milliseconds since 1970. */
  readonly now?: () => number
  /** Posts a message; by default over HTTPS. */
  readonly post?: typeof post
}

/** Maximum number of characters of an unreadable response that are kept. */
const MAX_KEPT_CHARACTERS = 2000

/** The authority's error codes for a certificate whose holder may not send or query for this taxpayer. */
const NOT_ENTITLED: Readonly<Record<Message['service'], readonly number[]>> = {
  verifactu: [4112, 4132, 4140],
  sii: [4114],
}

/** Environment variables that replace the address of each service. */
const VARIABLES = { verifactu: 'CUADRA_AEAT_VERIFACTU_URL', sii: 'CUADRA_AEAT_SII_URL' } as const

const day = (date: Date): string => date.toISOString().slice(0, 10)

const secondsOf = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null

const dateOf = (header: string | undefined): number | null => {
  const date = Date.parse(header ?? '')
  return Number.isNaN(date) ? null : date
}

const UNAUTHORIZED = [401, 403]

/**
 * Returns the problem that an HTTP status indicates if the response could not be read; undefined if the status does not
 * determine the problem.
 */
function statusProblem(status: number): ProblemCode | undefined {
  if (UNAUTHORIZED.includes(status)) return 'certificate_refused'
  if (status >= 300 && status < 400) return 'redirected'
  if (status === 503) return 'service_unavailable'
  return status >= 200 && status < 300 ? undefined : 'http_status'
}

/** A message, its address, and the values for its error messages. */
interface Call {
  readonly message: Message
  readonly address: string | null
  readonly known: Extra
}

type Values = Extra & { readonly reason?: Text }

const failed = (
  { message, known }: Call,
  code: ProblemCode,
  values: Values,
  exchange: Exchange,
): Outcome => ({
  kind: PROBLEMS[code].kind,
  problem: problemOf(code, { ...known, ...values }, message.operation),
  exchange,
})

/** Returns the problem of a complete response that does not state a result. */
function problemIn(
  { status = 0, headers }: PostResult,
  text: string | null,
  read: ResponseReading | null,
): readonly [ProblemCode, Values] {
  const byStatus = statusProblem(status)
  if (byStatus !== undefined)
    return [byStatus, byStatus === 'certificate_refused' ? { detail: `HTTP ${status}` } : {}]
  if (read?.is === 'problem' && /^\s*<(?!!doctype html|html)/i.test(text ?? '')) {
    const { problem, detail = '', reason } = read
    return [problem, { detail, ...(reason ? { reason } : {}) }]
  }
  return ['response_not_xml', { detail: headers?.['content-type']?.split(';')[0]?.trim() || 'text/plain' }]
}

/** Returns the outcome of a complete response. */
function outcomeOfResponse(
  call: Call,
  posted: PostResult,
  text: string | null,
  values: Values,
  exchange: Exchange,
): Outcome {
  const read = text === null ? null : readResponseTo(call.message, text)
  const isResponse = read?.is === 'response' && statusProblem(posted.status ?? 0) === undefined
  if (text === null || !(isResponse || read?.is === 'fault')) {
    const [code, more] = problemIn(posted, text, read)
    return failed(call, code, { ...values, ...more }, exchange)
  }
  const whole = { ...exchange, received: text }
  if (read.is === 'fault' && read.code !== null && NOT_ENTITLED[call.message.service].includes(read.code))
    return failed(call, 'certificate_not_entitled', { detail: String(read.code) }, whole)
  return { kind: 'answered', text, document: read.document, exchange: whole }
}

function outcomeOf(call: Call, posted: PostResult, limits: Limits): Outcome {
  const { problem, detail = '', status, headers, body } = posted
  const text = body.length === 0 ? null : decoded(body, headers?.['content-type'])
  const exchange: Exchange = {
    address: call.address,
    status: status ?? null,
    date: dateOf(headers?.date),
    retry_after: secondsOf(headers?.['retry-after']),
    received: (text ?? body.toString('latin1')).slice(0, MAX_KEPT_CHARACTERS) || null,
  }
  const isConnecting = status === undefined && problem === 'connect_timeout'
  const values = {
    status,
    detail,
    seconds: (isConnecting ? limits.connectMs : limits.responseMs) / 1000,
    bytes: problem === 'response_too_large' ? limits.maxBytes : body.length,
  }
  return problem === undefined
    ? outcomeOfResponse(call, posted, text, values, exchange)
    : failed(call, problem, values, exchange)
}

export function createAuthorityClient(options: AuthorityClientOptions): AuthorityClient {
  const { environment, addresses = {}, authorities = [], now = Date.now, post: posts = post } = options
  const limits: Limits = { ...LIMITS, ...options.limits }
  const agents = createAgents(authorities)
  return {
    async send(message, certificate, { signal } = {}) {
      const { owner, subject, notBefore, notAfter } = certificate.certificate
      const address = addressOf(message, environment, owner, addresses) ?? null
      const host = address === null ? '' : new URL(address).host
      const known = { host, owner: owner.taxId ?? subject, from: day(notBefore), until: day(notAfter) }
      const call = { message, address, known }
      const unsent = (code: ProblemCode, values: Values = {}): Outcome =>
        failed(call, code, values, { address, status: null, date: null, retry_after: null, received: null })
      if (now() > notAfter.getTime()) return unsent('certificate_expired')
      if (now() < notBefore.getTime()) return unsent('certificate_not_yet_valid')
      if (address === null) return unsent('no_address', { variable: VARIABLES[message.service] })
      let posted: PostResult
      try {
        const agent = agents.of(certificate)
        posted = await posts(enveloped(message.xml), { address, agent, limits, signal })
      } catch (error) {
        return unsent('certificate_unusable', { detail: codeOf(error as Error) })
      }
      return outcomeOf(call, posted, limits)
    },
    close: agents.close,
  }
}
