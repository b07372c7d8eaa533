/**
 * The pipeline of the engine: schema, normalise, calculate, complete, rules. It is pure and synchronous: it uses no
 * clock, no I/O, and no global state that affects results.
 */

import { taxRatesOf } from '#core/catalogs/index.ts'
import {
  type CanonicalInvoice,
  checkSchema,
  type Finding,
  type InvoiceBlock,
  type Locale,
  MAX_ITEMS,
  type Options,
  readOptions,
  type Settings,
  shownValue,
  type ValidationCode,
  type ValidationItem,
  withoutUndefined,
} from '#core/invoice/index.ts'
import { documentOrder } from '#core/invoice/pointer.ts'
import { ItemList, itemOf } from '#core/messages/index.ts'
import { type Context, checkRules, type Rule, ruleOf } from '#rules/index.ts'
import {
  type Calculated,
  type Calculation,
  calculate,
  conversionToEuros,
  convertInputs,
  isSentWithholdingCorrect,
  type Overflow,
  originalInputs,
  writeAmounts,
  writeCurrencyBlocks,
} from '../calculate/index.ts'
import { type Normalised, normalise } from '../normalise/index.ts'
import { completeInvoice } from './complete.ts'
import { knownFindings } from './known-findings.ts'
import { knownPartOf } from './known-part.ts'
import { partsFor } from './message-parts.ts'

const SCHEMA_VERSION = 'json_1_1'

/** The document with all amounts computed, and the context of the rules. */
export interface Outcome {
  readonly document: CanonicalInvoice
  readonly context: Context
  /** The calculation in euros. */
  readonly calculation: Calculation
}

export interface Examination {
  readonly settings: Settings
  readonly findings: readonly Finding[]
  /** If the document was refused, the problems that the rules find in the rest of it. */
  readonly further: readonly Finding[]
  /** Null if the schema or the calculation refused the document. */
  readonly outcome: Outcome | null
}

const rejected = (
  settings: Settings,
  findings: readonly Finding[],
  further: readonly Finding[] = [],
): Examination => ({ settings, findings, further, outcome: null })

const checkVersion = (sent: unknown): Finding | null => {
  if (sent === null || typeof sent !== 'object' || !Object.hasOwn(sent, 'schema_version')) return null
  const received = (sent as { schema_version?: unknown }).schema_version
  if (received === SCHEMA_VERSION || received === undefined) return null
  return {
    code: 'unsupported_schema_version',
    path: '/schema_version',
    extra: { expected: SCHEMA_VERSION, received: shownValue(received) },
  }
}

const tooLarge = ({ overflow }: Overflow): Finding => ({
  code: 'amount_out_of_range',
  path: overflow,
  extra: { max_integer_digits: 12 },
})

interface Amounts {
  /** The calculation in the currency of the amounts sent. */
  readonly stated: Calculated
  readonly euros: Calculated
  /** The calculation in the original currency of an issued invoice, whose amounts are sent in euros. */
  readonly original?: Calculated | undefined
}

/**
 * Calculates the amounts in the currency sent. The base of a farmer's withholding includes the compensation, unless the
 * withholding sent agrees only with a base without it.
 */
function calculateSent(
  { invoice, decimals, facts }: Normalised,
  sent: InvoiceBlock,
  { operation, check }: Settings,
): (Calculation & { readonly compensated: boolean }) | Overflow {
  const compensated =
    operation === 'received' && facts.uses.withholding && invoice.issue_data.tax_group_code === 'IVA'
  const calculation = calculate(invoice, { decimals, compensated })
  if ('overflow' in calculation) return calculation
  if (compensated && !isSentWithholdingCorrect(sent, calculation, check)) {
    const { matching, withheld } = calculation
    const fullWithheldBase = withheld.reduce((sum, { base }) => sum + base, 0)
    const without = calculate(invoice, { decimals, matching })
    if (!('overflow' in without) && isSentWithholdingCorrect(sent, without, check))
      return { ...without, fullWithheldBase, compensated: false }
  }
  return { ...calculation, compensated }
}

/** Returns the calculation of an issued invoice in its original currency; undefined if an amount is too large. */
function calculateOriginal(
  { invoice, foreign }: Normalised,
  { matching }: Calculation,
): Calculated | undefined {
  if (foreign?.rate === undefined) return undefined
  const { rate, decimals } = foreign
  const original = originalInputs(invoice, rate, decimals)
  const calculation = calculate(original, { decimals, lenient: true, matching })
  return 'overflow' in calculation ? undefined : writeAmounts(original, calculation)
}

/**
 * Computes all amounts in the currency of the amounts sent and, if the invoice has two currencies, also in the other
 * one.
 */
function computeAmounts(normal: Normalised, sent: InvoiceBlock, settings: Settings): Finding | Amounts {
  const { invoice, foreign } = normal
  const calculation = calculateSent(normal, sent, settings)
  if ('overflow' in calculation) return tooLarge(calculation)
  if (foreign === null || settings.operation !== 'received') {
    const original = calculateOriginal(normal, calculation)
    const stated = writeAmounts(invoice, calculation)
    if (original) writeCurrencyBlocks(invoice, original.invoice)
    return { stated, euros: stated, original }
  }
  const { currency, rate } = foreign
  if (rate === undefined)
    return {
      code: 'exchange_rate_not_available',
      path: '/invoice/issue_data/invoice_currency/exchange_rate',
      extra: { currency },
    }
  const converted = convertInputs(invoice, conversionToEuros(rate))
  const { matching, compensated } = calculation
  const inEuros = calculate(converted, { lenient: true, matching, compensated })
  if ('overflow' in inEuros) return tooLarge(inEuros)
  const stated = writeAmounts(invoice, calculation)
  const euros = writeAmounts(converted, inEuros)
  writeCurrencyBlocks(converted, invoice)
  return { stated, euros }
}

