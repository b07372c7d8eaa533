/** Reasons of `export_not_possible` that UBL and CII have of their own. */
import { type MessageText, messageText } from '../../messages/index.ts'

const LAW = 'docs/formats.md, "What a format cannot carry"'

export const EN16931_REASONS = {
  reimbursable_expenses: messageText(
    LAW,
    [
      '{format} has no place for what was paid for the account of the customer (suplidos).',
      'Use facturae_3_2_2.',
    ],
    ['{format} no tiene sitio para los suplidos.', 'Use facturae_3_2_2.'],
  ),
  margin_scheme: messageText(
    LAW,
    [
      'A line of {format} carries its whole price as base, and under a margin scheme only the margin is.',
      'Use facturae_3_2_2.',
    ],
    [
      'Una línea de {format} lleva todo el precio como base y en un régimen de margen solo lo es el margen.',
      'Use facturae_3_2_2.',
    ],
  ),
  not_subject_mixed: messageText(
    `${LAW}; EN 16931-1, BR-O-11`,
    [
      'In {format} what is not subject to tax is alone in its invoice.',
      'Issue it in an invoice of its own, or use facturae_3_2_2.',
    ],
    [
      'En {format} lo no sujeto va solo en su factura.',
      'Expídalo en una factura aparte o use facturae_3_2_2.',
    ],
  ),
  several_exemption_reasons: messageText(
    `${LAW}; EN 16931-1, BR-E-01`,
    [
      '{format} states one reason for all exempt lines of a category, and here there are {received}.',
      'Issue an invoice for each, or use facturae_3_2_2.',
    ],
    [
      '{format} indica una sola causa para todas las líneas exentas de una categoría y aquí hay {received}.',
      'Expida una factura por cada causa o use facturae_3_2_2.',
    ],
  ),
  currency_decimals: messageText(
    `${LAW}; EN 16931-1, BR-DEC`,
    ['{format} has two decimals, and {received} has {decimals}.', 'Use the PDF.'],
    ['{format} tiene dos decimales y {received}, {decimals}.', 'Use el PDF.'],
  ),
  period_reversed: messageText(
    `${LAW}; EN 16931-1, BR-29, BR-30`,
    ['A period of {format} does not end before it starts.', 'Correct the dates.'],
    ['Un periodo de {format} no termina antes de empezar.', 'Corrija las fechas.'],
  ),
  foreign_amounts: messageText(
    LAW,
    [
      'The invoice is in {received} and does not have its amounts in that currency.',
      'Calculate it with cuadra, which keeps them.',
    ],
    [
      'La factura está en {received} y no tiene sus importes en esa moneda.',
      'Calcúlela con cuadra, que los conserva.',
    ],
  ),
} as const satisfies Readonly<Record<string, MessageText>>
