import type { Unreadable } from '../material.ts'

/** Thrown inside the process that reads, from wherever it is noticed that a file will not do. */
export class UnreadableError extends Error {
  override readonly name = 'UnreadableError'
  readonly reason: Unreadable

  constructor(reason: Unreadable) {
    super(reason)
    this.reason = reason
  }
}
