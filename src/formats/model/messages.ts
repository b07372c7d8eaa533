/** Messages of reading a document: the problem, how to fix it, and its source. */
import { messageText } from '../../messages/index.ts'
import { EN16931_CODES } from './messages-en16931.ts'

const SCHEMA = 'XML Schema (XSD)'

/** Problems of the file. */
const FILE = {
  'format.unknown': messageText(
    'API specification, "POST /received-invoices/import"',
    [
      'Not XML, or the root element is not that of a supported invoice: {field}.',
      'Send Facturae 3.2, 3.2.1 or 3.2.2, UBL 2.1 (Invoice or CreditNote) or CII D16B.',
    ],
    [
      'No es XML o el elemento raíz no es el de una factura admitida: {field}.',
      'Envíe Facturae 3.2, 3.2.1 o 3.2.2, UBL 2.1 (Invoice o CreditNote) o CII D16B.',
    ],
  ),
  'format.different': messageText(
    'API specification, "POST /received-invoices/import"',
    [
      'Expected {expected}, but the document is {received}.',
      'Specify the format of the document, or send a document in the specified format.',
    ],
    [
      'Se esperaba {expected}, pero el documento es {received}.',
      'Indique el formato del documento o envíe un documento del formato indicado.',
    ],
  ),
  'format.several_invoices': messageText(
    'API specification, "POST /received-invoices/import"',
    [
      'The file has {received} invoices; only one can be read at a time.',
      'Split it with `cuadra convert --split` and send each invoice separately.',
    ],
    [
      'El fichero contiene {received} facturas; solo se puede leer una cada vez.',
      'Divídalo con cuadra convert y envíe cada factura por separado.',
    ],
  ),
  'format.series_assumed': messageText(
    'art. 6.1.a RD 1619/2012',
    [
      'Line {line}: the document has no series, which an issued invoice requires; "{used}" is used.',
      'If the invoice has another series, correct it.',
    ],
    [
      'Línea {line}: el documento no indica la serie, que toda factura emitida lleva; se usa «{used}».',
      'Corrija la serie si es otra.',
    ],
  ),
  'format.too_large': messageText(
    'API specification, "Limits"',
    ['The document has more than {allowed} bytes.', 'Send documents of up to 10 MB.'],
    ['El documento ocupa más de {allowed} bytes.', 'Envíe documentos de hasta 10 MB.'],
  ),
  'format.empty': messageText(
    'API specification, "Received"',
    ['The document is empty.', 'Send the XML of an invoice.'],
    ['El documento está vacío.', 'Envíe el XML de una factura.'],
  ),
  'format.signature_not_verified': messageText(
    'art. 10 RD 1619/2012',
    [
      'The document has an electronic signature, which was not verified.',
      'Keep the original file unchanged; verify its signature if you need proof of its origin.',
    ],
    [
      'El documento lleva una firma electrónica que no se ha verificado.',
      'Conserve el fichero original sin cambios; verifique la firma si necesita acreditar su origen.',
    ],
  ),
}

