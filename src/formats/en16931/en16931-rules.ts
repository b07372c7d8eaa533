/** Checks the semantic model against the rules of EN 16931 that protect amounts. Sums must match to the cent. */
import { type Minor, percentOf, toMinor, toNumber } from '#core/money/index.ts'
import type { ReadingReport } from '../model/index.ts'
import type { Allowance, Category, EnInvoice, LocatedTerm, Locations, Tax } from './en16931-model.ts'

const cents = (amount: number | undefined): Minor => (amount === undefined ? 0 : toMinor(amount))

/** Categories whose breakdown entry must state the reason why there is no tax. */
const REASONED: readonly string[] = ['E', 'AE', 'K', 'G', 'O']

/** Returns the key of a breakdown entry: the category and, for taxed categories, the rate. */
export const keyOf = ({ category, rate }: Category): string =>
  category === 'S' || category === 'L' || category === 'M' ? `${category} ${rate ?? 0}` : category

interface Check {
  readonly invoice: EnInvoice
  readonly locations: Locations
  readonly report: ReadingReport
  /** Allowed difference of a base per line, in cents. */
  readonly tolerance: Minor
}

function sumRule(
  { locations, report }: Check,
  rule: string,
  formula: string,
  location: LocatedTerm,
  expected: Minor,
  received: number | undefined,
): void {
  if (cents(received) === expected) return
  report.refuse('en16931.sum', locations[location], {
    rule,
    formula,
    expected: toNumber(expected),
    received: received ?? 0,
  })
}

const total = (list: readonly Allowance[], isCharge: boolean): Minor => {
  let sum = 0
  for (const one of list) if (one.isCharge === isCharge) sum += cents(one.amount)
  return sum
}

/** Checks BR-CO-10 to BR-CO-16. */
function checkTotals(check: Check): void {
  const { totals, lines, allowances, taxes } = check.invoice
  let net = 0
  for (const line of lines) net += cents(line.net)
  let tax = 0
  for (const one of taxes) tax += cents(one.tax)
  sumRule(check, 'BR-CO-10', 'BT-131 + BT-131…', 'lineTotal', net, totals.lines)
  sumRule(check, 'BR-CO-11', 'BT-92 + BT-92…', 'allowanceTotal', total(allowances, false), totals.allowances)
  sumRule(check, 'BR-CO-12', 'BT-99 + BT-99…', 'chargeTotal', total(allowances, true), totals.charges)
  const base = cents(totals.lines) - cents(totals.allowances) + cents(totals.charges)
  sumRule(check, 'BR-CO-13', 'BT-106 − BT-107 + BT-108', 'base', base, totals.base)
  sumRule(check, 'BR-CO-14', 'BT-117 + BT-117…', 'tax', tax, totals.tax)
  const inclusive = cents(totals.base) + cents(totals.tax)
  sumRule(check, 'BR-CO-15', 'BT-109 + BT-110', 'total', inclusive, totals.total)
  const payable = cents(totals.total) - cents(totals.prepaid) + cents(totals.rounding)
  sumRule(check, 'BR-CO-16', 'BT-112 − BT-113 + BT-114', 'payable', payable, totals.payable)
}

interface Sums {
  base: Minor
  lines: number
  readonly at: string
  readonly category: string
}

/** Calculates the base of each breakdown entry from lines, allowances and charges. */
function basesOf({ lines, allowances }: EnInvoice): Map<string, Sums> {
  const found = new Map<string, Sums>()
  const add = (one: Category & { readonly at: string }, amount: Minor): void => {
    const key = keyOf(one)
    const sums = found.get(key)
    if (sums) {
      sums.base += amount
      sums.lines++
    } else found.set(key, { base: amount, lines: 1, at: one.at, category: one.category })
  }
  for (const line of lines) add(line, cents(line.net))
  for (const one of allowances) add(one, one.isCharge ? cents(one.amount) : 0 - cents(one.amount))
  return found
}

const PREFIX: Readonly<Record<string, string>> = { K: 'BR-IC', L: 'BR-AF', M: 'BR-AG' }
const ruleOf = (category: string, number: string): string =>
  `${PREFIX[category] ?? `BR-${category}`}-${number}`

/** Checks the base, the tax and the reason of a breakdown entry. */
function checkEntry(tax: Tax, sums: Sums | undefined, { report, tolerance }: Check): void {
  if (sums && Math.abs(sums.base - cents(tax.base)) > sums.lines * tolerance)
    report.refuse('en16931.sum', tax.at, {
      rule: ruleOf(tax.category, '08'),
      formula: 'BT-131 − BT-92 + BT-99',
      expected: toNumber(sums.base),
      received: tax.base,
    })
  const expected = percentOf(cents(tax.base), tax.rate ?? 0)
  // The rule itself allows a difference of one unit of the currency.
  if (Math.abs(expected - cents(tax.tax)) >= 100)
    report.refuse('en16931.sum', tax.at, {
      rule: 'BR-CO-17',
      formula: 'BT-116 × BT-119',
      expected: toNumber(expected),
      received: tax.tax,
    })
  if (REASONED.includes(tax.category) && tax.reason === undefined && tax.reasonCode === undefined)
    report.refuse('en16931.reason', tax.at, { received: tax.category, rule: ruleOf(tax.category, '10') })
}

