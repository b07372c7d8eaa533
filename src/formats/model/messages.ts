/** Codes of what is found in a document that is read: what is wrong, how to mend it, where it comes from. */
import { messageText } from '../../messages/index.ts'
import { EN16931_CODES } from './messages-en16931.ts'

const SCHEMA = 'XML Schema (XSD)'

/** Of the file itself. */
const FILE = {
  'format.unknown': messageText(
    'API specification, "POST /received-invoices/import"',
    [
      'The document is not XML, or its root element is not that of an invoice that can be read: {field}.',
      'Send Facturae 3.2, 3.2.1 or 3.2.2, UBL 2.1 (Invoice or CreditNote) or CII D16B.',
    ],
    [
      'El documento no es XML o su elemento raíz no es el de una factura que se pueda leer: {field}.',
      'Envíe Facturae 3.2, 3.2.1 o 3.2.2, UBL 2.1 (Invoice o CreditNote) o CII D16B.',
    ],
  ),
  'format.different': messageText(
    'API specification, "POST /received-invoices/import"',
    [
      'The document is said to be {expected} and is {received}.',
      'Name the format of the document, or send the document of that format.',
    ],
    [
      'Se indica que el documento es {expected} y es {received}.',
      'Indique el formato del documento o envíe el documento de ese formato.',
    ],
  ),
  'format.several_invoices': messageText(
    'API specification, "POST /received-invoices/import"',
    [
      'The file holds {received} invoices; one is read at a time.',
      'Split it (cuadra convert does) and send each invoice by itself.',
    ],
    [
      'El fichero contiene {received} facturas; se lee una cada vez.',
      'Divídalo (cuadra convert lo hace) y envíe cada factura por separado.',
    ],
  ),
  'format.series_assumed': messageText(
    'art. 6.1.a RD 1619/2012',
    [
      'Line {line}: the document names no series, which an issued invoice has; "{used}" stands for it.',
      'Put the series of the invoice where it is another.',
    ],
    [
      'Línea {line}: el documento no indica serie y una factura emitida la tiene; figura «{used}».',
      'Ponga la serie de la factura si es otra.',
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
      'The document carries an electronic signature, which was not verified.',
      'Keep the original file as it came; verify its signature where its origin matters.',
    ],
    [
      'El documento lleva una firma electrónica que no se ha verificado.',
      'Conserve el fichero original tal como llegó; verifique la firma si importa su origen.',
    ],
  ),
}

