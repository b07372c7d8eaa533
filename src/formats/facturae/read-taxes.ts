/** The breakdown as the document states it, in the groups that the canonical invoice has. */
import type { CanonicalInvoiceInput } from '../../invoice/index.ts'
import { allocate, percentOf, toMinor, toNumber } from '../../money/index.ts'
import { addUp, apart } from './amounts.ts'
import { type Cursor, optional } from './cursor.ts'
import type { LineContext, ReadLine } from './read-lines.ts'

type TaxOutput = NonNullable<CanonicalInvoiceInput['invoice']['taxes_outputs']>[number]
type TaxWithheld = NonNullable<CanonicalInvoiceInput['invoice']['taxes_withheld']>[number]

/** What an entry says of its treatment: the same as its lines. */
const membersOf = ({ line }: ReadLine) => ({
  tax_treatment_code: line.tax_treatment_code!,
  ...optional('exemption_reason_code', line.exemption_reason_code),
  ...optional('exemption_reason_text', line.exemption_reason_text),
  ...optional('non_taxable_reason', line.non_taxable_reason),
  ...optional('tax_regime_key', line.tax_regime_key),
})

const groupKey = ({ line }: ReadLine): string =>
  [
    line.tax_treatment_code,
    line.exemption_reason_code,
    line.non_taxable_reason,
    line.tax_regime_key ?? '01',
  ].join('|')

/** Lines without tax, by their treatment, in the order of the document. */
function untaxedGroups(lines: readonly ReadLine[]): ReadLine[][] {
  const groups = new Map<string, ReadLine[]>()
  for (const read of lines) {
    if (read.rate !== 0) continue
    const key = groupKey(read)
    const known = groups.get(key)
    if (known) known.push(read)
    else groups.set(key, [read])
  }
  return [...groups.values()]
}

/**
 * Entries of what is not taxed. Facturae has one for all of it: its base is divided as the lines are. Where the
 * document has none, the lines alone say it.
 */
function untaxedEntries(base: number | undefined, lines: readonly ReadLine[], decimals: number): TaxOutput[] {
  const groups = untaxedGroups(lines)
  const bases = groups.map((group) => toMinor(addUp(group.map(({ gross }) => gross)), decimals))
  const total = base === undefined ? undefined : toMinor(base, decimals)
  if (groups.length === 0 && total === undefined) return []
  if (groups.length === 0) return [{ tax_rate: 0, taxable_base: toNumber(total!, decimals), tax_amount: 0 }]
  const even = bases.every((each) => each === 0)
  const parts = total === undefined || even ? bases : allocate(total, bases, () => 0)
  return groups.map((group, index) => ({
    tax_rate: 0,
    taxable_base: toNumber(parts[index]!, decimals),
    tax_amount: 0,
    ...membersOf(group[0]!),
  }))
}

function taxedEntry(
  tax: Cursor,
  lines: readonly ReadLine[],
  round: LineContext['round'],
  decimals: number,
): TaxOutput {
  const rate = tax.number('TaxRate')!
  const base = round(tax.amount('TaxableBase')!)
  const stated = tax.amount('TaxAmount')
  const surcharge = tax.number('EquivalenceSurcharge')
  const surchargeAmount = tax.amount('EquivalenceSurchargeAmount')
  const keys = new Set(lines.filter((read) => read.rate === rate).map(({ line }) => line.tax_regime_key))
  const [key] = keys
  return {
    tax_rate: rate,
    taxable_base: base,
    tax_amount:
      stated === undefined ? toNumber(percentOf(toMinor(base, decimals), rate), decimals) : round(stated),
    ...(surcharge ? { equivalence_surcharge: surcharge } : {}),
    ...(surchargeAmount ? { equivalence_surcharge_amount: round(surchargeAmount) } : {}),
    ...optional('tax_regime_key', keys.size === 1 ? key : undefined),
  }
}

/** `added`: lines that the document does not have as lines, and whose base is not in its breakdown either. */
export function taxesOutputsOf(
  invoice: Cursor,
  lines: readonly ReadLine[],
  added: readonly ReadLine[],
  round: LineContext['round'],
  decimals: number,
): TaxOutput[] {
  const taxes = invoice.list('TaxesOutputs', 'Tax')
  const zero = taxes.filter((tax) => tax.number('TaxRate') === 0)
  const zeroBase = zero.length === 0 ? [] : zero.map((tax) => tax.amount('TaxableBase')!)
  const outside = added.map(({ gross }) => gross)
  const untaxed = zero.length === 0 ? undefined : round(addUp([...zeroBase, ...outside]))
  return [
    ...taxes
      .filter((tax) => tax.number('TaxRate') !== 0)
      .map((tax) => taxedEntry(tax, lines, round, decimals)),
    ...untaxedEntries(untaxed, lines, decimals),
  ]
}

export const taxesWithheldOf = (
  invoice: Cursor,
  round: LineContext['round'],
  decimals: number,
): TaxWithheld[] =>
  invoice.list('TaxesWithheld', 'Tax').map((tax) => {
    const rate = tax.number('TaxRate')!
    const base = round(tax.amount('TaxableBase')!)
    const stated = tax.amount('TaxAmount')
    return {
      tax_rate: rate,
      taxable_base: base,
      tax_amount:
        stated === undefined ? toNumber(percentOf(toMinor(base, decimals), rate), decimals) : round(stated),
    }
  })

/**
 * Lines with the withholding that only the document states: of all of them, or of those with tax, whichever its base
 * is. Null where its base is neither.
 */
export function withWithholding(
  lines: readonly ReadLine[],
  withheld: readonly TaxWithheld[],
  shares: number,
  tolerance: number,
): readonly ReadLine[] | null {
  const wanted = withheld.filter(({ tax_amount, taxable_base }) => tax_amount !== 0 || taxable_base !== 0)
  if (wanted.length === 0 || lines.some(({ line }) => line.tax_withheld_rate !== undefined)) return lines
  const [{ tax_rate: rate, taxable_base: base }, second] = wanted as [TaxWithheld, TaxWithheld?]
  if (second) return null
  const isTaxed = (read: ReadLine) => read.rate !== 0
  const holds = [() => true, isTaxed].find((chosen) => {
    const sum = addUp([...lines.filter(chosen).map(({ gross }) => gross), shares])
    return apart(sum, base) <= tolerance
  })
  if (!holds) return null
  return lines.map((read) =>
    holds(read) ? { ...read, line: { ...read.line, tax_withheld_rate: rate } } : read,
  )
}
