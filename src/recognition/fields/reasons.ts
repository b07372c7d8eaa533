/** Messages: why a person should check a proposal. */
import type { Locale, Text } from '../../invoice/index.ts'

export const REASONS = {
  not_an_invoice: {
    en: 'The document mentions neither an invoice nor a total. Check that it is an invoice.',
    es: 'El documento no menciona ni factura ni total. Compruebe que es una factura.',
  },
  not_final: {
    en: 'The document states that it is not a final invoice (pro forma, quotation, order, delivery note) or that it has no fiscal validity. Register the final invoice instead.',
    es: 'El documento indica que no es una factura definitiva (proforma, presupuesto, pedido, albarán) o que no tiene validez fiscal. Registre la factura definitiva en su lugar.',
  },
  number_missing: {
    en: 'Invoice number not found. Enter it.',
    es: 'No se ha encontrado el número de factura. Introdúzcalo.',
  },
  number_unchecked: {
    en: 'The invoice number could not be verified. Compare it with the document.',
    es: 'No se ha podido verificar el número de factura. Compárelo con el documento.',
  },
  number_contradicted: {
    en: 'The tax QR and the printed text have different invoice numbers; that of the QR is used. Check it.',
    es: 'El QR tributario y el texto impreso tienen números de factura distintos; se usa el del QR. Compruébelo.',
  },
  several_numbers: {
    en: 'Several invoice numbers were found. Check which one is correct and that the file has only one invoice.',
    es: 'Se han encontrado varios números de factura. Compruebe cuál es el correcto y que el fichero contiene una sola factura.',
  },
  date_missing: {
    en: 'Issue date not found. Enter it.',
    es: 'No se ha encontrado la fecha de expedición. Introdúzcala.',
  },
  date_unchecked: {
    en: 'The issue date could not be verified. Compare it with the document.',
    es: 'No se ha podido verificar la fecha de expedición. Compárela con el documento.',
  },
  date_ambiguous: {
    en: 'The day and month of the issue date may be swapped. Check it.',
    es: 'El día y el mes de la fecha de expedición podrían estar invertidos. Compruébela.',
  },
  date_contradicted: {
    en: 'The tax QR and the printed text have different issue dates; that of the QR is used. Check it.',
    es: 'El QR tributario y el texto impreso tienen fechas de expedición distintas; se usa la del QR. Compruébela.',
  },
  date_in_future: {
    en: 'The issue date is in the future. Check it.',
    es: 'La fecha de expedición es posterior a hoy. Compruébela.',
  },
  several_dates: {
    en: 'Several issue dates were found. Check which one is correct.',
    es: 'Se han encontrado varias fechas de expedición. Compruebe cuál es la correcta.',
  },
  supplier_missing: {
    en: 'Tax id of the supplier not found. Enter it.',
    es: 'No se ha encontrado el NIF del emisor. Introdúzcalo.',
  },
  supplier_unchecked: {
    en: 'The tax id found may not be that of the supplier. Check it.',
    es: 'El NIF encontrado podría no ser el del emisor. Compruébelo.',
  },
  supplier_repaired: {
    en: 'The tax id of the supplier was misread, and was corrected with its check character. Compare it with the document.',
    es: 'El NIF del emisor se leyó mal y se ha corregido con su carácter de control. Compárelo con el documento.',
  },
  supplier_contradicted: {
    en: 'The tax QR and the printed text name different issuers; that of the QR is used. Check it.',
    es: 'El QR tributario y el texto impreso nombran emisores distintos; se usa el del QR. Compruébelo.',
  },
  several_suppliers: {
    en: "Several tax ids other than the company's were found. Check which one is the supplier's.",
    es: 'Se han encontrado varios NIF además del de la empresa. Compruebe cuál es el del emisor.',
  },
  supplier_is_company: {
    en: 'The document names the company itself as issuer. Do not register an issued invoice as received.',
    es: 'El documento nombra a la propia empresa como emisora. No registre una factura emitida como recibida.',
  },
  supplier_name_missing: {
    en: 'Name of the supplier not found. Enter it.',
    es: 'No se ha encontrado el nombre del emisor. Introdúzcalo.',
  },
  supplier_name_unchecked: {
    en: 'The name of the supplier could not be verified. Compare it with the document.',
    es: 'No se ha podido verificar el nombre del emisor. Compárelo con el documento.',
  },
  supplier_name_broken: {
    en: 'The name of the supplier seems to be split over two lines, which were joined. Check it.',
    es: 'El nombre del emisor parece ocupar dos líneas, que se han unido. Compruébelo.',
  },
  customer_not_found: {
    en: 'The tax id of the company is not on the document. Check that the invoice is addressed to it.',
    es: 'El NIF de la empresa no figura en el documento. Compruebe que la factura va dirigida a ella.',
  },
  amounts_missing: {
    en: 'Total not found. Enter the amounts.',
    es: 'No se ha encontrado el total. Introduzca los importes.',
  },
  amounts_disagree: {
    en: 'The taxable amounts, the tax and the total do not add up. Check every amount.',
    es: 'Las bases, las cuotas y el total no cuadran. Compruebe todos los importes.',
  },
  amounts_unchecked: {
    en: 'Not all amounts could be verified. Compare them with the document.',
    es: 'No se han podido verificar todos los importes. Compárelos con el documento.',
  },
  amount_derived: {
    en: 'An unreadable amount was calculated from the others. Compare it with the document.',
    es: 'Un importe ilegible se ha calculado a partir de los demás. Compárelo con el documento.',
  },
  total_contradicted: {
    en: 'The tax QR and the printed text have different totals. Check every amount.',
    es: 'El QR tributario y el texto impreso tienen totales distintos. Compruebe todos los importes.',
  },
  total_unexplained: {
    en: 'A printed total does not match the taxable amounts, tax, withholding and disbursements. Check every amount.',
    es: 'Un total impreso no se explica con las bases, las cuotas, la retención y los suplidos. Compruebe todos los importes.',
  },
  withholding_unread: {
    en: 'The document mentions a withholding that could not be read. Enter it.',
    es: 'El documento menciona una retención que no se ha podido leer. Introdúzcala.',
  },
  withholding_unnamed: {
    en: 'The withholding was inferred from the amount payable. Check it.',
    es: 'La retención se ha deducido del total a pagar. Compruébela.',
  },
  xml_contradicted: {
    en: 'The total of the embedded XML is not in the printed text. Compare both.',
    es: 'El total del XML incluido no figura en el texto impreso. Compare ambos.',
  },
  already_registered: {
    en: 'An invoice of this supplier with this number and year is already registered. Do not register it twice.',
    es: 'Ya consta registrada una factura de este emisor con ese número y año. No la registre dos veces.',
  },
  account_new: {
    en: 'The bank account is not one of those on earlier invoices of this supplier. Confirm it with the supplier before you pay.',
    es: 'La cuenta bancaria no figura en las facturas anteriores de este emisor. Confírmela con él antes de pagar.',
  },
  withholding_unusual: {
    en: 'Earlier invoices of this supplier treat withholding differently. Check the withholding.',
    es: 'Las facturas anteriores de este emisor tratan la retención de otro modo. Compruebe la retención.',
  },
  treatment_guessed: {
    en: 'The reason for not charging tax was inferred from a legal mention on the document. Check the tax treatment.',
    es: 'El motivo para no repercutir el impuesto se ha deducido de una mención. Compruebe el tratamiento fiscal.',
  },
  xml_partial: {
    en: 'The embedded XML has no lines. Check what was read from the printed text.',
    es: 'El XML incluido no tiene líneas. Compruebe lo que se ha leído del texto impreso.',
  },
  lines_grouped: {
    en: 'The lines could not be read reliably. Check the proposal, which has one line for each tax rate, with its taxable amount.',
    es: 'Las líneas no se han podido leer con seguridad. Compruebe la propuesta, que tiene una línea por tipo con su base.',
  },
  currency_foreign: {
    en: 'The amounts are in a foreign currency. Check the currency and the exchange rate.',
    es: 'Los importes están en moneda extranjera. Compruebe la moneda y el tipo de cambio.',
  },
  corrective: {
    en: 'This is a corrective invoice. Check which invoice it corrects and the signs of its amounts.',
    es: 'Es una factura rectificativa. Compruebe qué factura rectifica y los signos de los importes.',
  },
  simplified: {
    en: 'This is a simplified invoice. Check whether its tax is deductible.',
    es: 'Es una factura simplificada. Compruebe si la cuota es deducible.',
  },
  code_unconfirmed: {
    en: 'None of the data in the tax QR was found in the printed text. Check that the QR belongs to this invoice.',
    es: 'Ningún dato del QR tributario figura en el texto impreso. Compruebe que el QR es el de esta factura.',
  },
  several_codes: {
    en: 'The document has several tax QR codes. Check that the file has only one invoice.',
    es: 'El documento tiene varios QR tributarios. Compruebe que el fichero contiene una sola factura.',
  },
  guessed_from_pixels: {
    en: 'The text was read from an image. Compare the proposal with the document.',
    es: 'El texto se ha leído de una imagen. Compare la propuesta con el documento.',
  },
  refused_by_engine: {
    en: 'The proposal has errors. See warnings.',
    es: 'La propuesta tiene errores. Consulte warnings.',
  },
} as const satisfies Readonly<Record<string, Text>>

export type ReasonCode = keyof typeof REASONS

/** Reasons for which a proposal is never ready, however good its fields are. */
export const BLOCKING: ReadonlySet<ReasonCode> = new Set([
  'not_final',
  'supplier_is_company',
  'supplier_contradicted',
  'total_contradicted',
  'total_unexplained',
  'withholding_unread',
  'withholding_unnamed',
  'amount_derived',
  'amounts_disagree',
  'xml_contradicted',
  'code_unconfirmed',
  'already_registered',
  'account_new',
  'withholding_unusual',
])

/** Returns each reason once, in the language of the client. */
export const reasonsIn = (codes: readonly ReasonCode[], locale: Locale): string[] =>
  [...new Set(codes)].map((code) => REASONS[code][locale])
