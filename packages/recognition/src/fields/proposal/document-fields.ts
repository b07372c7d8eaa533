/** Writes the fields as a canonical invoice, with the scores of the fields by JSON Pointer. */
import { checkTaxId } from '#core/identifiers/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { FARMERS_OR_EXPORT } from '#core/invoice/terms.ts'
import { type Minor, sum, toNumber } from '#core/money/index.ts'
import type { Fields } from '../agreement/agreed-fields.ts'
import type { Amounts } from '../agreement/settle-fields.ts'
import type { Entry, Withholding } from '../candidates/amount-fields.ts'
import type { Line } from '../candidates/line-fields.ts'
import { type ScoredValue, TRUST } from '../found.ts'

interface WrittenDocument {
  /** The invoice. Fields that were not found are missing, so the invoice may be incomplete. */
  readonly document: CanonicalInvoiceInput
  readonly scores: Readonly<Record<string, number>>
}

type Members = Record<string, unknown>

/** Sets fields and records their scores. */
class Notes {
  readonly scores: Record<string, number> = {}

  /** Sets a field if it was found. */
  put<T>(target: Members, at: string, name: string, one: ScoredValue<T> | undefined): void {
    if (one === undefined) return
    target[name] = one.value
    // A score of 0 marks a default value that was not found on the document, so no score is recorded.
    if (one.score > 0) this.scores[`${at}/${name}`] = one.score
  }

  amount(target: Members, at: string, name: string, value: Minor | undefined, score: number): void {
    if (value !== undefined) this.put(target, at, name, { value: toNumber(value), score })
  }
}

const UNTAXED = 0

/** Returns the treatment of an entry or a line. */
const treatmentOf = ({ untaxed }: Amounts, rate: number): Members =>
  rate === UNTAXED && untaxed ? { ...untaxed } : {}

const isReverse = ({ untaxed }: Amounts, rate: number): boolean =>
  rate === UNTAXED && untaxed?.tax_treatment_code === 'TAXABLE_NON_EXEMPT_RC'

const named = (rate: number): string => `${String(rate).replace('.', ',')} %`

/** Returns one line for each rate of the breakdown. */
function groupedLines(notes: Notes, amounts: Amounts): Members[] {
  return amounts.entries.map((entry, index) => {
    const at = `/invoice/lines/${index}`
    const line: Members = { item_description: `Base al ${named(entry.rate)}`, quantity: 1 }
    notes.amount(line, at, 'unit_price_without_tax', entry.base, amounts.scores.base)
    notes.put(line, at, 'tax_output_rate', { value: entry.rate, score: amounts.scores.breakdown })
    return { ...line, ...treatmentOf(amounts, entry.rate) }
  })
}

function readLines(
  notes: Notes,
  amounts: Amounts,
  lines: readonly Line[],
  trust: Fields['lineTrust'],
): Members[] {
  return lines.map(({ description, quantity, price, discount, rate, isChecked }, index) => {
    const at = `/invoice/lines/${index}`
    const score = Math.min(isChecked ? trust.checked : trust.text, amounts.scores.base)
    const line: Members = {}
    notes.put(line, at, 'item_description', { value: description, score: trust.text })
    notes.put(line, at, 'quantity', { value: quantity, score })
    notes.put(line, at, 'unit_price_without_tax', { value: price, score })
    if (discount !== undefined) notes.put(line, at, 'discount_rate', { value: discount, score })
    notes.put(line, at, 'tax_output_rate', { value: rate, score: Math.min(score, amounts.scores.breakdown) })
    return { ...line, ...treatmentOf(amounts, rate) }
  })
}

function breakdown(notes: Notes, amounts: Amounts): Members[] {
  const { scores } = amounts
  return amounts.entries.map(({ rate, base, tax, surcharge }: Entry, index) => {
    const at = `/invoice/taxes_outputs/${index}`
    const entry: Members = {}
    notes.put(entry, at, 'tax_rate', { value: rate, score: scores.breakdown })
    notes.amount(entry, at, 'taxable_base', base, scores.base)
    notes.amount(entry, at, 'tax_amount', tax, scores.tax)
    if (surcharge) {
      notes.put(entry, at, 'equivalence_surcharge', { value: surcharge.rate, score: scores.breakdown })
      notes.amount(entry, at, 'equivalence_surcharge_amount', surcharge.amount, scores.breakdown)
    }
    return {
      ...entry,
      ...treatmentOf(amounts, rate),
      ...(isReverse(amounts, rate) && { reverse_charge: true }),
    }
  })
}

function totals(notes: Notes, amounts: Amounts): Members {
  const at = '/invoice/totals'
  const { entries, withheld, scores, total } = amounts
  const written: Members = {}
  const base = entries.length > 0 ? sum(entries.map((entry) => entry.base)) : amounts.base
  if (base !== undefined) {
    notes.amount(written, at, 'total_gross_amount_before_taxes', base, scores.base)
    notes.amount(written, at, 'total_tax_outputs', total - base, scores.tax)
  }
  notes.amount(written, at, 'invoice_total', total, scores.total)
  if (withheld) notes.amount(written, at, 'total_taxes_withheld', withheld.amount, scores.withheld)
  const extra = Math.min(scores.base, TRUST.agreed)
  const { disbursements, advances } = amounts
  if (disbursements) notes.amount(written, at, 'total_reimbursable_expenses', disbursements, extra)
  if (advances) notes.amount(written, at, 'total_payments_on_account', advances, extra)
  return written
}

