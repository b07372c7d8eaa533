/**
 * Maps a json_1_1 invoice to a semantic model that complies with the rules of EN 16931, or reports why this is not
 * possible.
 */
import { lastDayOfCurrency } from '#core/catalogs/index.ts'
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoice } from '#core/invoice/index.ts'
import { CASH_BASIS } from '#core/invoice/terms.ts'
import { toleranceOf, toMinor, toNumber } from '#core/money/index.ts'
import {
  type EmbeddedFile,
  isUnderCashBasis,
  type ReadingReport,
  refuseMixedRegimes,
  type WritingOptions,
  type WritingReport,
} from '../model/index.ts'
import type {
  Attachment,
  DocumentAllowance,
  EnInvoice,
  Line,
  Locations,
  Note,
  Party,
  Tax,
  Totals,
} from './en16931-model.ts'
import { checkRules } from './en16931-rules.ts'
import { type TaxGroup, taxGroupText } from './en16931-treatment.ts'
import { type InvoiceAmounts, invoiceAmountsOf } from './en16931-view.ts'
import { rows as mimeCodes } from './mime-codes.json'
import { withProfile } from './profile.ts'
import { isCashBasis } from './read-en16931-header.ts'
import { notesOf, precedingOf, termsOf, typeCodeAndSign } from './write-en16931-header.ts'
import { lineOf } from './write-en16931-lines.ts'
import { partyOf } from './write-party.ts'
import { allowancesOf, refuseTaxes, taxesOf } from './write-taxes.ts'

function attachmentsOf(files: readonly EmbeddedFile[], report: WritingReport): Attachment[] {
  return files.map(({ file_name: fileName, content_type: contentType, data, description }) => {
    if (!mimeCodes.includes(contentType)) report.refuse('unknown_code', '', { received: contentType })
    return { id: fileName, fileName, contentType, data, description }
  })
}

/** Refuses an invoice that lacks data that EN 16931 requires and json_1_1 does not. */
function refuseMissing(
  { invoice }: CanonicalInvoice,
  categories: ReadonlySet<string>,
  report: WritingReport,
): void {
  const { supplier, customer, header, issue_data: issue } = invoice
  const need = (value: string | undefined, path: string): void => {
    if (value === undefined || value === '') report.refuse('missing', path)
  }
  need(header.invoice_number, '/invoice/header/invoice_number')
  need(issue.issue_date, '/invoice/issue_data/issue_date')
  need(supplier.tax_id, '/invoice/supplier/tax_id')
  need(customer?.name, '/invoice/customer/name')
  // The tax id of the customer is required under reverse charge and for intra-Community supplies (BR-AE-02, BR-IC-02).
  if (customer && (categories.has('AE') || categories.has('K')))
    need(customer.tax_id, '/invoice/customer/tax_id')
}

/**
 * Refuses tax ids that are not VAT numbers where the rules require VAT numbers: both parties of an intra-Community
 * supply, the seller of an export (BR-IC-02, BR-G-02). An invoice with lines not subject to tax states no VAT numbers.
 */
function refuseTaxIds(
  { invoice: { supplier, customer } }: CanonicalInvoice,
  seller: Party,
  buyer: Party | undefined,
  categories: ReadonlySet<string>,
  report: WritingReport,
): void {
  const rule = categories.has('K') ? 'BR-IC-02' : categories.has('G') ? 'BR-G-02' : undefined
  if (rule === undefined || categories.has('O')) return
  const refuse = (received: string | undefined, path: string): void => {
    if (received !== undefined) report.refuse('not_in_form', path, { received, rule })
  }
  if (seller.vatId === undefined) refuse(supplier.tax_id, '/invoice/supplier/tax_id')
  if (categories.has('K') && buyer?.vatId === undefined) refuse(customer?.tax_id, '/invoice/customer/tax_id')
}

/** Refuses periods that end before they start (BR-29, BR-30). */
function refusePeriods({ invoice }: CanonicalInvoice, report: WritingReport): void {
  const { invoicing_period_start_date: start, invoicing_period_end_date: end } = invoice.issue_data
  if (start !== undefined && end !== undefined && end < start)
    report.refuse('period_reversed', '/invoice/issue_data/invoicing_period_end_date')
  invoice.lines.forEach(({ line_item_period_start_date: from, line_item_period_end_date: to }, index) => {
    if (from !== undefined && to !== undefined && to < from)
      report.refuse('period_reversed', `/invoice/lines/${index}/line_item_period_end_date`)
  })
}

/** Refuses a currency that is no longer in ISO 4217 (BR-CL-04). */
function refuseWithdrawnCurrency({ invoice }: CanonicalInvoice, report: WritingReport): void {
  const received = invoice.issue_data.invoice_currency?.invoice_currency_code
  if (received === undefined || lastDayOfCurrency(received) === undefined) return
  const path = '/invoice/issue_data/invoice_currency/invoice_currency_code'
  report.refuse('not_in_form', path, { received, rule: 'BR-CL-04' })
}

