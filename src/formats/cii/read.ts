/** Reads CII D16B into the semantic model, with the mapping of CEN/TS 16931-3-3. */
import { required } from '../../errors/index.ts'
import {
  type Allowance,
  Amounts,
  type Attachment,
  attributeOf,
  type Block,
  below,
  compactDay,
  contentOf,
  type DocumentAllowance,
  dayOf,
  type EnInvoice,
  exchangeOf,
  type Id,
  type Line,
  listOf,
  type Note,
  type Party,
  type Payment,
  type Period,
  type PostalAddress,
  type Preceding,
  type Tax,
  type Totals,
  textOf,
} from '../en16931/index.ts'
import type { ReadingReport, Tree } from '../model/index.ts'

const TRANSACTION = '/SupplyChainTradeTransaction'
export const AGREEMENT = `${TRANSACTION}/ApplicableHeaderTradeAgreement`
const DELIVERY = `${TRANSACTION}/ApplicableHeaderTradeDelivery`
export const SETTLEMENT = `${TRANSACTION}/ApplicableHeaderTradeSettlement`
export const LINES = `${TRANSACTION}/IncludedSupplyChainTradeLineItem`
export const SUMMATION = `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`

/** Reads dates, and refuses dates in a format other than 102. */
class Days {
  constructor(readonly report: ReadingReport) {}

  /** Reads a `DateTimeString` of format 102, or a `DateTime`, which the schema also allows. */
  dayOf(block: Block, at: string): string | undefined {
    const compact = textOf(block, 'DateTimeString') ?? textOf(block, 'DateString')
    const long = textOf(block, 'DateTime') ?? textOf(block, 'Date')
    const text = compact ?? long
    if (text === undefined) return undefined
    const day = compact === undefined ? dayOf(long) : compactDay(compact)
    if (day === undefined) this.report.refuse('en16931.date', at, { received: text })
    return day
  }
}

const idOf = (block: Block): Id | undefined => {
  const value = contentOf(block['#'])
  return value === undefined ? undefined : { value, scheme: contentOf(block['@schemeID']) }
}
const idAt = (block: Block, name: string): Id | undefined => {
  const [first] = listOf(block, name)
  return first && idOf(first)
}

function periodOf(block: Block, at: string, days: Days): Period | undefined {
  const start = days.dayOf(below(block, 'StartDateTime'), `${at}/StartDateTime`)
  const end = days.dayOf(below(block, 'EndDateTime'), `${at}/EndDateTime`)
  return start === undefined && end === undefined ? undefined : { start, end }
}

const addressOf = (block: Block): PostalAddress => ({
  line1: textOf(block, 'LineOne'),
  line2: textOf(block, 'LineTwo'),
  line3: textOf(block, 'LineThree'),
  town: textOf(block, 'CityName'),
  postCode: textOf(block, 'PostcodeCode'),
  subdivision: textOf(block, 'CountrySubDivisionName'),
  country: textOf(block, 'CountryID'),
})

function partyOf(party: Block): Party {
  const registrations = listOf(party, 'SpecifiedTaxRegistration').flatMap((block) => idAt(block, 'ID') ?? [])
  const registered = (scheme: string) => registrations.find((id) => id.scheme === scheme)?.value
  const organization = below(party, 'SpecifiedLegalOrganization')
  const contact = below(party, 'DefinedTradeContact')
  const name = textOf(party, 'Name')
  const trade = textOf(organization, 'TradingBusinessName')
  return {
    name: name ?? trade,
    tradeName: name === undefined || trade === name ? undefined : trade,
    ids: [...listOf(party, 'GlobalID'), ...listOf(party, 'ID')].flatMap((block) => idOf(block) ?? []),
    legalId: idAt(organization, 'ID'),
    // Some issuers write the name of the tax instead of its code.
    vatId: registered('VA') ?? registered('VAT'),
    taxId: registered('FC'),
    endpoint: idAt(below(party, 'URIUniversalCommunication'), 'URIID'),
    address:
      party.PostalTradeAddress === undefined ? undefined : addressOf(below(party, 'PostalTradeAddress')),
    contact: textOf(contact, 'PersonName') ?? textOf(contact, 'DepartmentName'),
    telephone: textOf(below(contact, 'TelephoneUniversalCommunication'), 'CompleteNumber'),
    mail: textOf(below(contact, 'EmailURIUniversalCommunication'), 'URIID'),
  }
}

/** Returns the texts of a repeated element, one per line. */
const contentsOf = (block: Block, name: string): string | undefined =>
  listOf(block, name)
    .flatMap((content) => contentOf(content['#']) ?? [])
    .join('\n') || undefined