interface PreparedInvoice {
  readonly context: Context
  /** The calculation in euros. */
  readonly calculation: Calculation
}

/** Calculates a normalised invoice. Returns the context of the rules, or why there are no amounts. */
function prepare(normal: Normalised, sent: InvoiceBlock, settings: Settings): Finding | PreparedInvoice {
  const amounts = computeAmounts(normal, sent, settings)
  if ('code' in amounts) return amounts
  const { stated, euros, original } = amounts
  const { invoice } = euros
  const { facts } = normal
  const issued = settings.operation !== 'received'
  const taxGroup = invoice.issue_data.tax_group_code ?? 'IVA'
  const context: Context = {
    invoice,
    sent,
    stated,
    original,
    facts,
    uses: facts.uses,
    settings,
    company: settings.company,
    issued,
    taxGroup,
    date: facts.accrualDate,
    rates: taxRatesOf(taxGroup, facts.accrualDate),
  }
  return { context, calculation: euros.calculation }
}

/** Amounts that depend on a rate are not reported, so any rate will do. */
const ANY_RATE = { exchange_rate: 1, exchange_rate_date: '' }

/** Returns the problems that the rules find in what is known of a refused document. */
function findFurther(
  sent: unknown,
  refusals: readonly Finding[],
  settings: Settings,
  isOperationGiven: boolean,
  maxProblems: number,
): readonly Finding[] {
  // The schema stage stops at `maxProblems`. Anything may then be wrong in the rest of the document.
  const known = refusals.length < maxProblems ? knownPartOf(sent, refusals) : null
  if (!known) return []
  const { document, isKnown } = known
  // The direction of the document decides the operation if the options do not.
  if (!isOperationGiven && !isKnown('/meta/direction')) return []
  const normal = normalise(document, { ...settings, exchangeRate: ANY_RATE })
  const prepared = prepare(normal, document.invoice, settings)
  if ('code' in prepared) return []
  const [context, filter] = knownFindings(prepared.context, known)
  return checkRules(context, maxProblems, filter)
}

/**
 * Runs the stages that `validate`, `explain` and `reconcile` share, without building messages. Stops after
 * `maxProblems` problems. Never changes the document sent: the stages change a copy, which the rules only read.
 */
export function examine(sent: unknown, options?: Options, maxProblems: number = MAX_ITEMS): Examination {
  const settings = readOptions(sent, options)
  const version = checkVersion(sent)
  if (version) return rejected(settings, [version])
  const refused = (findings: readonly Finding[]) =>
    rejected(
      settings,
      findings,
      findFurther(sent, findings, settings, options?.operation !== undefined, maxProblems),
    )
  const { accepted, findings: problems } = checkSchema(sent, settings.operation, maxProblems)
  if (accepted === undefined) return refused(problems)

  const normal = normalise(accepted, settings)
  const prepared = prepare(normal, accepted.invoice, settings)
  if ('code' in prepared) return refused([prepared])
  const { context, calculation } = prepared
  completeInvoice(context.invoice, context.issued, context.facts)
  const findings = checkRules(context, maxProblems)
  const document = withoutUndefined({
    schema_version: SCHEMA_VERSION,
    meta: normal.meta,
    invoice: withoutUndefined(context.invoice),
    recognition: accepted.recognition,
  }) as CanonicalInvoice
  return { settings, findings, further: [], outcome: { document, context, calculation } }
}

function declared(code: string): Rule {
  const rule = ruleOf(code)
  if (!rule) throw new Error(`cuadra: code "${code}" is not declared in rules/`)
  return rule
}

/** Builds the item of a finding, with its message. */
function toItem(finding: Finding, locale: Locale): ValidationItem<ValidationCode> {
  const { path, extra } = finding
  const rule = declared(finding.code)
  // Safe cast: `declared` accepts only codes of the rules.
  const code = rule.code as ValidationCode
  const severity = finding.severity ?? rule.severity
  return itemOf({ source: rule.source, code, path, extra, severity }, partsFor(rule, finding, locale))
}

/** Returns the findings in document order, then by code. */
export function inDocumentOrder(findings: readonly Finding[], sent: unknown): readonly Finding[] {
  if (findings.length < 2) return findings
  const before = documentOrder(sent)
  return [...findings].sort(
    (a, b) => before(a.path, b.path) || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
  )
}

/**
 * Returns the items in document order, then by code. If there are more than `maxProblems`, a last item reports that the
 * list is incomplete.
 */
export function toItems(
  findings: readonly Finding[],
  sent: unknown,
  locale: Locale,
  maxProblems: number = MAX_ITEMS,
): readonly ValidationItem<ValidationCode>[] {
  const ordered = inDocumentOrder(findings, sent)
  const severityOf = ({ code, severity }: Finding) => severity ?? declared(code).severity
  const list = new ItemList<ValidationCode>(locale, maxProblems, declared('too_many_errors').law)
  for (const finding of ordered.slice(0, maxProblems))
    list.add(severityOf(finding), () => toItem(finding, locale))
  const rest = ordered.slice(maxProblems)
  if (rest.length > 0)
    list.count(rest.length, rest.some((finding) => severityOf(finding) === 'error') ? 'error' : 'warning')
  return list.items
}
