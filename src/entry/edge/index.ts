/**
 * cuadra/edge: the engine in one file without imports, and as an HTTP service for Cloudflare Workers, Deno, Bun and
 * other runtimes that map a `Request` to a `Response`.
 */
import { createHandler } from './handler.ts'

export { CATALOG_NAMES, type CatalogEntry, type CatalogName, catalog } from '#core/catalogs/index.ts'
export { explain, reconcile, validate } from '#engine/index.ts'
export { parseQr, QR_LEGENDS, qrSvg, qrUrl } from '#records/verifactu/index.ts'
export { invoiceQr } from '#records/verifactu/qr/invoice-qr.ts'
export type { HandlerOptions } from './edge-settings.ts'
export { createHandler, type Handler } from './handler.ts'

/** The service with its defaults. Workers and servers accept it as their default export. */
export default createHandler()
