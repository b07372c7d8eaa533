/** Maps locations in the canonical invoice back to elements of the document. */
import { required } from '#core/errors/index.ts'
import { firstAtOrAbove } from '../model/index.ts'

/** Element path of each member. Paths start at the root (`/`) or at the invoice. */
const ELEMENTS: Readonly<Record<string, string>> = {
  '/invoice/supplier': '/Parties/SellerParty',
  '/invoice/customer': '/Parties/BuyerParty',
  '/invoice/header': 'InvoiceHeader',
  '/invoice/header/invoice_number': 'InvoiceHeader/InvoiceNumber',
  '/invoice/header/invoice_series_code': 'InvoiceHeader/InvoiceSeriesCode',
  '/invoice/header/corrective': 'InvoiceHeader/Corrective',
  '/invoice/issue_data': 'InvoiceIssueData',
  '/invoice/issue_data/issue_date': 'InvoiceIssueData/IssueDate',
  '/invoice/issue_data/operation_date': 'InvoiceIssueData/OperationDate',
  '/invoice/issue_data/invoice_currency': 'InvoiceIssueData/ExchangeRateDetails',
  '/invoice/lines': 'Items',
  '/invoice/taxes_outputs': 'TaxesOutputs',
  '/invoice/taxes_withheld': 'TaxesWithheld',
  '/invoice/totals': 'InvoiceTotals',
  '/invoice/totals/total_gross_amount': 'InvoiceTotals/TotalGrossAmount',
  '/invoice/totals/total_gross_amount_before_taxes': 'InvoiceTotals/TotalGrossAmountBeforeTaxes',
  '/invoice/totals/total_tax_outputs': 'InvoiceTotals/TotalTaxOutputs',
  '/invoice/totals/total_taxes_withheld': 'InvoiceTotals/TotalTaxesWithheld',
  '/invoice/totals/invoice_total': 'InvoiceTotals/InvoiceTotal',
  '/invoice/totals/total_executable_amount': 'InvoiceTotals/TotalExecutableAmount',
  '/invoice/totals/total_general_discounts': 'InvoiceTotals/TotalGeneralDiscounts',
  '/invoice/totals/total_general_surcharges': 'InvoiceTotals/TotalGeneralSurcharges',
  '/invoice/payment_details': 'PaymentDetails',
  '/invoice/legal_literals': 'LegalLiterals',
  '/invoice/additional_data': 'AdditionalData',
}

const LINE_ELEMENTS: Readonly<Record<string, string>> = {
  sequence_number: 'SequenceNumber',
  item_description: 'ItemDescription',
  quantity: 'Quantity',
  unit_of_measure: 'UnitOfMeasure',
  unit_price_without_tax: 'UnitPriceWithoutTax',
  total_cost_without_tax: 'TotalCost',
  gross_amount_without_tax: 'GrossAmount',
  discount_rate: 'DiscountsAndRebates',
  discount_amount: 'DiscountsAndRebates',
  charge_rate: 'Charges',
  charge_amount: 'Charges',
  tax_output_rate: 'TaxesOutputs',
  tax_withheld_rate: 'TaxesWithheld',
}

/** Returns a function that maps canonical pointers to element paths. `lines` are the paths of the canonical lines. */
export const locationsOf =
  (invoice: string, lines: readonly string[]) =>
  (pointer: string): string => {
    const [, index, member = ''] = /^\/invoice\/lines\/(\d+)(?:\/(\w+))?/.exec(pointer) ?? []
    if (index !== undefined) {
      const element = LINE_ELEMENTS[member]
      return element === undefined ? required(lines[Number(index)]) : `${lines[Number(index)]}/${element}`
    }
    const element = firstAtOrAbove(pointer, (at) => ELEMENTS[at])
    if (element === undefined) return invoice
    return element.startsWith('/') ? element : `${invoice}/${element}`
  }
