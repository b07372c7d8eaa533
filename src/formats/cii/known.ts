/** The elements of CII that are read (`Known`), and the locations of the business terms that the rules check. */
import type { Known, Locations } from '../en16931/index.ts'
import { AGREEMENT, LINES, SETTLEMENT, SUMMATION } from './read.ts'

const TAX = { TypeCode: 1, CategoryCode: 1, RateApplicablePercent: 1 } as const
const PERIOD = { StartDateTime: 1, EndDateTime: 1 } as const
const ALLOWANCE = {
  ChargeIndicator: 1,
  CalculationPercent: 1,
  BasisAmount: 1,
  ActualAmount: 1,
  ReasonCode: 1,
  Reason: 1,
} as const
const PARTY: Known = {
  ID: 1,
  GlobalID: 1,
  Name: 1,
  SpecifiedLegalOrganization: { ID: 1, TradingBusinessName: 1 },
  DefinedTradeContact: {
    PersonName: 1,
    DepartmentName: 'Departamento',
    TelephoneUniversalCommunication: { CompleteNumber: 1 },
    FaxUniversalCommunication: 'Fax',
    EmailURIUniversalCommunication: { URIID: 1 },
  },
  PostalTradeAddress: {
    PostcodeCode: 1,
    LineOne: 1,
    LineTwo: 1,
    LineThree: 1,
    CityName: 1,
    CountryID: 1,
    CountrySubDivisionName: 1,
  },
  URIUniversalCommunication: { URIID: 1 },
  SpecifiedTaxRegistration: { ID: 1 },
  Description: 'Datos registrales',
}

const LINE: Known = {
  AssociatedDocumentLineDocument: { LineID: 1, IncludedNote: { Content: 1, SubjectCode: 1 } },
  SpecifiedTradeProduct: {
    SellerAssignedID: 1,
    Name: 1,
    Description: 1,
    GlobalID: 'Código normalizado',
    BuyerAssignedID: 'Referencia del comprador',
    ApplicableProductCharacteristic: 'Característica',
    DesignatedProductClassification: 'Clasificación',
    OriginTradeCountry: 'País de origen',
  },
  SpecifiedLineTradeAgreement: {
    BuyerOrderReferencedDocument: { LineID: 1 },
    // The price before its discount, and the discount. The net price, which is read, already includes both.
    GrossPriceProductTradePrice: 1,
    NetPriceProductTradePrice: { ChargeAmount: 1, BasisQuantity: 1 },
  },
  SpecifiedLineTradeDelivery: { BilledQuantity: 1 },
  SpecifiedLineTradeSettlement: {
    // The breakdown repeats the reason why there is no tax.
    ApplicableTradeTax: {
      ...TAX,
      CalculatedAmount: 1,
      BasisAmount: 1,
      ExemptionReason: 1,
      ExemptionReasonCode: 1,
    },
    AdditionalReferencedDocument: 'Documento',
    ReceivableSpecifiedTradeAccountingAccount: 'Referencia contable',
    BillingSpecifiedPeriod: PERIOD,
    SpecifiedTradeAllowanceCharge: ALLOWANCE,
    SpecifiedTradeSettlementLineMonetarySummation: 1,
  },
}

