/** Codes of what is found in UBL and CII: the rules of EN 16931 that protect amounts, and what its mapping notes. */
import { messageText } from '../../messages/index.ts'

const RULES = 'EN 16931-1'
const PAGE = 'docs/formats.md, "UBL and CII"'

export const EN16931_CODES = {
  'en16931.sum': messageText(
    RULES,
    [
      'Line {line}: {field} is {received}; {formula} is {expected} ({rule}).',
      'Ask the issuer for a document that adds up: no amount is corrected here.',
    ],
    [
      'Línea {line}: {field} es {received}; {formula} da {expected} ({rule}).',
      'Pida al emisor un documento que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'en16931.missing': messageText(
    RULES,
    ['Line {line}: {term} is missing ({rule}).', 'Ask the issuer for a document that has it.'],
    ['Línea {line}: falta {term} ({rule}).', 'Pida al emisor un documento que lo indique.'],
  ),
  'en16931.decimals': messageText(
    `${RULES}, BR-DEC`,
    [
      'Line {line}: {field} is {received}; an amount has two decimals.',
      'Ask the issuer for amounts in cents; prices and quantities may be finer.',
    ],
    [
      'Línea {line}: {field} es {received}; un importe lleva dos decimales.',
      'Pida al emisor los importes en céntimos; precios y cantidades pueden llevar más decimales.',
    ],
  ),
  'en16931.number': messageText(
    RULES,
    [
      'Line {line}: {field} is "{received}", which is no decimal that can be kept exactly.',
      'Write it with a point and at most 15 digits.',
    ],
    [
      'Línea {line}: {field} es «{received}», que no es un decimal que se pueda conservar exacto.',
      'Escríbalo con punto y con 15 cifras como máximo.',
    ],
  ),
  'en16931.currency': messageText(
    `${RULES}, BT-5`,
    [
      'Line {line}: {field} is in {received}, and the document in {expected}.',
      'Ask the issuer for a document in one currency; only the total of the tax may be repeated in another.',
    ],
    [
      'Línea {line}: {field} está en {received} y el documento, en {expected}.',
      'Pida al emisor un documento en una moneda; solo el total del impuesto puede repetirse en otra.',
    ],
  ),
  'en16931.several': messageText(
    RULES,
    [
      'Line {line}: {field} is there {received} times, and one amount is meant.',
      'Ask the issuer for a document that states it once.',
    ],
    [
      'Línea {line}: {field} aparece {received} veces y solo cabe un importe.',
      'Pida al emisor un documento que lo indique una vez.',
    ],
  ),
  'en16931.date': messageText(
    `${RULES}, CII-DT-097`,
    ['Line {line}: "{received}" is no day.', 'Write it as YYYYMMDD with format 102.'],
    ['Línea {line}: «{received}» no es una fecha.', 'Escríbala como AAAAMMDD con formato 102.'],
  ),
  'en16931.price_negative': messageText(
    `${RULES}, BR-27`,
    [
      'Line {line}: the price {received} is negative.',
      'Ask the issuer for a positive price; the quantity carries the sign.',
    ],
    [
      'Línea {line}: el precio {received} es negativo.',
      'Pida al emisor un precio positivo; el signo lo lleva la cantidad.',
    ],
  ),
  'en16931.line_net': messageText(
    PAGE,
    [
      'Line {line}: the line states {received}; {quantity} at {price} with its allowances gives {expected}.',
      'Ask the issuer for a line that adds up: no amount is corrected here.',
    ],
    [
      'Línea {line}: la línea indica {received}; {quantity} a {price} con sus descuentos y cargos da {expected}.',
      'Pida al emisor una línea que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'en16931.line_price': messageText(
    PAGE,
    [
      'Line {line}: the line states {received}, but {quantity} at {price} gives {expected}; its price is {used} here.',
      'Check the line with the issuer: its amount is what the total is made of.',
    ],
    [
      'Línea {line}: la línea indica {received}, pero {quantity} a {price} da {expected}; aquí su precio es {used}.',
      'Compruebe la línea con el emisor: su importe es el que forma el total.',
    ],
  ),
  'en16931.price_rounded': messageText(
    PAGE,
    [
      'Line {line}: the price {received} was rounded by the issuer; {used} gives the amount of the line.',
      'Nothing is to be done: the amount of the line is the one that counts.',
    ],
    [
      'Línea {line}: el emisor redondeó el precio {received}; con {used} se obtiene el importe de la línea.',
      'No hay que hacer nada: cuenta el importe de la línea.',
    ],
  ),
  'en16931.breakdown': messageText(
    `${RULES}, BR-CO-18`,
    [
      'Line {line}: category {received} has no entry in the tax breakdown, or no amounts.',
      'Ask the issuer for a breakdown of every category and rate.',
    ],
    [
      'Línea {line}: la categoría {received} no está en el desglose de impuestos o no tiene importes.',
      'Pida al emisor un desglose con cada categoría y tipo.',
    ],
  ),
  'en16931.reason': messageText(
    `${RULES}, BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10`,
    [
      'Line {line}: category {received} does not say why there is no tax.',
      'Ask the issuer for a reason, as a code or as a text.',
    ],
    [
      'Línea {line}: la categoría {received} no indica por qué no lleva impuesto.',
      'Pida al emisor la causa, con código o con texto.',
    ],
  ),
  'en16931.not_subject_mixed': messageText(
    `${RULES}, BR-O-11`,
    [
      'Line {line}: category O is alone in a document, and this one has {received} as well.',
      'Ask the issuer for two documents, or for category E with its reason.',
    ],
    [
      'Línea {line}: la categoría O no se mezcla con otras y este documento lleva además {received}.',
      'Pida al emisor dos documentos o la categoría E con su causa.',
    ],
  ),
  'en16931.advice': messageText(
    RULES,
    ['Line {line}: {term} is missing ({rule}).', 'The invoice was read without it.'],
    ['Línea {line}: falta {term} ({rule}).', 'La factura se ha leído sin ello.'],
  ),
  'en16931.assumed': messageText(
    RULES,
    [
      'Line {line}: {term} is missing ({rule}); {used} stands for it.',
      'Check the invoice with the issuer: EN 16931 requires it.',
    ],
    [
      'Línea {line}: falta {term} ({rule}); figura {used} en su lugar.',
      'Compruebe la factura con el emisor: EN 16931 lo exige.',
    ],
  ),
  'en16931.profile': messageText(
    PAGE,
    [
      'Line {line}: {field} is not as EN 16931 has it ({rule}): the profile "{received}" is not supported.',
      'Ask the issuer for the profile EN 16931, or register this invoice by hand.',
    ],
    [
      'Línea {line}: {field} no es como en EN 16931 ({rule}): el perfil «{received}» no se admite.',
      'Pida al emisor el perfil EN 16931 o registre esta factura a mano.',
    ],
  ),
  'en16931.country': messageText(
    `${RULES}, BT-40, BT-55`,
    [
      'Line {line}: the country {received} is not a code of ISO 3166-1; the tax id names {used}, which is used.',
      'Check the country of the party.',
    ],
    [
      'Línea {line}: el país {received} no es un código de ISO 3166-1; se toma {used}, que es el del identificador fiscal.',
      'Compruebe el país de la parte.',
    ],
  ),
  'en16931.country_unknown': messageText(
    `${RULES}, BT-40, BT-55`,
    [
      'Line {line}: the country {received} is not a code of ISO 3166-1, and json_1_1 has no other countries.',
      'Ask the issuer for the code of the country, or register this invoice by hand.',
    ],
    [
      'Línea {line}: el país {received} no es un código de ISO 3166-1 y json_1_1 no tiene otros países.',
      'Pida al emisor el código del país o registre esta factura a mano.',
    ],
  ),
  'en16931.allowance_as_line': messageText(
    PAGE,
    [
      'Line {line}: this allowance or charge is of one tax rate only; it is line {used} of the invoice.',
      'Nothing is to be done: a general discount of json_1_1 would touch every rate.',
    ],
    [
      'Línea {line}: este descuento o cargo es de un solo tipo impositivo; es la línea {used} de la factura.',
      'No hay que hacer nada: un descuento general de json_1_1 afectaría a todos los tipos.',
    ],
  ),
  'en16931.prepaid_date': messageText(
    `${RULES}, BT-113`,
    [
      'Line {line}: the document does not say when {received} was paid; the issue date {used} stands for it.',
      'Correct the date of the payment on account if it matters.',
    ],
    [
      'Línea {line}: el documento no dice cuándo se pagaron {received}; figura la fecha de expedición {used}.',
      'Corrija la fecha del pago a cuenta si importa.',
    ],
  ),
  'en16931.exchange_rate': messageText(
    `${RULES}, BT-111`,
    [
      'Line {line}: the exchange rate {used} is that of the tax in both currencies.',
      'Put the official rate of the day where it matters.',
    ],
    [
      'Línea {line}: el tipo de cambio {used} es el del impuesto en ambas monedas.',
      'Ponga el tipo oficial del día si importa.',
    ],
  ),
  'en16931.text_shortened': messageText(
    PAGE,
    [
      'Line {line}: the text has {received} characters; the first {allowed} are in the invoice.',
      'Keep the original file: it has the whole text.',
    ],
    [
      'Línea {line}: el texto tiene {received} caracteres; la factura recoge los {allowed} primeros.',
      'Conserve el fichero original: tiene el texto entero.',
    ],
  ),
} as const
