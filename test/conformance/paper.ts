/** Minimal PDFs with text, written without a library, as input of the recognition. */

export const RECOGNIZE = '/received-invoices/recognize'

/** A printed line: its position in points from the left and the top of an A4 page, and its text. */
export type Printed = readonly [x: number, y: number, text: string]

/** Encodes a text for the standard fonts of PDF, in the encoding of Windows. */
const literal = (text: string): string =>
  text.replaceAll(/[\\()]/g, (character) => `\\${character}`).replaceAll('€', '\\200')

/** Writes one page of A4 in Helvetica. */
export function paperOf(printed: readonly Printed[]): Buffer {
  const content = printed
    .map(([x, y, text]) => `BT /F 10 Tf ${x} ${842 - y} Td (${literal(text)}) Tj ET`)
    .join('\n')
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 5 0 R /Resources << /Font << /F 4 0 R >> >> >>',
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
  ]
  let text = '%PDF-1.4\n'
  const places = objects.map((object, at) => {
    const place = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return place
  })
  const table = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

export interface PaperInvoice {
  readonly number?: string
  readonly date?: string
  /** Tax id and name of the company that the invoice is addressed to. */
  readonly customer?: string
  readonly customer_name?: string
}

/** An invoice of 121 euros of a fictitious supplier. */
export const invoicePaper = ({
  number = 'F-2026/17',
  date = '03/03/2026',
  customer = 'B12345674',
  customer_name = 'Reformas Inventadas, S.L.',
}: PaperInvoice = {}): Buffer =>
  paperOf([
    [50, 60, 'Suministros del Norte, S.L.'],
    [50, 75, 'CIF: B87345120'],
    [300, 45, 'Cliente'],
    [300, 60, customer_name],
    [300, 75, `NIF: ${customer}`],
    [50, 120, `Factura n.º: ${number}`],
    [50, 135, `Fecha de expedición: ${date}`],
    [50, 200, 'Concepto'],
    [300, 200, 'Cantidad'],
    [380, 200, 'Precio'],
    [480, 200, 'Importe'],
    [50, 220, 'Tornillos'],
    [300, 220, '4'],
    [380, 220, '25,00'],
    [480, 220, '100,00'],
    [380, 300, 'Base imponible'],
    [480, 300, '100,00 €'],
    [380, 315, 'IVA 21 %'],
    [480, 315, '21,00 €'],
    [380, 330, 'Total factura'],
    [480, 330, '121,00 €'],
  ])

export const INVOICE_PAPER = invoicePaper()

/** A form that contains a file. */
export function paperForm(content: Uint8Array, name = 'factura.pdf'): FormData {
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(content)], { type: 'application/pdf' }), name)
  return form
}
