/** Writes the semantic model as CII D16B. */
import { required } from '#core/errors/index.ts'
import {
  type Allowance,
  amountText,
  type Category,
  type DocumentAllowance,
  decimalText,
  type EnInvoice,
  fromCanonical,
  type Id,
  type Line,
  type Party,
  type Period,
  type Tax,
  toXmlForm,
} from '../en16931/index.ts'
import type { Format, Tree } from '../model/index.ts'
import { ciiVocabulary } from './cii-vocabulary.ts'

type Block = Readonly<Record<string, unknown>>

/** Formats a date as `YYYYMMDD` (format 102). */
const compact = (date: string): Block => ({ '#': date.replaceAll('-', ''), '@format': '102' })

const dayOf = (date: string | undefined): Block | undefined =>
  date === undefined ? undefined : { DateTimeString: compact(date) }

const withScheme = (id: Id | undefined): Block | undefined =>
  id && { '#': id.value, ...(id.scheme === undefined ? {} : { '@schemeID': id.scheme }) }

const amountOf = (amount: number | undefined): string | undefined =>
  amount === undefined ? undefined : amountText(amount)

const percentText = (percent: number | undefined): string | undefined =>
  percent === undefined ? undefined : decimalText(percent)

const taxOf = ({ category, rate }: Category): Block => ({
  TypeCode: 'VAT',
  CategoryCode: category,
  RateApplicablePercent: category === 'O' ? undefined : decimalText(rate ?? 0),
})

const periodOf = (period: Period | undefined): Block | undefined =>
  period && { StartDateTime: dayOf(period.start), EndDateTime: dayOf(period.end) }

function partyOf(party: Party): Block {
  const { address, endpoint } = party
  const registration = (id: string | undefined, scheme: string) =>
    id && { ID: { '#': id, '@schemeID': scheme } }
  return {
    ID: party.ids.filter(({ scheme }) => scheme === undefined).map(withScheme),
    GlobalID: party.ids.filter(({ scheme }) => scheme !== undefined).map(withScheme),
    Name: party.name,
    SpecifiedLegalOrganization: { ID: withScheme(party.legalId), TradingBusinessName: party.tradeName },
    DefinedTradeContact: {
      PersonName: party.contact,
      TelephoneUniversalCommunication: { CompleteNumber: party.telephone },
      EmailURIUniversalCommunication: { URIID: party.mail },
    },
    PostalTradeAddress: {
      PostcodeCode: address?.postCode,
      LineOne: address?.line1,
      LineTwo: address?.line2,
      LineThree: address?.line3,
      CityName: address?.town,
      CountryID: address?.country,
      CountrySubDivisionName: address?.subdivision,
    },
    URIUniversalCommunication: endpoint && { URIID: withScheme(endpoint) },
    SpecifiedTaxRegistration: [registration(party.vatId, 'VA'), registration(party.taxId, 'FC')].filter(
      Boolean,
    ),
  }
}

const allowanceOf = (one: Allowance): Block => ({
  ChargeIndicator: { Indicator: String(one.isCharge) },
  CalculationPercent: percentText(one.percent),
  BasisAmount: amountOf(one.base),
  ActualAmount: amountText(one.amount),
  ReasonCode: one.reasonCode,
  Reason: one.reason,
})

const documentAllowanceOf = (one: DocumentAllowance): Block => ({
  ...allowanceOf(one),
  CategoryTradeTax: taxOf(one),
})

const breakdownOf = (tax: Tax, taxPointDate: string | undefined): Block => ({
  ...taxOf(tax),
  CalculatedAmount: amountText(tax.tax),
  ExemptionReason: tax.reason,
  BasisAmount: amountText(tax.base),
  ExemptionReasonCode: tax.reasonCode,
  TaxPointDate: taxPointDate === undefined ? undefined : { DateString: compact(taxPointDate) },
})

const lineOf = (line: Line): Block => ({
  AssociatedDocumentLineDocument: { LineID: line.id, IncludedNote: { Content: line.note } },
  SpecifiedTradeProduct: { SellerAssignedID: line.sellerItemId, Name: line.name },
  SpecifiedLineTradeAgreement: {
    BuyerOrderReferencedDocument: { LineID: line.orderLine },
    NetPriceProductTradePrice: { ChargeAmount: decimalText(line.price) },
  },
  SpecifiedLineTradeDelivery: {
    BilledQuantity: { '#': decimalText(line.quantity), '@unitCode': line.unit },
  },
  SpecifiedLineTradeSettlement: {
    ApplicableTradeTax: taxOf(line),
    BillingSpecifiedPeriod: periodOf(line.period),
    SpecifiedTradeAllowanceCharge: line.allowances.map(allowanceOf),
    SpecifiedTradeSettlementLineMonetarySummation: { LineTotalAmount: amountText(line.net) },
  },
})

function paymentOf({ payment }: EnInvoice): Block | undefined {
  if (payment?.code === undefined) return undefined
  const { code, text, creditAccounts, debitAccount } = payment
  return {
    TypeCode: code,
    Information: text,
    PayerPartyDebtorFinancialAccount: { IBANID: debitAccount },
    PayeePartyCreditorFinancialAccount: { IBANID: creditAccounts[0] },
  }
}