const notesOf = (document: Block): Note[] =>
  listOf(document, 'IncludedNote').flatMap((block, index) => {
    const text = contentsOf(block, 'Content')
    const at = `/ExchangedDocument/IncludedNote/${index}`
    return text === undefined ? [] : { subject: textOf(block, 'SubjectCode'), text, at }
  })

const categoryOf = (block: Block, amounts: Amounts, at: string) => ({
  category: textOf(block, 'CategoryCode') ?? '',
  rate: amounts.decimal(block, 'RateApplicablePercent', at),
})

function allowanceOf(block: Block, amounts: Amounts, at: string): Allowance {
  const indicator = textOf(below(block, 'ChargeIndicator'), 'Indicator')
  return {
    isCharge: indicator === 'true' || indicator === '1',
    amount: amounts.amount(block, 'ActualAmount', at) ?? 0,
    base: amounts.amount(block, 'BasisAmount', at),
    percent: amounts.decimal(block, 'CalculationPercent', at),
    reason: textOf(block, 'Reason'),
    reasonCode: textOf(block, 'ReasonCode'),
  }
}

const documentAllowanceOf = (block: Block, amounts: Amounts, at: string): DocumentAllowance => ({
  ...allowanceOf(block, amounts, at),
  ...categoryOf(below(block, 'CategoryTradeTax'), amounts, `${at}/CategoryTradeTax/0`),
  at,
})

const taxOf = (block: Block, amounts: Amounts, at: string): Tax => ({
  ...categoryOf(block, amounts, at),
  base: amounts.amount(block, 'BasisAmount', at) ?? 0,
  tax: amounts.amount(block, 'CalculatedAmount', at) ?? 0,
  reasonCode: textOf(block, 'ExemptionReasonCode'),
  reason: textOf(block, 'ExemptionReason'),
  at,
})

const NO_ALLOWANCES: readonly Allowance[] = []

function lineOf(block: Block, amounts: Amounts, days: Days, at: string): Line {
  const document = below(block, 'AssociatedDocumentLineDocument')
  const product = below(block, 'SpecifiedTradeProduct')
  const agreement = below(block, 'SpecifiedLineTradeAgreement')
  const price = below(agreement, 'NetPriceProductTradePrice')
  const delivery = below(block, 'SpecifiedLineTradeDelivery')
  const settlement = below(block, 'SpecifiedLineTradeSettlement')
  const inside = `${at}/SpecifiedLineTradeSettlement`
  const priced = `${at}/SpecifiedLineTradeAgreement/NetPriceProductTradePrice`
  const sum = 'SpecifiedTradeSettlementLineMonetarySummation'
  return {
    ...categoryOf(below(settlement, 'ApplicableTradeTax'), amounts, `${inside}/ApplicableTradeTax/0`),
    at,
    id: textOf(document, 'LineID'),
    note:
      document.IncludedNote === undefined
        ? undefined
        : contentsOf(below(document, 'IncludedNote'), 'Content'),
    quantity: amounts.assume(
      amounts.decimal(delivery, 'BilledQuantity', `${at}/SpecifiedLineTradeDelivery`),
      1,
      at,
      'BR-22',
      'BT-129',
    ),
    unit: attributeOf(delivery, 'BilledQuantity', 'unitCode'),
    net: amounts.amount(below(settlement, sum), 'LineTotalAmount', `${inside}/${sum}`) ?? 0,
    orderLine: textOf(below(agreement, 'BuyerOrderReferencedDocument'), 'LineID'),
    period:
      settlement.BillingSpecifiedPeriod === undefined
        ? undefined
        : periodOf(below(settlement, 'BillingSpecifiedPeriod'), `${inside}/BillingSpecifiedPeriod`, days),
    allowances:
      settlement.SpecifiedTradeAllowanceCharge === undefined
        ? NO_ALLOWANCES
        : listOf(settlement, 'SpecifiedTradeAllowanceCharge').map((one, index) =>
            allowanceOf(one, amounts, `${inside}/SpecifiedTradeAllowanceCharge/${index}`),
          ),
    price: amounts.decimal(price, 'ChargeAmount', priced) ?? 0,
    priceQuantity: amounts.decimal(price, 'BasisQuantity', priced),
    name: textOf(product, 'Name'),
    description: textOf(product, 'Description'),
    sellerItemId: textOf(product, 'SellerAssignedID'),
  }
}

