/** Compares an invoice with what comes back from its file: totals, tax group, treatments, regime keys, deduction. */

import { required } from '#core/errors/index.ts'
import { isMarginKey } from '#core/invoice/index.ts'
import { type CanonicalInvoice, type CanonicalInvoiceInput, validate } from '#engine/index.ts'
import { receivedRecord } from '#records/sii/index.ts'
import { OPTIONS, operationOf } from './features.ts'

type Output = NonNullable<CanonicalInvoice['invoice']['taxes_outputs']>[number]
type Totals = CanonicalInvoice['invoice']['totals']

interface LostKey {
  readonly keys: readonly string[]
  readonly reason: string
  readonly isLost?: (entry: Output, direction: string | undefined) => boolean
}

const isTaxed = ({ tax_treatment_code: treatment }: Output): boolean => treatment === 'TAXABLE_NON_EXEMPT'

/** Regime keys that no XML format states. No amount, deduction or tax group depends on them. */
const LOST_KEYS: readonly LostKey[] = [
  {
    keys: ['02'],
    reason: 'an export: its exemption (E2) is written. The compensation of farmers is recognised by its rate',
    isLost: (entry, direction) => direction === 'issued' || !isTaxed(entry),
  },
  {
    keys: ['07'],
    reason: 'the cash basis does not apply to these operations (art. 163 duodecies Ley 37/1992)',
    isLost: (entry) =>
      !(
        isTaxed(entry) ||
        (entry.tax_treatment_code === 'TAXABLE_EXEMPT' && !/^E[2-5]$/.test(entry.exemption_reason_code ?? ''))
      ),
  },
  { keys: ['08'], reason: 'an operation under another tax: it is not subject, which is written' },
  { keys: ['11', '18', '19'], reason: 'concerns only the books of the issuer; the tax is the ordinary one' },
]

const keyOf = (entry: Output, direction: string | undefined): string => {
  const key = entry.tax_regime_key ?? '01'
  const isLost = LOST_KEYS.some(
    (lost) => lost.keys.includes(key) && (lost.isLost?.(entry, direction) ?? true),
  )
  return isLost ? '01' : key
}

/** Returns the amounts of each tax group, in euros and in the currency of the document. */
function groupsOf(
  { meta, invoice: { taxes_outputs: entries = [] } }: CanonicalInvoice,
  keysAreColumns: boolean,
): Map<string, number[]> {
  const groups = new Map<string, number[]>()
  for (const entry of entries) {
    const { tax_treatment_code: treatment, exemption_reason_code: exempt, non_taxable_reason: reason } = entry
    const key = keysAreColumns ? entry.tax_regime_key : keyOf(entry, meta.direction)
    const name = [treatment, isTaxed(entry) ? entry.tax_rate : 0, key, exempt ?? reason].join(' ')
    const amounts = [entry, entry.invoice_currency ?? {}].flatMap((one: Partial<Output>) => [
      one.taxable_base ?? 0,
      one.tax_amount ?? 0,
      one.equivalence_surcharge_amount ?? 0,
    ])
    const known = groups.get(name)
    groups.set(name, known ? known.map((amount, at) => amount + required(amounts[at])) : amounts)
  }
  return groups
}

/** Totals that the law or the payment depends on. The sums before the discounts of the document are not among them. */
const TOTALS = [
  ...['total_gross_amount_before_taxes', 'total_tax_outputs', 'invoice_total', 'total_taxes_withheld'],
  ...['total_payments_on_account', 'total_reimbursable_expenses', 'total_executable_amount'],
  ...['total_consumption_taxes'],
] as const

const isApart = (a: number, b: number, cents: number): boolean => Math.abs(a - b) * 100 > cents + 0.01

/** Returns the totals that differ by more than `cents`. */
const differing = (before: Partial<Totals> = {}, after: Partial<Totals> = {}, cents = 0) =>
  TOTALS.flatMap((name) => {
    const [expected, received] = [before[name] ?? 0, after[name] ?? 0]
    return isApart(expected, received, cents) ? [`${name} ${expected} -> ${received}`] : []
  })

