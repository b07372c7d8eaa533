/** Reads the stated breakdown into breakdown entries of the canonical invoice. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { allocate, type Minor, percentOf, sum, toMinor, toNumber } from '#core/money/index.ts'
import { addUp, distance } from './facturae-amounts.ts'
import { TAX_TYPES } from './facturae-codes.ts'
import { type Cursor, optional } from './facturae-cursor.ts'
import type { LineContext, ReadLine } from './read-facturae-lines.ts'

type TaxOutput = NonNullable<CanonicalInvoiceInput['invoice']['taxes_outputs']>[number]
type TaxWithheld = NonNullable<CanonicalInvoiceInput['invoice']['taxes_withheld']>[number]

/** Returns the treatment of an entry from one of its lines. */
const membersOf = ({ line }: ReadLine) => ({
  tax_treatment_code: required(line.tax_treatment_code),
  ...optional('exemption_reason_code', line.exemption_reason_code),
  ...optional('exemption_reason_text', line.exemption_reason_text),
  ...optional('non_taxable_reason', line.non_taxable_reason),
  ...optional('tax_regime_key', line.tax_regime_key),
})

const groupKey = ({ line, rate }: ReadLine): string =>
  [
    rate,
    line.tax_treatment_code,
    line.exemption_reason_code,
    line.non_taxable_reason,
    line.tax_regime_key ?? '01',
  ].join('|')

/** Groups lines by treatment, in the order of the document. */
function groupsOf(lines: readonly ReadLine[]): ReadLine[][] {
  const groups = new Map<string, ReadLine[]>()
  for (const read of lines) {
    const key = groupKey(read)
    const known = groups.get(key)
    if (known) known.push(read)
    else groups.set(key, [read])
  }
  return [...groups.values()]
}

/** Returns the index of the largest amount. */
const largest = (amounts: readonly Minor[]): number =>
  amounts.reduce((best, amount, at) => (Math.abs(amount) > Math.abs(required(amounts[best])) ? at : best), 0)

/**
 * Returns the untaxed entries. Facturae has a single untaxed entry. It is divided into one entry per treatment of the
 * lines, each with its share of `adjustment` (surcharges minus discounts of the document). If Facturae's entry is
 * missing, the lines alone determine the entries.
 */
function untaxedEntries(
  base: number | undefined,
  lines: readonly ReadLine[],
  adjustment: Minor,
  decimals: number,
): TaxOutput[] {
  const all = groupsOf(lines)
  const gross = all.map((group) => toMinor(addUp(group.map((read) => read.gross)), decimals))
  const shares = adjustment === 0 || sum(gross) === 0 ? null : allocate(adjustment, gross, () => 0)
  const isUntaxed = (index: number) => required(required(all[index])[0]).rate === 0
  const groups = all.filter((_, index) => isUntaxed(index))
  const bases = gross.map((amount, index) => amount + (shares?.[index] ?? 0)).filter((_, at) => isUntaxed(at))
  if (base !== undefined && groups.length === 0) return [{ tax_rate: 0, taxable_base: base, tax_amount: 0 }]
  if (base !== undefined) bases[largest(bases)]! += toMinor(base, decimals) - sum(bases)
  return groups.map((group, index) => ({
    tax_rate: 0,
    taxable_base: toNumber(required(bases[index]), decimals),
    tax_amount: 0,
    ...membersOf(required(group[0])),
  }))
}

/**
 * Whether a tax entry can have the regime key. Some tax types determine the key; the general tax type has all other
 * keys.
 */
const isOfType = (tax: Cursor, key: string | undefined, isTyped: boolean): boolean => {
  const own = TAX_TYPES[required(tax.text('TaxTypeCode'))]?.key
  return own === undefined ? !(isTyped && key === '05') : own === key
}

/**
 * Returns the regime key of each taxed entry, taken from its lines. If lines of the same rate have two keys (used goods
 * and another key), there are two entries. Each entry gets the key of the lines whose sum is nearest to its base.
 */
