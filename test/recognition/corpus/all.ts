/** The whole corpus: real invoices, and traps that must never be ready. */
import type { Document } from './document.ts'
import { FACTUR_X } from './factur-x.ts'
import { DOCUMENTS } from './index.ts'
import { TRAPS as OLDER_TRAPS } from './traps.ts'
import { UNSEEN_INVOICES, UNSEEN_TRAPS } from './unseen.ts'
import { WIDE_SCANS, WIDE_TEXTS } from './wide.ts'

export type { Document }

export const INVOICES: readonly Document[] = [
  ...DOCUMENTS,
  ...FACTUR_X,
  ...WIDE_TEXTS,
  ...WIDE_SCANS,
  ...UNSEEN_INVOICES,
]

export const TRAPS: readonly Document[] = [...OLDER_TRAPS, ...UNSEEN_TRAPS]

const independent = new Set([...UNSEEN_INVOICES, ...UNSEEN_TRAPS])

/** Whether the author of the document had not read the recognition code. */
export const isIndependent = (document: Document): boolean => independent.has(document)
