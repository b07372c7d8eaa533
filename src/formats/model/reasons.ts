/** Messages of `export_not_possible`: the reasons why a format cannot represent an invoice. */
import { type MessageText, messageText } from '../../messages/index.ts'
import { EN16931_REASONS } from './reasons-en16931.ts'

const LAW = 'docs/formats.md, "What a format cannot carry"'
type Pair = readonly [message: string, fix: string]
const reason = (en: Pair, es: Pair): MessageText => messageText(LAW, en, es)

export const EXPORT_REASONS = {
  not_written: reason(
    ['{format} can be read but not written.', 'Choose facturae_3_2_2, ubl_2_1 or cii_d16b.'],
    ['{format} se puede leer, pero no escribir.', 'Elija facturae_3_2_2, ubl_2_1 o cii_d16b.'],
  ),
  not_calculated: reason(
    ['The document cannot be calculated: {problem}', ''],
    ['El documento no se puede calcular: {problem}', ''],
  ),
  missing: reason(
    ['{field} is missing, and {format} requires it.', 'Add it to the invoice.'],
    ['Falta {field} y {format} lo exige.', 'Añádalo a la factura.'],
  ),
  too_long: reason(
    [
      '{field} has {received} characters; {format} allows {allowed}.',
      'Shorten it in the invoice: cuadra does not shorten text.',
    ],
    [
      '{field} tiene {received} caracteres; {format} admite {allowed}.',
      'Acórtelo en la factura: aquí no se recortan los textos.',
    ],
  ),
  not_in_form: reason(
    ['{field} is "{received}", which {format} does not allow.', 'Correct it in the invoice.'],
    ['{field} es «{received}», que {format} no admite.', 'Corríjalo en la factura.'],
  ),
  one_stop_shop: reason(
    ['{format} has no field for the tax of another member state (one-stop shop).', 'Send the PDF.'],
    ['{format} no admite el impuesto de otro Estado miembro (ventanilla única).', 'Envíe el PDF.'],
  ),
  margin_loss: reason(
    [
      '{format} has no field for the purchase price of a line sold at a loss, so a discount or surcharge of the document would be taxed.',
      'Send the PDF.',
    ],
    [
      '{format} no admite el precio de compra de una línea vendida con pérdida, así que un descuento o recargo general tributaría.',
      'Envíe el PDF.',
    ],
  ),
  regime_mixed: reason(
    [
      '{format} states a special regime once for the whole invoice, so this line (regime key {received}) would be read under another regime.',
      'Use a separate invoice for each regime, or send the PDF.',
    ],
    [
      '{format} indica el régimen especial una vez para toda la factura, así que esta línea (clave {received}) se leería con otro régimen.',
      'Use una factura por cada régimen o envíe el PDF.',
    ],
  ),
  withholding: reason(
    ['{format} has no field for withholding (IRPF).', 'Use facturae_3_2_2.'],
    ['{format} no admite retenciones.', 'Use facturae_3_2_2.'],
  ),
  equivalence_surcharge: reason(
    ['{format} has no field for the equivalence surcharge.', 'Use facturae_3_2_2.'],
    ['{format} no admite el recargo de equivalencia.', 'Use facturae_3_2_2.'],
  ),
  rounding_amount: reason(
    ['{format} has no field for a rounding amount.', 'Use ubl_2_1 or cii_d16b.'],
    ['{format} no admite redondeo.', 'Use ubl_2_1 o cii_d16b.'],
  ),
  currency_amounts: reason(
    [
      'The invoice is in {received}, but {field} has no amount in that currency.',
      'State it in the invoice_currency block beside the amount in euros.',
    ],
    [
      'La factura está en {received}, pero {field} no tiene importe en esa moneda.',
      'Indíquelo en el bloque invoice_currency, junto al importe en euros.',
    ],
  ),
  sums: reason(
    [
      '{field} is {received}; {format} requires the sum of its parts, {expected}.',
      'Correct the amounts of the invoice.',
    ],
    [
      '{field} es {received}; {format} exige la suma de sus partes, {expected}.',
      'Corrija los importes de la factura.',
    ],
  ),
  surcharge_untaxed: reason(
    [
      'An operation without tax has an equivalence surcharge of {received}, which {format} does not allow.',
      'Remove it.',
    ],
    ['Una operación sin impuesto lleva un recargo de {received}, que {format} no admite.', 'Elimínelo.'],
  ),
  profile: reason(
    ['{format} has no profile {received}. Its profiles: {allowed}.', 'Choose another profile or format.'],
    ['{format} no tiene el perfil {received}. Sus perfiles: {allowed}.', 'Elija otro perfil o formato.'],
  ),
  document_type: reason(
    [
      '{format} has no document type {received} (UNTDID 1001), which this invoice would need.',
      'Choose another profile or format, or send the PDF.',
    ],
    [
      '{format} no tiene el tipo de documento {received} (UNTDID 1001), que esta factura necesita.',
      'Elija otro perfil o formato, o envíe el PDF.',
    ],
  ),
  centre: reason(
    [
      'The customer has no administrative centre with role {role} and a DIR3 code, which {format} requires.',
      'Ask the public body for its three DIR3 codes (roles 01, 02 and 03) and add them to the customer.',
    ],
    [
      'El destinatario no tiene un centro administrativo con el rol {role} y un código DIR3, que {format} exige.',
      'Pida a la Administración sus tres códigos DIR3 (roles 01, 02 y 03) y añádalos al destinatario.',
    ],
  ),
  unknown_code: reason(
    ['{format} has no code for {received}.', 'Choose another value for {field}.'],
    ['{format} no tiene código para {received}.', 'Elija otro valor para {field}.'],
  ),
  ...EN16931_REASONS,
} as const satisfies Readonly<Record<string, MessageText>>

export type ExportReason = keyof typeof EXPORT_REASONS
