/**
 * Normalises a document accepted by the schema into the engine's own copy. The client's object is never changed. Blocks
 * that the engine may complete are copied; all other blocks are shared with the client's object.
 */
import { invoiceTypeOf, minorUnitsOf } from '#core/catalogs/index.ts'
import type {
  CanonicalInvoice,
  Header,
  InvoiceBlock,
  Meta,
  Settings,
  Supplier,
  TaxOutput,
  TaxWithheld,
  Totals,
} from '#core/invoice/index.ts'
import { COMPUTED_TOTALS, OUTPUT_AMOUNTS, WITHHELD_AMOUNTS } from '#core/invoice/terms.ts'
import { type NormalisationFacts, newFacts } from './facts.ts'
import { accrualDate, fillExchangeRate, normaliseIssueData } from './issue-data.ts'
import { consumptionEntry, normaliseLine } from './normalise-lines.ts'
import { roundAmount, roundMembers } from './normalise-numbers.ts'
import { consumptionState, normaliseCustomer, normaliseSupplier } from './normalise-party.ts'
import { regimeKeyResolver } from './regime.ts'

export interface Normalised {
  readonly meta: Meta
  /** The engine's own copy, which the following stages change. */
  readonly invoice: InvoiceBlock
  readonly facts: NormalisationFacts
  /** Minor units of the currency of the amounts sent. */
  readonly decimals: number
  /**
   * The original currency; null if no amounts have to be converted. Amounts of a received invoice are converted to
   * euros, those of an issued invoice from euros.
   */
  readonly foreign: ForeignCurrency | null
}

export interface ForeignCurrency {
  readonly currency: string
  /** Minor units of the currency. */
  readonly decimals: number
  /** Euros per unit, if known. */
  readonly rate: number | undefined
}

const ENTRY_RATES = ['tax_rate', 'equivalence_surcharge', 'consumption_tax_rate'] as const

const SENT_TOTALS = [...COMPUTED_TOTALS, 'rounding_amount'] as const

type Members = Record<string, unknown>

type TotalsList = 'general_discounts' | 'general_surcharges' | 'payments_on_account' | 'reimbursable_expenses'

function normaliseMeta(sent: Meta, header: Header, settings: Settings): Meta {
  const meta: Meta = { ...sent, direction: settings.operation === 'received' ? 'received' : 'issued' }
  if (
    settings.operation === 'import' &&
    meta.external_ref === undefined &&
    header.invoice_number !== undefined
  )
    meta.external_ref = header.invoice_number
  return meta
}

function normaliseHeader(sent: Header, facts: NormalisationFacts): Header {
  const type = invoiceTypeOf(sent.invoice_type_code)
  const header: Header = { is_simplified: false, is_corrective: false, ...sent }
  header.is_simplified = type?.is_simplified ?? false
  header.is_corrective = type?.is_corrective ?? false
  if (sent.corrective) {
    header.corrective = { ...sent.corrective }
    roundMembers(
      header.corrective as Members,
      ['corrected_taxable_base', 'corrected_tax_amount'],
      2,
      facts,
      '/invoice/header/corrective',
    )
  }
  return header
}

/** Copies each entry of a list and rounds its numbers to the number of decimals that the engine keeps. */
function copyList<T extends object>(
  list: readonly T[],
  amounts: readonly string[],
  rates: readonly string[],
  decimals: number,
  facts: NormalisationFacts,
  path: string,
): T[] {
  return list.map((sent, index) => {
    const entry = { ...sent } as T
    roundMembers(entry as Members, amounts, decimals, facts, `${path}/${index}`)
    roundMembers(entry as Members, rates, null, facts, `${path}/${index}`)
    return entry
  })
}

function normaliseTotals(sent: Totals, decimals: number, facts: NormalisationFacts): Totals {
  // The computed totals start at 0 and are overwritten later.
  const totals: Totals = {
    total_gross_amount: 0,
    total_general_discounts: 0,
    total_general_surcharges: 0,
    total_consumption_taxes: 0,
    total_non_taxable_amount: 0,
    total_taxes_withheld: 0,
    total_payments_on_account: 0,
    total_reimbursable_expenses: 0,
    total_executable_amount: 0,
    ...sent,
  }
  const path = '/invoice/totals'
  for (const name of SENT_TOTALS) {
    const value = sent[name]
    if (value !== undefined) totals[name] = roundAmount(value, decimals, facts, path, name)
  }
  const copy = (name: TotalsList, amount: string, rates: readonly string[] = []) => {
    const list = sent[name] as readonly object[] | undefined
    if (list)
      (totals as unknown as Members)[name] = copyList(
        list,
        [amount],
        rates,
        decimals,
        facts,
        `${path}/${name}`,
      )
  }
  copy('general_discounts', 'discount_amount', ['discount_rate'])
  copy('general_surcharges', 'charge_amount', ['charge_rate'])
  copy('payments_on_account', 'payment_on_account_amount')
  copy('reimbursable_expenses', 'reimbursable_expenses_amount')
  return totals
}