const negated = <T extends { readonly amount: number; readonly base?: number | undefined }>(one: T): T => ({
  ...one,
  amount: 0 - one.amount,
  ...(one.base === undefined ? {} : { base: 0 - one.base }),
})

/**
 * Returns the totals. The total with tax is the sum of the breakdown. If the invoice total differs from this sum within
 * the tolerance, the difference is added to the rounding amount (BT-114), so that the amount to pay stays the same.
 */
function totalsOf(
  { totals, accountingTax }: InvoiceAmounts,
  lines: readonly Line[],
  allowances: readonly DocumentAllowance[],
  taxes: readonly Tax[],
  sign: 1 | -1,
): Totals {
  const signed = (amount: number | undefined): number | undefined =>
    amount === undefined || amount === 0 ? undefined : toNumber(sign * toMinor(amount))
  const sumOf = (amounts: readonly number[]): number => {
    let sum = 0
    for (const amount of amounts) sum += toMinor(amount)
    return toNumber(sum)
  }
  const side = (isCharge: boolean) => {
    const list = allowances.filter((one) => one.isCharge === isCharge)
    return list.length === 0 ? undefined : sumOf(list.map(({ amount }) => amount))
  }
  const base = signed(totals.total_gross_amount_before_taxes) ?? 0
  const tax = sumOf(taxes.map((one) => one.tax))
  const stated = signed(totals.invoice_total) ?? 0
  const total = sumOf([base, tax])
  const rest = toMinor(stated) - toMinor(total)
  const isAccepted = Math.abs(rest) <= toleranceOf({ lines })
  const rounding = toMinor(signed(totals.rounding_amount) ?? 0) + (isAccepted ? rest : 0)
  return {
    lines: sumOf(lines.map(({ net }) => net)),
    allowances: side(false),
    charges: side(true),
    base,
    tax,
    accountingTax: accountingTax === undefined ? undefined : (signed(accountingTax) ?? 0),
    total: isAccepted ? total : stated,
    prepaid: signed(totals.total_payments_on_account),
    rounding: rounding === 0 ? undefined : toNumber(rounding),
    payable: signed(totals.total_executable_amount) ?? 0,
  }
}

/** Locations in json_1_1 of the business terms that the rules check. */
const CANONICAL_LOCATIONS: Locations = {
  number: '/invoice/header/invoice_number',
  issueDate: '/invoice/issue_data/issue_date',
  typeCode: '/invoice/header/invoice_type_code',
  currency: '/invoice/issue_data/invoice_currency',
  seller: '/invoice/supplier',
  buyer: '/invoice/customer',
  lines: '/invoice/lines',
  taxes: '/invoice/taxes_outputs',
  payment: '/invoice/payment_details',
  terms: '/invoice/payment_terms',
  preceding: '/invoice/header/corrective',
  lineTotal: '/invoice/totals/total_gross_amount',
  allowanceTotal: '/invoice/totals/total_general_discounts',
  chargeTotal: '/invoice/totals/total_general_surcharges',
  base: '/invoice/totals/total_gross_amount_before_taxes',
  tax: '/invoice/totals/total_tax_outputs',
  accountingTax: '/invoice/totals/total_tax_outputs',
  total: '/invoice/totals/invoice_total',
  prepaid: '/invoice/totals/total_payments_on_account',
  payable: '/invoice/totals/total_executable_amount',
  endpoint: '/electronic_address',
}

/** Whether the model complies with the rules of EN 16931, which are also checked when a document is read. */
function rulesHold(model: EnInvoice, report: WritingReport): boolean {
  let hold = true
  const rules: ReadingReport = {
    refuse: (code, path, extra = {}) => {
      hold = false
      const at = path || CANONICAL_LOCATIONS.taxes
      if (code === 'en16931.sum') report.refuse('sums', at, extra)
      else report.refuse('not_in_form', at, { received: extra.received ?? '', rule: extra.rule ?? code })
    },
    warn: () => {},
  }
  checkRules(model, CANONICAL_LOCATIONS, rules, 0)
  return hold
}

/** Returns the two parties, and the identifiers without a business term, which are written into a note. */
function partiesOf(
  { supplier, customer }: CanonicalInvoice['invoice'],
  withoutVat: boolean,
  report: WritingReport,
) {
  const seller = partyOf(supplier, { role: 'supplier', withoutVat, report })
  const buyer = customer && partyOf(customer, { role: 'customer', withoutVat, report })
  return { seller, buyer, others: [...seller.others, ...(buyer?.others ?? [])] }
}

