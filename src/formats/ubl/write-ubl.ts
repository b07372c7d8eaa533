/** Writes the semantic model as UBL 2.1: a CreditNote for the document types that require it, otherwise an Invoice. */
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
  type Note,
  type Party,
  type Period,
  type Tax,
  toXmlForm,
} from '../en16931/index.ts'
import type { Format, Tree } from '../model/index.ts'
import { ublVocabulary } from './ubl-vocabulary.ts'

type Block = Readonly<Record<string, unknown>>

/** Document types written as CreditNote. */
const CREDIT_TYPES: ReadonlySet<string> = new Set(['381', '261'])

const VAT: Block = { ID: 'VAT' }
const NOT_AVAILABLE = 'NA'

const withScheme = (id: Id | undefined): Block | undefined =>
  id && { '#': id.value, ...(id.scheme === undefined ? {} : { '@schemeID': id.scheme }) }

const percentOf = ({ category, rate }: Category): string | undefined =>
  category === 'O' ? undefined : decimalText(rate ?? 0)

const categoryOf = (one: Category): Block => ({ ID: one.category, Percent: percentOf(one), TaxScheme: VAT })

const noteOf = ({ subject, text }: Note): string => (subject === undefined ? text : `#${subject}#${text}`)

const periodOf = (period: Period | undefined): Block | undefined =>
  period && { StartDate: period.start, EndDate: period.end }

/** Returns a function that writes amounts in the currency of the document. */
const moneyOf =
  (currency: string) =>
  (amount: number | undefined): Block | undefined =>
    amount === undefined ? undefined : { '#': amountText(amount), '@currencyID': currency }

type Money = ReturnType<typeof moneyOf>

function partyOf(party: Party): Block {
  const { address, legalId, name } = party
  const scheme = (id: string | undefined, ID: string) => id && { CompanyID: id, TaxScheme: { ID } }
  return {
    EndpointID: withScheme(party.endpoint),
    PartyIdentification: party.ids.map((id) => ({ ID: withScheme(id) })),
    PartyName: { Name: party.tradeName },
    PostalAddress: {
      StreetName: address?.line1,
      AdditionalStreetName: address?.line2,
      AddressLine: { Line: address?.line3 },
      CityName: address?.town,
      PostalZone: address?.postCode,
      CountrySubentity: address?.subdivision,
      Country: { IdentificationCode: address?.country },
    },
    // The VAT number has the scheme `VAT`, any other tax registration `TAX`.
    PartyTaxScheme: [scheme(party.vatId, 'VAT'), scheme(party.taxId, 'TAX')].filter(Boolean),
    PartyLegalEntity: { RegistrationName: name, CompanyID: withScheme(legalId) },
    Contact: { Name: party.contact, Telephone: party.telephone, ElectronicMail: party.mail },
  }
}

const allowanceOf = (one: Allowance, money: Money): Block => ({
  ChargeIndicator: String(one.isCharge),
  AllowanceChargeReasonCode: one.reasonCode,
  AllowanceChargeReason: one.reason,
  MultiplierFactorNumeric: one.percent === undefined ? undefined : decimalText(one.percent),
  Amount: money(one.amount),
  BaseAmount: money(one.base),
})

const documentAllowanceOf = (one: DocumentAllowance, money: Money): Block => ({
  ...allowanceOf(one, money),
  TaxCategory: categoryOf(one),
})

const subtotalOf = (tax: Tax, money: Money): Block => ({
  TaxableAmount: money(tax.base),
  TaxAmount: money(tax.tax),
  TaxCategory: {
    ...categoryOf(tax),
    TaxExemptionReasonCode: tax.reasonCode,
    TaxExemptionReason: tax.reason,
  },
})

const lineOf = (line: Line, quantity: string, currency: string, money: Money): Block => ({
  ID: line.id,
  Note: line.note,
  [quantity]: { '#': decimalText(line.quantity), '@unitCode': line.unit },
  LineExtensionAmount: money(line.net),
  InvoicePeriod: periodOf(line.period),
  OrderLineReference: { LineID: line.orderLine },
  AllowanceCharge: line.allowances.map((one) => allowanceOf(one, money)),
  Item: {
    Name: line.name,
    SellersItemIdentification: { ID: line.sellerItemId },
    ClassifiedTaxCategory: categoryOf(line),
  },
  Price: { PriceAmount: { '#': decimalText(line.price), '@currencyID': currency } },
})

function paymentOf({ payment, dueDate }: EnInvoice, credit: boolean): Block | undefined {
  if (!payment) return undefined
  const { code, text, reference, creditAccounts, debitAccount, mandate } = payment
  return {
    PaymentMeansCode: { '#': code, ...(text === undefined ? {} : { '@name': text }) },
    PaymentDueDate: credit ? dueDate : undefined,
    PaymentID: reference,
    PayeeFinancialAccount: { ID: creditAccounts[0] },
    PaymentMandate: { ID: mandate, PayerFinancialAccount: { ID: debitAccount } },
  }
}

