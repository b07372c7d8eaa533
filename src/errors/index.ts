/** The base of what this project throws for others to catch. */

/** Whose turn it is after an error. */
export type ErrorKind =
  /** The caller's: an argument, a setting or a command line is wrong. */
  | 'usage'
  /** It was understood and cannot be done: what was passed, or what is stored, forbids it. */
  | 'refused'
  /** Somebody else was writing the same; nothing was changed, and it may be tried again. */
  | 'busy'
  /** Nobody can tell whether it was done. */
  | 'unknown'

/**
 * An error with a message that says what is wrong and how to mend it. A wrong option is the one error of another
 * base: a `TypeError`, as of JavaScript's own functions.
 */
export class CuadraError extends Error {
  readonly kind: ErrorKind = 'refused'
}

/** A command line that cannot be understood, or a file that it names and that cannot be read. */
export class UsageError extends CuadraError {
  override readonly name = 'UsageError'
  override readonly kind = 'usage'
}

/** Returns a value that has to be there. A missing one is a mistake of the program, never of its caller. */
export function required<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('a value that has to be there is missing')
  return value
}
