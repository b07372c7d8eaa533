/**
 * A business rule is a record: everything about a problem in one place. The documentation of the codes, `rules()`
 * and the completeness test are made from these declarations.
 */
import type { Extra, Line, Severity, Source, Text } from '../src/invoice/index.ts'
import { type MessageText, messageText, type Pair } from '../src/messages/index.ts'
import type { Context } from './context.ts'
import type { Feature } from './features.ts'

export type { Context } from './context.ts'

/** Reports a failure: where (for line rules relative to the line), with which values, and how severe if not as declared. */
export type Fail = (path: string, extra?: Extra, severity?: Severity) => void

export interface Declaration extends MessageText {
  readonly code: string
  readonly severity: Severity
  readonly source: Source
  /** Where the code comes from: the API specification, or this project's additions. */
  readonly origin: 'specification' | 'cuadra'
  /** The one article of all those in `law` that this finding comes from. */
  readonly lawOf?: (extra: Extra, path: string) => string | undefined
  /** Other words for special cases, chosen by `extra.case`; `none` where `extra.allowed` is empty; or by `caseOf`. */
  readonly cases?: Readonly<Record<string, Case>>
  readonly caseOf?: (extra: Extra) => string | undefined
  /** What values of a placeholder are called: `issued` is a word of the contract, not of a language. */
  readonly terms?: Readonly<Record<string, Terms>>
  /** Paths of the document that the check looks at, `*` for any index; not what the day or the tax group came from. */
  readonly reads: readonly string[]
}

/** Words of a special case; without `mend` that of the rule. */
export interface Case {
  readonly message: Text
  readonly fix?: Text
}

/** Names of values in both languages. */
export type Terms = Readonly<Record<string, Text>>

/** Found by a stage before the rules (version, guard, schema) or by the calculation itself. */
export interface StageRule extends Declaration {
  readonly scope: 'stage'
}

export interface DocumentRule extends Declaration {
  readonly scope: 'document'
  /** It is asked about invoices that have all of these. */
  readonly needs?: readonly Feature[] | undefined
  readonly check: (context: Context, fail: Fail) => void
}

export interface LineRule extends Declaration {
  readonly scope: 'line'
  readonly needs?: readonly Feature[] | undefined
  /** False skips the rule for the whole document. */
  readonly applies?: ((context: Context) => boolean) | undefined
  readonly check: (line: Line, context: Context, fail: Fail, index: number) => void
}

export type Rule = StageRule | DocumentRule | LineRule

/** A text alone is the message. */
type CaseBase = { readonly en: string; readonly es: string } | { readonly en: Pair; readonly es: Pair }

type Base = Omit<Declaration, 'severity' | 'source' | 'origin' | 'message' | 'fix' | 'cases'> & {
  readonly severity?: Severity
  readonly source?: Source
  readonly origin?: 'specification' | 'cuadra'
  readonly en: Pair
  readonly es: Pair
  readonly cases?: Readonly<Record<string, CaseBase>>
}

const isTextAlone = (base: CaseBase): base is Text => typeof base.en === 'string'

const declareCase = (base: CaseBase): Case => {
  if (isTextAlone(base)) return { message: base }
  const { message, fix } = messageText('', base.en, base.es)
  return { message, fix }
}

const declareCases = (cases: NonNullable<Base['cases']>): Readonly<Record<string, Case>> =>
  Object.fromEntries(Object.entries(cases).map(([name, base]) => [name, declareCase(base)]))

const declare = ({ en, es, severity, source, origin, cases, ...rest }: Base) => ({
  ...rest,
  ...(cases ? { cases: declareCases(cases) } : {}),
  severity: severity ?? ('error' as const),
  source: source ?? ('business' as const),
  origin: origin ?? ('specification' as const),
  ...messageText(rest.law, en, es),
})

/** A percentage of a base: from none to all of it. */
export const isPercentage = (rate: number): boolean => rate >= 0 && rate <= 100

/** Paths of members of every line. */
export const ofLines = (...names: readonly string[]): readonly string[] =>
  names.map((name) => `/invoice/lines/*/${name}`)

/** Law of what is withheld. */
export const WITHHOLDING_LAW = 'arts. 93, 95 and 100 RD 439/2007'

/** Declares a code that a stage reports. */
export const stageRule = (base: Base): StageRule => ({ ...declare(base), scope: 'stage' })

/** Declares a rule that looks at the whole document once. */
export const documentRule = (base: Base & Pick<DocumentRule, 'needs' | 'check'>): DocumentRule => ({
  ...declare(base),
  scope: 'document',
  check: base.check,
})

/** Declares a rule that looks at each line. */
export const lineRule = (base: Base & Pick<LineRule, 'needs' | 'applies' | 'check'>): LineRule => ({
  ...declare(base),
  scope: 'line',
  applies: base.applies,
  check: base.check,
})
