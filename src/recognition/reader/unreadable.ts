import type { Unreadable } from '../material.ts'

/** Creates the error that ends the reading of a file inside the process. */
export const unreadable = (reason: Unreadable): Error => Object.assign(new Error(reason), { reason })

/** Returns why a file is not read. Any error of a library means that it is broken. */
export const reasonOf = (error: unknown): Unreadable =>
  error instanceof Error && 'reason' in error ? (error.reason as Unreadable) : 'broken'
