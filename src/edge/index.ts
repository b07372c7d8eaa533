/**
 * cuadra/edge: the engine in one file without imports, and as an HTTP service for Cloudflare Workers, Deno, Bun and
 * other runtimes that map a `Request` to a `Response`.
 */
import { createHandler } from './handler.ts'

export { explain } from '../api/explain.ts'
export { reconcile } from '../api/reconcile.ts'
export { validate } from '../api/validate.ts'
export { CATALOG_NAMES, type CatalogEntry, type CatalogName, catalog } from '../catalogs/index.ts'
export { parseQr, QR_LEGENDS, qrSvg, qrUrl } from '../verifactu/qr/index.ts'
export { invoiceQr } from '../verifactu/qr/invoice.ts'
export { createHandler, type Handler } from './handler.ts'
export type { HandlerOptions } from './settings.ts'

/** The service with its defaults. Workers and servers accept it as their default export. */
export default createHandler()
