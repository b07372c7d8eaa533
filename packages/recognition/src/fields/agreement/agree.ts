/** Chooses among the candidates of each field, scores the fields, and finds the reasons for a review. */
import {
  consumptionRatesOf,
  farmersCompensationOf,
  taxRatesOf,
  withholdingRatesOf,
} from '#core/catalogs/index.ts'
import { checkTaxId } from '#core/identifiers/index.ts'
import { currencyIn, exchangeIn } from '../candidates/currency-fields.ts'
import { dateIn, operationDateIn } from '../candidates/date-fields.ts'
import { typeIn } from '../candidates/document-kind.ts'
import { type Figure, unreadWithholdingRates } from '../candidates/figure-kinds.ts'
import { linesIn } from '../candidates/line-fields.ts'
import { correctedIn, numberCell, numberIn, seriesIn } from '../candidates/number-fields.ts'
import { type Parties, partiesIn } from '../candidates/party-fields.ts'
import { paymentIn } from '../candidates/payment-fields.ts'
import type { ChosenTaxQr } from '../candidates/qr-fields.ts'
import type { DocumentCells } from '../cells/cells.ts'
import { ratesIn } from '../cells/figures.ts'
import type { ReasonCode } from '../field-reasons.ts'
import { type ScoredValue, scoredValue, TRUST } from '../found.ts'
import { matcher } from '../labels/index.ts'
import type { Fields } from './agreed-fields.ts'
import type { Mandatory } from './score.ts'
import { amountsOf } from './settle-fields.ts'
import { type StatedXml, statedAmounts } from './stated.ts'
import { adjustedToKnownSupplier, type KnownSupplier } from './supplier-memory.ts'

/** The company that received the file, and the current date. */
export interface ProposalContext {
  readonly company: {
    readonly tax_id: string
    readonly legal_name: string
    readonly person_type_code: 'F' | 'J'
    readonly default_tax_group: string
  }
  readonly today: string
  /** The supplier according to the company's registered invoices. */
  readonly known?: KnownSupplier | undefined
}

export const when = (condition: boolean, code: ReasonCode): ReasonCode[] => (condition ? [code] : [])

export function reasonsFor(fields: Fields, isAddressed: boolean, sheet: DocumentCells): ReasonCode[] {
  const { number, issueDate, supplierTaxId, supplierName, amounts, lines, type, customer } = fields
  const read = [number, issueDate, supplierTaxId, supplierName, fields.currency]
  return [
    ...when(number === undefined, 'number_missing'),
    ...when(issueDate === undefined, 'date_missing'),
    ...when(supplierTaxId === undefined, 'supplier_missing'),
    ...when(supplierName === undefined, 'supplier_name_missing'),
    ...when(amounts === undefined, 'amounts_missing'),
    ...read.flatMap((one) => one?.reasons ?? []),
    ...(customer?.reasons ?? when(!isAddressed, 'customer_not_found')),
    ...(amounts?.reasons ?? []),
    ...when(amounts !== undefined && amounts.entries.length > 0 && lines === undefined, 'lines_grouped'),
    ...when(type.value === '03', 'corrective'),
    ...when(type.value === '02' && !isAddressed, 'simplified'),
    ...when(sheet.source === 'ocr', 'guessed_from_pixels'),
  ]
}

/**
 * Returns the customer: the company if its id is printed, else the other id in the customer's block, else the company
 * with a low score. Undefined for a simplified invoice without a customer.
 */
function customerOf(
  company: ProposalContext['company'],
  typeCode: string,
  { isAddressed, otherCustomer, customerDoubts, isOwn }: Parties,
): Fields['customer'] {
  if (otherCustomer !== undefined)
    return scoredValue(otherParty(otherCustomer), TRUST.found, 'customer_is_other')
  if (typeCode === '02' && !isAddressed) return undefined
  const score = isOwn ? TRUST.doubted : isAddressed ? TRUST.checked : TRUST.found
  return scoredValue(companyOf(company), score, ...customerDoubts)
}

