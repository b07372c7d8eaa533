/**
 * Failures that callers distinguish by `condition`. They share the class `ConditionError`; this table lists them.
 *
 * The error classes are: `CuadraError` and `UsageError` (here), `OptionError`, `QrError`, `DeclarationError`,
 * `XmlWriteError` and `RequestRefused`, which the packages export; in the server `ApiError` (a response), `ConfigError`
 * (all invalid settings), `CertificateError` and `SignatureError` (certificates and signatures, each with codes),
 * `MailError` (the mail server's response); `JsonFault` (a position in a text).
 */
import { CuadraError, type ErrorKind } from './cuadra-error.ts'

interface Known {
  readonly kind: ErrorKind
  /** The error name that logs print. */
  readonly name?: string
}

const CONDITIONS = {
  /**
   * Other transactions repeatedly wrote the same rows. Thrown by the store. The HTTP server has a separate response for
   * it.
   */
  race: { kind: 'busy' },
  /**
   * The connection was lost during a commit, so it is unknown whether the transaction was committed. Thrown by the
   * store.
   */
  outcome_unknown: { kind: 'unknown' },
  /**
   * The unit of work needs a transaction of its own: in a shared transaction it would block the other units of work.
   * Thrown by `Tx`, caught by `CommitQueue`.
   */
  needs_own_transaction: { kind: 'busy' },
  /**
   * Another process took over the transmission queue, so the state in this process is stale. Thrown and caught in
   * `transmission`.
   */
  lease_lost: { kind: 'busy' },
  /** Records changed while their message was being built, so nothing is saved. Thrown and caught in `transmission`. */
  batch_changed: { kind: 'busy' },
  /** Another process is sending the mail. Thrown during delivery. */
  mail_taken_over: { kind: 'busy' },
  /** A stored secret cannot be decrypted. Thrown by `secrets.ts`, caught where certificates are used. */
  sealed_with_another_key: { kind: 'refused' },
  /** The file `path` of the embedded database is damaged. The message has the instructions for the administrator. */
  database_damaged: { kind: 'refused' },
  /** A record that requires a signature cannot be signed, so it is not stored. `items` has the reasons. */
  not_signed: { kind: 'refused' },
  /**
   * `doctor` found warnings (`warnings_found`) or errors (`errors_found`), which have different exit codes for
   * monitoring.
   */
  warnings_found: { kind: 'refused' },
  errors_found: { kind: 'usage' },
  /** The files of the simulator's certificate authority cannot be used. */
  simulator_keys: { kind: 'refused', name: 'PkiError' },
  /** Another simulator uses the data folder, or a newer version created it. */
  simulator_folder: { kind: 'refused', name: 'SimulatorError' },
  /** A fault to simulate is invalid. */
  simulator_fault: { kind: 'usage', name: 'FaultError' },
} as const satisfies Readonly<Record<string, Known>>

export type Condition = keyof typeof CONDITIONS

export class ConditionError extends CuadraError {
  override readonly kind: ErrorKind
  /** The file that the failure concerns. */
  readonly path: string | undefined
  /** The findings of the engine. */
  readonly items: readonly unknown[]

  constructor(
    readonly condition: Condition,
    message: string,
    {
      path,
      items = [],
      ...options
    }: ErrorOptions & { readonly path?: string; readonly items?: readonly unknown[] } = {},
  ) {
    super(message, options)
    const { kind, name }: Known = CONDITIONS[condition]
    this.kind = kind
    this.path = path
    this.items = items
    if (name !== undefined) this.name = name
  }
}

export const isCondition = (error: unknown, condition: Condition): error is ConditionError =>
  error instanceof ConditionError && error.condition === condition