/** Of its structure: what the reader finds, and what the official schema would refuse. */
const STRUCTURE = {
  'xml.malformed': messageText(
    'XML 1.0',
    [
      'Line {line}, column {column}: not well-formed XML ({detail}).',
      'It is cut off or was changed after it was written: take it again from where it was written.',
    ],
    [
      'Línea {line}, columna {column}: no es XML bien formado.',
      'Está cortado o se modificó después de escribirse: tómelo de nuevo de su origen.',
    ],
  ),
  'xml.doctype': messageText(
    'XML 1.0',
    [
      'Line {line}: a document type is never read, nor are entities or external files.',
      'Remove the DOCTYPE.',
    ],
    ['Línea {line}: no se lee ningún DOCTYPE, ni entidades ni ficheros externos.', 'Elimine el DOCTYPE.'],
  ),
  'xml.encoding': messageText(
    'XML 1.0, "Character Encoding in Entities"',
    [
      'The encoding {detail} cannot be read, or the bytes are not in it.',
      'Write the document in UTF-8, and declare what it is written in.',
    ],
    [
      'La codificación {detail} no se puede leer o los bytes no están en ella.',
      'Escriba el documento en UTF-8 y declare la codificación que usa.',
    ],
  ),
  'xml.limit': messageText(
    'docs/formats.md, "Limits"',
    ['Line {line}: {detail}; the rest was not read.', 'Check where the document comes from.'],
    [
      'Línea {line}: es más profundo o más largo que cualquier factura; no se ha leído el resto.',
      'Compruebe de dónde procede el documento.',
    ],
  ),
  'xml.unknown': messageText(
    SCHEMA,
    ['Line {line}: {field} does not belong in {parent}.', 'Remove it.'],
    ['Línea {line}: {field} no corresponde dentro de {parent}.', 'Elimínelo.'],
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
    ['Line {line}: {field} comes too late.', 'Follow the order of the official schema.'],
    ['Línea {line}: {field} llega tarde.', 'Siga el orden del esquema oficial.'],
  ),
  'xml.repeated': messageText(
    SCHEMA,
    ['Line {line}: {field} occurs again where one belongs.', 'Keep one.'],
    ['Línea {line}: {field} se repite donde solo cabe uno.', 'Deje uno solo.'],
  ),
  'xml.text': messageText(
    SCHEMA,
    ['Line {line}: there is text between the elements of {field}: "{received}".', 'Remove it.'],
    ['Línea {line}: hay texto entre los elementos de {field}: «{received}».', 'Elimínelo.'],
  ),
  'xml.missing': messageText(
    SCHEMA,
    ['Line {line}: {field} is missing in {parent}.', 'Add it in its place.'],
    ['Línea {line}: falta {field} dentro de {parent}.', 'Añádalo en su sitio.'],
  ),
  'xml.kind': messageText(
    SCHEMA,
    ['Line {line}: {field} must be {allowed}.', 'Write it as the official schema has it.'],
    ['Línea {line}: {field} debe ser {allowed}.', 'Escríbalo como indica el esquema oficial.'],
  ),
  'xml.value': messageText(
    SCHEMA,
    ['Line {line}: {field} is "{received}".', 'Use one of {allowed}.'],
    ['Línea {line}: {field} es «{received}».', 'Use uno de estos valores: {allowed}.'],
  ),
  'xml.pattern': messageText(
    SCHEMA,
    [
      'Line {line}: {field} is "{received}", which does not have the form {allowed}.',
      'Write it in that form.',
    ],
    ['Línea {line}: {field} es «{received}», que no tiene la forma {allowed}.', 'Escríbalo de esa forma.'],
  ),
  'xml.length': messageText(
    SCHEMA,
    ['Line {line}: "{received}" has not the length of {field}: {allowed}.', 'Shorten or complete it.'],
    ['Línea {line}: «{received}» no tiene la longitud de {field}: {allowed}.', 'Acórtelo o complételo.'],
  ),
  'xml.exclusive': messageText(
    SCHEMA,
    ['Line {line}: {allowed} exclude each other.', 'Keep one of them.'],
    ['Línea {line}: {allowed} se excluyen entre sí.', 'Deje uno de ellos.'],
  ),
  'xml.count': messageText(
    SCHEMA,
    ['Line {line}: {field} occurs {received} times; {allowed} is the limit.', 'Leave out what is too much.'],
    ['Línea {line}: {field} aparece {received} veces; el límite es {allowed}.', 'Elimine los que sobran.'],
  ),
  'xml.character': messageText(
    'XML 1.0, "Characters"',
    ['Line {line}: {field} has a character that XML cannot carry.', 'Remove it.'],
    ['Línea {line}: {field} contiene un carácter que el XML no admite.', 'Elimínelo.'],
  ),
}

