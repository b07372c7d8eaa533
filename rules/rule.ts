/**
 * The types of a rule. A rule is one object with all data about one problem code. The documentation of the codes and
 * the result of `rules()` are generated from these objects.
 */
import type { Extra, Line, Severity, Source, Text } from '#core/invoice/index.ts'
import { type MessageText, messageText, type Pair } from '#core/messages/index.ts'
import { keepDecimals } from '#core/money/index.ts'
import type { Feature } from './features.ts'
import type { Context } from './rule-context.ts'

export type { Context } from './rule-context.ts'

/** Reports a failure. The path of a line rule is relative to the line. `severity` overrides the declared severity. */
export type ReportFailure = (path: string, extra?: Extra, severity?: Severity) => void

export interface Declaration extends MessageText {
  readonly code: string
  readonly severity: Severity
  readonly source: Source
  /** Whether the API specification defines the code or this project adds it. */
  readonly origin: 'specification' | 'cuadra'
  /** Returns the article within `law` that applies to this finding. */
  readonly lawOf?: (extra: Extra, path: string) => string | undefined
  /**
   * Messages for special cases. `extra.case` or `caseOf` selects the case; the case `none` applies if `extra.allowed`
   * is empty.
   */
  readonly cases?: Readonly<Record<string, MessageCase>>
  readonly caseOf?: (extra: Extra) => string | undefined
  /** Display names of placeholder values, for example a text for the value `issued` of the API specification. */
  readonly terms?: Readonly<Record<string, DisplayNames>>
  /**
   * Paths of the document that the check reads; `*` is any index. The fields that determine the date and the tax group
   * are not listed.
   */
  readonly reads: readonly string[]
}

/** Message of a special case. Without `fix`, the message keeps the fix of the rule. */
export interface MessageCase {
  readonly message: Text
  readonly fix?: Text
}

/** Display names of values in both languages. */
export type DisplayNames = Readonly<Record<string, Text>>

/** A code reported by a stage before the rules (version, guard, schema) or by the calculation. */
export interface StageRule extends Declaration {
  readonly scope: 'stage'
}

export interface DocumentRule extends Declaration {
  readonly scope: 'document'
  /** The rule runs only on invoices with all of these features. */
  readonly needs?: readonly Feature[] | undefined
  /** Whether the rule checks each block, line or entry without regard to the others. */
  readonly perBlock?: boolean | undefined
  readonly check: (context: Context, fail: ReportFailure) => void
}

export interface LineRule extends Declaration {
  readonly scope: 'line'
  readonly needs?: readonly Feature[] | undefined
  /** Returns false to skip the rule for the whole document. */
  readonly applies?: ((context: Context) => boolean) | undefined
  readonly check: (line: Line, context: Context, fail: ReportFailure, index: number) => void
}

export type Rule = StageRule | DocumentRule | LineRule

/** Message and fix per language. A string is only a message, and the fix of the rule applies. */
export type MessageCaseInput =
  | { readonly en: string; readonly es: string }
  | { readonly en: Pair; readonly es: Pair }

/** A declaration as written in a family. `en` and `es` are the message and the fix; `law` names article or section. */
type RuleInput = Omit<Declaration, 'severity' | 'source' | 'origin' | 'message' | 'fix' | 'cases'> & {
  readonly severity?: Severity
  readonly source?: Source
  readonly origin?: 'specification' | 'cuadra'
  readonly en: Pair
  readonly es: Pair
  readonly cases?: Readonly<Record<string, MessageCaseInput>>
}

const isMessageOnly = (input: MessageCaseInput): input is Text => typeof input.en === 'string'

const declareCase = (input: MessageCaseInput): MessageCase => {
  if (isMessageOnly(input)) return { message: input }
  const { message, fix } = messageText('', input.en, input.es)
  return { message, fix }
}

const declareCases = (cases: NonNullable<RuleInput['cases']>): Readonly<Record<string, MessageCase>> =>
  Object.fromEntries(Object.entries(cases).map(([name, input]) => [name, declareCase(input)]))

const declare = ({ en, es, severity, source, origin, cases, ...rest }: RuleInput) => ({
  ...rest,
  ...(cases ? { cases: declareCases(cases) } : {}),
  severity: severity ?? ('error' as const),
  source: source ?? ('business' as const),
  origin: origin ?? ('specification' as const),
  ...messageText(rest.law, en, es),
})

/** Whether the rate is between 0 and 100 %. */
export const isPercentage = (rate: number): boolean => rate >= 0 && rate <= 100

/** The message about a percentage sent as a fraction. */
export const FRACTION: MessageCaseInput = {
  en: ['A rate of {received} % was sent.', 'Send the percentage: {expected}.'],
  es: ['Se envió un tipo del {received} %.', 'Envíe el porcentaje: {expected}.'],
}

/** Returns the values of the message if a rate was sent as a fraction of one of these percentages. */
export function fractionOf(received: number, rates: readonly number[]): Extra | undefined {
  const expected = keepDecimals(received * 100)
  return received < 1 && rates.includes(expected) ? { expected, case: 'fraction' } : undefined
}

/** Returns the paths of these fields on every line. */
export const linePathsOf = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `/invoice/lines/*/${name}`)

/** The law on withholding. */
export const WITHHOLDING_LAW = 'arts. 93, 95 and 100 RD 439/2007'

/** Declares a code that a stage reports. */
export const stageRule = (input: RuleInput): StageRule => ({ ...declare(input), scope: 'stage' })

/** Declares a rule that checks the whole document once. */
export const documentRule = (
  input: RuleInput & Pick<DocumentRule, 'needs' | 'perBlock' | 'check'>,
): DocumentRule => ({
  ...declare(input),
  scope: 'document',
  check: input.check,
})

/** Declares a rule that checks each line. */
export const lineRule = (input: RuleInput & Pick<LineRule, 'needs' | 'applies' | 'check'>): LineRule => ({
  ...declare(input),
  scope: 'line',
  applies: input.applies,
  check: input.check,
})
