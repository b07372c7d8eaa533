/**
 * Examples of requests and responses. The JSON bodies below use data of the demonstration company. The conformance
 * suite sends each request unchanged, and stores the response in `recorded.json` (`npm run record`).
 */
import recorded from './recorded.json'

const COMPANY = {
  person_type_code: 'J',
  tax_id: 'B77777779',
  name: 'Comercial Demostración, S.L.',
  country_code: 'ES',
}
const OTHER = {
  person_type_code: 'J',
  tax_id: 'B12345674',
  name: 'Papelería Levante, S.L.',
  country_code: 'ES',
  company: {
    legal_name: 'Papelería Levante, S.L.',
    address: {
      address: 'Avenida de los Naranjos, 120',
      post_code: '12001',
      town: 'Castellón de la Plana',
      country_code: 'ES',
      country_subdivision: { code: '12' },
    },
  },
}
const TOTALS = { total_gross_amount_before_taxes: 150, total_tax_outputs: 31.5, invoice_total: 181.5 }

const invoice = (
  meta: object,
  parties: object,
  header: object,
  issue_data: object,
  item_description = 'Mantenimiento, octubre',
) => ({
  schema_version: 'json_1_1',
  meta: { ...meta, source_system: 'erp' },
  invoice: {
    ...parties,
    header: { invoice_type_code: '01', ...header },
    issue_data,
    totals: TOTALS,
    lines: [{ item_description, quantity: 3, unit_price_without_tax: 50, tax_output_rate: 21 }],
  },
})

const issued = { supplier: COMPANY, customer: OTHER }
const draft = invoice(
  { direction: 'issued', external_ref: 'pedido-1001' },
  issued,
  { invoice_series_code: 'F' },
  { invoice_description: 'Servicios de octubre' },
)
const imported = invoice(
  { direction: 'issued' },
  issued,
  { invoice_series_code: '2025', invoice_number: '2025-000123' },
  { issue_date: '2025-11-30' },
)
const received = invoice(
  { direction: 'received' },
  { supplier: OTHER, customer: COMPANY },
  { invoice_number: 'A-2025/417' },
  { issue_date: '2025-11-28', receipt_date: '2025-12-02' },
  'Papel A4, caja de 5 paquetes',
)

/** Responses by method and path, then by status. */
export const RESPONSES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = recorded.responses

/** Examples of error responses, by error code. */
export const REFUSALS: Readonly<Record<string, unknown>> = recorded.refusals

/** Request bodies by method and path. Each one is valid without changes. */
export const EXAMPLES: Readonly<Record<string, unknown>> = {
  'put /drafts': draft,
  'post /drafts/validate': draft,
  'post /drafts/batch': { invoices: [draft] },
  'post /issued-invoices/validate': draft,
  'post /issued-invoices/{invoice_id}/issue': { invoice_number: 'F000042' },
  'post /issued-invoices/import': imported,
  'post /issued-invoices/import/batch': {
    invoices: [{ ...imported, meta: { ...imported.meta, external_ref: 'historico-123' } }],
  },
  'post /issued-invoices/{invoice_id}/corrective': {
    correction_type: 'D',
    reason_code: '20',
    series_code: 'R',
    external_ref: 'abono-1001',
    lines: [{ description: 'Descuento por volumen', quantity: -1, unit_price_without_tax: 15 }],
  },
  'post /issued-invoices/{invoice_id}/send': {
    to: ['pagos@papeleria-levante.example'],
    subject: 'Factura de octubre',
    attach_xml: true,
  },
  'put /received-invoices': received,
  'post /received-invoices/validate': received,
  'put /verifactu/config': { mode: 'verifactu', sandbox: true },
  'post /verifactu/sif': { tipo_evento: '01' },
  'put /sii/config': { auto_submit: true },
  ...recorded.requests,
}