/** Returns the total tax in each currency. An amount without a currency uses the currency of the document. */
function taxTotals(sum: Block, currency: string, accounting: string | undefined, report: ReadingReport) {
  const amounts = listOf(sum, 'TaxTotalAmount').map((block, index) => {
    const code = contentOf(block['@currencyID']) ?? currency
    const at = `${SUMMATION}/TaxTotalAmount`
    const value = new Amounts(report, code).amount({ [index]: block }, String(index), at)
    return { code, value, at: `${at}/${index}` }
  })
  const inCurrency = (code: string | undefined) => amounts.find((one) => one.code === code)
  for (const { code, at } of amounts)
    if (currency !== '' && code !== currency && code !== accounting)
      report.refuse('en16931.currency', at, { received: code, expected: currency })
  const other =
    accounting === undefined || accounting === currency ? undefined : inCurrency(accounting)?.value
  return { tax: inCurrency(currency)?.value, accountingTax: other }
}

function totalsOf(sum: Block, taxes: ReturnType<typeof taxTotals>, amounts: Amounts): Totals {
  const amount = (name: string) => amounts.amount(sum, name, SUMMATION)
  const payable = amount('DuePayableAmount') ?? 0
  return {
    lines: amount('LineTotalAmount') ?? 0,
    allowances: amount('AllowanceTotalAmount'),
    charges: amount('ChargeTotalAmount'),
    base: amount('TaxBasisTotalAmount') ?? 0,
    ...taxes,
    total: amounts.assume(amount('GrandTotalAmount'), payable, SUMMATION, 'BR-14', 'BT-112'),
    prepaid: amount('TotalPrepaidAmount'),
    rounding: amount('RoundingAmount'),
    payable,
  }
}

function paymentOf(settlement: Block): Payment | undefined {
  const means = listOf(settlement, 'SpecifiedTradeSettlementPaymentMeans')
  const reference = textOf(settlement, 'PaymentReference')
  const [first] = means
  if (first === undefined && reference === undefined) return undefined
  const accounts = means.flatMap((block) => {
    const account = below(block, 'PayeePartyCreditorFinancialAccount')
    return textOf(account, 'IBANID') ?? textOf(account, 'ProprietaryID') ?? []
  })
  return {
    code: first && textOf(first, 'TypeCode'),
    text: first && textOf(first, 'Information'),
    reference,
    creditAccounts: [...new Set(accounts)],
    debitAccount: first && textOf(below(first, 'PayerPartyDebtorFinancialAccount'), 'IBANID'),
  }
}

const attachmentsOf = (agreement: Block): Attachment[] =>
  listOf(agreement, 'AdditionalReferencedDocument').flatMap((block) => {
    const data = textOf(block, 'AttachmentBinaryObject')
    if (data === undefined) return []
    const id = textOf(block, 'IssuerAssignedID') ?? ''
    return {
      id,
      description: textOf(block, 'Name'),
      fileName: attributeOf(block, 'AttachmentBinaryObject', 'filename') ?? id,
      contentType: attributeOf(block, 'AttachmentBinaryObject', 'mimeCode') ?? 'application/octet-stream',
      data,
    }
  })

/** Returns the references to documents that are not embedded. */
const referencesOf = (agreement: Block): string[] =>
  listOf(agreement, 'AdditionalReferencedDocument').flatMap((block) => {
    if (block.AttachmentBinaryObject !== undefined) return []
    const texts = [textOf(block, 'IssuerAssignedID'), textOf(block, 'Name'), textOf(block, 'URIID')]
    return texts.filter((text) => text !== undefined).join(', ') || []
  })

/**
 * Returns the location of an element that exists only in profiles beyond EN 16931: nested lines and logistics charges.
 */
function extensionOf(transaction: Block, settlement: Block): string | undefined {
  if (settlement.SpecifiedLogisticsServiceCharge !== undefined)
    return `${SETTLEMENT}/SpecifiedLogisticsServiceCharge/0`
  const at = listOf(transaction, 'IncludedSupplyChainTradeLineItem').findIndex(
    (line) => below(line, 'AssociatedDocumentLineDocument').ParentLineID !== undefined,
  )
  return at < 0 ? undefined : `${LINES}/${at}`
}

function precedingOf(settlement: Block, days: Days): Preceding[] {
  const block = below(settlement, 'InvoiceReferencedDocument')
  const number = textOf(block, 'IssuerAssignedID')
  const date = days.dayOf(below(block, 'FormattedIssueDateTime'), `${SETTLEMENT}/InvoiceReferencedDocument`)
  return number === undefined ? [] : [{ number, date }]
}

function dueDateOf(terms: readonly Block[], days: Days): string | undefined {
  const at = terms.findIndex((block) => block.DueDateDateTime !== undefined)
  const location = `${SETTLEMENT}/SpecifiedTradePaymentTerms/${at}/DueDateDateTime`
  return at < 0 ? undefined : days.dayOf(below(required(terms[at]), 'DueDateDateTime'), location)
}

