/**
 * cuadra/edge: the engine in one file without imports, and as an HTTP service for Cloudflare Workers, Deno, Bun and
 * other runtimes that map a `Request` to a `Response`.
 */
import { createHandler } from './handler.ts'

export { CATALOG_NAMES, type CatalogEntry, type CatalogName, catalog } from '#core/catalogs/index.ts'
export { explain } from '#engine/explain.ts'
export { reconcile } from '#engine/reconcile.ts'
export { validate } from '#engine/validate.ts'
export { parseQr, QR_LEGENDS, qrSvg, qrUrl } from '#records/verifactu/qr/index.ts'
export { invoiceQr } from '#records/verifactu/qr/invoice.ts'
export { createHandler, type Handler } from './handler.ts'
export type { HandlerOptions } from './settings.ts'

/** The service with its defaults. Workers and servers accept it as their default export. */
export default createHandler()
