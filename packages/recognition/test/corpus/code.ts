/** The QR code of a document, as the engine builds it. */
import { qrMatrix, qrUrl } from '#records/verifactu/qr/index.ts'
import { dayFirst } from './print.ts'
import type { Truth } from './truth.ts'

export const urlOf = ({ supplier, number, issue_date, invoice_total }: Truth): string =>
  qrUrl({
    nif: supplier.tax_id,
    numSerie: number,
    fecha: dayFirst(issue_date, '-'),
    importe: invoice_total.toFixed(2),
  })

/** Returns the dark modules, without the quiet zone. */
export const squaresOf = (truth: Truth): boolean[][] => qrMatrix(urlOf(truth))
