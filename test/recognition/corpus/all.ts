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

const heldOut = new Set([...UNSEEN_INVOICES, ...UNSEEN_TRAPS])

/**
 * Whether the document is held out: its author had not read the recognition code.
 * Reports show only sums for held-out documents. Their details stay unread during work on recognition.
 */
export const isHeldOut = (document: Document): boolean => heldOut.has(document)
