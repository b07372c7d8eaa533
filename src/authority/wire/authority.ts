/**
 * The tax authority as those see it who send: a message goes in, what came of it comes out. Never rejects, follows no
 * redirection, uses no proxy, and believes no server that it cannot verify.
 */
import type { Locale } from '../../invoice/index.ts'
import type { Pkcs12 } from '../pkcs12.ts'
import { type Authorities, createAgents } from './agents.ts'
import { addressOf, type Environment, type Replacements } from './endpoints.ts'
import { enveloped } from './envelope.ts'
import { LIMITS, type Limits } from './limits.ts'
import type { AnswerTo, Message } from './message.ts'
import type { Exchange, Outcome } from './outcome.ts'
import { type Posted, post } from './post.ts'
import { PROBLEMS, type ProblemCode, problemOf } from './problems.ts'
import { decoded, type FaultRead, readAnswerTo, type ServiceFault } from './read-answer.ts'

export interface SendOptions {
  /** Ends the exchange: the server is being stopped. */
  readonly signal?: AbortSignal
  /** Language of explanations in the answer. Default `es`. */
  readonly locale?: Locale
}

/** A port: the sender has it of the application, and tests have another. */
export interface Authority {
  /** Sends one message once. Never rejects. */
  readonly send: <M extends Message>(
    message: M,
    certificate: Pkcs12,
    options?: SendOptions,
  ) => Promise<Outcome<AnswerTo<M>>>
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

const faultText = ({ code, text }: ServiceFault): string => (code === null ? text : `${code}, ${text}`)

export function createAuthority(options: AuthorityOptions): Authority {
  const { environment, addresses = {}, authorities = [], now = Date.now } = options
  const limits: Limits = { ...LIMITS, ...options.limits }
  const agents = createAgents(authorities)

  async function send<M extends Message>(
    message: M,
    certificate: Pkcs12,
    { signal, locale = 'es' }: SendOptions = {},
  ): Promise<Outcome<AnswerTo<M>>> {
    const { owner, subject, notBefore, notAfter } = certificate.certificate
    const address = addressOf(message, environment, owner, addresses) ?? null
    const isReading = message.operation === 'query'
    const host = address === null ? '' : new URL(address).host
    const nothing: Exchange = { address, status: null, date: null, retry_after: null, received: null }
    const known = { host, owner: owner.taxId ?? subject, from: day(notBefore), until: day(notAfter) }

    const failed = (
      code: ProblemCode,
      values: Parameters<typeof problemOf>[1],
      exchange: Exchange,
    ): Outcome<AnswerTo<M>> => ({
      kind: PROBLEMS[code].kind as 'unknown',
      problem: problemOf(code, { ...known, ...values }, isReading),
      exchange,
    })

    if (now() > notAfter.getTime()) return failed('certificate_expired', {}, nothing)
    if (now() < notBefore.getTime()) return failed('certificate_not_yet_valid', {}, nothing)
    if (address === null) return failed('no_address', { variable: VARIABLES[message.service] }, nothing)

    let posted: Posted
    try {
      const agent = agents.of(certificate)
      posted = await post(enveloped(message.xml), { address, agent, limits, signal })
    } catch (error) {
      const detail = (error as NodeJS.ErrnoException).code ?? (error as Error).name
      return failed('certificate_unusable', { detail }, nothing)
    }
    return judged(posted)

    function judged({ problem, detail, status, headers, body }: Posted): Outcome<AnswerTo<M>> {
      const text = body.length === 0 ? null : decoded(body, headers?.['content-type'])
      const exchange: Exchange = {
        address,
        status: status ?? null,
        date: dateOf(headers?.date),
        retry_after: secondsOf(headers?.['retry-after']),
        received: (text ?? body.toString('latin1')).slice(0, KEPT) || null,
      }
      const values = {
        status,
        detail: detail ?? '',
        seconds:
          (exchange.status === null && problem === 'connect_timeout' ? limits.connect : limits.answer) / 1000,
        bytes: problem === 'answer_too_large' ? limits.bytes : body.length,
      }
      if (problem !== undefined) return failed(problem, values, exchange)
      const type = headers?.['content-type']?.split(';')[0]?.trim() || 'text/plain'
      const byStatus = statusProblem(status ?? 0)
      const read = text === null ? undefined : readAnswerTo(message, text, locale)
      if (read && 'answer' in read && byStatus === undefined)
        return {
          kind: 'answered',
          answer: read.answer as AnswerTo<M>,
          document: read.document ?? null,
          exchange: { ...exchange, received: text },
        }
      if (read && 'fault' in read) return faulty(read, { ...exchange, received: text })
      if (byStatus === 'certificate_refused')
        return failed(byStatus, { ...values, detail: `HTTP ${status}` }, exchange)
      if (byStatus !== undefined) return failed(byStatus, values, exchange)
      if (text === null || !/^\s*<(?!!doctype html|html)/i.test(text))
        return failed('answer_not_xml', { ...values, detail: type }, exchange)
      if (read && 'problem' in read)
        return failed(read.problem, { ...values, ...read, detail: read.detail ?? '' }, exchange)
      return failed('answer_not_xml', { ...values, detail: type }, exchange)
    }

    function faulty({ fault, document }: FaultRead, exchange: Exchange): Outcome<AnswerTo<M>> {
      if (fault.code !== null && NOT_ENTITLED[message.service].includes(fault.code))
        return failed('certificate_not_entitled', { detail: String(fault.code) }, exchange)
      const text = faultText(fault)
      const code = fault.resend ? 'fault_later' : 'fault_never'
      const values = { ...known, reason: { en: text, es: text } }
      return {
        kind: 'fault',
        fault,
        document: document ?? null,
        problem: problemOf(code, values, isReading),
        exchange,
      }
    }
  }

  return { send, close: agents.close }
}
