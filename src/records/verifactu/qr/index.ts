/**
 * The QR code that every invoice of a VERI*FACTU or NO VERI*FACTU system carries: builds and reads its address, and
 * draws the code.
 *
 * Source: RD 1619/2012 art. 6.5; Orden HAC/1177/2024 arts. 20 and 21; AEAT, "Detalle de las especificaciones técnicas
 * del código QR de la factura y de la URL del servicio de cotejo", version 0.5.0 of 2025-12-10.
 */

export { QrError, type QrFault, type QrFaultCode, type QrField } from './fault.ts'
export { legendsOf, QR_LEGENDS, type QrLegends } from './legends.ts'
export { parseQr, type QrParse } from './parse.ts'
export { numberFault, type QrEnvironment, type QrParts } from './qr-parts.ts'
export { type QrSvgOptions, qrMatrix, qrSvg } from './svg.ts'
export { type QrAddress, type QrRecord, qrUrl, qrUrlOf } from './url.ts'
