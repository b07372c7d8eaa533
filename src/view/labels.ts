/** All labels of the page in both languages, named after the fields whose values they accompany. */
import type { Pair } from './page-language.ts'

export const TITLES: Readonly<Record<string, Pair>> = {
  '01': ['Factura', 'Invoice'],
  '02': ['Factura simplificada', 'Simplified invoice'],
  '03': ['Factura rectificativa', 'Corrective invoice'],
  '04': ['Factura rectificativa simplificada', 'Corrective simplified invoice'],
  '05': ['Factura expedida por el destinatario', 'Self-billed invoice'],
}

export const PAGE = {
  number: ['N.º', 'No.'],
  draft: ['BORRADOR', 'DRAFT'],
  cancelled: ['ANULADA', 'CANCELLED'],
  supplier: ['Emisor', 'From'],
  customer: ['Cliente', 'Bill to'],
  carriedForward: ['Suma y sigue', 'Carried forward'],
  broughtForward: ['Suma anterior', 'Brought forward'],
  pageOf: ['Página {page} de {pages}', 'Page {page} of {pages}'],
  fromRegister: [
    'Elaborada con los datos registrados; no es el documento original del proveedor.',
    'Made from registered data; this is not the supplier’s own document.',
  ],
} as const satisfies Record<string, Pair>

export const FACTS = {
  invoice_series_code: ['Serie', 'Series'],
  issue_date: ['Fecha de expedición', 'Issue date'],
  operation_date: ['Fecha de la operación', 'Operation date'],
  receipt_date: ['Fecha de recepción', 'Receipt date'],
  registered: ['Registrada el', 'Registered on'],
  period: ['Periodo de facturación', 'Invoicing period'],
  is_dua: ['Documento aduanero (DUA)', 'Customs document (DUA)'],
  receiver_transaction_reference: ['Su pedido', 'Your order'],
  receiver_contract_reference: ['Su contrato', 'Your contract'],
  issuer_contract_reference: ['Nuestro contrato', 'Our contract'],
  file_reference: ['Expediente', 'File'],
  related_invoice: ['Factura relacionada', 'Related invoice'],
} as const satisfies Record<string, Pair>

export const PARTY = {
  nif: ['NIF', 'Tax ID'],
  vat: ['NIF-IVA', 'VAT no.'],
  foreign: ['Identificación fiscal', 'Tax ID'],
  telephone: ['Tel.', 'Tel.'],
  contact: ['A la atención de', 'Attn.'],
  electronic_address: ['Dirección electrónica', 'Electronic address'],
  centre: ['Centro DIR3', 'DIR3 centre'],
} as const satisfies Record<string, Pair>

export const CORRECTED = {
  title: ['Rectifica', 'Corrects'],
  invoice_number: ['Factura rectificada', 'Corrected invoice'],
  invoice_series_code: ['Serie', 'Series'],
  invoice_issue_date: ['Fecha de expedición', 'Issue date'],
  tax_period: ['Periodo rectificado', 'Corrected period'],
  reason: ['Motivo', 'Reason'],
  correction_type: ['Modalidad', 'Method'],
  S: ['Por sustitución', 'By substitution'],
  D: ['Por diferencias', 'By differences'],
  corrected_taxable_base: ['Base imponible rectificada', 'Original taxable base'],
  corrected_tax_amount: ['Cuota rectificada', 'Original tax'],
} as const satisfies Record<string, Pair>

export const LINES = {
  reference: ['Referencia', 'Reference'],
  description: ['Descripción', 'Description'],
  quantity: ['Cantidad', 'Quantity'],
  price: ['Precio', 'Price'],
  priceWithTax: ['Precio (impuesto incl.)', 'Price (tax incl.)'],
  discount: ['Dto.', 'Discount'],
  amount: ['Importe', 'Amount'],
  amountWithTax: ['Importe (impuesto incl.)', 'Amount (tax incl.)'],
  withTax: ['Precio con impuesto incluido', 'Price includes tax'],
  discounted: ['Descuento', 'Discount'],
  charged: ['Recargo', 'Charge'],
  on: ['sobre', 'on'],
  period: ['Periodo', 'Period'],
  transaction: ['Fecha de la operación', 'Operation date'],
  delivery_note: ['Albarán', 'Delivery note'],
  receiver_transaction_reference: ['Su pedido', 'Your order'],
  receiver_contract_reference: ['Su contrato', 'Your contract'],
  issuer_contract_reference: ['Nuestro contrato', 'Our contract'],
  file_reference: ['Expediente', 'File'],
  deduction_rate: ['IVA deducible', 'Deductible tax'],
  non_deductible_reason: ['No deducible', 'Not deductible'],
  euros: ['En euros', 'In euros'],
  reverseCharge: ['ISP', 'RC'],
  nonTaxable: ['NS', 'n/s'],
  exempt: ['Exenta', 'Exempt'],
} as const satisfies Record<string, Pair>

