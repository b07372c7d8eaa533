/** All codes, in one table; and the run of the rules over one invoice. */
import type { Extra, Finding, Severity } from '../src/invoice/index.ts'
import { CONSUMPTION_TAX_RULES } from './consumption-tax.ts'
import { HEADER_RULES } from './header.ts'
import { LINE_RULES } from './lines.ts'
import { ONE_STOP_SHOP_RULES } from './one-stop-shop.ts'
import { PARTY_RULES } from './parties.ts'
import { REGIME_RULES } from './regimes.ts'
import type { Context, DocumentRule, LineRule, Rule } from './rule.ts'
import { SCHEMA_RULES } from './schema.ts'
import { TAX_RULES } from './taxes.ts'
import { TOTAL_RULES } from './totals.ts'

export type { Context, Declaration, Rule } from './rule.ts'

/** Every code that the engine can answer, each once. */
export const RULES: readonly Rule[] = [
  ...SCHEMA_RULES,
  ...PARTY_RULES,
  ...HEADER_RULES,
  ...LINE_RULES,
  ...TAX_RULES,
  ...REGIME_RULES,
  ...ONE_STOP_SHOP_RULES,
  ...CONSUMPTION_TAX_RULES,
  ...TOTAL_RULES,
]

const DOCUMENT_RULES = RULES.filter((rule): rule is DocumentRule => rule.scope === 'document')
const ALL_LINE_RULES = RULES.filter((rule): rule is LineRule => rule.scope === 'line')

const byCode = new Map(RULES.map((rule) => [rule.code, rule]))

/** Declaration of a code. */
export const ruleOf = (code: string): Rule | undefined => byCode.get(code)

/** Runs every rule that applies; nothing is built while all is well. */
export function checkRules(context: Context): Finding[] {
  const findings: Finding[] = []
  let code = ''
  let prefix = ''
  const fail = (path: string, extra?: Extra, severity?: Severity) => {
    const finding = { code, path: prefix + path, extra: extra ?? null }
    findings.push(severity ? { ...finding, severity } : finding)
  }
  for (const rule of DOCUMENT_RULES) {
    code = rule.code
    rule.check(context, fail)
  }
  const lineRules = ALL_LINE_RULES.filter((rule) => rule.applies(context))
  const { lines } = context.invoice
  let index = 0
  const failLine = (path: string, extra?: Extra, severity?: Severity) => {
    prefix = `/invoice/lines/${index}/`
    fail(path, extra, severity)
  }
  for (const rule of lineRules) {
    code = rule.code
    for (index = 0; index < lines.length; index++) rule.check(lines[index]!, context, failLine, index)
  }
  return findings
}
