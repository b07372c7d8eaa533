/** The base classes of the errors that this project throws for callers to catch. */

/** Who can act on an error. */
export type ErrorKind =
  /** The caller: an argument, a setting or a command line is wrong. */
  | 'usage'
  /** The input is well-formed, but its content or the stored data do not allow the operation. */
  | 'refused'
  /** A concurrent write prevented the operation. Nothing changed; the call can be retried. */
  | 'busy'
  /** It is unknown whether the operation took effect. */
  | 'unknown'

/**
 * An error whose message states the problem and its fix. Only invalid options throw another type: a `TypeError`, like
 * JavaScript's own functions.
 */
export class CuadraError extends Error {
  readonly kind: ErrorKind = 'refused'
}

/** A command line that cannot be parsed, or names a file that cannot be read. */
export class UsageError extends CuadraError {
  override readonly name = 'UsageError'
  override readonly kind = 'usage'
}

/** Returns a value that must be present. A missing value is a bug in the program; callers cannot cause it. */
export function required<T>(value: T): NonNullable<T> {
  if (value === undefined || value === null) throw new Error('a required value is missing')
  return value
}