function withheldEntry(notes: Notes, { scores }: Amounts, withheld: Withholding): Members {
  const at = '/invoice/taxes_withheld/0'
  const entry: Members = {}
  notes.put(entry, at, 'tax_rate', { value: withheld.rate, score: scores.withheld })
  notes.amount(entry, at, 'taxable_base', withheld.base, scores.base)
  notes.amount(entry, at, 'tax_amount', withheld.amount, scores.withheld)
  return entry
}

function payment(notes: Notes, { payment: read }: Fields, amounts: Amounts): Members {
  const at = '/invoice/payment_details/0'
  const entry: Members = {}
  notes.put(entry, at, 'installment_due_date', read.dueDate)
  notes.put(entry, at, 'payment_method_code', read.method)
  notes.put(entry, at, `iban_account_to_be_${read.isDebited ? 'debited' : 'credited'}`, read.iban)
  if (Object.keys(entry).length === 0) return {}
  const { total, withheld, disbursements, advances } = amounts
  const due = total - (withheld?.amount ?? 0) + disbursements - advances
  return { payment_details: [{ ...entry, installment_amount: toNumber(due) }] }
}

/** Returns the supplier, as far as it is known. */
function supplier(notes: Notes, fields: Fields): Members {
  const party: Members = {
    person_type_code: fields.supplierPerson,
    country_code: fields.supplierCountry,
  }
  notes.put(party, '/invoice/supplier', 'tax_id', fields.supplierTaxId)
  notes.put(party, '/invoice/supplier', 'name', fields.supplierName)
  return party
}

function customer(notes: Notes, { customer: one }: Fields): Members {
  if (!one) return {}
  notes.scores['/invoice/customer/tax_id'] = one.score
  const { kind, country } = checkTaxId(one.value.tax_id)
  const country_code = (kind === 'EU_VAT' && country) || 'ES'
  return { customer: { ...one.value, country_code } }
}

function header(notes: Notes, fields: Fields): Members {
  const header: Members = {}
  notes.put(header, '/invoice/header', 'invoice_type_code', fields.type)
  notes.put(header, '/invoice/header', 'invoice_series_code', fields.series)
  notes.put(header, '/invoice/header', 'invoice_number', fields.number)
  if (fields.type.value === '03') {
    const corrective: Members = {}
    notes.put(corrective, '/invoice/header/corrective', 'invoice_number', fields.corrected)
    if (fields.corrected) header.corrective = corrective
  }
  return header
}

function issueData(notes: Notes, fields: Fields): Members {
  const issue_data: Members = {}
  notes.put(issue_data, '/invoice/issue_data', 'issue_date', fields.issueDate)
  notes.put(issue_data, '/invoice/issue_data', 'operation_date', fields.operationDate)
  if (fields.currency && fields.currency.value !== 'EUR') {
    const currency: Members = { ...fields.exchange }
    notes.put(currency, '/invoice/issue_data/invoice_currency', 'invoice_currency_code', fields.currency)
    issue_data.invoice_currency = currency
  } else notes.put(issue_data, '/invoice/issue_data', 'tax_currency_code', fields.currency)
  return issue_data
}

/** Returns lines, breakdown, totals and payment details. */
function amountBlocks(notes: Notes, fields: Fields, amounts: Amounts): Members {
  const withKey = (one: Members): Members =>
    fields.compensation.some((rate) => rate === (one.tax_output_rate ?? one.tax_rate))
      ? { ...one, tax_regime_key: FARMERS_OR_EXPORT }
      : one
  const read = fields.lines
    ? readLines(notes, amounts, fields.lines, fields.lineTrust)
    : groupedLines(notes, amounts)
  const lines = read.map(withKey)
  const { withheld, scores } = amounts
  if (withheld)
    for (const [index, line] of lines.entries())
      notes.put(line, `/invoice/lines/${index}`, 'tax_withheld_rate', {
        value: withheld.rate,
        score: scores.withheld,
      })
  return {
    ...(lines.length > 0 && { lines }),
    ...(withheld && { taxes_withheld: [withheldEntry(notes, amounts, withheld)] }),
    ...(scores.breakdown > 0 && { taxes_outputs: breakdown(notes, amounts).map(withKey) }),
    totals: totals(notes, amounts),
    ...payment(notes, fields, amounts),
  }
}

/** Writes the fields as an invoice that a client could send. */
export function writeDocument(fields: Fields, original: string): WrittenDocument {
  const notes = new Notes()
  const { amounts } = fields
  const head = header(notes, fields)
  const issue_data = issueData(notes, fields)
  const invoice: Members = {
    supplier: supplier(notes, fields),
    ...customer(notes, fields),
    header: head,
    issue_data,
    ...(amounts && amountBlocks(notes, fields, amounts)),
  }
  return {
    document: {
      schema_version: 'json_1_1',
      meta: { direction: 'received', source_system: 'recognition', original_format: original },
      invoice,
    } as unknown as CanonicalInvoiceInput,
    scores: notes.scores,
  }
}
