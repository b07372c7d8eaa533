/**
 * Other names for the fields of an invoice, in English and Spanish, as people use them and as in Stripe, Shopify,
 * WooCommerce, Odoo, Holded, GOBL, UBL and Facturae. They are normalised with `folded` (`near.ts`). Each key lists the
 * fields that the names may mean; only fields of the object with the unknown name apply. A path denotes a field in
 * another object. Ambiguous names are not listed.
 */
export const SYNONYMS: Readonly<Record<string, string>> = {
  'item_description issue_data.invoice_description': 'description descripcion concept concepto',
  'item_description legal_name first_name': 'name nombre',
  item_description: 'product producto',
  quantity: 'qty units cantidad',
  'unit_price_without_tax unit_price_with_tax': 'price unitprice precio preciounitario priceunit unitamount',
  unit_price_with_tax:
    'pricewithvat pricewithtax priceincltax priceinclvat grossprice preciociva precioconiva pvp',
  unit_price_without_tax: 'pricewithoutvat pricewithouttax priceexcltax netprice preciosiniva',
  'discount_rate discount_amount': 'discount descuento',
  'tax_output_rate tax_rate discount_rate charge_rate': 'rate',
  'tax_output_rate total_tax_outputs': 'iva vat tax',
  tax_output_rate: 'taxrate vatrate ivarate tipoiva',
  'tax_withheld_rate total_taxes_withheld': 'irpf withholding retencion',
  'tax_output_amount tax_amount totals.total_tax_outputs': 'taxamount cuota totaltax totaltaxes totaliva',
  'tax_output_base taxable_base totals.total_gross_amount_before_taxes': 'base baseimponible amountuntaxed',
  'gross_amount_without_tax gross_amount_with_tax': 'subtotal total',
  'totals.total_gross_amount totals.total_gross_amount_before_taxes': 'subtotal',
  'totals.invoice_total': 'total totalamount amounttotal totalprice',
  'payment_details[].installment_due_date': 'duedate invoicedatedue vencimiento fechavencimiento',
  'payment_details[].iban_account_to_be_credited payment_details[].iban_account_to_be_debited': 'iban',
  'header.invoice_number': 'number numero',
  'header.invoice_series_code': 'series serie',
  'issue_data.issue_date invoice_issue_date': 'date fecha invoicedate',
  'issue_data.invoice_currency.invoice_currency_code': 'currency moneda',
  'additional_data.invoice_additional_information additional_line_item_information': 'notes notas',
  reimbursable_expenses: 'suplidos disbursements',
  'taxes_outputs[].equivalence_surcharge': 'recargo recargoequivalencia',
  'lines[].tax_output_rate invoice.supplier invoice.customer invoice.header invoice.issue_data invoice.lines invoice.totals':
    '',
  customer: 'client cliente',
  lines: 'items lineitems lineas',
  name: 'nombre razonsocial',
  tax_id: 'nif cif dni vat vatnumber',
  electronic_mail: 'email mail correo',
  telephone: 'phone telefono',
  country_code: 'country pais',
  'company.address.address person.address.address': 'street line1 direccion',
  'company.address.post_code person.address.post_code': 'zip postalcode cp codigopostal',
  'company.address.town person.address.town': 'city ciudad poblacion',
  'company.address.country_subdivision person.address.country_subdivision': 'province provincia',
}
