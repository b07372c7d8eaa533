/** The legends beside the QR code of an invoice. */

/** Texts above and below the code; `below` is `null` if the invoice must not claim to be verifiable. */
export interface QrLegends {
  readonly above: string
  readonly below: { readonly long: string; readonly short: string } | null
}

/**
 * The legends that the law requires: `above` for every code and, for VERI*FACTU invoices, also the long or the short
 * text of `below`. Print them in letters no smaller than the rest of the invoice.
 *
 * Source: RD 1619/2012 art. 6.5; Orden HAC/1177/2024 arts. 20 and 21; AEAT, QR document 0.5.0.
 *
 * @example
 * QR_LEGENDS.above // => 'QR tributario:'
 * QR_LEGENDS.below.long // => 'Factura verificable en la sede electrónica de la AEAT'
 * QR_LEGENDS.below.short // => 'VERI*FACTU'
 */
export const QR_LEGENDS = {
  above: 'QR tributario:',
  below: { long: 'Factura verificable en la sede electrónica de la AEAT', short: 'VERI*FACTU' },
} as const satisfies QrLegends

/**
 * Returns the legends for an invoice.
 *
 * @param verifiable Whether it is issued in VERI*FACTU mode.
 * @example
 * legendsOf(true).below?.short // => 'VERI*FACTU'
 * legendsOf(false) // => { above: 'QR tributario:', below: null }
 */
export const legendsOf = (verifiable: boolean): QrLegends =>
  verifiable ? QR_LEGENDS : { above: QR_LEGENDS.above, below: null }