const companyOf = ({ tax_id, legal_name: name, person_type_code }: ProposalContext['company']) => ({
  tax_id,
  name,
  person_type_code,
})

/** Returns the possible tax rates above 0: those of the tax group and, for a foreign supplier, of its country. */
function ratesFor(taxGroup: string, country: string, day: string | undefined): readonly number[] {
  const foreign = country === 'ES' ? [] : consumptionRatesOf(country, day).map(({ percent }) => percent)
  return [...new Set([...taxRatesOf(taxGroup, day), ...foreign])].filter((rate) => rate > 0)
}

const [COMPENSATION, FARMERS] = [matcher('compensation'), matcher('farmers')]

/** Returns the rates of the farmers' compensation, which invoices of Spanish farmers state instead of a tax rate. */
const compensationFor = (taxGroup: string, country: string, day: string | undefined): readonly number[] =>
  taxGroup === 'IVA' && country === 'ES' ? farmersCompensationOf(day) : []

/** Returns the compensation rates that a document prints, or all of them if it names the special regime. */
function namedCompensation(rates: readonly number[], { plain }: DocumentCells): readonly number[] {
  const printed = COMPENSATION.test(plain) ? ratesIn(plain).map(({ value }) => value) : []
  return rates.filter((rate) => printed.includes(rate) || FARMERS.test(plain))
}

const INCLUDED = matcher('included')

const OTHER_TAX = matcher('otherTax')

/** Whether a document charges one of these taxes: an amount is printed beside or below its name. */
const isOtherTaxIn = ({ rows }: DocumentCells, figures: readonly Figure[]): boolean =>
  rows.some((cells, row) => {
    const text = cells.map(({ plain }) => plain).join(' ')
    return (
      OTHER_TAX.test(text) &&
      !/\biva\b/.test(text) &&
      figures.some(({ cell, value }) => value !== 0 && cell.row - row >= 0 && cell.row - row < 2)
    )
  })

/** Returns the fields of a document. */
export function fieldsOf(
  sheet: DocumentCells,
  figures: readonly Figure[],
  chosen: ChosenTaxQr | undefined,
  { company, today, known }: ProposalContext,
) {
  const code = chosen?.code
  const believed = <T>(one: ScoredValue<T> | undefined): ScoredValue<T> | undefined =>
    one && chosen && !chosen.isConfirmed && one.score > TRUST.found
      ? scoredValue(one.value, TRUST.found)
      : one
  const number = believed(numberIn(sheet, code))
  const issueDate = believed(dateIn(sheet, code, today, numberCell(sheet, number?.value)))
  const parties = partiesIn(sheet, code, company)
  const { name, isAddressed } = parties
  const taxId = believed(parties.taxId)
  const id = taxId ? checkTaxId(taxId.value) : undefined
  const country = (id?.kind === 'EU_VAT' && id.country) || 'ES'
  const day = issueDate?.value
  const compensation = namedCompensation(compensationFor(company.default_tax_group, country, day), sheet)
  const statement = {
    plain: sheet.plain,
    figures,
    // An unconfirmed QR does not determine the total.
    code: chosen?.isConfirmed ? code?.total : undefined,
    rates: [...ratesFor(company.default_tax_group, country, day), ...compensation],
    compensation,
    legalWithholding: withholdingRatesOf(day, company.default_tax_group === 'IPSI'),
    withheldRates: unreadWithholdingRates(sheet, figures),
    isIncluded: INCLUDED.test(sheet.plain),
    isOtherTax: company.default_tax_group === 'IVA' && isOtherTaxIn(sheet, figures),
  }
  const amounts = amountsOf(statement, sheet)
  const exchange = exchangeIn(sheet, figures, amounts?.total)
  const isText = sheet.source === 'text'
  const typeCode = typeIn(sheet)
  const foundIn = (text: string | undefined) =>
    text === undefined ? undefined : scoredValue(text, isText ? TRUST.agreed : TRUST.found)
  const fields: Fields = {
    number,
    series: foundIn(seriesIn(sheet)),
    type: scoredValue(typeCode, isText ? TRUST.named : TRUST.agreed),
    corrected: foundIn(correctedIn(sheet)),
    issueDate,
    operationDate: operationDateIn(sheet),
    currency: exchange
      ? scoredValue(exchange.invoice_currency_code, TRUST.found, 'currency_foreign')
      : currencyIn(sheet),
    exchange,
    supplierTaxId: taxId,
    supplierName: name,
    supplierPerson: id?.person_type_code ?? 'J',
    supplierCountry: country,
    customer: customerOf(company, typeCode, parties),
    amounts,
    compensation,
    lines: amounts && amounts.scores.breakdown > TRUST.found ? linesIn(sheet, amounts.entries) : undefined,
    lineTrust: isText
      ? { text: TRUST.agreed, checked: TRUST.checked }
      : { text: TRUST.found, checked: TRUST.agreed },
    payment: paymentIn(sheet),
  }
  return { fields: adjustedToKnownSupplier(fields, known), isAddressed }
}

