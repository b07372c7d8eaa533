/** The locations of the business terms that the rules check, in CII. */
import type { Locations } from '../en16931/index.ts'

const TRANSACTION = '/SupplyChainTradeTransaction'
const AGREEMENT = `${TRANSACTION}/ApplicableHeaderTradeAgreement`
const SETTLEMENT = `${TRANSACTION}/ApplicableHeaderTradeSettlement`
const SUMMATION = `${SETTLEMENT}/SpecifiedTradeSettlementHeaderMonetarySummation`

export const CII_LOCATIONS: Locations = {
  number: '/ExchangedDocument/ID',
  issueDate: '/ExchangedDocument/IssueDateTime',
  typeCode: '/ExchangedDocument/TypeCode',
  currency: `${SETTLEMENT}/InvoiceCurrencyCode`,
  seller: `${AGREEMENT}/SellerTradeParty`,
  buyer: `${AGREEMENT}/BuyerTradeParty`,
  lines: `${TRANSACTION}/IncludedSupplyChainTradeLineItem`,
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
