/** Reads CII D16B into the semantic model, with the mapping of CEN/TS 16931-3-3. */
import {
  type Allowance,
  AmountReader,
  attachmentsOf,
  type DocumentAllowance,
  dayOf,
  dayOfFormat102,
  Element,
  type EnInvoice,
  exchangeRateOf,
  idOf,
  type Line,
  type Note,
  type Party,
  type Payment,
  type Period,
  type ReadChildren,
  referencesOf,
  type Tax,
  type Totals,
  unmappedOf,
} from '../en16931/index.ts'
import type { ReadingReport, Tree } from '../model/index.ts'

const LINE = 'IncludedSupplyChainTradeLineItem'

/**
 * Returns the CII elements without a term in EN 16931. Elements with a label are kept as texts, the others are ignored.
 */
const outsideElements = (): ReadChildren => {
  const party: ReadChildren = {
    DefinedTradeContact: { DepartmentName: 'Departamento', FaxUniversalCommunication: 'Fax' },
    Description: 'Datos registrales',
  }
  return {
    ExchangedDocumentContext: true,
    ExchangedDocument: { Name: true, LanguageID: true },
    SupplyChainTradeTransaction: {
      [LINE]: {
        AssociatedDocumentLineDocument: { IncludedNote: { SubjectCode: true } },
        SpecifiedTradeProduct: {
          GlobalID: 'Código normalizado',
          BuyerAssignedID: 'Referencia del comprador',
          ApplicableProductCharacteristic: 'Característica',
          DesignatedProductClassification: 'Clasificación',
          OriginTradeCountry: 'País de origen',
        },
        // The gross price and its discount are ignored, because the net price is read instead.
        SpecifiedLineTradeAgreement: { GrossPriceProductTradePrice: true },
        SpecifiedLineTradeSettlement: {
          // Ignored: the breakdown repeats the reason why a line has no tax.
          ApplicableTradeTax: {
            TypeCode: true,
            CalculatedAmount: true,
            BasisAmount: true,
            ExemptionReason: true,
            ExemptionReasonCode: true,
          },
          SpecifiedTradeAllowanceCharge: { ChargeIndicator: true },
          SpecifiedTradeSettlementLineMonetarySummation: true,
          AdditionalReferencedDocument: 'Documento',
          ReceivableSpecifiedTradeAccountingAccount: 'Referencia contable',
        },
      },
      ApplicableHeaderTradeAgreement: {
        SellerTradeParty: party,
        BuyerTradeParty: party,
        SellerTaxRepresentativeTradeParty: 'Representante fiscal',
        AdditionalReferencedDocument: { TypeCode: true },
        SpecifiedProcuringProject: { Name: true },
      },
      ApplicableHeaderTradeDelivery: {
        ShipToTradeParty: 'Lugar de entrega',
        DespatchAdviceReferencedDocument: 'Albarán',
        ReceivingAdviceReferencedDocument: 'Recepción',
      },
      ApplicableHeaderTradeSettlement: {
        CreditorReferenceID: 'Acreedor',
        PayeeTradeParty: 'Beneficiario del pago',
        TaxApplicableTradeCurrencyExchange: true,
        SpecifiedTradeSettlementPaymentMeans: {
          ApplicableTradeSettlementFinancialCard: 'Tarjeta',
          PayeePartyCreditorFinancialAccount: { AccountName: 'Titular' },
          PayeeSpecifiedCreditorFinancialInstitution: 'Banco',
        },
        ApplicableTradeTax: { TypeCode: true },
        SpecifiedTradeAllowanceCharge: { ChargeIndicator: true, CategoryTradeTax: { TypeCode: true } },
        SpecifiedTradePaymentTerms: { DirectDebitMandateID: 'Mandato' },
        SpecifiedTradeSettlementHeaderMonetarySummation: true,
        ReceivableSpecifiedTradeAccountingAccount: 'Referencia contable',
      },
    },
  }
}

/** Reads dates. Refuses dates that are not in format 102. */
class Days {
  constructor(readonly report: ReadingReport) {}

  /** Reads a `DateTimeString` of format 102, or a `DateTime`, which the schema also allows. */
  dayOf(date: Element): string | undefined {
    const compact = date.text('DateTimeString') ?? date.text('DateString')
    const long = date.text('DateTime') ?? date.text('Date')
    const text = compact ?? long
    if (text === undefined) return undefined
    const day = compact === undefined ? dayOf(long) : dayOfFormat102(compact)
    if (day === undefined) this.report.refuse('en16931.date', date.at, { received: text })
    return day
  }
}

