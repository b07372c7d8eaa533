/**
 * Failures that one catcher handles in a way of its own. They have no class each: this is the table of them.
 *
 * The classes are: for everybody `CuadraError` and `UsageError` (here), `OptionError`, `QrError`, `DeclarationError`,
 * `XmlWriteError` and `RequestRefused`, which the packages export; in the server `ApiError` (a response), `ConfigError`
 * (all wrong settings), `CertificateError` and `SignatureError` (certificates and signatures, each with codes),
 * `MailError` (what the mail server said); `JsonFault` (a place in a text).
 */
import { CuadraError, type ErrorKind } from './index.ts'

interface Known {
  readonly kind: ErrorKind
  /** What logs print as its type. */
  readonly name?: string
}

const CONDITIONS = {
  /** Others wrote the same rows, again and again. Thrown by the store; a refusal of its own over HTTP. */
  race: { kind: 'busy' },
  /** A transaction was written or not. Thrown by the store, with the lost connection as its cause. */
  outcome_unknown: { kind: 'unknown' },
  /** Work that would keep others waiting needs a transaction of its own. Thrown by `Tx`, caught by `CommitQueue`. */
  needs_own_transaction: { kind: 'busy' },
  /** Another process took the queue to the tax authority: what this one knows is old. Thrown and caught in `transmission`. */
  lease_lost: { kind: 'busy' },
  /** What was to be sent changed while its message was made: nothing is written of it. Likewise. */
  batch_changed: { kind: 'busy' },
  /** Another process sends a mail now. Thrown while it is delivered. */
  mail_taken_over: { kind: 'busy' },
  /** What is stored sealed cannot be opened. Thrown by `secrets.ts`, caught where certificates are used. */
  sealed_with_another_key: { kind: 'refused' },
  /** The file of the embedded database, which is `path`, is damaged. The administrator is told what to do. */
  database_damaged: { kind: 'refused' },
  /** A record that must be signed cannot be, and is not stored. Its `items` say why. */
  not_signed: { kind: 'refused' },
  /** `doctor` found warnings, or errors: two exit codes, as monitors expect them. */
  warnings_found: { kind: 'refused' },
  errors_found: { kind: 'usage' },
  /** The files of the simulator's authority for certificates cannot be used. */
  simulator_keys: { kind: 'refused', name: 'PkiError' },
  /** Another simulator has the data folder, or a newer one made it. */
  simulator_folder: { kind: 'refused', name: 'SimulatorError' },
  /** A fault for the simulator that is not one. */
  simulator_fault: { kind: 'usage', name: 'FaultError' },
} as const satisfies Readonly<Record<string, Known>>

export type Condition = keyof typeof CONDITIONS

export class ConditionError extends CuadraError {
  override readonly kind: ErrorKind
  /** The file that it is about. */
  readonly path: string | undefined
  /** What the engine's lists of findings say of it. */
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