export const BREAKDOWN = {
  title: ['Desglose de impuestos', 'Tax breakdown'],
  kind: ['Operación', 'Operation'],
  taxable_base: ['Base imponible', 'Taxable base'],
  tax_rate: ['Tipo', 'Rate'],
  tax_amount: ['Cuota', 'Tax'],
  equivalence_surcharge: ['Recargo eq.', 'Eq. surcharge'],
  equivalence_surcharge_amount: ['Cuota recargo', 'Surcharge'],
  reverseCharge: ['Inversión del sujeto pasivo', 'Reverse charge'],
  exempt: ['Exenta', 'Exempt'],
  nonTaxable: ['No sujeta', 'Not subject'],
  foreign: ['IVA de', 'VAT of'],
} as const satisfies Record<string, Pair>

export const SUMS = {
  total_gross_amount: ['Suma de líneas', 'Sum of lines'],
  total_general_discounts: ['Descuento', 'Discount'],
  total_general_surcharges: ['Cargo', 'Charge'],
  total_gross_amount_before_taxes: ['Total antes de impuestos', 'Total before taxes'],
  total_non_taxable_amount: ['Importe no sujeto', 'Not subject'],
  total_tax_outputs: ['Total', 'Total'],
  total_equivalence_surcharges: ['Total recargo de equivalencia', 'Total equivalence surcharge'],
  total_consumption_taxes: ['IVA de otros Estados miembros', 'VAT of other member states'],
  invoice_total: ['Total factura', 'Invoice total'],
  total_taxes_withheld: ['Retención IRPF', 'Income tax withheld'],
  total_payments_on_account: ['Anticipo', 'Paid on account'],
  total_reimbursable_expenses: ['Suplido', 'Reimbursable expense'],
  rounding_amount: ['Redondeo', 'Rounding'],
  total_executable_amount: ['Total a pagar', 'Amount due'],
  refund: ['Total a devolver', 'Amount to refund'],
} as const satisfies Record<string, Pair>

export const DETAILS = {
  general_discounts: ['Descuentos generales', 'General discounts'],
  general_surcharges: ['Cargos generales', 'General charges'],
  taxes_withheld: ['Retenciones', 'Withholdings'],
  payments_on_account: ['Anticipos', 'Payments on account'],
  reimbursable_expenses: ['Suplidos', 'Reimbursable expenses'],
  euros: ['Importes en euros', 'Amounts in euros'],
  exchange_rate: ['Tipo de cambio', 'Exchange rate'],
} as const satisfies Record<string, Pair>

export const PAYMENT = {
  title: ['Forma de pago', 'Payment'],
  refund: ['Devolución', 'Refund'],
  nothing: ['Nada pendiente de pago', 'Nothing to pay'],
  day: ['Fecha', 'Date'],
  due: ['Vencimiento', 'Due date'],
  method: ['Medio de pago', 'Method'],
  account: ['Cuenta (IBAN)', 'Account (IBAN)'],
  amount: ['Importe', 'Amount'],
  debited: ['cargo en', 'charged to'],
  reference: ['Ref.', 'Ref.'],
  link: ['Pague en línea', 'Pay online'],
  transfer: ['Pague con su aplicación bancaria', 'Pay with your banking app'],
  subject: ['Factura', 'Invoice'],
} as const satisfies Record<string, Pair>

export const TEXTS = {
  mentions: ['Menciones legales', 'Legal mentions'],
  notes: ['Observaciones', 'Notes'],
} as const satisfies Record<string, Pair>