function periodOf(period: Element, days: Days): Period | undefined {
  const start = days.dayOf(period.below('StartDateTime'))
  const end = days.dayOf(period.below('EndDateTime'))
  return start === undefined && end === undefined ? undefined : { start, end }
}

function partyOf(party: Element): Party {
  const registrations = party
    .list('SpecifiedTaxRegistration')
    .flatMap((registration) => idOf(registration.below('ID')) ?? [])
  const registered = (scheme: string) => registrations.find((id) => id.scheme === scheme)?.value
  const organization = party.below('SpecifiedLegalOrganization')
  const address = party.below('PostalTradeAddress')
  const contact = party.below('DefinedTradeContact')
  const name = party.text('Name')
  const trade = organization.text('TradingBusinessName')
  return {
    name: name ?? trade,
    tradeName: name === undefined || trade === name ? undefined : trade,
    ids: [...party.list('GlobalID'), ...party.list('ID')].flatMap((id) => idOf(id) ?? []),
    legalId: idOf(organization.below('ID')),
    // Some issuers write the scheme `VAT` instead of `VA`.
    vatId: registered('VA') ?? registered('VAT'),
    taxId: registered('FC'),
    endpoint: idOf(party.below('URIUniversalCommunication', 'URIID')),
    address: party.has('PostalTradeAddress')
      ? {
          line1: address.text('LineOne'),
          line2: address.text('LineTwo'),
          line3: address.text('LineThree'),
          town: address.text('CityName'),
          postCode: address.text('PostcodeCode'),
          subdivision: address.text('CountrySubDivisionName'),
          country: address.text('CountryID'),
        }
      : undefined,
    contact: contact.text('PersonName') ?? contact.text('DepartmentName'),
    telephone: contact.below('TelephoneUniversalCommunication').text('CompleteNumber'),
    mail: contact.below('EmailURIUniversalCommunication').text('URIID'),
  }
}

/** Returns the texts of a repeated element, one per line. */
const contentsOf = (element: Element, name: string): string | undefined =>
  element
    .list(name)
    .flatMap(({ content }) => content ?? [])
    .join('\n') || undefined

const noteOf = (note: Element): Note | undefined => {
  const subject = note.text('SubjectCode')
  const text = contentsOf(note, 'Content')
  return text === undefined ? undefined : { subject, text, at: note.at }
}

const categoryOf = (tax: Element, amounts: AmountReader) => ({
  category: tax.text('CategoryCode') ?? '',
  rate: amounts.decimal(tax, 'RateApplicablePercent'),
})

const allowanceOf = (allowance: Element, amounts: AmountReader): Allowance => ({
  isCharge: ['true', '1'].includes(allowance.below('ChargeIndicator').text('Indicator') ?? ''),
  amount: amounts.amount(allowance, 'ActualAmount') ?? 0,
  base: amounts.amount(allowance, 'BasisAmount'),
  percent: amounts.decimal(allowance, 'CalculationPercent'),
  reason: allowance.text('Reason'),
  reasonCode: allowance.text('ReasonCode'),
})

const documentAllowanceOf = (allowance: Element, amounts: AmountReader): DocumentAllowance => ({
  ...allowanceOf(allowance, amounts),
  ...categoryOf(allowance.below('CategoryTradeTax'), amounts),
  at: allowance.at,
})

const taxOf = (tax: Element, amounts: AmountReader): Tax => ({
  ...categoryOf(tax, amounts),
  base: amounts.amount(tax, 'BasisAmount') ?? 0,
  tax: amounts.amount(tax, 'CalculatedAmount') ?? 0,
  reasonCode: tax.text('ExemptionReasonCode'),
  reason: tax.text('ExemptionReason'),
  at: tax.at,
})

