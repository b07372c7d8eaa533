/** Messages of reading UBL and CII: the rules of EN 16931 that protect amounts, and notes on the mapping. */
import { messageText } from '../../messages/index.ts'

const RULES = 'EN 16931-1'
const PAGE = 'docs/formats.md, "UBL and CII"'

export const EN16931_CODES = {
  'en16931.sum': messageText(
    RULES,
    [
      'Line {line}: {field} is {received}; {formula} is {expected} ({rule}).',
      'Ask the issuer for a document that adds up: amounts are not corrected here.',
    ],
    [
      'Línea {line}: {field} es {received}; {formula} da {expected} ({rule}).',
      'Pida al emisor un documento que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'en16931.missing': messageText(
    RULES,
    ['Line {line}: {term} is missing ({rule}).', 'Ask the issuer for a document that states it.'],
    ['Línea {line}: falta {term} ({rule}).', 'Pida al emisor un documento que lo indique.'],
  ),
  'en16931.decimals': messageText(
    `${RULES}, BR-DEC`,
    [
      'Line {line}: {field} is {received}; an amount has two decimals.',
      'Ask the issuer for amounts with two decimals; prices and quantities may have more.',
    ],
    [
      'Línea {line}: {field} es {received}; un importe lleva dos decimales.',
      'Pida al emisor los importes en céntimos; precios y cantidades pueden llevar más decimales.',
    ],
  ),
  'en16931.number': messageText(
    RULES,
    [
      'Line {line}: {field} is "{received}", which is not an exact decimal.',
      'Write it with a decimal point and at most 15 digits.',
    ],
    [
      'Línea {line}: {field} es «{received}», que no es un decimal exacto.',
      'Escríbalo con punto decimal y 15 cifras como máximo.',
    ],
  ),
  'en16931.currency': messageText(
    `${RULES}, BT-5`,
    [
      'Line {line}: {field} is in {received}, but the document is in {expected}.',
      'Ask the issuer for a document in one currency; only the total tax may be repeated in another.',
    ],
    [
      'Línea {line}: {field} está en {received}, pero el documento está en {expected}.',
      'Pida al emisor un documento en una sola moneda; solo la cuota total puede repetirse en otra.',
    ],
  ),
  'en16931.several': messageText(
    RULES,
    [
      'Line {line}: {field} occurs {received} times; only one amount is allowed.',
      'Ask the issuer for a document that states it once.',
    ],
    [
      'Línea {line}: {field} aparece {received} veces; solo se admite un importe.',
      'Pida al emisor un documento que lo indique una sola vez.',
    ],
  ),
  'en16931.date': messageText(
    `${RULES}, CII-DT-097`,
    ['Line {line}: invalid date "{received}".', 'Write it as YYYYMMDD with format 102.'],
    ['Línea {line}: fecha no válida: «{received}».', 'Escríbala como AAAAMMDD con el formato 102.'],
  ),
  'en16931.price_negative': messageText(
    `${RULES}, BR-27`,
    [
      'Line {line}: the price {received} is negative.',
      'Ask the issuer for a positive price: put the sign in the quantity.',
    ],
    [
      'Pida al emisor un precio positivo: el signo va en la cantidad.',
      'Pida al emisor un precio positivo; el signo lo lleva la cantidad.',
    ],
  ),
  'en16931.line_net': messageText(
    PAGE,
    [
      'Line {line}: the line states {received}; {quantity} at {price} with its allowances gives {expected}.',
      'Ask the issuer for a line that adds up: amounts are not corrected here.',
    ],
    [
      'Línea {line}: la línea indica {received}; {quantity} a {price} con sus descuentos y cargos da {expected}.',
      'Pida al emisor una línea que cuadre: aquí no se corrige ningún importe.',
    ],
  ),
  'en16931.line_price': messageText(
    PAGE,
    [
      'Line {line}: the line states {received}, but {quantity} at {price} gives {expected}; the price {used} is used here.',
      'Check the line with the issuer: the total is the sum of the line amounts.',
    ],
    [
      'Línea {line}: la línea indica {received}, pero {quantity} a {price} da {expected}; aquí se usa el precio {used}.',
      'Compruebe la línea con el emisor: el total es la suma de los importes de línea.',
    ],
  ),
  'en16931.price_rounded': messageText(
    PAGE,
    [
      'Line {line}: the issuer rounded the price {received}; {used} gives the amount of the line.',
      'No action needed: the amount of the line prevails.',
    ],
    [
      'Línea {line}: el emisor redondeó el precio {received}; con {used} se obtiene el importe de la línea.',
      'No tiene que hacer nada: prevalece el importe de la línea.',
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
      'Line {line}: category {received} does not state why there is no tax.',
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
      'Line {line}: category O cannot be combined with others, and this document also has {received}.',
      'Ask the issuer for two documents, or for category E with its reason.',
    ],
    [
      'Línea {line}: la categoría O no se puede combinar con otras y este documento tiene además {received}.',
      'Pida al emisor dos documentos o la categoría E con su causa.',
    ],
  ),
  'en16931.advice': messageText(
    RULES,
    ['Line {line}: {term} is missing ({rule}).', 'No action needed: the invoice was read without it.'],
    ['Línea {line}: falta {term} ({rule}).', 'No tiene que hacer nada: la factura se ha leído sin ese dato.'],
  ),
  'en16931.assumed': messageText(
    RULES,
    [
      'Line {line}: {term} is missing ({rule}); {used} is used instead.',
      'Check the invoice with the issuer: EN 16931 requires it.',
    ],
    [
      'Línea {line}: falta {term} ({rule}); se usa {used} en su lugar.',
      'Compruebe la factura con el emisor: EN 16931 lo exige.',
    ],
  ),
  'en16931.profile': messageText(
    PAGE,
    [
      'Line {line}: {field} does not follow EN 16931 ({rule}): the profile "{received}" is not supported.',
      'Ask the issuer for a document in the EN 16931 profile, or register this invoice manually.',
    ],
    [
      'Línea {line}: {field} no cumple EN 16931 ({rule}): no se admite el perfil «{received}».',
      'Pida al emisor el perfil EN 16931 o registre esta factura a mano.',
    ],
  ),
  'en16931.summary': messageText(
    PAGE,
    [
      'Line {line}: the profile "{received}" has only header and totals, without lines: it is not a complete invoice.',
      'Ask the issuer for the EN 16931 profile. Recognition reads this file as a proposal, which a person completes.',
    ],
    [
      'Línea {line}: el perfil «{received}» solo tiene cabecera y totales, sin líneas: no es una factura completa.',
      'Pida al emisor el perfil EN 16931. El reconocimiento lee este fichero como propuesta, que una persona completa.',
    ],
  ),
  'en16931.country': messageText(
    `${RULES}, BT-40, BT-55`,
    [
      'Line {line}: the country {received} is not an ISO 3166-1 code; {used}, from the tax id, is used instead.',
      'Check the country of the supplier or customer.',
    ],
    [
      'Línea {line}: el país {received} no es un código ISO 3166-1; se usa {used}, que es el del NIF.',
      'Compruebe el país del emisor o del destinatario.',
    ],
  ),
  'en16931.country_unknown': messageText(
    `${RULES}, BT-40, BT-55`,
    [
      'Line {line}: the country {received} is not an ISO 3166-1 code, and json_1_1 allows no others.',
      'Ask the issuer for the country code, or register this invoice manually.',
    ],
    [
      'Línea {line}: el país {received} no es un código ISO 3166-1 y json_1_1 no admite otros.',
      'Pida al emisor el código del país o registre esta factura a mano.',
    ],
  ),
  'en16931.allowance_as_line': messageText(
    PAGE,
    [
      'Line {line}: this allowance or charge applies to one tax rate only, so it became line {used} of the invoice.',
      'No action needed: a general discount of json_1_1 would affect every rate.',
    ],
    [
      'Línea {line}: este descuento o cargo afecta a un solo tipo impositivo y pasa a ser la línea {used} de la factura.',
      'No tiene que hacer nada: un descuento general de json_1_1 afectaría a todos los tipos.',
    ],
  ),
  'en16931.prepaid_date': messageText(
    `${RULES}, BT-113`,
    [
      'Line {line}: the document does not state when {received} was paid; the issue date {used} is used.',
      'Correct the date of the payment on account if necessary.',
    ],
    [
      'Línea {line}: el documento no indica cuándo se pagaron {received}; se usa la fecha de expedición {used}.',
      'Corrija la fecha del pago a cuenta si es necesario.',
    ],
  ),
  'en16931.exchange_rate': messageText(
    `${RULES}, BT-111`,
    [
      'Line {line}: the exchange rate {used} was calculated from the tax in both currencies.',
      'Enter the official rate of the date if you need it.',
    ],
    [
      'Línea {line}: el tipo de cambio {used} se ha calculado con la cuota en ambas monedas.',
      'Indique el tipo de cambio oficial del día si lo necesita.',
    ],
  ),
  'en16931.text_shortened': messageText(
    PAGE,
    [
      'Line {line}: the text has {received} characters; the invoice keeps the first {allowed}.',
      'Keep the original file, which has the whole text.',
    ],
    [
      'Línea {line}: el texto tiene {received} caracteres; la factura conserva los {allowed} primeros.',
      'Conserve el fichero original, que tiene el texto completo.',
    ],
  ),
} as const