const otherParty = (tax_id: string) => ({
  tax_id,
  person_type_code: checkTaxId(tax_id).person_type_code ?? 'J',
})

/** Returns the customer that an embedded XML states. */
const statedCustomer = (company: ProposalContext['company'], taxId: string): Fields['customer'] =>
  taxId === company.tax_id
    ? scoredValue(companyOf(company), TRUST.certain)
    : scoredValue(otherParty(taxId), TRUST.certain, 'customer_is_other')

/** Replaces fields with the values of an embedded XML without lines. Other fields remain as read. */
export function withStated(
  fields: Fields,
  stated: StatedXml,
  figures: readonly Figure[],
  { company }: ProposalContext,
): Fields {
  const certain = <T>(
    value: T | undefined,
    printed: ScoredValue<T> | undefined,
  ): ScoredValue<T> | undefined => (value === undefined ? printed : scoredValue(value, TRUST.certain))
  const { supplierTaxId: taxId } = stated
  const id = taxId === undefined ? undefined : checkTaxId(taxId)
  const supplierCountry = id ? (id.kind === 'EU_VAT' && id.country) || 'ES' : fields.supplierCountry
  const issueDate = certain(stated.date, fields.issueDate)
  const rates = ratesFor(company.default_tax_group, supplierCountry, issueDate?.value)
  const { customerTaxId: customer } = stated
  const isOwn = taxId === company.tax_id
  return {
    ...fields,
    number: certain(stated.number, fields.number),
    issueDate,
    supplierTaxId: isOwn
      ? scoredValue(company.tax_id, TRUST.certain, 'supplier_is_company')
      : certain(taxId, fields.supplierTaxId),
    supplierName: certain(stated.supplierName, fields.supplierName),
    supplierPerson: id?.person_type_code ?? fields.supplierPerson,
    supplierCountry,
    customer: customer === undefined ? fields.customer : statedCustomer(company, customer),
    amounts: statedAmounts(stated, fields.amounts, figures, rates),
    compensation: compensationFor(company.default_tax_group, supplierCountry, issueDate?.value),
  }
}

/** Returns the scores of the mandatory fields. */
export function mandatoryOf({
  number,
  issueDate,
  supplierTaxId,
  supplierName,
  amounts,
  customer,
}: Fields): Mandatory[] {
  const field = (score: number | undefined, doubt: ReasonCode, least: number = TRUST.named): Mandatory => ({
    score: score ?? 0,
    least,
    // `reasonsFor` adds a separate reason for a missing field.
    doubt: score === undefined ? undefined : doubt,
  })
  const { scores } = amounts ?? {}
  return [
    field(number?.score, 'number_unchecked'),
    field(issueDate?.score, 'date_unchecked'),
    field(supplierTaxId?.score, 'supplier_unchecked'),
    field(scores?.total, 'amounts_unchecked'),
    field(supplierName?.score, 'supplier_name_unchecked', TRUST.agreed),
    field(scores?.base, 'amounts_unchecked'),
    field(scores?.tax, 'amounts_unchecked'),
    ...(customer && !customer.reasons ? [field(customer.score, 'customer_not_found')] : []),
  ]
}
