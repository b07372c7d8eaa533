/** Checks the text of the editor. The functions are pure. */

import { type CanonicalInvoice, likelyOperation } from '#core/invoice/index.ts'
import { withoutSchema } from '#core/json/index.ts'
import { type Locale, type Operation, type Options, validate } from '#engine/index.ts'
import { type CompanySettings, companyOf } from '../company/checked-company.ts'
import { isFromBlank, isStillBlank } from '../examples/blank-example.ts'
import { type Problem, problemsOf } from './assess-problems.ts'
import { reuseEqualParts } from './reuse.ts'
import { jsonFaultProblem, MAX_CHARACTERS } from './text-faults.ts'

export interface Settings {
  /** The operation; `auto` derives it from the document (`likelyOperation`). */
  readonly operation: Operation | 'auto'
  /** The current day for the rules, `YYYY-MM-DD`. */
  readonly today: string
  readonly locale: Locale
  /** Whether the totals of the document are compared with the calculated totals. */
  readonly check: boolean
  readonly company: CompanySettings
}

/** Paths of the fields that the user has visited, or `all`. */
export type VisitedFields = ReadonlySet<string> | 'all'

export interface Assessment {
  readonly text: string
  /** Whether the text is valid JSON. If not, `document` and `data` come from the last valid text. */
  readonly readable: boolean
  readonly document: unknown
  readonly operation: Operation
  readonly problems: readonly Problem[]
  /** Problems of fields that the user has not visited yet, in an invoice started from scratch. */
  readonly hints: readonly Problem[]
  readonly errors: number
  readonly warnings: number
  readonly valid: boolean
  readonly data: CanonicalInvoice | null
  /** Options of the validation, which are also the options for `explain`. */
  readonly options: Options
}

const count = (problems: readonly Problem[], severity: Problem['severity']): number =>
  problems.reduce((sum, problem) => sum + (problem.severity === severity ? 1 : 0), 0)

function parse(text: string): { readonly document: unknown } | null {
  if (text.length > MAX_CHARACTERS) return null
  try {
    return { document: withoutSchema(JSON.parse(text)) }
  } catch {
    return null
  }
}

const isUntouched = (document: unknown, visited: VisitedFields, { path }: Problem): boolean =>
  visited !== 'all' && !visited.has(path) && isStillBlank(document, path)

export function assessText(
  text: string,
  settings: Settings,
  previous: Assessment | null,
  visited: VisitedFields = 'all',
): Assessment {
  const { locale, today, check } = settings
  const parsed = parse(text)
  const chosen = (document: unknown) =>
    settings.operation === 'auto' ? likelyOperation(document).operation : settings.operation
  if (!parsed) {
    const fault = jsonFaultProblem(text, locale)
    const document = previous?.document
    // While the JSON is incomplete, the page keeps the last totals. If the text is not JSON at all, it removes them.
    const data = fault?.code === 'json.syntax' && previous ? previous.data : null
    const last = { document, operation: chosen(document), data, options: previous?.options ?? {} }
    const problems = fault ? [fault] : []
    return { text, readable: false, ...last, problems, hints: [], errors: 1, warnings: 0, valid: false }
  }
  const document = reuseEqualParts(previous?.document, withoutSchema(parsed.document))
  const operation = chosen(document)
  const totals = check ? 'check' : 'recalculate'
  const options = reuseEqualParts(previous?.options, {
    operation,
    today,
    locale,
    totals,
    company: companyOf(settings.company),
  } as const)
  const result = validate(document, options)
  const found = problemsOf(text, result.errors, locale, document)
  const isHint = (problem: Problem) => isFromBlank(document) && isUntouched(document, visited, problem)
  const problems = reuseEqualParts(
    previous?.problems,
    found.filter((problem) => !isHint(problem)),
  )
  const hints = reuseEqualParts(previous?.hints, found.filter(isHint))
  return {
    text,
    readable: true,
    document,
    operation,
    problems,
    hints,
    errors: count(problems, 'error'),
    warnings: count(problems, 'warning'),
    valid: result.is_valid,
    data: reuseEqualParts(previous?.data, result.data),
    options,
  }
}