/** Problems of the structure: invalid XML, and violations of the official schema. */
const STRUCTURE = {
  'xml.malformed': messageText(
    'XML 1.0',
    [
      'Line {line}, column {column}: not well-formed XML ({detail}).',
      'The file is truncated or was modified: get it again from its source.',
    ],
    [
      'Línea {line}, columna {column}: no es XML bien formado.',
      'Está truncado o se ha modificado: obténgalo de nuevo de su origen.',
    ],
  ),
  'xml.doctype': messageText(
    'XML 1.0',
    ['Line {line}: document types, entities and external files are never read.', 'Remove the DOCTYPE.'],
    ['Línea {line}: no se lee ningún DOCTYPE, ni entidades ni ficheros externos.', 'Elimine el DOCTYPE.'],
  ),
  'xml.encoding': messageText(
    'XML 1.0, "Character Encoding in Entities"',
    [
      'Unsupported encoding {detail}, or bytes that are invalid in it.',
      'Write the document in UTF-8 and declare its encoding.',
    ],
    [
      'La codificación {detail} no se admite o hay bytes que no son válidos en ella.',
      'Escriba el documento en UTF-8 y declare su codificación.',
    ],
  ),
  'xml.limit': messageText(
    'docs/formats.md, "Limits"',
    ['Line {line}: {detail}; the rest was not read.', 'Check the origin of the document.'],
    [
      'Línea {line}: es más profundo o más largo que cualquier factura; el resto no se ha leído.',
      'Compruebe de dónde procede el documento.',
    ],
  ),
  'xml.unknown': messageText(
    SCHEMA,
    ['Line {line}: {field} is not allowed in {parent}.', 'Remove it.'],
    ['Línea {line}: {field} no se admite dentro de {parent}.', 'Elimínelo.'],
  ),
  'xml.namespace': messageText(
    SCHEMA,
    ['Line {line}: {field} is in the namespace "{received}".', 'Use that of the official schema: {allowed}.'],
    [
      'Línea {line}: {field} está en el espacio de nombres «{received}».',
      'Use el del esquema oficial: {allowed}.',
    ],
  ),
  'xml.order': messageText(
    SCHEMA,
    ['Line {line}: {field} is out of order.', 'Follow the order of the official schema.'],
    ['Línea {line}: {field} está fuera de orden.', 'Siga el orden del esquema oficial.'],
  ),
  'xml.repeated': messageText(
    SCHEMA,
    ['Line {line}: {field} is repeated; only one is allowed.', 'Keep one.'],
    ['Línea {line}: {field} está repetido; solo se admite uno.', 'Deje uno solo.'],
  ),
  'xml.text': messageText(
    SCHEMA,
    ['Line {line}: there is text between the elements of {field}: "{received}".', 'Remove it.'],
    ['Línea {line}: hay texto entre los elementos de {field}: «{received}».', 'Elimínelo.'],
  ),
  'xml.missing': messageText(
    SCHEMA,
    ['Line {line}: {field} is missing in {parent}.', 'Add it in the order of the schema.'],
    ['Línea {line}: falta {field} dentro de {parent}.', 'Añádalo en el orden del esquema.'],
  ),
  'xml.kind': messageText(
    SCHEMA,
    ['Line {line}: {field} must be {allowed}.', 'Follow the official schema.'],
    ['Línea {line}: {field} debe ser {allowed}.', 'Siga el esquema oficial.'],
  ),
  'xml.value': messageText(
    SCHEMA,
    ['Line {line}: {field} is "{received}".', 'Use one of {allowed}.'],
    ['Línea {line}: {field} es «{received}».', 'Use uno de estos valores: {allowed}.'],
  ),
  'xml.pattern': messageText(
    SCHEMA,
    [
      'Line {line}: {field} is "{received}", which does not match {allowed}.',
      'Write it in the required form.',
    ],
    [
      'Línea {line}: {field} es «{received}», que no se ajusta a {allowed}.',
      'Escríbalo en la forma exigida.',
    ],
  ),
  'xml.length': messageText(
    SCHEMA,
    ['Line {line}: {field} is "{received}"; its length must be {allowed}.', 'Correct its length.'],
    ['Línea {line}: {field} es «{received}»; su longitud debe ser {allowed}.', 'Corrija la longitud.'],
  ),
  'xml.exclusive': messageText(
    SCHEMA,
    ['Line {line}: {allowed} cannot be combined.', 'Keep one of them.'],
    ['Línea {line}: {allowed} se excluyen entre sí.', 'Deje uno de ellos.'],
  ),
  'xml.count': messageText(
    SCHEMA,
    ['Line {line}: {field} occurs {received} times; at most {allowed} are allowed.', 'Remove the excess.'],
    [
      'Línea {line}: {field} aparece {received} veces; se admiten {allowed} como máximo.',
      'Elimine los que sobran.',
    ],
  ),
  'xml.character': messageText(
    'XML 1.0, "Characters"',
    ['Line {line}: {field} has a character that XML does not allow.', 'Remove it.'],
    ['Línea {line}: {field} contiene un carácter que el XML no admite.', 'Elimínelo.'],
  ),
}

