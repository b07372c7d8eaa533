/** The whole corpus: true invoices, and traps that must never be ready. */
import type { Document } from './document.ts'
import { FACTUR_X } from './factur-x.ts'
import { DOCUMENTS } from './index.ts'
import { WIDE_SCANS, WIDE_TEXTS } from './wide.ts'

export { type Document, isHeldOut } from './document.ts'
export { TRAPS } from './traps.ts'

export const INVOICES: readonly Document[] = [...DOCUMENTS, ...FACTUR_X, ...WIDE_TEXTS, ...WIDE_SCANS]