const normaliseEntries = (
  sent: readonly TaxOutput[],
  decimals: number,
  facts: NormalisationFacts,
): TaxOutput[] =>
  copyList(sent, OUTPUT_AMOUNTS, ENTRY_RATES, decimals, facts, '/invoice/taxes_outputs').map((entry) =>
    entry.consumption_country_code === undefined
      ? entry
      : { ...entry, consumption_country_code: consumptionState(entry.consumption_country_code) },
  )

const normaliseWithheld = (
  sent: readonly TaxWithheld[],
  decimals: number,
  facts: NormalisationFacts,
): TaxWithheld[] => copyList(sent, WITHHELD_AMOUNTS, ['tax_rate'], decimals, facts, '/invoice/taxes_withheld')

/** Adds the company's tax id to a supplier without tax id, except on imports, which must state it. */
function withCompanyId(supplier: Supplier, issued: boolean, settings: Settings): Supplier {
  const id = settings.company?.tax_id
  const mayFill = issued && settings.operation !== 'import' && supplier.tax_id === undefined
  return mayFill && typeof id === 'string' && id !== '' ? { ...supplier, tax_id: id } : supplier
}

/**
 * Whether the document was already converted to euros. Its `invoice_currency` blocks then have the amounts in the
 * original currency.
 */
const isConverted = (invoice: InvoiceBlock): boolean =>
  [invoice.totals, ...invoice.lines, ...(invoice.taxes_outputs ?? [])].some(
    ({ invoice_currency: block }) => block !== undefined,
  )

/** Returns the currency of an invoice with amounts to convert, or null. */
function foreignCurrencyOf(sent: InvoiceBlock, issued: boolean, facts: NormalisationFacts): string | null {
  const code = sent.issue_data.invoice_currency?.invoice_currency_code
  if (code === undefined || code === 'EUR') return null
  facts.converted = isConverted(sent)
  return issued || !facts.converted ? code : null
}

/**
 * Normalises a document: makes defaults and implied values explicit. Amounts are not computed yet.
 *
 * Never throws. `facts` has observations for the rules, such as numbers with too many decimals or conflicting
 * provinces.
 */
export function normalise(sent: CanonicalInvoice, settings: Settings): Normalised {
  const facts = newFacts()
  const from = sent.invoice
  const issued = settings.operation !== 'received'
  const currency = foreignCurrencyOf(from, issued, facts)
  const minorUnits = currency === null ? 2 : (minorUnitsOf(currency) ?? 2)
  const decimals = issued ? 2 : minorUnits

  const supplier = normaliseSupplier(withCompanyId(from.supplier, issued, settings), facts)
  const customer = from.customer && normaliseCustomer(from.customer, facts)
  const header = normaliseHeader(from.header, facts)
  const issue = normaliseIssueData(from.issue_data, supplier, issued, settings, facts)
  const foreign =
    currency === null
      ? null
      : { currency, decimals: minorUnits, rate: fillExchangeRate(issue.invoice_currency!, settings) }
  facts.accrualDate = accrualDate(header, issue, settings.today)

  const taxes_outputs = from.taxes_outputs ? normaliseEntries(from.taxes_outputs, decimals, facts) : []
  const context = {
    issued,
    issue,
    customer,
    decimals,
    regimeKey: regimeKeyResolver(taxes_outputs, facts),
    consumption: consumptionEntry(taxes_outputs),
    facts,
  }
  const lines = new Array<InvoiceBlock['lines'][number]>(from.lines.length)
  for (let i = 0; i < lines.length; i++) lines[i] = normaliseLine(from.lines[i]!, i, context)
  // All blocks, in the order of the API specification. Undefined blocks are removed from the result.
  const invoice = {
    supplier,
    customer,
    header,
    issue_data: issue,
    lines,
    taxes_outputs,
    taxes_withheld: from.taxes_withheld && normaliseWithheld(from.taxes_withheld, decimals, facts),
    totals: normaliseTotals(from.totals, decimals, facts),
    payment_terms: from.payment_terms,
    payment_details: copyList(
      from.payment_details ?? [],
      ['installment_amount'],
      [],
      decimals,
      facts,
      '/invoice/payment_details',
    ),
    legal_literals: from.legal_literals?.map((literal) => ({ ...literal })),
    additional_data: from.additional_data,
  } as InvoiceBlock
  const meta = normaliseMeta(sent.meta, header, settings)
  return { meta, invoice, facts, decimals, foreign }
}
