/** Reads the lines of an invoice. */
import { required } from '#core/errors/index.ts'
import type { CanonicalInvoiceInput } from '#core/invoice/index.ts'
import { isMarginKey, TAXED } from '#core/invoice/terms.ts'
import type { ReadingReport } from '../model/index.ts'
import { addUp, showsMargin } from './facturae-amounts.ts'
import { TAX_TYPES, type TaxGroupCode } from './facturae-codes.ts'
import { type Cursor, optional, undefinedIfEmpty } from './facturae-cursor.ts'
import { type Treatment, treatmentOf } from './facturae-treatment.ts'

export type Line = CanonicalInvoiceInput['invoice']['lines'][number]

/** Data of the document that the reader of a line needs. */
export interface LineContext {
  readonly group: TaxGroupCode
  /** Treatment of untaxed lines that state no treatment. */
  readonly shared: Treatment
  readonly round: (amount: number) => number
  readonly report: ReadingReport
}

/** A line, its path, and the amounts that are compared with the totals of the document. */
export interface ReadLine {
  readonly line: Line
  readonly path: string
  /** Tax rate; 0 if not taxed. */
  readonly rate: number
  readonly gross: number
  /** The taxable base that the line states. */
  readonly base: number
}

/** Merges the discounts, or the charges, of a line into one, with the sum of their amounts. */
function adjustment(
  line: Cursor,
  [block = '', name = '', rate = '', amount = '']: readonly string[],
  ctx: LineContext,
) {
  const entries = line.list(block, name)
  if (entries.length === 0) return {}
  const percent = entries.length === 1 ? required(entries[0]).number(rate) : undefined
  const member = name.toLowerCase()
  const usable = percent !== undefined && percent >= 0 && percent <= 100
  return {
    ...(usable ? { [`${member}_rate`]: percent } : {}),
    [`${member}_amount`]: ctx.round(addUp(entries.map((entry) => required(entry.number(amount))))),
  }
}

const DISCOUNT = ['DiscountsAndRebates', 'Discount', 'DiscountRate', 'DiscountAmount']
const CHARGE = ['Charges', 'Charge', 'ChargeRate', 'ChargeAmount']

function referencesOf(line: Cursor) {
  const notes = line.list('DeliveryNotesReferences', 'DeliveryNote').map((note) => ({
    ...optional('number', note.text('DeliveryNoteNumber')),
    ...optional('date', note.date('DeliveryNoteDate')),
  }))
  return undefinedIfEmpty({
    ...optional('issuer_contract_reference', line.text('IssuerContractReference')),
    ...optional('issuer_contract_date', line.date('IssuerContractDate')),
    ...optional('receiver_contract_reference', line.text('ReceiverContractReference')),
    ...optional('receiver_transaction_reference', line.text('ReceiverTransactionReference')),
    ...optional('file_reference', line.text('FileReference')),
    ...optional('delivery_notes', undefinedIfEmpty(notes)),
  })
}

/** Returns the only tax of a line. Refuses a line with several taxes, or with a tax that does not exist in json_1_1. */
function taxOf(line: Cursor, { group, report }: LineContext): Cursor | null {
  const taxes = line.list('TaxesOutputs', 'Tax')
  if (taxes.length > 1) {
    report.refuse('format.several_taxes', line.at('TaxesOutputs'), { received: taxes.length })
    return null
  }
  const tax = required(taxes[0])
  const type = required(tax.text('TaxTypeCode'))
  const known = TAX_TYPES[type]
  if (!known) report.refuse('format.tax_not_supported', tax.at('TaxTypeCode'), { received: type })
  else if (known.group !== group)
    report.refuse('format.several_tax_groups', tax.at('TaxTypeCode'), { received: [group, known.group] })
  return tax
}

function withheldOf(line: Cursor, { report }: LineContext): number | undefined {
  const taxes = line.list('TaxesWithheld', 'Tax')
  if (taxes.length > 1)
    report.refuse('format.several_taxes', line.at('TaxesWithheld'), { received: taxes.length })
  return taxes[0]?.number('TaxRate')
}

/** Returns a sequence number, a whole number from 1. The schema also allows fractions. */
const sequenceOf = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 ? value : undefined

export function readLine(line: Cursor, context: LineContext): ReadLine | null {
  const { group, shared, round } = context
  const tax = taxOf(line, context)
  if (tax === null) return null
  const rate = required(tax.number('TaxRate'))
  const treatment = treatmentOf(line, rate, group, shared)
  const taxed = treatment.tax_treatment_code === TAXED
  const key = TAX_TYPES[required(tax.text('TaxTypeCode'))]?.key
  const gross = round(required(line.number('GrossAmount')))
  const period = line.block('LineItemPeriod')
  const made = {
    ...optional('sequence_number', sequenceOf(line.number('SequenceNumber'))),
    item_description: line.text('ItemDescription') ?? '',
    quantity: required(line.number('Quantity')),
    ...optional('unit_of_measure', line.text('UnitOfMeasure')),
    ...optional('article_code', line.text('ArticleCode')),
    unit_price_without_tax: required(line.number('UnitPriceWithoutTax')),
    ...adjustment(line, DISCOUNT, context),
    ...adjustment(line, CHARGE, context),
    total_cost_without_tax: round(required(line.number('TotalCost'))),
    gross_amount_without_tax: gross,
    ...(taxed ? { tax_output_rate: rate } : {}),
    ...optional('tax_withheld_rate', withheldOf(line, context)),
    ...treatment,
    ...optional('tax_regime_key', key),
    ...optional('line_item_period_start_date', period?.date('StartDate')),
    ...optional('line_item_period_end_date', period?.date('EndDate')),
    ...optional('transaction_date', line.date('TransactionDate')),
    ...optional('additional_line_item_information', line.text('AdditionalLineItemInformation')),
    ...optional('references', referencesOf(line)),
  }
  return {
    line: made as Line,
    path: line.path,
    rate,
    gross,
    base: round(required(tax.amount('TaxableBase'))),
  }
}

/**
 * Sets the regime key of a line and, under the margin scheme, its purchase price. The amount of the line is the sale
 * price and its base the margin, so the purchase price is the difference (arts. 137 and 145 Ley 37/1992).
 */
export function withRegime(
  { line, gross, base, ...rest }: ReadLine,
  key: string | undefined,
  round: LineContext['round'],
): ReadLine {
  const isMargin = isMarginKey(key) && showsMargin({ gross, base })
  const purchase = isMargin ? round(addUp([Math.abs(gross), -Math.abs(base)])) : undefined
  const members = { ...optional('tax_regime_key', key), ...optional('purchase_price_incl', purchase) }
  return { line: { ...line, ...members }, gross, base, ...rest }
}
