/**
 * The tax authority as those see it who send: a message goes in, what came of it comes out. Never rejects, follows no
 * redirection, uses no proxy, and believes no server that it cannot verify.
 */
import type { Extra, Text } from '../../invoice/index.ts'
import type { Pkcs12 } from '../pkcs12.ts'
import { type Authorities, createAgents } from './agents.ts'
import { addressOf, type Environment, type Replacements } from './endpoints.ts'
import { enveloped, type Message } from './message.ts'
import type { Exchange, Outcome } from './outcome.ts'
import { codeOf, LIMITS, type Limits, type Posted, post } from './post.ts'
import { PROBLEMS, type ProblemCode, problemOf } from './problems.ts'
import { type AnswerReading, decoded, readAnswerTo } from './read-answer.ts'

export interface SendOptions {
  /** Ends the exchange: the server is being stopped. */
  readonly signal?: AbortSignal
}

/** A port: the sender has it of the application, and tests have another. */
export interface Authority {
  /** Sends one message once. Never rejects. */
  readonly send: (message: Message, certificate: Pkcs12, options?: SendOptions) => Promise<Outcome>
  /** Closes the connections that are kept. */
  readonly close: () => void
}

export interface AuthorityOptions {
  readonly environment: Environment
  /** Addresses that take the place of the official ones. */
  readonly addresses?: Replacements
  /** PEM texts of authorities that are trusted besides Node's own. */
  readonly authorities?: Authorities
  readonly limits?: Partial<Limits>
  /** Milliseconds since 1970. */
  readonly now?: () => number
}

/** Characters of an unreadable answer that are kept. */
const KEPT = 2000

/** The owner of the certificate may not send, or not ask, for this taxpayer. */
const NOT_ENTITLED: Readonly<Record<Message['service'], readonly number[]>> = {
  verifactu: [4112, 4132, 4140],
  sii: [4114],
}

/** The variable that has the address of a service. */
const VARIABLES = { verifactu: 'CUADRA_AEAT_VERIFACTU_URL', sii: 'CUADRA_AEAT_SII_URL' } as const

const day = (date: Date): string => date.toISOString().slice(0, 10)

const secondsOf = (header: string | undefined): number | null =>
  header !== undefined && /^\d{1,6}$/.test(header) ? Number(header) : null

const dateOf = (header: string | undefined): number | null => {
  const date = Date.parse(header ?? '')
  return Number.isNaN(date) ? null : date
}

const UNAUTHORIZED = [401, 403]

/** What a state of HTTP says by itself, where no answer could be read; undefined where only the answer can say it. */
function statusProblem(status: number): ProblemCode | undefined {
  if (UNAUTHORIZED.includes(status)) return 'certificate_refused'
  if (status >= 300 && status < 400) return 'redirected'
  return status >= 200 && status < 300 ? undefined : 'http_status'
}

/** A message with where it goes, and what words about it name. */
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
  problem: problemOf(code, { ...known, ...values }, message.operation === 'query'),
  exchange,
})

/** Why an answer that came whole says nothing. */
function problemIn(
  { status = 0, headers }: Posted,
  text: string | null,
  read: AnswerReading | null,
): readonly [ProblemCode, Values] {
  const byStatus = statusProblem(status)
  if (byStatus !== undefined)
    return [byStatus, byStatus === 'certificate_refused' ? { detail: `HTTP ${status}` } : {}]
  if (read?.is === 'problem' && /^\s*<(?!!doctype html|html)/i.test(text ?? '')) {
    const { problem, detail = '', reason } = read
    return [problem, { detail, ...(reason ? { reason } : {}) }]
  }
  return ['answer_not_xml', { detail: headers?.['content-type']?.split(';')[0]?.trim() || 'text/plain' }]
}

/** What an answer that came whole says. */
function answered(
  call: Call,
  posted: Posted,
  text: string | null,
  values: Values,
  exchange: Exchange,
): Outcome {
  const read = text === null ? null : readAnswerTo(call.message, text)
  const isAnswer = read?.is === 'answer' && statusProblem(posted.status ?? 0) === undefined
  if (text === null || !(isAnswer || read?.is === 'fault')) {
    const [code, more] = problemIn(posted, text, read)
    return failed(call, code, { ...values, ...more }, exchange)
  }
  const whole = { ...exchange, received: text }
  if (read.is === 'fault' && read.code !== null && NOT_ENTITLED[call.message.service].includes(read.code))
    return failed(call, 'certificate_not_entitled', { detail: String(read.code) }, whole)
  return { kind: 'answered', text, document: read.document, exchange: whole }
}

function judged(call: Call, posted: Posted, limits: Limits): Outcome {
  const { problem, detail = '', status, headers, body } = posted
  const text = body.length === 0 ? null : decoded(body, headers?.['content-type'])
  const exchange: Exchange = {
    address: call.address,
    status: status ?? null,
    date: dateOf(headers?.date),
    retry_after: secondsOf(headers?.['retry-after']),
    received: (text ?? body.toString('latin1')).slice(0, KEPT) || null,
  }
  const isConnecting = status === undefined && problem === 'connect_timeout'
  const values = {
    status,
    detail,
    seconds: (isConnecting ? limits.connect : limits.answer) / 1000,
    bytes: problem === 'answer_too_large' ? limits.bytes : body.length,
  }
  return problem === undefined
    ? answered(call, posted, text, values, exchange)
    : failed(call, problem, values, exchange)
}

export function createAuthority(options: AuthorityOptions): Authority {
  const { environment, addresses = {}, authorities = [], now = Date.now } = options
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
      let posted: Posted
      try {
        const agent = agents.of(certificate)
        posted = await post(enveloped(message.xml), { address, agent, limits, signal })
      } catch (error) {
        return unsent('certificate_unusable', { detail: codeOf(error as Error) })
      }
      return judged(call, posted, limits)
    },
    close: agents.close,
  }
}
