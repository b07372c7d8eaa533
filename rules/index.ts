/** The table of all rules, and the function that runs them over an invoice. */
import { type Extra, type Finding, MAX_ITEMS, type Severity } from '#core/invoice/index.ts'
import { ADVICE_RULES } from './advice-rules.ts'
import { BREAKDOWN_RULES } from './breakdown-rules.ts'
import { CONSUMPTION_TAX_RULES } from './consumption-tax-rules.ts'
import { type Features, featureMaskOf, featuresOf } from './features.ts'
import { HEADER_RULES } from './header-rules.ts'
import { LINE_RULES } from './line-rules.ts'
import { ONE_STOP_SHOP_RULES } from './one-stop-shop-rules.ts'
import { PARTY_RULES } from './party-rules.ts'
import { REGIME_RULES } from './regime-rules.ts'
import type { Context, DocumentRule, LineRule, Rule } from './rule.ts'
import { SCHEMA_RULES } from './schema-rules.ts'
import { TAX_RULES } from './tax-rules.ts'
import { TOTAL_RULES } from './total-rules.ts'

export type { Context, Declaration, DocumentRule, LineRule, Rule } from './rule.ts'

/** Every code that the engine can return. Each code occurs once. */
export const RULES: readonly Rule[] = [
  ...SCHEMA_RULES,
  ...PARTY_RULES,
  ...HEADER_RULES,
  ...LINE_RULES,
  ...TAX_RULES,
  ...BREAKDOWN_RULES,
  ...REGIME_RULES,
  ...ONE_STOP_SHOP_RULES,
  ...CONSUMPTION_TAX_RULES,
  ...TOTAL_RULES,
  ...ADVICE_RULES,
]

/** The rules that run on invoices with the same features. */
interface RuleList {
  readonly document: readonly DocumentRule[]
  readonly line: readonly LineRule[]
}

/** Rule lists by feature mask. They are cached, because most invoices of one client have the same features. */
const lists = new Map<number, RuleList>()
const MAX_LISTS = 256

/** Whether an invoice with these features has all features that the rule needs. */
export const hasNeeds = ({ needs }: DocumentRule | LineRule, features: Features): boolean =>
  needs === undefined || needs.every((name) => features[name])

function rulesFor(features: Features): RuleList {
  const mask = featureMaskOf(features)
  const known = lists.get(mask)
  if (known) return known
  const document: DocumentRule[] = []
  const line: LineRule[] = []
  for (const rule of RULES) {
    if (rule.scope === 'stage' || !hasNeeds(rule, features)) continue
    if (rule.scope === 'document') document.push(rule)
    else line.push(rule)
  }
  if (lists.size === MAX_LISTS) lists.clear()
  lists.set(mask, { document, line })
  return { document, line }
}

const byCode = new Map(RULES.map((rule) => [rule.code, rule]))

/** Returns the rule of a code. */
export const ruleOf = (code: string): Rule | undefined => byCode.get(code)

/** Decides which findings are reported. `begin` is called before each rule. */
export interface FindingFilter {
  readonly begin: (rule: DocumentRule | LineRule) => void
  readonly isReported: (path: string) => boolean
}

/**
 * Runs every rule that applies to the invoice and returns its findings. Each rule stops at `maxProblems` + 1 findings,
 * so that one rule with many findings does not displace the findings of others.
 */
export function checkRules(
  context: Context,
  maxProblems: number = MAX_ITEMS,
  filter?: FindingFilter,
): Finding[] {
  const findings: Finding[] = []
  let rule: Rule = RULES[0]!
  let prefix = ''
  let found = 0
  const fail = (path: string, extra?: Extra, severity?: Severity) => {
    if (found > maxProblems || filter?.isReported(prefix + path) === false) return
    found++
    const finding = { code: rule.code, path: prefix + path, extra: extra ?? null }
    findings.push(severity ? { ...finding, severity } : finding)
  }
  const begin = (next: DocumentRule | LineRule) => {
    rule = next
    found = 0
    filter?.begin(next)
  }
  const rules = rulesFor(featuresOf(context))
  for (const each of rules.document) {
    begin(each)
    each.check(context, fail)
  }
  const { lines } = context.invoice
  let index = 0
  const failLine = (path: string, extra?: Extra, severity?: Severity) => {
    prefix = `/invoice/lines/${index}/`
    fail(path, extra, severity)
  }
  for (const each of rules.line) {
    begin(each)
    if (each.applies?.(context) === false) continue
    for (index = 0; index < lines.length && found <= maxProblems; index++)
      each.check(lines[index]!, context, failLine, index)
  }
  return findings
}