function lineOf(line: Element, amounts: AmountReader, days: Days): Line {
  const { at } = line
  const document = line.below('AssociatedDocumentLineDocument')
  const product = line.below('SpecifiedTradeProduct')
  const agreement = line.below('SpecifiedLineTradeAgreement')
  const price = agreement.below('NetPriceProductTradePrice')
  const delivery = line.below('SpecifiedLineTradeDelivery')
  const settlement = line.below('SpecifiedLineTradeSettlement')
  const sum = settlement.below('SpecifiedTradeSettlementLineMonetarySummation')
  return {
    ...categoryOf(settlement.below('ApplicableTradeTax'), amounts),
    at,
    id: document.text('LineID'),
    note: contentsOf(document.below('IncludedNote'), 'Content'),
    quantity: amounts.assume(amounts.decimal(delivery, 'BilledQuantity'), 1, at, 'BR-22', 'BT-129'),
    unit: delivery.below('BilledQuantity').attribute('unitCode'),
    net: amounts.amount(sum, 'LineTotalAmount') ?? 0,
    orderLine: agreement.below('BuyerOrderReferencedDocument').text('LineID'),
    period: periodOf(settlement.below('BillingSpecifiedPeriod'), days),
    allowances: settlement.list('SpecifiedTradeAllowanceCharge').map((one) => allowanceOf(one, amounts)),
    price: amounts.decimal(price, 'ChargeAmount') ?? 0,
    priceQuantity: amounts.decimal(price, 'BasisQuantity'),
    name: product.text('Name'),
    description: product.text('Description'),
    sellerItemId: product.text('SellerAssignedID'),
  }
}

/** Returns the total tax in each currency. An amount without a currency uses the currency of the document. */
function taxTotals(sum: Element, currency: string, accounting: string | undefined, report: ReadingReport) {
  const amounts = sum.list('TaxTotalAmount').map((element) => {
    const code = element.attribute('currencyID') ?? currency
    return { code, value: new AmountReader(report, code).amountOf(element), at: element.at }
  })
  const inCurrency = (code: string | undefined) => amounts.find((one) => one.code === code)
  for (const { code, at } of amounts)
    if (currency !== '' && code !== currency && code !== accounting)
      report.refuse('en16931.currency', at, { received: code, expected: currency })
  const other =
    accounting === undefined || accounting === currency ? undefined : inCurrency(accounting)?.value
  return { tax: inCurrency(currency)?.value, accountingTax: other }
}

function totalsOf(sum: Element, taxes: ReturnType<typeof taxTotals>, amounts: AmountReader): Totals {
  const amount = (name: string) => amounts.amount(sum, name)
  const payable = amount('DuePayableAmount') ?? 0
  return {
    lines: amount('LineTotalAmount') ?? 0,
    allowances: amount('AllowanceTotalAmount'),
    charges: amount('ChargeTotalAmount'),
    base: amount('TaxBasisTotalAmount') ?? 0,
    ...taxes,
    total: amounts.assume(amount('GrandTotalAmount'), payable, sum.at, 'BR-14', 'BT-112'),
    prepaid: amount('TotalPrepaidAmount'),
    rounding: amount('RoundingAmount'),
    payable,
  }
}

function paymentOf(settlement: Element): Payment | undefined {
  const means = settlement.list('SpecifiedTradeSettlementPaymentMeans')
  const reference = settlement.text('PaymentReference')
  const [first] = means
  if (first === undefined && reference === undefined) return undefined
  const accounts = means.flatMap((one) => {
    const account = one.below('PayeePartyCreditorFinancialAccount')
    const own = account.text('ProprietaryID')
    return account.text('IBANID') ?? own ?? []
  })
  return {
    code: first?.text('TypeCode'),
    text: first?.text('Information'),
    reference,
    creditAccounts: [...new Set(accounts)],
    debitAccount: first?.below('PayerPartyDebtorFinancialAccount').text('IBANID'),
  }
}

const documentOf = (document: Element) => ({
  id: document.text('IssuerAssignedID'),
  description: document.text('Name'),
  uri: document.text('URIID'),
  file: document.below('AttachmentBinaryObject'),
  isEmbedded: document.has('AttachmentBinaryObject'),
})

/**
 * Returns the location of an element that exists only in profiles beyond EN 16931: nested lines and logistics charges.
 */
function extensionOf(lines: readonly Element[], settlement: Element): string | undefined {
  const charge = 'SpecifiedLogisticsServiceCharge'
  if (settlement.has(charge)) return `${settlement.at}/${charge}/0`
  return lines.find((line) => line.below('AssociatedDocumentLineDocument').has('ParentLineID'))?.at
}

function precedingOf(reference: Element, days: Days) {
  const number = reference.text('IssuerAssignedID')
  const date = days.dayOf(reference.below('FormattedIssueDateTime'))
  return number === undefined ? [] : [{ number, date }]
}

