/**
 * The pipeline: schema, normalise, calculate, rules. Pure and synchronous: no clock, no I/O, no global state
 * that an answer could depend on.
 */
import { type Context, checkRules, ruleOf } from '../rules/index.ts'
import { type Calculation, calculate, type Overflow, writeAmounts } from './calculate/index.ts'
import {
  type CanonicalInvoice,
  checkSchema,
  documentOrder,
  type Finding,
  type Locale,
  MAX_ITEMS,
  type Options,
  readOptions,
  type Settings,
  type ValidationItem,
} from './invoice/index.ts'
import { partsOf } from './message-parts.ts'
import {
  completeLiterals,
  completePayments,
  convertInputs,
  fillExchangeRate,
  type Normalised,
  normalise,
  writeCurrencyBlocks,
} from './normalise/index.ts'

const SCHEMA_VERSION = 'json_1_1'

/** An invoice that came through the schema, with everything that is known of it; all its amounts are computed. */
export interface Examined {
  readonly settings: Settings
  readonly findings: readonly Finding[]
  readonly context: Context | null
  readonly document: CanonicalInvoice | null
}

const rejected = (settings: Settings, findings: readonly Finding[]): Examined => ({
  settings,
  findings,
  context: null,
  document: null,
})

const checkVersion = (sent: unknown): Finding | null => {
  if (sent === null || typeof sent !== 'object' || !Object.hasOwn(sent, 'schema_version')) return null
  const received = (sent as { schema_version?: unknown }).schema_version
  if (received === SCHEMA_VERSION || received === undefined) return null
  const shown = typeof received === 'string' ? received.slice(0, 200) : typeof received
  return {
    code: 'unsupported_schema_version',
    path: '/schema_version',
    extra: { expected: SCHEMA_VERSION, received: shown },
  }
}

const overflowOf = (result: Calculation | Overflow): Finding | null =>
  'overflow' in result
    ? { code: 'amount_out_of_range', path: result.overflow, extra: { max_integer_digits: 12 } }
    : null

/** Calculates in the currency of the amounts sent and, where that is a foreign one, in euros too. */
function calculateInto(
  normal: Normalised,
  settings: Settings,
): Finding | Pick<Context, 'calculation' | 'stated' | 'inEuros'> {
  const { invoice } = normal.document
  const calculation = calculate(invoice, { decimals: normal.decimals })
  const overflow = overflowOf(calculation)
  if (overflow) return overflow
  const done = calculation as Calculation
  if (normal.foreignCurrency === null) {
    writeAmounts(invoice, done)
    return { calculation: done, inEuros: done, stated: invoice }
  }
  const rate = fillExchangeRate(invoice, settings)
  const { foreignCurrency: currency } = normal
  if (rate === null)
    return {
      code: 'exchange_rate_not_available',
      path: '/invoice/issue_data/invoice_currency/exchange_rate',
      extra: { currency },
    }
  const converted = convertInputs(invoice, rate)
  const inEuros = calculate(converted, { lenient: true, matching: done.matching })
  const tooLarge = overflowOf(inEuros)
  if (tooLarge) return tooLarge
  writeAmounts(invoice, done)
  writeAmounts(converted, inEuros as Calculation)
  writeCurrencyBlocks(converted, invoice)
  normal.document.invoice = converted
  return { calculation: done, inEuros: inEuros as Calculation, stated: invoice }
}

/** Everything but the words: what `validate`, `explain` and `reconcile` share. `most` problems are looked for. */
export function examine(sent: unknown, options?: Options, most: number = MAX_ITEMS): Examined {
  const settings = readOptions(sent, options)
  const version = checkVersion(sent)
  if (version) return rejected(settings, [version])
  const problems = checkSchema(sent, settings.operation, most)
  if (problems.length > 0) return rejected(settings, problems)

  const accepted = sent as CanonicalInvoice
  const normal = normalise(accepted, settings)
  const calculated = calculateInto(normal, settings)
  if ('code' in calculated) return rejected(settings, [calculated])
  const { document, facts } = normal
  const { invoice } = document
  completePayments(invoice)
  const issued = settings.operation !== 'received'
  completeLiterals(invoice, issued)
  const context: Context = {
    calculation: calculated.calculation,
    inEuros: calculated.inEuros,
    stated: calculated.stated,
    sent: accepted,
    invoice,
    facts,
    uses: facts.uses,
    settings,
    company: settings.company,
    issued,
    taxGroup: invoice.issue_data.tax_group_code ?? 'IVA',
    date: facts.accrualDate,
  }
  const findings = checkRules(context, most)
  return { settings, findings, context, document }
}

/** Gives a finding its words. */
function toItem(finding: Finding, locale: Locale): ValidationItem {
  const { code, path, extra, severity } = finding
  const rule = ruleOf(code)
  if (!rule) throw new Error(`cuadra: code "${code}" is not declared in rules/`)
  const parts = partsOf(rule, finding, locale)
  const message = `${parts.message} ${parts.mend} (${parts.law})`
  return { source: rule.source, code, message, path, extra, severity: severity ?? rule.severity }
}

/** Items in document order, then by code; of more than `most`, so many and what is known of the rest. */
export function toItems(
  findings: readonly Finding[],
  sent: unknown,
  locale: Locale,
  most: number = MAX_ITEMS,
): ValidationItem[] {
  const before = documentOrder(sent)
  const ordered =
    findings.length > 1
      ? [...findings].sort(
          (a, b) => before(a.path, b.path) || (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
        )
      : findings
  const items = ordered.slice(0, most).map((finding) => toItem(finding, locale))
  if (ordered.length > most) {
    const severity = ordered.some(
      (finding) => (finding.severity ?? ruleOf(finding.code)?.severity) === 'error',
    )
      ? 'error'
      : 'warning'
    const extra = { shown: most, at_least: ordered.length }
    items.push(toItem({ code: 'too_many_errors', path: '', extra, severity }, locale))
  }
  return items
}
