import type { Unreadable } from '../material.ts'

/** Thrown inside the process that reads, from wherever it is noticed that a file will not do. */
export const unreadable = (reason: Unreadable): Error => Object.assign(new Error(reason), { reason })

/** Why a file is not read. Whatever a library throws means that it is broken. */
export const reasonOf = (error: unknown): Unreadable =>
  error instanceof Error && 'reason' in error ? (error.reason as Unreadable) : 'broken'
