/** The elements of UBL that are read (`Known`), and where the terms of the rules are. */
import type { Known, Places } from '../en16931/index.ts'

const CATEGORY = { ID: 1, Percent: 1, TaxScheme: 1 } as const
const ALLOWANCE = {
  ChargeIndicator: 1,
  AllowanceChargeReasonCode: 1,
  AllowanceChargeReason: 1,
  MultiplierFactorNumeric: 1,
  Amount: 1,
  BaseAmount: 1,
} as const
const PERIOD = { StartDate: 1, EndDate: 1 } as const
const PARTY: Known = {
  Party: {
    EndpointID: 1,
    PartyIdentification: 1,
    PartyName: 1,
    PostalAddress: {
      StreetName: 1,
      AdditionalStreetName: 1,
      CityName: 1,
      PostalZone: 1,
      CountrySubentity: 1,
      AddressLine: 1,
      Country: { IdentificationCode: 1, Name: 1 },
    },
    PartyTaxScheme: { CompanyID: 1, TaxScheme: 1 },
    PartyLegalEntity: { RegistrationName: 1, CompanyID: 1 },
    Contact: { Name: 1, Telephone: 1, ElectronicMail: 1 },
  },
}

const line = (quantity: string): Known => ({
  ID: 1,
  Note: 1,
  [quantity]: 1,
  LineExtensionAmount: 1,
  InvoicePeriod: PERIOD,
  OrderLineReference: { LineID: 1 },
  AllowanceCharge: ALLOWANCE,
  Item: {
    Name: 1,
    Description: 1,
    SellersItemIdentification: { ID: 1 },
    ClassifiedTaxCategory: CATEGORY,
  },
  // The discount of the price is inside of it already: it informs.
  Price: { PriceAmount: 1, BaseQuantity: 1, AllowanceCharge: 1 },
})

export const UBL_KNOWN: Known = {
  UBLVersionID: 1,
  CustomizationID: 1,
  ProfileID: 1,
  ID: 1,
  IssueDate: 1,
  DueDate: 1,
  InvoiceTypeCode: 1,
  CreditNoteTypeCode: 1,
  Note: 1,
  TaxPointDate: 1,
  DocumentCurrencyCode: 1,
  TaxCurrencyCode: 1,
  BuyerReference: 1,
  LineCountNumeric: 1,
  InvoicePeriod: PERIOD,
  OrderReference: { ID: 1, SalesOrderID: 1 },
  BillingReference: { InvoiceDocumentReference: { ID: 1, IssueDate: 1 } },
  ContractDocumentReference: { ID: 1 },
  ProjectReference: { ID: 1 },
  AdditionalDocumentReference: {
    ID: 1,
    DocumentTypeCode: 1,
    DocumentDescription: 1,
    Attachment: { EmbeddedDocumentBinaryObject: 1, ExternalReference: { URI: 1 } },
  },
  AccountingSupplierParty: PARTY,
  AccountingCustomerParty: PARTY,
  Delivery: { ActualDeliveryDate: 1, DeliveryLocation: { Address: { Country: 1 } } },
  PaymentMeans: {
    PaymentMeansCode: 1,
    PaymentDueDate: 1,
    PaymentID: 1,
    PayeeFinancialAccount: { ID: 1 },
    PaymentMandate: { PayerFinancialAccount: { ID: 1 } },
  },
  PaymentTerms: { Note: 1 },
  AllowanceCharge: { ...ALLOWANCE, TaxCategory: CATEGORY },
  TaxTotal: 1,
  LegalMonetaryTotal: 1,
  InvoiceLine: line('InvoicedQuantity'),
  CreditNoteLine: line('CreditedQuantity'),
}

export const UBL_PLACES: Places = {
  number: '/ID',
  issueDate: '/IssueDate',
  typeCode: '/InvoiceTypeCode',
  currency: '/DocumentCurrencyCode',
  seller: '/AccountingSupplierParty/Party',
  buyer: '/AccountingCustomerParty/Party',
  lines: '',
  taxes: '/TaxTotal/0',
  payment: '/PaymentMeans/0',
  terms: '/PaymentTerms/0',
  preceding: '/BillingReference/0',
  lineTotal: '/LegalMonetaryTotal/LineExtensionAmount',
  allowanceTotal: '/LegalMonetaryTotal/AllowanceTotalAmount',
  chargeTotal: '/LegalMonetaryTotal/ChargeTotalAmount',
  base: '/LegalMonetaryTotal/TaxExclusiveAmount',
  tax: '/TaxTotal/0/TaxAmount',
  accountingTax: '/TaxTotal/1/TaxAmount',
  total: '/LegalMonetaryTotal/TaxInclusiveAmount',
  prepaid: '/LegalMonetaryTotal/PrepaidAmount',
  payable: '/LegalMonetaryTotal/PayableAmount',
  delivery: '/Delivery/0/ActualDeliveryDate',
  endpoint: '/EndpointID',
}