/**
 * Returns the terms. A credit note states its due date in the means of payment or, without means of payment, in the
 * terms.
 */
const termsOf = ({ paymentTerms, payment, dueDate }: EnInvoice, credit: boolean): string | undefined =>
  credit && !payment && dueDate !== undefined
    ? [`Vencimiento: ${dueDate}`, paymentTerms].filter((text) => text !== undefined).join('\n')
    : paymentTerms

function documentsOf(invoice: EnInvoice, credit: boolean): Block[] {
  const files = invoice.attachments.map(({ id, description, fileName, contentType, data }) => ({
    ID: id,
    DocumentDescription: description,
    Attachment: {
      EmbeddedDocumentBinaryObject: { '#': data, '@mimeCode': contentType, '@filename': fileName },
    },
  }))
  // A credit note has no element for a project and uses a document reference of type 50.
  const project =
    credit && invoice.project !== undefined ? [{ ID: invoice.project, DocumentTypeCode: '50' }] : []
  return [...project, ...files]
}

function taxTotalsOf({ totals, taxes, accountingCurrency }: EnInvoice, money: Money): Block[] {
  const own = { TaxAmount: money(totals.tax ?? 0), TaxSubtotal: taxes.map((tax) => subtotalOf(tax, money)) }
  if (accountingCurrency === undefined || totals.accountingTax === undefined) return [own]
  return [own, { TaxAmount: moneyOf(accountingCurrency)(totals.accountingTax) }]
}

/** Returns the tree of a document. The XML writer sorts the elements in the order of the schema. */
function treeOf(invoice: EnInvoice, credit: boolean): Block {
  const { currency, order, salesOrder, totals, preceding } = invoice
  const money = moneyOf(currency)
  const quantity = credit ? 'CreditedQuantity' : 'InvoicedQuantity'
  return {
    CustomizationID: invoice.customization,
    ProfileID: invoice.process,
    ID: invoice.number,
    IssueDate: invoice.issueDate,
    DueDate: credit ? undefined : invoice.dueDate,
    [credit ? 'CreditNoteTypeCode' : 'InvoiceTypeCode']: invoice.typeCode,
    Note: invoice.notes.map(noteOf),
    TaxPointDate: invoice.taxPointDate,
    DocumentCurrencyCode: currency,
    TaxCurrencyCode: invoice.accountingCurrency,
    BuyerReference: invoice.buyerReference,
    InvoicePeriod: periodOf(invoice.period),
    OrderReference: {
      ID: order ?? (salesOrder === undefined ? undefined : NOT_AVAILABLE),
      SalesOrderID: salesOrder,
    },
    BillingReference: preceding.map(({ number, date }) => ({
      InvoiceDocumentReference: { ID: number, IssueDate: date },
    })),
    ContractDocumentReference: { ID: invoice.contract },
    ProjectReference: credit ? undefined : { ID: invoice.project },
    AdditionalDocumentReference: documentsOf(invoice, credit),
    AccountingSupplierParty: { Party: partyOf(invoice.seller) },
    AccountingCustomerParty: { Party: partyOf(invoice.buyer) },
    Delivery: {
      ActualDeliveryDate: invoice.deliveryDate,
      DeliveryLocation: { Address: { Country: { IdentificationCode: invoice.deliveryCountry } } },
    },
    PaymentMeans: paymentOf(invoice, credit),
    PaymentTerms: { Note: termsOf(invoice, credit) },
    AllowanceCharge: invoice.allowances.map((one) => documentAllowanceOf(one, money)),
    TaxTotal: taxTotalsOf(invoice, money),
    LegalMonetaryTotal: {
      LineExtensionAmount: money(totals.lines),
      TaxExclusiveAmount: money(totals.base),
      TaxInclusiveAmount: money(totals.total),
      AllowanceTotalAmount: money(totals.allowances),
      ChargeTotalAmount: money(totals.charges),
      PrepaidAmount: money(totals.prepaid),
      PayableRoundingAmount: money(totals.rounding),
      PayableAmount: money(totals.payable),
    },
    [credit ? 'CreditNoteLine' : 'InvoiceLine']: invoice.lines.map((line) =>
      lineOf(line, quantity, currency, money),
    ),
  }
}

export const writeUbl: NonNullable<Format['write']> = (document, report, options) => {
  const invoice = fromCanonical(document, report, options)
  if (!invoice) return null
  const credit = CREDIT_TYPES.has(invoice.typeCode)
  const root = credit ? 'CreditNote' : 'Invoice'
  const { type } = required(ublVocabulary().roots.get(root))
  return { root, tree: toXmlForm(treeOf(invoice, credit), type) as Tree }
}
