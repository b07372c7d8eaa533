/** Texts of the items about an invoice that cannot be reported unchanged. */
import { CORRECTION_MESSAGES } from '../../fiscal/correction.ts'
import { CORRECTED_LATER } from '../../fiscal/operation-day.ts'
import { messageText } from '../../messages/index.ts'

export const INVOICE_CODES = {
  'sii.not_normalised': messageText(
    'arts. 63 and 64 RD 1624/1992',
    [
      'The invoice has no computed {field}.',
      'Pass the data member of the result of validate, not the original document.',
    ],
    [
      'La factura no tiene el campo {field} calculado.',
      'Pase el campo data del resultado de validate, no el documento original.',
    ],
  ),
  'sii.invalid_invoice': messageText(
    'arts. 63 and 64 RD 1624/1992',
    [
      'The invoice has errors ({count}); the first is {first}.',
      'Correct what validate reports. If the book must have the invoice as it is, pass the data member of the result of validate.',
    ],
    [
      'La factura tiene errores ({count}); el primero es {first}.',
      'Corrija lo que validate señala o pase su data si la factura debe constar en el libro tal como está.',
    ],
  ),
  'sii.direction': messageText(
    'arts. 63 and 64 RD 1624/1992',
    [
      'meta.direction is {received}; this book is for {expected} invoices.',
      'Use the function for the other book.',
    ],
    [
      'meta.direction es «{received}»; este libro es el de las facturas con meta.direction «{expected}».',
      'Use la función del otro libro.',
    ],
  ),
  'sii.number': messageText(
    'arts. 63.3 and 64.4 RD 1624/1992',
    ['A record needs the number of the invoice.', 'Issue the invoice, or send {field}, before reporting it.'],
    [
      'El registro necesita el número de la factura.',
      'Expida la factura, o envíe {field}, antes de suministrarla.',
    ],
  ),
  'sii.issue_date': messageText(
    'arts. 63.3 and 64.4 RD 1624/1992',
    ['A record needs the date of issue.', 'Issue the invoice, or send {field}, before reporting it.'],
    [
      'El registro necesita la fecha de expedición.',
      'Expida la factura, o envíe {field}, antes de suministrarla.',
    ],
  ),
  'sii.holder_nif': messageText(
    'Orden HFP/417/2017, anexo I',
    [
      '"{received}" is not a Spanish NIF of 9 characters, which the book holder (Titular) must have.',
      'Correct {path}.',
    ],
    [
      '«{received}» no es un NIF español de 9 caracteres, que el titular del libro debe tener.',
      'Corrija {path}.',
    ],
  ),
  'sii.counterparty': messageText(
    'arts. 63.3 and 64.4 RD 1624/1992; art. 6.1.d RD 1619/2012',
    [
      'The other party has no identifier that is allowed in a record.',
      'Send a valid NIF, an EU VAT number, a foreign tax id of at most 20 characters or an identifier (passport) in {path}.',
    ],
    [
      'La contraparte no tiene un identificador que pueda ir en el registro.',
      'Envíe en {path} un NIF válido, un NIF-IVA, un identificador extranjero de hasta 20 caracteres o un documento (pasaporte).',
    ],
  ),
  'sii.option': CORRECTION_MESSAGES.option,
  'sii.reference': CORRECTION_MESSAGES.reference,
  'sii.reference_not_earlier': CORRECTION_MESSAGES.reference_not_earlier,
  'sii.correction': messageText(
    'art. 15 RD 1619/2012; Orden HFP/417/2017, anexo I',
    ['The record of a corrective invoice needs {field}.', 'Send it in header.corrective.'],
    ['El registro de una rectificativa necesita {field}.', 'Envíelo en header.corrective.'],
  ),
  'sii.regime_key': messageText(
    'Orden HFP/417/2017, anexo I, claves de régimen',
    [
      'Regime key {received} does not exist for the book of {direction} invoices.',
      'Use a key of the catalog tax-regimes for that direction.',
    ],
    [
      'La clave de régimen {received} no existe en el libro de las facturas con meta.direction «{direction}».',
      'Use una clave del catálogo «tax-regimes» para ese sentido.',
    ],
  ),
  'sii.too_many_regime_keys': messageText(
    'Orden HFP/417/2017, anexo I, claves de régimen',
    [
      'A record can state {allowed} regime keys: {received}, with the smallest taxable amounts, are omitted.',
      'Invoice the operations under other keys separately.',
    ],
    [
      'El registro admite {allowed} claves de régimen: se omiten {received}, las de menor base.',
      'Facture aparte las operaciones con otras claves.',
    ],
  ),
  'sii.foreign_tax': messageText(
    'arts. 84, 85 and 92 Ley 37/1992',
    [
      '{received} % from a foreign supplier is not Spanish VAT: it cannot be deducted.',
      'Send reverse_charge on the lines if the tax is due in Spain; otherwise send the amount including the foreign tax as NON_TAXABLE, reason ARTICLES_7_14_OTHER.',
    ],
    [
      'El {received} % de un proveedor extranjero no es IVA español: no puede deducirse.',
      'Envíe reverse_charge en las líneas si el impuesto se debe en España; si no, envíe el importe con el impuesto extranjero incluido como NON_TAXABLE, con la causa ARTICLES_7_14_OTHER.',
    ],
  ),
  'sii.tax_differs': messageText(
    'AEAT, validaciones del SII de octubre de 2019',
    [
      'The tax is {received}; taxable amount × rate ({rate} %) is {expected}. They may differ by at most 1 % of the taxable amount, and by at most 10.00 EUR.',
      'Correct tax_amount, or the taxable amount and the rate.',
    ],
    [
      'La cuota es {received}; la base por el tipo ({rate} %) da {expected}. La diferencia no puede superar el 1 % de la base ni 10,00 EUR.',
      'Corrija tax_amount, o la base y el tipo.',
    ],
  ),
  'sii.totals_differ': messageText(
    'Orden HFP/417/2017, anexo I',
    [
      '{field} is {received} and the breakdown adds up to {expected}.',
      'The invoice was changed after calculation: validate it again.',
    ],
    [
      '{field} es {received} y el desglose suma {expected}.',
      'La factura se modificó después de calcularla: valídela de nuevo.',
    ],
  ),
  'sii.operation_date': messageText(
    'Orden HFP/417/2017, anexo I',
    [
      'The operation date ({received}) is later than the issue date ({expected}), which only regime keys 14 and 15 allow.',
      'Correct the date, or use regime key 14 or 15 (VAT not yet due).',
    ],
    [
      'La operación ({received}) es posterior a la expedición ({expected}), lo que solo admiten las claves 14 y 15.',
      'Corrija la fecha o use la clave de régimen 14 o 15 (IVA pendiente de devengo).',
    ],
  ),
  'sii.corrected_surcharge': CORRECTION_MESSAGES.corrected_surcharge,
  'sii.corrected_later': CORRECTED_LATER,
  'sii.cost_base': messageText(
    'Orden HFP/417/2017, anexo I; art. 163 octies Ley 37/1992',
    [
      'An operation under regime key 06 (VAT group, advanced level) requires its taxable amount at cost.',
      'Pass it as BaseImponibleACoste in the option "fields".',
    ],
    [
      'Una operación de clave 06 (grupo de entidades, nivel avanzado) necesita su base a coste.',
      'Pásela como BaseImponibleACoste en la opción fields.',
    ],
  ),
  'sii.key_08': messageText(
    'Orden HFP/417/2017, anexo I',
    [
      'Regime key 08 is for operations subject to IPSI or IGIC, which carry no VAT; tax_treatment_code is {received}.',
      'Send the line as NON_TAXABLE, or use another regime key.',
    ],
    [
      'La clave 08 es para operaciones sujetas al IPSI o al IGIC, que no llevan IVA; tax_treatment_code es «{received}».',
      'Envíe la línea como NON_TAXABLE u otra clave.',
    ],
  ),
  'sii.lease_property': messageText(
    'Orden HFP/417/2017, anexo I; AEAT 2000',
    [
      'A lease under regime key {received} does not identify its property: the tax authority accepts the record with error 2000.',
      'Pass DatosInmueble (location and cadastral reference) in the option "fields".',
    ],
    [
      'Un arrendamiento de clave {received} no indica su inmueble: la AEAT acepta el registro con el error 2000.',
      'Pase DatosInmueble (situación y referencia catastral) en la opción fields.',
    ],
  ),
  'sii.period_year': messageText(
    'art. 69 bis RD 1624/1992; AEAT 1126',
    [
      'The record belongs to the year {received}, but the invoice to {expected}: the tax authority accepts only the current and the previous year.',
      'Correct operation_date, or pass the month of the filing period in the option "period".',
    ],
    [
      'El registro es del ejercicio {received} y la factura, del {expected}: la AEAT admite el ejercicio actual y el anterior.',
      'Corrija operation_date o pase el mes de la liquidación en la opción period.',
    ],
  ),
  'sii.simplified_limit': messageText(
    'art. 4 RD 1619/2012',
    [
      'A simplified invoice is limited to {allowed} EUR; this one amounts to {received}.',
      'Issue a full invoice, or pass NumRegistroAcuerdoFacturacion in the option "fields" if the tax authority authorised it.',
    ],
    [
      'El importe máximo de una factura simplificada es {allowed} EUR; el de esta es {received}.',
      'Expida una factura completa o pase NumRegistroAcuerdoFacturacion en la opción fields si la Agencia Tributaria lo autorizó.',
    ],
  ),
  'sii.too_many_details': messageText(
    'Orden HFP/417/2017, anexo I',
    [
      '{block} would have {received} entries; a record holds at most {allowed}.',
      'Split the invoice, or use fewer rates.',
    ],
    [
      '{block} tendría {received} detalles; un registro admite {allowed}.',
      'Divida la factura o use menos tipos.',
    ],
  ),
  'sii.surcharge_on_services': messageText(
    'arts. 154-157 Ley 37/1992',
    [
      'The equivalence surcharge of this entry applies to {received}, more than the taxable amount of the goods on the invoice. Services have no equivalence surcharge, and the breakdown by operation has no field for it.',
      'Send item_type "goods" on the lines with goods, or remove the equivalence surcharge.',
    ],
    [
      'El recargo de esta entrada recae sobre una base de {received}, mayor que la de los bienes de la factura; los servicios no lo llevan y el desglose por operación no lo admite.',
      'Envíe item_type «goods» en las líneas de bienes o quite el recargo.',
    ],
  ),
  'sii.registration_date': messageText(
    'art. 64 RD 1624/1992',
    [
      'The accounting date {received} is before the date of issue {expected}.',
      'Correct {field} or issue_date.',
    ],
    [
      'La fecha de registro contable {received} es anterior a la de expedición {expected}.',
      'Corrija {field} o issue_date.',
    ],
  ),
  'sii.replaced_type': messageText(
    'art. 15 RD 1619/2012; AEAT, SII, LC',
    [
      'The invoice replaces another, but a record of type {received} cannot take anything back.',
      'Correct the registered customs document, or report the difference as a complementary settlement (option type LC) without header.corrective.',
    ],
    [
      'La factura sustituye a otra, pero un registro de tipo {received} no puede retirar nada.',
      'Corrija el documento aduanero registrado, o comunique la diferencia como liquidación complementaria (opción type LC) sin header.corrective.',
    ],
  ),
  'sii.replaced_unknown': messageText(
    'art. 15 RD 1619/2012; arts. 84, 138 and 145 Ley 37/1992',
    [
      'The invoice replaces {received}; what the record of that invoice had does not follow from it.',
      'Pass the data of that invoice as the option corrected; on the server, register it.',
    ],
    [
      'La factura sustituye a {received}; lo que tenía el registro de esa factura no se deduce de ella.',
      'Pase los datos de esa factura en la opción corrected; en el servidor, regístrela.',
    ],
  ),
  'sii.pro_rata': messageText(
    'arts. 102-106 Ley 37/1992',
    [
      'The line is under the pro rata rule, but the percentage is missing.',
      'Send its deduction_rate, or pass the option "pro_rata".',
    ],
    [
      'La línea está sujeta a prorrata, pero falta el porcentaje.',
      'Envíe su deduction_rate o pase la opción pro_rata.',
    ],
  ),
  'sii.schema': messageText(
    'AEAT, esquemas del SII, versión 1.1',
    [
      '{path} of the record does not match the official schema (rule "{violation}"): "{received}".',
      'Correct that value in the invoice.',
    ],
    [
      '{path} del registro no cumple el esquema oficial (regla «{violation}»): «{received}».',
      'Corrija ese valor en la factura.',
    ],
  ),
}
