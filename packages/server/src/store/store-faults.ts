/** Faults of the database that an administrator has to fix. They are reported by `/health`, the metrics and the log. */
import { type FaultKind, faultOf } from 'cuadra-storage/storage-faults.ts'

export class DatabaseFaults {
  readonly #errors = new Map<FaultKind, unknown>()

  /** `onFault` receives the first error of each fault. */
  constructor(readonly onFault: (error: unknown) => void = () => {}) {}

  /** Records the fault behind an error of a statement, if any. Damage is reported until the process ends. */
  readonly note = (error: unknown): void => {
    const kind = faultOf(error)
    if (kind === undefined || this.#errors.has(kind)) return
    this.#errors.set(kind, error)
    this.onFault(error)
  }

  /** Records that the database accepts changes. */
  readonly noteWrite = (): void => void this.#errors.delete('read_only')

  /** Throws the error of known damage. A damaged database may lose changes, and assign their invoice numbers again. */
  readonly refuseDamaged = (): void => {
    if (this.#errors.has('damaged')) throw this.#errors.get('damaged')
  }

  /** Returns the first error of a fault; undefined if there is no such fault. */
  errorOf(kind: FaultKind): unknown {
    return this.#errors.get(kind)
  }
}