/** Checks that the breakdown has exactly one entry for each category and rate of the lines. */
function checkBreakdown(check: Check): void {
  const { invoice, locations, report } = check
  const bases = basesOf(invoice)
  const seen = new Set<string>()
  for (const tax of invoice.taxes) {
    const key = keyOf(tax)
    const sums = bases.get(key)
    if (seen.has(key) || (!sums && cents(tax.base) !== 0))
      report.refuse('en16931.breakdown', tax.at, { received: key })
    seen.add(key)
    checkEntry(tax, sums, check)
  }
  for (const [key, { at }] of bases)
    if (!seen.has(key)) report.refuse('en16931.breakdown', at, { received: key })
  if (invoice.taxes.length === 0 && bases.size === 0)
    report.refuse('en16931.breakdown', locations.taxes, { received: '' })
  const others = [...bases.values()].filter(({ category }) => category !== 'O')
  const none = [...bases.values()].find(({ category }) => category === 'O')
  if (none && others.length > 0)
    report.refuse('en16931.not_subject_mixed', none.at, {
      received: [...new Set(others.map(({ category }) => category))].join(', '),
    })
}

/** Profiles of Factur-X that have no lines. */
const SUMMARIES = /minimum|basicwl/i

/** Checks required terms. The official schemas require only some of them, and the CII schema hardly any. */
function checkPresence({ invoice, locations, report }: Check): void {
  const need = (value: unknown, rule: string, term: string, location: LocatedTerm): void => {
    if (value === undefined || value === '')
      report.refuse('en16931.missing', locations[location], { rule, term })
  }
  need(invoice.number, 'BR-02', 'BT-1', 'number')
  need(invoice.issueDate, 'BR-03', 'BT-2', 'issueDate')
  need(invoice.typeCode, 'BR-04', 'BT-3', 'typeCode')
  need(invoice.currency, 'BR-05', 'BT-5', 'currency')
  need(invoice.seller.name, 'BR-06', 'BT-27', 'seller')
  need(invoice.buyer.name, 'BR-07', 'BT-44', 'buyer')
  if (invoice.lines.length === 0 && SUMMARIES.test(invoice.customization))
    report.refuse('en16931.summary', locations.lines, { received: invoice.customization })
  else need(invoice.lines[0], 'BR-16', 'BG-25', 'lines')
  const advise = (missing: boolean, rule: string, term: string, location: LocatedTerm): void => {
    if (missing) report.warn('en16931.advice', locations[location], { rule, term })
  }
  const { seller, totals, dueDate, paymentTerms } = invoice
  const known = seller.ids.length > 0 || seller.legalId || seller.vatId || seller.taxId
  advise(!known, 'BR-CO-26', 'BT-29, BT-30, BT-31', 'seller')
  const due = dueDate !== undefined || paymentTerms !== undefined
  advise(totals.payable > 0 && !due, 'BR-CO-25', 'BT-9, BT-20', 'payable')
}

/**
 * Checks the sums. In a document of a profile beyond EN 16931, reports the profile instead of sums that do not match.
 */
function checkSums(check: Check): void {
  const { invoice, report } = check
  const { extensionAt, customization: received } = invoice
  let broken = false
  const refuse: ReadingReport['refuse'] = (...item) => {
    broken = true
    if (extensionAt === undefined) report.refuse(...item)
  }
  const watched = { ...check, report: { ...report, refuse } }
  checkTotals(watched)
  checkBreakdown(watched)
  if (broken && extensionAt !== undefined)
    report.refuse('en16931.profile', extensionAt, { received, rule: 'BR-CO-10' })
}

/**
 * Checks a document against the rules that protect its amounts: BR-02 to BR-07, BR-16, BR-27, BR-CO-10 to BR-CO-18 and,
 * for each category of tax, its base (-08) and its reason (-10). A document that violates a rule is refused. BR-CO-25
 * and BR-CO-26 do not concern amounts, so their violation is only a warning.
 *
 * In a document that was read, the base of a breakdown entry may differ by one cent for each line, as in the engine,
 * because software rounds differently. For a document that is written, `tolerance` is 0.
 */
export function checkRules(
  invoice: EnInvoice,
  locations: Locations,
  report: ReadingReport,
  tolerance: Minor = 1,
): void {
  const check = { invoice, locations, report, tolerance }
  checkPresence(check)
  // Without a currency or lines, the other rules cannot be checked.
  if (invoice.currency === '' || invoice.lines.length === 0) return
  checkSums(check)
  for (const line of invoice.lines) {
    if (line.price < 0) report.refuse('en16931.price_negative', line.at, { received: line.price })
    if (line.name === undefined) report.refuse('en16931.missing', line.at, { rule: 'BR-25', term: 'BT-153' })
  }
}