export const CII_KNOWN: Known = {
  ExchangedDocumentContext: 1,
  ExchangedDocument: {
    ID: 1,
    Name: 1,
    TypeCode: 1,
    IssueDateTime: 1,
    LanguageID: 1,
    IncludedNote: { Content: 1, SubjectCode: 1 },
  },
  SupplyChainTradeTransaction: {
    IncludedSupplyChainTradeLineItem: LINE,
    ApplicableHeaderTradeAgreement: {
      BuyerReference: 1,
      SellerTradeParty: PARTY,
      BuyerTradeParty: PARTY,
      SellerTaxRepresentativeTradeParty: 'Representante fiscal',
      SellerOrderReferencedDocument: { IssuerAssignedID: 1 },
      BuyerOrderReferencedDocument: { IssuerAssignedID: 1 },
      ContractReferencedDocument: { IssuerAssignedID: 1 },
      AdditionalReferencedDocument: {
        IssuerAssignedID: 1,
        TypeCode: 1,
        URIID: 1,
        Name: 1,
        AttachmentBinaryObject: 1,
      },
      SpecifiedProcuringProject: { ID: 1, Name: 1 },
    },
    ApplicableHeaderTradeDelivery: {
      ShipToTradeParty: 'Lugar de entrega',
      DespatchAdviceReferencedDocument: 'Albarán',
      ReceivingAdviceReferencedDocument: 'Recepción',
      ActualDeliverySupplyChainEvent: { OccurrenceDateTime: 1 },
    },
    ApplicableHeaderTradeSettlement: {
      PaymentReference: 1,
      TaxCurrencyCode: 1,
      InvoiceCurrencyCode: 1,
      TaxApplicableTradeCurrencyExchange: 1,
      SpecifiedTradeSettlementPaymentMeans: {
        TypeCode: 1,
        Information: 1,
        PayerPartyDebtorFinancialAccount: { IBANID: 1 },
        ApplicableTradeSettlementFinancialCard: 'Tarjeta',
        PayeePartyCreditorFinancialAccount: { IBANID: 1, AccountName: 'Titular', ProprietaryID: 1 },
        PayeeSpecifiedCreditorFinancialInstitution: 'Banco',
      },
      ApplicableTradeTax: {
        ...TAX,
        CalculatedAmount: 1,
        BasisAmount: 1,
        ExemptionReason: 1,
        ExemptionReasonCode: 1,
        TaxPointDate: 1,
      },
      BillingSpecifiedPeriod: PERIOD,
      SpecifiedTradeAllowanceCharge: { ...ALLOWANCE, CategoryTradeTax: TAX },
      SpecifiedTradePaymentTerms: { Description: 1, DueDateDateTime: 1, DirectDebitMandateID: 'Mandato' },
      CreditorReferenceID: 'Acreedor',
      PayeeTradeParty: 'Beneficiario del pago',
      ReceivableSpecifiedTradeAccountingAccount: 'Referencia contable',
      SpecifiedTradeSettlementHeaderMonetarySummation: 1,
      InvoiceReferencedDocument: { IssuerAssignedID: 1, FormattedIssueDateTime: 1 },
    },
  },
}

export const CII_LOCATIONS: Locations = {
  number: '/ExchangedDocument/ID',
  issueDate: '/ExchangedDocument/IssueDateTime',
  typeCode: '/ExchangedDocument/TypeCode',
  currency: `${SETTLEMENT}/InvoiceCurrencyCode`,
  seller: `${AGREEMENT}/SellerTradeParty`,
  buyer: `${AGREEMENT}/BuyerTradeParty`,
  lines: LINES,
  taxes: `${SETTLEMENT}/ApplicableTradeTax/0`,
  payment: `${SETTLEMENT}/SpecifiedTradeSettlementPaymentMeans/0`,
  terms: `${SETTLEMENT}/SpecifiedTradePaymentTerms/0`,
  preceding: `${SETTLEMENT}/InvoiceReferencedDocument`,
  lineTotal: `${SUMMATION}/LineTotalAmount/0`,
  allowanceTotal: `${SUMMATION}/AllowanceTotalAmount/0`,
  chargeTotal: `${SUMMATION}/ChargeTotalAmount/0`,
  base: `${SUMMATION}/TaxBasisTotalAmount/0`,
  tax: `${SUMMATION}/TaxTotalAmount/0`,
  accountingTax: `${SUMMATION}/TaxTotalAmount/1`,
  total: `${SUMMATION}/GrandTotalAmount/0`,
  prepaid: `${SUMMATION}/TotalPrepaidAmount/0`,
  payable: `${SUMMATION}/DuePayableAmount/0`,
  endpoint: '/URIUniversalCommunication/0',
}
