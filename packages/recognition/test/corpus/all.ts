/** The whole corpus: real invoices, and traps that must never be ready. */
import type { Document } from './document.ts'
import { FACTUR_X } from './factur-x.ts'
import { HELD_OUT_INVOICES, HELD_OUT_TRAPS } from './held-out.ts'
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
  ...HELD_OUT_INVOICES,
]

export const TRAPS: readonly Document[] = [...OLDER_TRAPS, ...UNSEEN_TRAPS, ...HELD_OUT_TRAPS]

const independent = new Set([...UNSEEN_INVOICES, ...UNSEEN_TRAPS, ...HELD_OUT_TRAPS])
const heldOut = new Set(HELD_OUT_INVOICES)

/**
 * Part of the corpus. The authors of "independent" and "held out" had not read the recognition code. Recognition was
 * improved with the results of the independent documents, never with those of the held-out ones. All traps are known: a
 * trap that is ready is looked at.
 */
export type Part = 'own' | 'independent' | 'held out'

export function partOf(document: Document): Part {
  if (heldOut.has(document)) return 'held out'
  return independent.has(document) ? 'independent' : 'own'
}