/** Returns the destination and date of an intra-Community supply (BR-IC-11, BR-IC-12). */
function deliveryOf({ issue_data: issue, customer }: CanonicalInvoice['invoice'], isSupply: boolean) {
  if (!isSupply) return {}
  const country = customer?.company?.address?.country_code ?? customer?.person?.address?.country_code
  return {
    deliveryDate: issue.operation_date ?? issue.issue_date,
    deliveryCountry: country ?? customer?.country_code,
  }
}

/** Returns the breakdown with the sign of the document. Amounts of a credit note are positive. */
const signedTaxes = (taxes: readonly Tax[], sign: 1 | -1): Tax[] =>
  sign === 1 ? [...taxes] : taxes.map((tax) => ({ ...tax, base: 0 - tax.base, tax: 0 - tax.tax }))

/** Returns a note that names the tax (IGIC or IPSI) if no category does: only taxed lines have a category of a tax. */
const taxGroupNote = (group: TaxGroup, categories: ReadonlySet<string>): string[] =>
  group === 'IVA' || categories.has('L') || categories.has('M') ? [] : [taxGroupText(group)]

/** Refuses lines whose regime a reader would misinterpret: the note on the cash basis applies to all lines. */
function refuseUnreadableRegimes(
  { lines }: CanonicalInvoice['invoice'],
  notes: readonly Note[],
  report: WritingReport,
): void {
  const isCash = isCashBasis(notes)
  const keys = lines.map((line) => (isCash && isUnderCashBasis(line) ? CASH_BASIS : undefined))
  refuseMixedRegimes(lines, keys, report)
}

const periodOf = ({
  invoicing_period_start_date: start,
  invoicing_period_end_date: end,
}: CanonicalInvoice['invoice']['issue_data']) =>
  start === undefined && end === undefined ? undefined : { start, end }

/** Maps a calculated invoice to the semantic model; null if `report` refused it. */
export function fromCanonical(
  document: CanonicalInvoice,
  report: WritingReport,
  { attachments, profile }: WritingOptions,
): EnInvoice | null {
  let refused = false
  const watched: WritingReport = {
    refuse: (...item) => {
      refused = true
      report.refuse(...item)
    },
  }
  const { invoice } = document
  const { issue_data: issue, header } = invoice
  refuseTaxes(document, watched)
  refusePeriods(document, watched)
  refuseWithdrawnCurrency(document, watched)
  const view = invoiceAmountsOf(document, watched)
  if (!view) return null
  const group = (issue.tax_group_code ?? 'IVA') as TaxGroup
  const taxes = taxesOf(view, group, watched)
  const categories = new Set(taxes.map(({ category }) => category))
  refuseMissing(document, categories, watched)
  const { seller, buyer, others } = partiesOf(invoice, categories.has('O'), watched)
  refuseTaxIds(document, seller.party, buyer?.party, categories, watched)
  const files = attachmentsOf(attachments, watched)
  if (refused || !buyer) return null

  const { typeCode, sign } = typeCodeAndSign(invoice, view)
  const notes = notesOf(invoice, [...others, ...taxGroupNote(group, categories)], sign)
  refuseUnreadableRegimes(invoice, notes, watched)
  const lines = view.lines.map((line, index) => lineOf(line, index, group, 1))
  const split = allowancesOf(view, lines, taxes)
  const signedLines = sign === 1 ? lines : view.lines.map((line, index) => lineOf(line, index, group, sign))
  const allowances = sign === 1 ? split : split.map(negated)
  const signedBreakdown = signedTaxes(taxes, sign)
  const totals = totalsOf(view, signedLines, allowances, signedBreakdown, sign)
  const model: EnInvoice = {
    number: required(header.invoice_number),
    issueDate: required(issue.issue_date),
    typeCode,
    currency: view.currency,
    accountingCurrency: view.accountingTax === undefined ? undefined : 'EUR',
    taxPointDate: issue.operation_date,
    buyerReference: header.references?.file_reference,
    project: header.references?.file_reference,
    contract: header.references?.receiver_contract_reference,
    order: header.references?.receiver_transaction_reference,
    salesOrder: header.references?.issuer_contract_reference,
    ...termsOf(invoice, totals.payable),
    notes,
    customization: required(profile?.customization),
    process: profile?.process,
    preceding: precedingOf(invoice),
    seller: seller.party,
    buyer: buyer.party,
    ...deliveryOf(invoice, categories.has('K')),
    period: periodOf(issue),
    allowances,
    totals,
    taxes: signedBreakdown,
    attachments: files,
    references: [],
    lines: signedLines,
  }
  const profiled = withProfile(model, invoice, required(profile), watched)
  return rulesHold(profiled, watched) && !refused ? profiled : null
}
