/**
 * Names that other systems and people give to the fields of an invoice, in English and Spanish: Stripe, Shopify,
 * WooCommerce, Odoo, Holded, GOBL, UBL and Facturae. They are written as `folded` of `near.ts` returns them. Each row
 * has the fields that the names may mean, of which those of the object with the unknown name apply. A path leads to a
 * field of another object. A name of doubtful meaning is missing.
 */
export const SYNONYMS: Readonly<Record<string, string>> = {
  'item_description issue_data.invoice_description discount_reason charge_reason reason_description':
    'description descripcion concept concepto',
  'item_description legal_name first_name': 'name nombre',
  item_description: 'product producto',
  quantity: 'qty units unidades cantidad',
  article_code: 'sku ref referencia',
  'unit_price_without_tax unit_price_with_tax': 'price unitprice precio preciounitario priceunit unitamount',
  'discount_rate discount_amount': 'discount descuento',
  'tax_output_rate tax_rate discount_rate charge_rate': 'rate',
  'tax_output_rate total_tax_outputs': 'iva vat tax igic',
  tax_output_rate: 'taxrate vatrate ivarate tipoiva',
  'tax_withheld_rate total_taxes_withheld': 'irpf withholding retencion',
  'tax_output_amount tax_amount totals.total_tax_outputs': 'taxamount cuota totaltax totaltaxes totaliva',
  'tax_output_base taxable_base totals.total_gross_amount_before_taxes': 'base baseimponible amountuntaxed',
  'gross_amount_without_tax gross_amount_with_tax': 'subtotal total',
  'totals.total_gross_amount totals.total_gross_amount_before_taxes': 'subtotal',
  'totals.invoice_total': 'total totalamount amounttotal totalprice grandtotal',
  'installment_amount payment_on_account_amount': 'amount',
  'payment_details[].installment_due_date': 'duedate invoicedatedue vencimiento fechavencimiento',
  'payment_details[].payment_method_code': 'paymentmethod formapago',
  'payment_details[].iban_account_to_be_credited payment_details[].iban_account_to_be_debited': 'iban',
  'header.invoice_number': 'number numero',
  'header.invoice_series_code': 'series serie',
  'issue_data.issue_date invoice_issue_date': 'date fecha invoicedate',
  'issue_data.operation_date': 'deliverydate fechaoperacion',
  'issue_data.invoice_currency.invoice_currency_code': 'currency moneda',
  'additional_data.invoice_additional_information additional_line_item_information':
    'notes notas observaciones',
  customer: 'client cliente buyer',
  supplier: 'seller vendor issuer',
  lines: 'items lineitems lineas conceptos',
  name: 'nombre razonsocial',
  tax_id: 'nif cif dni vat vatnumber',
  electronic_mail: 'email mail correo',
  telephone: 'phone telefono',
  country_code: 'country pais',
  'company.address person.address': 'billingaddress',
  'company.address.address person.address.address': 'street line1 direccion',
  'company.address.post_code person.address.post_code': 'zip postalcode cp codigopostal',
  'company.address.town person.address.town': 'city ciudad poblacion',
  'company.address.country_subdivision person.address.country_subdivision': 'province provincia state',
}