function exchangeIn(exchange: Element, currency: string, amounts: AmountReader, days: Days) {
  const names = { rate: 'ConversionRate', bases: ['SourceUnitBasisNumeric', 'TargetUnitBaseNumeric'] }
  return exchangeRateOf(
    exchange,
    names,
    currency,
    days.dayOf(exchange.below('ConversionRateDateTime')),
    amounts,
  )
}

/** Returns the day in the first child with this name that one of the elements has. */
const firstDay = (elements: readonly Element[], name: string, days: Days): string | undefined => {
  const found = elements.find((element) => element.has(name))
  return found && days.dayOf(found.below(name))
}

/**
 * Reads a tree that is valid against the schema of CII D16B into the semantic model. Refuses, through `report`,
 * invalid amounts and dates, and amounts whose currency differs from that of the document.
 */
export function readCii(tree: Tree, report: ReadingReport): EnInvoice {
  const root = new Element(tree, '', outsideElements())
  const document = root.below('ExchangedDocument')
  const transaction = root.below('SupplyChainTradeTransaction')
  const agreement = transaction.below('ApplicableHeaderTradeAgreement')
  const delivery = transaction.below('ApplicableHeaderTradeDelivery')
  const settlement = transaction.below('ApplicableHeaderTradeSettlement')
  const currency = settlement.text('InvoiceCurrencyCode') ?? ''
  const accounting = settlement.text('TaxCurrencyCode')
  const amounts = new AmountReader(report, currency)
  const days = new Days(report)
  const lines = transaction.list(LINE)
  const terms = settlement.list('SpecifiedTradePaymentTerms')
  const taxes = settlement.list('ApplicableTradeTax')
  const sum = settlement.below('SpecifiedTradeSettlementHeaderMonetarySummation')
  const preceding = precedingOf(settlement.below('InvoiceReferencedDocument'), days)
  const documents = agreement.list('AdditionalReferencedDocument').map(documentOf)
  const referenceIn = (name: string) => agreement.below(name).text('IssuerAssignedID')
  return {
    number: document.text('ID') ?? '',
    issueDate: days.dayOf(document.below('IssueDateTime')) ?? '',
    typeCode: document.text('TypeCode') ?? '',
    currency,
    accountingCurrency: accounting,
    exchange: exchangeIn(settlement.below('TaxApplicableTradeCurrencyExchange'), currency, amounts, days),
    taxPointDate: firstDay(taxes, 'TaxPointDate', days),
    dueDate: firstDay(terms, 'DueDateDateTime', days),
    buyerReference: agreement.text('BuyerReference'),
    project: agreement.below('SpecifiedProcuringProject').text('ID'),
    contract: referenceIn('ContractReferencedDocument'),
    order: referenceIn('BuyerOrderReferencedDocument'),
    salesOrder: referenceIn('SellerOrderReferencedDocument'),
    paymentTerms: terms.flatMap((one) => contentsOf(one, 'Description') ?? []).join('\n') || undefined,
    notes: document.list('IncludedNote').flatMap((note) => noteOf(note) ?? []),
    customization:
      root.below('ExchangedDocumentContext', 'GuidelineSpecifiedDocumentContextParameter').text('ID') ?? '',
    preceding,
    seller: partyOf(agreement.below('SellerTradeParty')),
    buyer: partyOf(agreement.below('BuyerTradeParty')),
    deliveryDate: days.dayOf(delivery.below('ActualDeliverySupplyChainEvent', 'OccurrenceDateTime')),
    deliveryCountry: delivery.below('ShipToTradeParty', 'PostalTradeAddress').text('CountryID'),
    period: periodOf(settlement.below('BillingSpecifiedPeriod'), days),
    payment: paymentOf(settlement),
    allowances: settlement
      .list('SpecifiedTradeAllowanceCharge')
      .map((one) => documentAllowanceOf(one, amounts)),
    totals: totalsOf(sum, taxTotals(sum, currency, accounting, report), amounts),
    taxes: taxes.map((tax) => taxOf(tax, amounts)),
    attachments: attachmentsOf(documents),
    references: referencesOf(documents),
    extensionAt: extensionOf(lines, settlement),
    lines: lines.map((line) => lineOf(line, amounts, days)),
    // Must be the last member: it returns the elements that the members above did not read.
    unmapped: unmappedOf(root, LINE, 'SpecifiedTradeSettlementPaymentMeans'),
  }
}