/** Problems of the content. */
const MEANING = {
  'format.sum': messageText(
    'docs/formats.md, "Sums"',
    [
      'Line {line}: {field} is {received}; {rule} gives {expected}.',
      'Ask the issuer for a document that adds up: amounts are not corrected here.',
    ],
    [
      'Línea {line}: {field} es {received}; {rule} da {expected}.',
      'Pida al emisor un documento que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'format.totals': messageText(
    'docs/formats.md, "Totals"',
    [
      'Line {line}: the document states {received} for {member}; its lines give {expected}.',
      'Ask the issuer for a document that adds up: amounts are not corrected here.',
    ],
    [
      'Línea {line}: el documento indica {received} en {member}; sus líneas dan {expected}.',
      'Pida al emisor un documento que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'format.exchange_rate': messageText(
    'art. 79.Once Ley 37/1992',
    [
      'Line {line}: the exchange rate {used} was calculated from the taxable amounts in both currencies.',
      'Enter the official rate of the date if you need it.',
    ],
    [
      'Línea {line}: el tipo de cambio {used} se ha calculado con las bases en ambas monedas.',
      'Indique el tipo de cambio oficial del día si lo necesita.',
    ],
  ),
  'format.exchange_rate_missing': messageText(
    'art. 79.Once Ley 37/1992; art. 12 RD 1619/2012',
    [
      'Line {line}: the amounts are in {received}, but an issued invoice is registered in euros, and the document states neither its exchange rate nor amounts in euros.',
      'Add the exchange rate of the invoice to the document: ExchangeRateDetails in Facturae, TaxExchangeRate in UBL, TaxApplicableTradeCurrencyExchange in CII.',
    ],
    [
      'Línea {line}: los importes están en {received}, pero una factura expedida se registra en euros y el documento no indica ni su tipo de cambio ni importes en euros.',
      'Añada al documento el tipo de cambio de la factura: ExchangeRateDetails en Facturae, TaxExchangeRate en UBL, TaxApplicableTradeCurrencyExchange en CII.',
    ],
  ),
  'format.exchange_rate_mismatch': messageText(
    'art. 79.Once Ley 37/1992; art. 12 RD 1619/2012',
    [
      'Line {line}: the document states {received} euros for {member}; its amounts in {currency} at {exchange_rate} give {expected} euros.',
      'Correct the exchange rate of the document (euros per unit of {currency}) or its amounts in euros, whichever is wrong.',
    ],
    [
      'Línea {line}: el documento indica {received} euros en {member}; sus importes en {currency} a {exchange_rate} dan {expected} euros.',
      'Corrija el tipo de cambio del documento (euros por unidad de {currency}) o sus importes en euros, según lo que esté mal.',
    ],
  ),
  'format.amount_not_carried': messageText(
    'docs/formats.md, "Rejected documents"',
    [
      'Line {line}: {field} changes the amount payable by {received}, and json_1_1 has no field for it.',
      'Register this invoice manually.',
    ],
    [
      'Línea {line}: {field} cambia el importe que se debe pagar en {received} y json_1_1 no lo admite.',
      'Registre esta factura a mano.',
    ],
  ),
  'format.omitted': messageText(
    'docs/formats.md, "Omitted content"',
    [
      'Line {line}: json_1_1 has no field for {field}, so it was omitted from the invoice.',
      'Keep the original file, which has it.',
    ],
    [
      'Línea {line}: json_1_1 no admite {field}; no está en la factura.',
      'Conserve el fichero original, donde consta.',
    ],
  ),
  'format.outside_of_base': messageText(
    'arts. 78 and 80 Ley 37/1992',
    [
      'Line {line}: the document does not include {received} of {field} in any taxable amount, so this became a line not subject to tax.',
      'Check this with the issuer: discounts and charges are part of the taxable amount.',
    ],
    [
      'Línea {line}: el documento deja {received} de {field} fuera de toda base imponible; pasa a ser una línea no sujeta.',
      'Confírmelo con el emisor: los descuentos y cargos forman parte de la base imponible.',
    ],
  ),
  'format.tax_not_supported': messageText(
    'API specification, "Canonical invoice"',
    [
      'Line {line}: json_1_1 does not support the tax {received}, only IVA, IGIC and IPSI.',
      'Register this invoice manually.',
    ],
    [
      'Línea {line}: json_1_1 no admite el impuesto {received}, solo IVA, IGIC e IPSI.',
      'Registre esta factura a mano.',
    ],
  ),
  'format.several_taxes': messageText(
    'API specification, "Canonical invoice"',
    [
      'Line {line}: {field} has {received} taxes; a line of json_1_1 has one.',
      'Ask the issuer for one line for each tax, or register this invoice manually.',
    ],
    [
      'Línea {line}: {field} tiene {received} impuestos; una línea de json_1_1 tiene uno.',
      'Pida al emisor una línea por impuesto o registre esta factura a mano.',
    ],
  ),
  'format.several_tax_groups': messageText(
    'API specification, "issue_data"',
    [
      'Line {line}: the invoice has {received}; json_1_1 allows only one tax (IVA, IGIC or IPSI) per invoice.',
      'Ask the issuer for one invoice for each tax.',
    ],
    [
      'Línea {line}: la factura tiene {received}; json_1_1 admite un solo impuesto por factura.',
      'Pida al emisor una factura por impuesto.',
    ],
  ),
  'format.withholding_unassigned': messageText(
    'API specification, "lines[]"',
    [
      'Line {line}: {received} is withheld, but no line states the amount that the withholding is calculated on.',
      'Ask the issuer to state the withholding on each line.',
    ],
    [
      'Línea {line}: se retiene {received}, pero ninguna línea indica sobre qué base.',
      'Pida al emisor que indique la retención en cada línea.',
    ],
  ),
  'format.document_type': messageText(
    'docs/formats.md, "Rejected documents"',
    [
      'Line {line}: a document of type {received} is not an invoice that can be registered.',
      'Ask the issuer for the invoice itself.',
    ],
    [
      'Línea {line}: un documento de tipo {received} no es una factura que se pueda registrar.',
      'Pida al emisor la factura.',
    ],
  ),
  'format.not_canonical': messageText(
    'API specification, "Canonical invoice (json_1_1)"',
    ['Line {line}: {field} is not valid in json_1_1: {problem}', ''],
    ['Línea {line}: {field} no es válido en json_1_1: {problem}', ''],
  ),
}

export const READING_CODES = { ...FILE, ...STRUCTURE, ...MEANING, ...EN16931_CODES }
export type ReadingCode = keyof typeof READING_CODES
