/** Reasons of `export_not_possible` specific to UBL and CII. */
import { type MessageText, messageText } from '../../messages/index.ts'

const LAW = 'docs/formats.md, "What a format cannot carry"'

export const EN16931_REASONS = {
  reimbursable_expenses: messageText(
    LAW,
    [
      '{format} has no field for disbursements paid on behalf of the customer (suplidos).',
      'Use facturae_3_2_2.',
    ],
    ['{format} no admite suplidos.', 'Use facturae_3_2_2.'],
  ),
  margin_scheme: messageText(
    LAW,
    [
      'A line of {format} is taxed on its whole price, but under the margin scheme only the margin is taxable.',
      'Use facturae_3_2_2.',
    ],
    [
      'Una línea de {format} lleva todo el precio como base, pero en el régimen de margen la base es solo el margen.',
      'Use facturae_3_2_2.',
    ],
  ),
  not_subject_mixed: messageText(
    `${LAW}; EN 16931-1, BR-O-11`,
    [
      '{format} does not allow operations not subject to tax together with others in one invoice.',
      'Issue them in a separate invoice, or use facturae_3_2_2.',
    ],
    [
      '{format} no combina operaciones no sujetas con otras en una misma factura.',
      'Expídalas en una factura aparte o use facturae_3_2_2.',
    ],
  ),
  several_exemption_reasons: messageText(
    `${LAW}; EN 16931-1, BR-E-01`,
    [
      '{format} states one reason for all exempt lines of a category; this invoice has {received}.',
      'Issue one invoice for each reason, or use facturae_3_2_2.',
    ],
    [
      '{format} indica una sola causa para todas las líneas exentas de una categoría; esta factura tiene {received}.',
      'Expida una factura por cada causa o use facturae_3_2_2.',
    ],
  ),
  currency_decimals: messageText(
    `${LAW}; EN 16931-1, BR-DEC`,
    ['{format} allows two decimals; {received} has {decimals}.', 'Send the PDF instead.'],
    ['{format} admite dos decimales; {received} tiene {decimals}.', 'Use el PDF.'],
  ),
  period_reversed: messageText(
    `${LAW}; EN 16931-1, BR-29, BR-30`,
    ['The period ends before it starts, which {format} does not allow.', 'Correct the dates.'],
    ['El periodo termina antes de empezar, lo que {format} no admite.', 'Corrija las fechas.'],
  ),
  foreign_amounts: messageText(
    LAW,
    [
      'The invoice is in {received}, but its amounts in that currency are missing.',
      'State the rate in issue_data.invoice_currency.exchange_rate and validate the invoice: cuadra then adds them.',
    ],
    [
      'La factura está en {received}, pero faltan sus importes en esa moneda.',
      'Indique el tipo de cambio en issue_data.invoice_currency.exchange_rate y valide la factura: cuadra los añade.',
    ],
  ),
} as const satisfies Readonly<Record<string, MessageText>>