/** Returns the deductible tax of a received invoice under IVA, or the reasons why no record reports it. */
function deductionOf(data: CanonicalInvoice): unknown {
  if (data.meta.direction !== 'received' || data.invoice.issue_data.tax_group_code !== 'IVA') return null
  const result = receivedRecord({ is_valid: true, data, errors: [] }, { pro_rata: 100 })
  return result.ok ? result.record.FacturaRecibida.CuotaDeducible : result.items.map(({ code }) => code)
}

const isForeign = ({ invoice }: CanonicalInvoice): boolean =>
  invoice.issue_data.invoice_currency !== undefined

/**
 * Restores what no format states because it belongs to the books of one party: the amounts that a correction takes back,
 * and the day of receipt.
 */
function withBookData(document: CanonicalInvoiceInput, { meta, invoice }: CanonicalInvoice): unknown {
  const { header, issue_data } = document.invoice
  const { corrected_taxable_base, corrected_tax_amount } = invoice.header.corrective ?? {}
  const rate = (meta.direction === 'received' && issue_data.invoice_currency?.exchange_rate) || 1
  const own = (amount: number | undefined) =>
    amount === undefined ? undefined : Number((amount / rate).toFixed(8))
  const corrected = {
    corrected_taxable_base: own(corrected_taxable_base),
    corrected_tax_amount: own(corrected_tax_amount),
  }
  const { receipt_date } = invoice.issue_data
  return JSON.parse(
    JSON.stringify({
      ...document,
      invoice: {
        ...document.invoice,
        header: { ...header, corrective: header.corrective && { ...header.corrective, ...corrected } },
        issue_data: { ...issue_data, receipt_date },
      },
    }),
  )
}

/**
 * Returns the cents by which totals in euros may differ. A received document states only its own currency, so its euros
 * are calculated again. An issued one states its totals in euros; beside negative bases or margins, single cents of
 * them are not divided among the bases.
 */
function toleranceOf(data: CanonicalInvoice): number {
  const { lines, taxes_outputs: entries = [] } = data.invoice
  const isNegative = entries.some((entry) => entry.taxable_base < 0)
  const isDivided = isNegative || lines.some(({ tax_regime_key: key }) => isMarginKey(key))
  const isExact = !isForeign(data) || (data.meta.direction === 'issued' && !isDivided)
  return isExact ? 0 : lines.length + entries.length
}

/** What comes back other than it was sent. */
export function differencesOf(
  data: CanonicalInvoice,
  read: CanonicalInvoiceInput,
  isCsv = false,
): readonly string[] {
  const document = withBookData(read, data) as CanonicalInvoiceInput
  const back = validate(document, { ...OPTIONS, operation: operationOf(document), totals: 'check' })
  const errors = back.errors.filter(({ severity }) => severity === 'error')
  if (errors.length > 0 || back.data === null) return errors.map(({ message }) => message)
  const cents = toleranceOf(data)
  const [before, after] = [data.invoice.totals, back.data.invoice.totals]
  const found = [
    ...differing(before, after, cents),
    ...differing(before.invoice_currency, after.invoice_currency),
  ]
  const same = (name: string, expected: unknown, received: unknown) => {
    if (JSON.stringify(expected) !== JSON.stringify(received))
      found.push(`${name}: ${JSON.stringify(expected)} -> ${JSON.stringify(received)}`)
  }
  const [issue, other] = [data.invoice.issue_data, back.data.invoice.issue_data]
  same('tax group', issue.tax_group_code, other.tax_group_code)
  same('currency', issue.invoice_currency, other.invoice_currency)
  const [groups, others] = [groupsOf(data, isCsv), groupsOf(back.data, isCsv)]
  same('groups', [...groups.keys()].sort(), [...others.keys()].sort())
  // The entries that were sent have no columns in a CSV, and those of another currency are rounded in both.
  const slack = isForeign(data) || isCsv ? cents + data.invoice.lines.length : 0
  for (const [name, amounts] of groups)
    if (amounts.some((amount, at) => isApart(amount, others.get(name)?.[at] ?? 0, slack)))
      same(name, amounts, others.get(name))
  if (cents === 0) same('deduction', deductionOf(data), deductionOf(back.data))
  return found
}