const referenceOf = (number: string | undefined): Block => ({ IssuerAssignedID: number })

/** Returns the attachments as supporting documents (TypeCode 916). */
const documentsOf = ({ attachments }: EnInvoice): Block[] =>
  attachments.map(({ id, description, fileName, contentType, data }) => ({
    IssuerAssignedID: id,
    TypeCode: '916',
    Name: description,
    AttachmentBinaryObject: { '#': data, '@mimeCode': contentType, '@filename': fileName },
  }))

const agreementOf = (invoice: EnInvoice): Block => ({
  BuyerReference: invoice.buyerReference,
  SellerTradeParty: partyOf(invoice.seller),
  BuyerTradeParty: partyOf(invoice.buyer),
  SellerOrderReferencedDocument: referenceOf(invoice.salesOrder),
  BuyerOrderReferencedDocument: referenceOf(invoice.order),
  ContractReferencedDocument: referenceOf(invoice.contract),
  AdditionalReferencedDocument: documentsOf(invoice),
  SpecifiedProcuringProject:
    invoice.project === undefined ? undefined : { ID: invoice.project, Name: invoice.project },
})

function settlementOf(invoice: EnInvoice): Block {
  const { currency, accountingCurrency, totals, preceding, dueDate, paymentTerms } = invoice
  const [first] = preceding
  const taxIn = (code: string, amount: number) => ({ '#': amountText(amount), '@currencyID': code })
  const accounting =
    accountingCurrency === undefined || totals.accountingTax === undefined
      ? []
      : [taxIn(accountingCurrency, totals.accountingTax)]
  return {
    PaymentReference: invoice.payment?.reference,
    TaxCurrencyCode: accountingCurrency,
    InvoiceCurrencyCode: currency,
    SpecifiedTradeSettlementPaymentMeans: paymentOf(invoice),
    // The tax point date applies to the whole document and may occur only once (CII-SR-461).
    ApplicableTradeTax: invoice.taxes.map((tax, index) =>
      breakdownOf(tax, index === 0 ? invoice.taxPointDate : undefined),
    ),
    BillingSpecifiedPeriod: periodOf(invoice.period),
    SpecifiedTradeAllowanceCharge: invoice.allowances.map(documentAllowanceOf),
    SpecifiedTradePaymentTerms: { Description: paymentTerms, DueDateDateTime: dayOf(dueDate) },
    SpecifiedTradeSettlementHeaderMonetarySummation: {
      LineTotalAmount: amountText(totals.lines),
      ChargeTotalAmount: amountOf(totals.charges),
      AllowanceTotalAmount: amountOf(totals.allowances),
      TaxBasisTotalAmount: amountText(totals.base),
      TaxTotalAmount: [taxIn(currency, totals.tax ?? 0), ...accounting],
      RoundingAmount: amountOf(totals.rounding),
      GrandTotalAmount: amountText(totals.total),
      TotalPrepaidAmount: amountOf(totals.prepaid),
      DuePayableAmount: amountText(totals.payable),
    },
    InvoiceReferencedDocument: first && {
      IssuerAssignedID: first.number,
      FormattedIssueDateTime: dayOf(first.date),
    },
  }
}

/** Returns the tree of a document. The XML writer sorts the elements in the order of the schema. */
const treeOf = (invoice: EnInvoice): Block => ({
  ExchangedDocumentContext: {
    BusinessProcessSpecifiedDocumentContextParameter: { ID: invoice.process },
    GuidelineSpecifiedDocumentContextParameter: { ID: invoice.customization },
  },
  ExchangedDocument: {
    ID: invoice.number,
    TypeCode: invoice.typeCode,
    IssueDateTime: dayOf(invoice.issueDate),
    IncludedNote: invoice.notes.map(({ subject, text }) => ({ Content: text, SubjectCode: subject })),
  },
  SupplyChainTradeTransaction: {
    IncludedSupplyChainTradeLineItem: invoice.lines.map(lineOf),
    ApplicableHeaderTradeAgreement: agreementOf(invoice),
    ApplicableHeaderTradeDelivery: {
      ShipToTradeParty: { PostalTradeAddress: { CountryID: invoice.deliveryCountry } },
      ActualDeliverySupplyChainEvent: { OccurrenceDateTime: dayOf(invoice.deliveryDate) },
    },
    ApplicableHeaderTradeSettlement: settlementOf(invoice),
  },
})

const EMPTY_DELIVERY = 'ApplicableHeaderTradeDelivery'

export const writeCii: NonNullable<Format['write']> = (document, report, options) => {
  const invoice = fromCanonical(document, report, options)
  if (!invoice) return null
  const root = 'CrossIndustryInvoice'
  const tree = toXmlForm(treeOf(invoice), required(ciiVocabulary().roots.get(root)).type) as Record<
    string,
    Record<string, unknown>
  >
  // The schema requires this block even if it is empty.
  required(tree.SupplyChainTradeTransaction)[EMPTY_DELIVERY] ??= {}
  return { root, tree: tree as Tree }
}
