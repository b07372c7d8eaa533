/** Why a person should look at a proposal, in words. */
import type { Locale, Text } from '../../invoice/index.ts'

export const REASONS = {
  not_an_invoice: {
    en: 'The document names neither an invoice nor a total. Check that it is an invoice.',
    es: 'El documento no dice ni factura ni total. Compruebe que es una factura.',
  },
  number_missing: {
    en: 'No invoice number was found. Enter it.',
    es: 'No se ha encontrado el número de factura. Indíquelo.',
  },
  number_unchecked: {
    en: 'The invoice number was read without a way of checking it. Compare it with the document.',
    es: 'El número de factura se ha leído sin poder comprobarlo. Compárelo con el documento.',
  },
  number_contradicted: {
    en: 'The tax QR and the printed text give different invoice numbers. The one of the QR was taken; compare it.',
    es: 'El QR tributario y el texto impreso dan números de factura distintos. Se ha tomado el del QR; compárelo.',
  },
  several_numbers: {
    en: 'Several invoice numbers were found. Check which one is right, and that the file holds one invoice.',
    es: 'Se han encontrado varios números de factura. Compruebe cuál es el correcto y que el fichero contiene una sola factura.',
  },
  date_missing: {
    en: 'No issue date was found. Enter it.',
    es: 'No se ha encontrado la fecha de expedición. Indíquela.',
  },
  date_unchecked: {
    en: 'The issue date was read without a way of checking it. Compare it with the document.',
    es: 'La fecha de expedición se ha leído sin poder comprobarla. Compárela con el documento.',
  },
  date_ambiguous: {
    en: 'Day and month of the issue date could be the other way round. Check it.',
    es: 'El día y el mes de la fecha de expedición podrían estar invertidos. Compruébela.',
  },
  date_contradicted: {
    en: 'The tax QR and the printed text give different issue dates. The one of the QR was taken; compare it.',
    es: 'El QR tributario y el texto impreso dan fechas de expedición distintas. Se ha tomado la del QR; compárela.',
  },
  date_in_future: {
    en: 'The issue date is in the future. Check it.',
    es: 'La fecha de expedición es futura. Compruébela.',
  },
  several_dates: {
    en: 'Several issue dates were found. Check which one is right.',
    es: 'Se han encontrado varias fechas de expedición. Compruebe cuál es la correcta.',
  },
  supplier_missing: {
    en: 'No tax id of the supplier was found. Enter it.',
    es: 'No se ha encontrado el NIF del emisor. Indíquelo.',
  },
  supplier_unchecked: {
    en: 'It is not certain that the tax id found is that of the supplier. Check it.',
    es: 'No hay certeza de que el NIF encontrado sea el del emisor. Compruébelo.',
  },
  supplier_repaired: {
    en: 'The tax id of the supplier was misread and mended by its check character. Compare it with the document.',
    es: 'El NIF del emisor se había leído mal y se ha corregido por su carácter de control. Compárelo con el documento.',
  },
  supplier_contradicted: {
    en: 'The tax QR names another issuer than the printed text. The one of the QR was taken; compare it.',
    es: 'El QR tributario nombra un emisor distinto del que dice el texto impreso. Se ha tomado el del QR; compárelo.',
  },
  several_suppliers: {
    en: 'Several tax ids that are not those of the company were found. Check which one is of the supplier.',
    es: 'Se han encontrado varios NIF que no son el de la empresa. Compruebe cuál es el del emisor.',
  },
  supplier_is_company: {
    en: 'The tax QR names the company itself as the issuer. An issued invoice is not registered as received.',
    es: 'El QR tributario nombra a la propia empresa como emisora. Una factura emitida no se registra como recibida.',
  },
  supplier_name_missing: {
    en: 'No name of the supplier was found. Enter it.',
    es: 'No se ha encontrado el nombre del emisor. Indíquelo.',
  },
  supplier_name_broken: {
    en: 'The name of the supplier seems to be broken into two lines, which were put together. Compare it.',
    es: 'El nombre del emisor parece partido en dos líneas, que se han unido. Compárelo.',
  },
  customer_not_found: {
    en: 'The tax id of the company does not stand on the document. Check that the invoice is addressed to it.',
    es: 'El NIF de la empresa no figura en el documento. Compruebe que la factura va dirigida a ella.',
  },
  amounts_missing: {
    en: 'No total was found. Enter the amounts.',
    es: 'No se ha encontrado el total. Indique los importes.',
  },
  amounts_disagree: {
    en: 'Bases, tax and total could not be brought into agreement. Check every amount.',
    es: 'No se ha logrado que cuadren las bases, las cuotas y el total. Compruebe todos los importes.',
  },
  amounts_unchecked: {
    en: 'The amounts were read without a way of checking all of them. Compare them with the document.',
    es: 'Los importes se han leído sin poder comprobarlos todos. Compárelos con el documento.',
  },
  amount_derived: {
    en: 'An amount that could not be read was worked out from the others. Compare it with the document.',
    es: 'Un importe que no se ha podido leer se ha calculado a partir de los demás. Compárelo con el documento.',
  },
  total_contradicted: {
    en: 'The tax QR and the printed text give different totals. Check every amount.',
    es: 'El QR tributario y el texto impreso dan totales distintos. Compruebe todos los importes.',
  },
  xml_contradicted: {
    en: 'The total of the embedded XML does not stand in the printed text. Compare both.',
    es: 'El total del XML incluido no figura en el texto impreso. Compare ambos.',
  },
  treatment_guessed: {
    en: 'Why no tax is charged was concluded from a mention. Check the treatment.',
    es: 'El motivo por el que no se repercute el impuesto se ha deducido de una mención. Compruebe el tratamiento.',
  },
  lines_grouped: {
    en: 'The lines could not be read with certainty: the proposal has one line for each rate, with its base.',
    es: 'Las líneas no se han podido leer con certeza: la propuesta tiene una línea por cada tipo, con su base.',
  },
  currency_foreign: {
    en: 'The amounts are in another currency. Check it and the rate of exchange.',
    es: 'Los importes están en otra divisa. Compruebe la divisa y el tipo de cambio.',
  },
  corrective: {
    en: 'It is a corrective invoice. Check which invoice it corrects and the signs of the amounts.',
    es: 'Es una factura rectificativa. Compruebe qué factura rectifica y los signos de los importes.',
  },
  simplified: {
    en: 'It is a simplified invoice. Check whether its tax can be deducted.',
    es: 'Es una factura simplificada. Compruebe si el impuesto es deducible.',
  },
  code_unconfirmed: {
    en: 'Nothing that the tax QR says could be found in the printed text. Check that it is the one of this invoice.',
    es: 'Nada de lo que dice el QR tributario se ha encontrado en el texto impreso. Compruebe que es el de esta factura.',
  },
  several_codes: {
    en: 'The document has several tax QR codes. Check that the file holds one invoice.',
    es: 'El documento tiene varios QR tributarios. Compruebe que el fichero contiene una sola factura.',
  },
  guessed_from_pixels: {
    en: 'The text was read from an image. Compare the proposal with the document.',
    es: 'El texto se ha leído de una imagen. Compare la propuesta con el documento.',
  },
  refused_by_engine: {
    en: 'The proposal has errors as it is. See warnings.',
    es: 'La propuesta tiene errores tal como está. Vea warnings.',
  },
} as const satisfies Readonly<Record<string, Text>>

export type ReasonCode = keyof typeof REASONS

/** Every reason once, in the language of the client. */
export const reasonsIn = (codes: readonly ReasonCode[], locale: Locale): string[] =>
  [...new Set(codes)].map((code) => REASONS[code][locale])
