/** The engine's verdict on a document, for the company of the key as of today. */
import type { CanonicalInvoice, Finding, Operation, Options } from '../../../invoice/index.ts'
import { ApiError } from '../../errors/api-error.ts'
import { type Question, type Told, type Verdict, verdictOn } from '../../work/verdict.ts'
import type { Call } from '../access/call.ts'
import { trimmedDocument } from './trim.ts'

export type { Told, Verdict }

/** A document that may be stored. */
export interface Judged extends Verdict {
  readonly data: CanonicalInvoice
}

type Context = Pick<Call, 'app' | 'company' | 'locale' | 'mostProblems'>
type Sent = Context & Pick<Call, 'size'>

/** What is judged, as what, and what is known of it. */
type Asked = readonly [
  document: unknown,
  operation: Operation,
  options?: Options | undefined,
  known?: readonly Finding[] | undefined,
]

/** A document with its codes and references trimmed. */
const questionOf = (
  { app, company, locale, mostProblems }: Context,
  [sent, operation, options, known]: Asked,
): Question => ({
  document: trimmedDocument(sent),
  options: { operation, company: company.data, today: app.clock.today(), locale, ...options },
  known,
  mostProblems,
})

/** The verdict on a document that is stored already, or was made from one that is. */
export const judgeAtOnce = (call: Context, ...asked: Asked): Verdict => verdictOn(questionOf(call, asked))

/** The same for the document that the call brought: a large one is judged while others are served. */
export const judgeSent = (call: Sent, ...asked: Asked): Promise<Verdict> =>
  call.app.work.judge(questionOf(call, asked), call.size)

/** The same for an answer: its document is not looked at. */
export const tellSent = (call: Sent, ...asked: Asked): Promise<Told> =>
  call.app.work.tell(questionOf(call, asked), call.size)

/** The verdict on a document that is to be stored. Throws what refuses it. */
export function requireStorable(verdict: Verdict): Judged {
  const { refusal, errors, data } = verdict
  if (refusal?.code === 'schema_validation_failed')
    throw new ApiError(refusal.code, { errors: errors.filter(({ source }) => source === 'schema') })
  if (refusal) throw new ApiError(refusal.code, refusal.extra)
  if (!data) throw new ApiError('schema_validation_failed', { errors })
  return { ...verdict, data }
}

/** Refuses a version that is not read here, wherever it is sent; everything else stands inside of `errors`. */
export function requireVersion({ refusal }: Pick<Verdict, 'refusal'>): void {
  if (refusal?.code === 'unsupported_schema_version') throw new ApiError(refusal.code, refusal.extra)
}

/** `Validate result` of the specification, and the explanation where it was asked for. */
export function validateResult({ is_valid, errors, data, explanation }: Told) {
  const start = JSON.stringify({ is_valid, errors }).slice(0, -1)
  const end = explanation ? `,"explanation":${JSON.stringify(explanation)}}` : '}'
  return [`${start},"data":`, data, end]
}
