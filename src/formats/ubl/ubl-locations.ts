/** The locations of the business terms that the rules check, in UBL. */
import type { Locations } from '../en16931/index.ts'

export const UBL_LOCATIONS: Locations = {
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
  endpoint: '/EndpointID',
}