function exchangeIn(settlement: Block, currency: string, amounts: Amounts, days: Days) {
  const block = below(settlement, 'TaxApplicableTradeCurrencyExchange')
  const at = `${SETTLEMENT}/TaxApplicableTradeCurrencyExchange`
  const names = { rate: 'ConversionRate', bases: ['SourceUnitBasisNumeric', 'TargetUnitBaseNumeric'] }
  const date = days.dayOf(below(block, 'ConversionRateDateTime'), at)
  return exchangeOf(block, names, currency, date, amounts, at)
}

const referenceIn = (block: Block, name: string): string | undefined =>
  textOf(below(block, name), 'IssuerAssignedID')

/**
 * Reads a tree that is valid against the schema of CII D16B into the semantic model. Refuses, through `report`, invalid
 * amounts and dates, and amounts whose currency differs from that of the document.
 */
export function readCii(tree: Tree, report: ReadingReport): EnInvoice {
  const document = below(tree, 'ExchangedDocument')
  const transaction = below(tree, 'SupplyChainTradeTransaction')
  const agreement = below(transaction, 'ApplicableHeaderTradeAgreement')
  const delivery = below(transaction, 'ApplicableHeaderTradeDelivery')
  const settlement = below(transaction, 'ApplicableHeaderTradeSettlement')
  const currency = textOf(settlement, 'InvoiceCurrencyCode') ?? ''
  const accounting = textOf(settlement, 'TaxCurrencyCode')
  const amounts = new Amounts(report, currency)
  const days = new Days(report)
  const dayAt = (block: Block, at: string) => days.dayOf(block, at)
  const terms = listOf(settlement, 'SpecifiedTradePaymentTerms')
  const taxes = listOf(settlement, 'ApplicableTradeTax')
  const sum = below(settlement, 'SpecifiedTradeSettlementHeaderMonetarySummation')
  const event = below(delivery, 'ActualDeliverySupplyChainEvent', 'OccurrenceDateTime')
  const delivered = `${DELIVERY}/ActualDeliverySupplyChainEvent/OccurrenceDateTime`
  const preceding = precedingOf(settlement, days)
  const pointed = taxes.find((block) => block.TaxPointDate !== undefined)
  return {
    number: textOf(document, 'ID') ?? '',
    issueDate: dayAt(below(document, 'IssueDateTime'), '/ExchangedDocument/IssueDateTime') ?? '',
    typeCode: textOf(document, 'TypeCode') ?? '',
    currency,
    accountingCurrency: accounting,
    exchange: exchangeIn(settlement, currency, amounts, days),
    taxPointDate:
      pointed && dayAt(below(pointed, 'TaxPointDate'), `${SETTLEMENT}/ApplicableTradeTax/0/TaxPointDate`),
    dueDate: dueDateOf(terms, days),
    buyerReference: textOf(agreement, 'BuyerReference'),
    project: textOf(below(agreement, 'SpecifiedProcuringProject'), 'ID'),
    contract: referenceIn(agreement, 'ContractReferencedDocument'),
    order: referenceIn(agreement, 'BuyerOrderReferencedDocument'),
    salesOrder: referenceIn(agreement, 'SellerOrderReferencedDocument'),
    paymentTerms: terms.flatMap((block) => contentsOf(block, 'Description') ?? []).join('\n') || undefined,
    notes: notesOf(document),
    customization:
      textOf(below(tree, 'ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter'), 'ID') ??
      '',
    preceding,
    seller: partyOf(below(agreement, 'SellerTradeParty')),
    buyer: partyOf(below(agreement, 'BuyerTradeParty')),
    deliveryDate: dayAt(event, delivered),
    deliveryCountry: textOf(below(delivery, 'ShipToTradeParty', 'PostalTradeAddress'), 'CountryID'),
    period: periodOf(
      below(settlement, 'BillingSpecifiedPeriod'),
      `${SETTLEMENT}/BillingSpecifiedPeriod`,
      days,
    ),
    payment: paymentOf(settlement),
    allowances: listOf(settlement, 'SpecifiedTradeAllowanceCharge').map((block, index) =>
      documentAllowanceOf(block, amounts, `${SETTLEMENT}/SpecifiedTradeAllowanceCharge/${index}`),
    ),
    totals: totalsOf(sum, taxTotals(sum, currency, accounting, report), amounts),
    taxes: taxes.map((block, index) => taxOf(block, amounts, `${SETTLEMENT}/ApplicableTradeTax/${index}`)),
    attachments: attachmentsOf(agreement),
    references: referencesOf(agreement),
    extensionAt: extensionOf(transaction, settlement),
    lines: listOf(transaction, 'IncludedSupplyChainTradeLineItem').map((block, index) =>
      lineOf(block, amounts, days, `${LINES}/${index}`),
    ),
  }
}
