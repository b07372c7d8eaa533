/** The whole corpus: true invoices, and traps that must never be ready. */
import { type Document, heldOutOf } from './document.ts'
import { FACTUR_X } from './factur-x.ts'
import { DOCUMENTS } from './index.ts'
import { TRAPS } from './traps.ts'
import { WIDE_SCANS, WIDE_TEXTS } from './wide.ts'

export { type Document, TRAPS }

export const INVOICES: readonly Document[] = [...DOCUMENTS, ...FACTUR_X, ...WIDE_TEXTS, ...WIDE_SCANS]

const heldOut = new Set([...heldOutOf(INVOICES), ...heldOutOf(TRAPS)])

/** Whether only sums are shown of the document. */
export const isHeldOut = (document: Document): boolean => heldOut.has(document)
