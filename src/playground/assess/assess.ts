/** From the text in the editor to everything that the page shows of it. Pure. */
import { type Locale, type Operation, type Options, validate } from '../../api/index.ts'
import { type CanonicalInvoice, valueAt } from '../../invoice/index.ts'
import { withoutSchema } from '../../json/without-schema.ts'
import { type CompanySettings, companyOf } from '../company/company.ts'
import { isFromBlank, isStillBlank } from '../examples/blank.ts'
import { keep } from './keep.ts'
import { type Problem, problemsOf } from './problems.ts'
import { MAX_CHARACTERS, textFault } from './text-faults.ts'

export interface Settings {
  /** `auto` asks the document: see `operationOf`. */
  readonly operation: Operation | 'auto'
  /** `YYYY-MM-DD`. */
  readonly today: string
  readonly locale: Locale
  /** Whether the totals that were sent are compared with the computed ones. */
  readonly check: boolean
  readonly company: CompanySettings
}

/** Fields that somebody has been at, or `all` where a check of everything was asked for. */
export type Seen = ReadonlySet<string> | 'all'

export interface Assessment {
  readonly text: string
  /** Whether the text is JSON; where it is not, `document` and `data` are those of the last text that was. */
  readonly readable: boolean
  readonly document: unknown
  readonly operation: Operation
  readonly problems: readonly Problem[]
  /** What is still to be filled in of an invoice that was begun empty; no problem until somebody has been there. */
  readonly hints: readonly Problem[]
  readonly errors: number
  readonly warnings: number
  readonly valid: boolean
  readonly data: CanonicalInvoice | null
  /** What the engine was asked with; `explain` is asked the same, but only once somebody wants to know. */
  readonly options: Options
}

/** A received one, one with number and date, or a draft: what somebody who pastes an invoice most likely has. */
export function operationOf(document: unknown): Operation {
  if (valueAt(document, '/meta/direction') === 'received') return 'received'
  const numbered = typeof valueAt(document, '/invoice/header/invoice_number') === 'string'
  return numbered && typeof valueAt(document, '/invoice/issue_data/issue_date') === 'string'
    ? 'issue'
    : 'draft'
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

const isToFillIn = (document: unknown, seen: Seen, { path }: Problem): boolean =>
  seen !== 'all' && !seen.has(path) && isStillBlank(document, path)

export function assess(
  text: string,
  settings: Settings,
  previous: Assessment | null,
  seen: Seen = 'all',
): Assessment {
  const { locale, today, check } = settings
  const parsed = parse(text)
  const chosen = (document: unknown) =>
    settings.operation === 'auto' ? operationOf(document) : settings.operation
  if (!parsed) {
    const fault = textFault(text, locale)
    const document = previous?.document
    // While somebody types, the totals of a moment ago stay; of another text altogether they would mislead.
    const data = fault?.code === 'json.syntax' && previous ? previous.data : null
    const last = { document, operation: chosen(document), data, options: previous?.options ?? {} }
    const problems = fault ? [fault] : []
    return { text, readable: false, ...last, problems, hints: [], errors: 1, warnings: 0, valid: false }
  }
  const document = keep(previous?.document, withoutSchema(parsed.document))
  const operation = chosen(document)
  const totals = check ? 'check' : 'recalculate'
  const options = keep(previous?.options, {
    operation,
    today,
    locale,
    totals,
    company: companyOf(settings.company),
  } as const)
  const result = validate(document, options)
  const found = problemsOf(text, result.errors, locale)
  const isHint = (problem: Problem) => isFromBlank(document) && isToFillIn(document, seen, problem)
  const problems = keep(
    previous?.problems,
    found.filter((problem) => !isHint(problem)),
  )
  const hints = keep(previous?.hints, found.filter(isHint))
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
    data: keep(previous?.data, result.data),
    options,
  }
}
