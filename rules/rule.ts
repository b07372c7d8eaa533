/**
 * A business rule is a record: everything about a problem in one place. The documentation of the codes, `rules()`
 * and the completeness test are made from these declarations.
 */
import type { Calculation } from '../src/calculate/index.ts'
import type {
  CanonicalInvoice,
  Company,
  Extra,
  InvoiceBlock,
  Line,
  Settings,
  Severity,
  Source,
  Text,
} from '../src/invoice/index.ts'
import type { Facts, Uses } from '../src/normalise/index.ts'

/** What a rule may look at. */
export interface Context {
  /** As the client sent it. */
  readonly sent: CanonicalInvoice
  /** Normalised and calculated, in euros. */
  readonly invoice: InvoiceBlock
  /** Normalised and calculated in the currency of the amounts sent; `invoice` itself unless it was converted. */
  readonly stated: InvoiceBlock
  /** Of the amounts sent (`stated`). */
  readonly calculation: Calculation
  /** Of the amounts in euros (`invoice`). */
  readonly inEuros: Calculation
  readonly facts: Facts
  readonly uses: Uses
  readonly settings: Settings
  readonly company: Company | null
  readonly issued: boolean
  readonly taxGroup: string
  /** Day on which rates and regimes are judged, if any is known. */
  readonly date: string | undefined
}

/** Reports a failure: where (for line rules relative to the line), with which values, and how severe if not as declared. */
export type Fail = (path: string, extra?: Extra, severity?: Severity) => void

export interface Declaration {
  readonly code: string
  readonly severity: Severity
  readonly source: Source
  /** Where the code comes from: the API specification, or this project's additions. */
  readonly origin: 'specification' | 'cuadra'
  /** What is wrong; `{placeholders}` are `field`, `path` and the members of `extra`. */
  readonly message: Text
  /** What to do about it. */
  readonly mend: Text
  /** Article or document that it comes from. */
  readonly law: string
  /** The one article of all those in `law` that this finding comes from. */
  readonly lawOf?: (extra: Extra, path: string) => string | undefined
  /** Other words for special cases, chosen by `extra.case`; `none` where `extra.allowed` is empty; or by `caseOf`. */
  readonly cases?: Readonly<Record<string, Case>>
  readonly caseOf?: (extra: Extra) => string | undefined
  /** What values of a placeholder are called: `issued` is a word of the contract, not of a language. */
  readonly terms?: Readonly<Record<string, Terms>>
  /** Paths that it reads, `*` for any index. */
  readonly reads: readonly string[]
}

/** Words of a special case; without `mend` that of the rule. */
export interface Case {
  readonly message: Text
  readonly mend?: Text
}

/** Names of values in both languages. */
export type Terms = Readonly<Record<string, Text>>

/** Found by a stage before the rules (version, guard, schema) or by the calculation itself. */
export interface StageRule extends Declaration {
  readonly scope: 'stage'
}

export interface DocumentRule extends Declaration {
  readonly scope: 'document'
  readonly check: (context: Context, fail: Fail) => void
}

export interface LineRule extends Declaration {
  readonly scope: 'line'
  /** False skips the rule for the whole document. */
  readonly applies: (context: Context) => boolean
  readonly check: (line: Line, context: Context, fail: Fail, index: number) => void
}

export type Rule = StageRule | DocumentRule | LineRule

type Pair = readonly [message: string, mend: string]

/** A text alone is the message. */
type CaseBase = { readonly en: string; readonly es: string } | { readonly en: Pair; readonly es: Pair }

type Base = Omit<Declaration, 'severity' | 'source' | 'origin' | 'message' | 'mend' | 'cases'> & {
  readonly severity?: Severity
  readonly source?: Source
  readonly origin?: 'specification' | 'cuadra'
  readonly en: Pair
  readonly es: Pair
  readonly cases?: Readonly<Record<string, CaseBase>>
}

const isTextAlone = (words: CaseBase): words is Text => typeof words.en === 'string'

const declareCase = (words: CaseBase): Case =>
  isTextAlone(words)
    ? { message: words }
    : {
        message: { en: words.en[0], es: words.es[0] },
        mend: { en: words.en[1], es: words.es[1] },
      }

const declareCases = (cases: NonNullable<Base['cases']>): Readonly<Record<string, Case>> =>
  Object.fromEntries(Object.entries(cases).map(([name, words]) => [name, declareCase(words)]))

const declare = ({ en, es, severity, source, origin, cases, ...rest }: Base) => ({
  ...rest,
  ...(cases ? { cases: declareCases(cases) } : {}),
  severity: severity ?? ('error' as const),
  source: source ?? ('business' as const),
  origin: origin ?? ('specification' as const),
  message: { en: en[0], es: es[0] },
  mend: { en: en[1], es: es[1] },
})

/** A part of the base, at most all of it. */
export const isPercentage = (rate: number): boolean => rate >= 0 && rate <= 100

/** Law of what is withheld. */
export const WITHHOLDING_LAW = 'arts. 93, 95 and 100 RD 439/2007'

/** Declares a code that a stage reports. */
export const stageRule = (base: Base): StageRule => ({ ...declare(base), scope: 'stage' })

/** Declares a rule that looks at the whole document once. */
export const documentRule = (base: Base & Pick<DocumentRule, 'check'>): DocumentRule => ({
  ...declare(base),
  scope: 'document',
  check: base.check,
})

/** Declares a rule that looks at each line. */
export const lineRule = (base: Base & Pick<LineRule, 'applies' | 'check'>): LineRule => ({
  ...declare(base),
  scope: 'line',
  applies: base.applies,
  check: base.check,
})
