import type { Unreadable } from '../material.ts'

/** Creates the error that ends the reading of a file with a reason. */
export const unreadable = (reason: Unreadable): Error => Object.assign(new Error(reason), { reason })

/** Returns the reason in an error. Any error of a library means that the file is broken. */
export const reasonOf = (error: unknown): Unreadable =>
  error instanceof Error && 'reason' in error ? (error.reason as Unreadable) : 'broken'
