/**
 * cuadra/edge/formats: the service of `cuadra/edge` with two more routes, `POST /read` and `POST /write`, which read
 * and write Facturae, UBL and CII. Like `cuadra/edge`, it is built as a single file without imports.
 */
import { MAX_XML_BYTES } from '#core/xml/index.ts'
import { ROUTES } from '../edge-routes.ts'
import type { HandlerOptions } from '../edge-settings.ts'
import { type Handler, handlerOf } from '../handler.ts'
import { formatRoutes } from './format-routes.ts'

export { CATALOG_NAMES, type CatalogEntry, type CatalogName, catalog } from '#core/catalogs/index.ts'
export { explain, reconcile, validate } from '#engine/index.ts'
export { detectFormat, readInvoice, splitInvoices, writeInvoice } from '#formats/index.ts'
export { parseQr, QR_LEGENDS, qrSvg, qrUrl } from '#records/verifactu/index.ts'
export { invoiceQr } from '#records/verifactu/qr/invoice-qr.ts'
export type { Handler } from '../handler.ts'

export interface FormatHandlerOptions extends HandlerOptions {
  /** Largest body of `POST /read`, in bytes. Default and maximum: 10 MB. */
  readonly maxXmlBytes?: number | undefined
}

/**
 * Creates the handler of `cuadra/edge` with `POST /read` and `POST /write`. Throws a `TypeError` for an invalid option.
 *
 * @example
 * typeof createHandler({ maxXmlBytes: 1_000_000 }).fetch // => 'function'
 */
export function createHandler({
  maxXmlBytes = MAX_XML_BYTES,
  ...options
}: FormatHandlerOptions = {}): Handler {
  if (!(Number.isSafeInteger(maxXmlBytes) && maxXmlBytes > 0 && maxXmlBytes <= MAX_XML_BYTES))
    throw new TypeError(
      `cuadra: option "maxXmlBytes" of createHandler must be an integer from 1 to ${MAX_XML_BYTES}`,
    )
  return handlerOf({ ...ROUTES, ...formatRoutes(maxXmlBytes) }, options)
}

/** The service with its defaults. Workers and servers accept it as their default export. */
export default createHandler()
