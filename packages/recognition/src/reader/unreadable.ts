import type { UnreadableReason } from '../material.ts'

/** Creates the error that ends the reading of a file with a reason. */
export const unreadable = (reason: UnreadableReason): Error => Object.assign(new Error(reason), { reason })

/** Returns the reason in an error. Any error of a library means that the file is broken. */
export const reasonOf = (error: unknown): UnreadableReason =>
  error instanceof Error && 'reason' in error ? (error.reason as UnreadableReason) : 'broken'
