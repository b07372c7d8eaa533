/** The dependencies of a running server. */

import type { AuthorityClient } from 'cuadra-authority/wire/index.ts'
import type { Recogniser } from 'cuadra-recognition/index.ts'
import type { Logger } from 'pino'
import type { Files } from '../documents/files.ts'
import type { Clock } from '../environment/clock.ts'
import type { Config } from '../environment/config.ts'
import type { InvoicingSystem } from '../environment/invoicing-system.ts'
import type { Deliver } from '../mail/outgoing.ts'
import type { Store } from '../store/store.ts'
import type { Work } from '../work/work.ts'
import type { Metrics } from './metrics.ts'

export interface App {
  readonly config: Config
  readonly store: Store
  readonly clock: Clock
  readonly files: Files
  readonly log: Logger
  readonly metrics: Metrics
  /** Runs calculations in worker threads if they would block other requests. */
  readonly work: Work
  /** Reads suppliers' files in separate processes. */
  readonly recogniser: Recogniser
  /** The invoicing software that generates the fiscal records. */
  readonly system: InvoicingSystem
  /** Sends a mail. */
  readonly deliver: Deliver
  /** PEM of the certificates that are trusted in signatures of received invoices. */
  readonly signatureRoots: readonly string[]
  /** Sends messages to the tax authority. */
  readonly authority: AuthorityClient
  /** Whether messages can be sent to the authority now. While a configured simulator is not running, records wait. */
  readonly reachesAuthority: () => boolean
  /** The name of this process. It marks the database rows that this process is working on. */
  readonly owner: string
}