/** Of its meaning. */
const MEANING = {
  'format.sum': messageText(
    'docs/formats.md, "Sums"',
    [
      'Line {line}: {field} is {received}; {rule} gives {expected}.',
      'Ask the issuer for a document that adds up: no amount is corrected here.',
    ],
    [
      'Línea {line}: {field} es {received}; {rule} da {expected}.',
      'Pida al emisor un documento que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'format.totals': messageText(
    'docs/formats.md, "The same totals"',
    [
      'Line {line}: the document states {received} for {member}; its lines give {expected}.',
      'Ask the issuer for a document that adds up: no amount is corrected here.',
    ],
    [
      'Línea {line}: el documento indica {received} en {member}; sus líneas dan {expected}.',
      'Pida al emisor un documento que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'format.amount_not_carried': messageText(
    'docs/formats.md, "What is refused"',
    [
      'Line {line}: {field} changes what is to be paid by {received}, and json_1_1 has no place for it.',
      'Register this invoice by hand.',
    ],
    [
      'Línea {line}: {field} cambia lo que se ha de pagar en {received} y json_1_1 no tiene sitio para ello.',
      'Registre esta factura a mano.',
    ],
  ),
  'format.left_out': messageText(
    'docs/formats.md, "What is left out"',
    [
      'Line {line}: json_1_1 has no place for {field}; it is not in the invoice.',
      'Keep the original file: it has it.',
    ],
    [
      'Línea {line}: json_1_1 no tiene sitio para {field}; no está en la factura.',
      'Conserve el fichero original: ahí consta.',
    ],
  ),
  'format.outside_of_base': messageText(
    'arts. 78 and 80 Ley 37/1992',
    [
      'Line {line}: the document leaves {received} of {field} outside of every taxable base; it has become a line that is not subject to tax.',
      'Ask the issuer whether that is meant: discounts and charges belong to the taxable base.',
    ],
    [
      'Línea {line}: el documento deja {received} de {field} fuera de toda base imponible; se ha convertido en una línea no sujeta.',
      'Pregunte al emisor si es lo que quería: descuentos y cargos forman parte de la base imponible.',
    ],
  ),
  'format.tax_not_supported': messageText(
    'API specification, "Canonical invoice"',
    [
      'Line {line}: the tax {received} has no place in json_1_1, which has IVA, IGIC and IPSI.',
      'Register this invoice by hand.',
    ],
    [
      'Línea {line}: el impuesto {received} no tiene sitio en json_1_1, que tiene IVA, IGIC e IPSI.',
      'Registre esta factura a mano.',
    ],
  ),
  'format.several_taxes': messageText(
    'API specification, "Canonical invoice"',
    [
      'Line {line}: {field} has {received} taxes, and a line of json_1_1 has one.',
      'Ask the issuer for one line for each tax, or register this invoice by hand.',
    ],
    [
      'Línea {line}: {field} tiene {received} impuestos y una línea de json_1_1 tiene uno.',
      'Pida al emisor una línea por impuesto o registre esta factura a mano.',
    ],
  ),
  'format.several_tax_groups': messageText(
    'API specification, "issue_data"',
    [
      'Line {line}: the invoice has {received}, and json_1_1 has one tax group for each invoice.',
      'Ask the issuer for one invoice for each tax.',
    ],
    [
      'Línea {line}: la factura tiene {received} y json_1_1 admite un grupo de impuestos por factura.',
      'Pida al emisor una factura por impuesto.',
    ],
  ),
  'format.withholding_unassigned': messageText(
    'API specification, "lines[]"',
    [
      'Line {line}: {received} is withheld, and no line says of what.',
      'Ask the issuer to state the withholding on each line.',
    ],
    [
      'Línea {line}: se retiene {received} y ninguna línea indica de qué.',
      'Pida al emisor que indique la retención en cada línea.',
    ],
  ),
  'format.document_type': messageText(
    'docs/formats.md, "What is refused"',
    [
      'Line {line}: a document of type {received} is no invoice that can be registered.',
      'Ask the issuer for the invoice itself.',
    ],
    [
      'Línea {line}: un documento de tipo {received} no es una factura que se pueda registrar.',
      'Pida al emisor la factura.',
    ],
  ),
  'format.not_canonical': messageText(
    'API specification, "Canonical invoice (json_1_1)"',
    ['Line {line}: {field} does not fit json_1_1: {problem}', ''],
    ['Línea {line}: {field} no cabe en json_1_1: {problem}', ''],
  ),
}

export const READING_CODES = { ...FILE, ...STRUCTURE, ...MEANING, ...EN16931_CODES }
export type ReadingCode = keyof typeof READING_CODES