function entryKeys(taxes: readonly Cursor[], lines: readonly ReadLine[]): (string | undefined)[] {
  const isTyped = taxes.some((tax) => TAX_TYPES[required(tax.text('TaxTypeCode'))]?.key !== undefined)
  const alike = (tax: Cursor) =>
    lines.filter(
      ({ rate, line }) => rate === tax.number('TaxRate') && isOfType(tax, line.tax_regime_key, isTyped),
    )
  return taxes.map((tax, index) => {
    const own = alike(tax)
    const found = new Set(own.map(({ line }) => line.tax_regime_key))
    const [first, second] = found
    if (found.size < 2) return first
    const other = taxes.find(
      (one, at) =>
        at !== index &&
        one.number('TaxRate') === tax.number('TaxRate') &&
        one.text('TaxTypeCode') === tax.text('TaxTypeCode'),
    )
    const baseOf = (key: string | undefined) =>
      addUp(own.filter(({ line }) => line.tax_regime_key === key).map(({ base }) => base))
    const [base, rest] = [tax, other].map((one) => one?.amount('TaxableBase') ?? 0) as [number, number]
    const apart = (a: string | undefined, b: string | undefined) =>
      distance(base, baseOf(a)) + distance(rest, baseOf(b))
    return apart(first, second) <= apart(second, first) ? first : second
  })
}

function taxedEntry(
  tax: Cursor,
  key: string | undefined,
  round: LineContext['round'],
  decimals: number,
): TaxOutput {
  const rate = required(tax.number('TaxRate'))
  const base = round(required(tax.amount('TaxableBase')))
  const stated = tax.amount('TaxAmount')
  const surcharge = tax.number('EquivalenceSurcharge')
  const surchargeAmount = tax.amount('EquivalenceSurchargeAmount')
  return {
    tax_rate: rate,
    taxable_base: base,
    tax_amount:
      stated === undefined ? toNumber(percentOf(toMinor(base, decimals), rate), decimals) : round(stated),
    ...(surcharge ? { equivalence_surcharge: surcharge } : {}),
    ...(surchargeAmount ? { equivalence_surcharge_amount: round(surchargeAmount) } : {}),
    ...optional('tax_regime_key', key),
  }
}

/**
 * Returns the breakdown. `added` are lines created from amounts outside the breakdown. `shares` are surcharges minus
 * discounts of the document.
 */
export function taxesOutputsOf(
  invoice: Cursor,
  lines: readonly ReadLine[],
  added: readonly ReadLine[],
  shares: number,
  round: LineContext['round'],
  decimals: number,
): TaxOutput[] {
  const taxes = invoice.list('TaxesOutputs', 'Tax')
  const zero = taxes.filter((tax) => tax.number('TaxRate') === 0)
  const zeroBase = zero.length === 0 ? [] : zero.map((tax) => required(tax.amount('TaxableBase')))
  const outside = added.map(({ gross }) => gross)
  const untaxed = zero.length === 0 ? undefined : round(addUp([...zeroBase, ...outside]))
  const taxed = taxes.filter((tax) => tax.number('TaxRate') !== 0)
  const keys = entryKeys(taxed, lines)
  return [
    ...taxed.map((tax, index) => taxedEntry(tax, keys[index], round, decimals)),
    ...untaxedEntries(untaxed, lines, toMinor(shares, decimals), decimals),
  ]
}

export const taxesWithheldOf = (
  invoice: Cursor,
  round: LineContext['round'],
  decimals: number,
): TaxWithheld[] =>
  invoice.list('TaxesWithheld', 'Tax').map((tax) => {
    const rate = required(tax.number('TaxRate'))
    const base = round(required(tax.amount('TaxableBase')))
    const stated = tax.amount('TaxAmount')
    return {
      tax_rate: rate,
      taxable_base: base,
      tax_amount:
        stated === undefined ? toNumber(percentOf(toMinor(base, decimals), rate), decimals) : round(stated),
    }
  })

/**
 * Adds withholding that only the document states to its lines: to all lines or to the taxed lines, depending on which
 * sum matches the base of the withholding. That base may include the tax of the document (`outputs`), because the base
 * of farmers includes their compensation. Returns null if no sum matches.
 */
export function withWithholding(
  lines: readonly ReadLine[],
  withheld: readonly TaxWithheld[],
  shares: number,
  outputs: number,
  tolerance: number,
): readonly ReadLine[] | null {
  const wanted = withheld.filter(({ tax_amount, taxable_base }) => tax_amount !== 0 || taxable_base !== 0)
  if (wanted.length === 0 || lines.some(({ line }) => line.tax_withheld_rate !== undefined)) return lines
  const [{ tax_rate: rate, taxable_base: base }, second] = wanted as [TaxWithheld, TaxWithheld?]
  if (second) return null
  const isTaxed = (read: ReadLine) => read.rate !== 0
  const holds = [() => true, isTaxed].find((chosen) => {
    const total = addUp([...lines.filter(chosen).map(({ gross }) => gross), shares])
    return [total, addUp([total, outputs])].some((sum) => distance(sum, base) <= tolerance)
  })
  if (!holds) return null
  return lines.map((read) =>
    holds(read) ? { ...read, line: { ...read.line, tax_withheld_rate: rate } } : read,
  )
}
