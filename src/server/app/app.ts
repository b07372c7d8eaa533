/** What a running server has: everything that comes from outside of a request. */
import type { Logger } from 'pino'
import type { Authority } from '../../authority/wire/index.ts'
import type { Recogniser } from '../../recognition/index.ts'
import type { Files } from '../documents/files.ts'
import type { Clock } from '../environment/clock.ts'
import type { Config } from '../environment/config.ts'
import type { InvoicingSystem } from '../environment/system.ts'
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
  /** What would keep other requests waiting. */
  readonly work: Work
  /** Reads files of others, in processes of its own. */
  readonly recogniser: Recogniser
  /** Which system makes the fiscal records. */
  readonly system: InvoicingSystem
  /** Sends a mail that is ready. */
  readonly deliver: Deliver
  /** What sends to the tax authority. */
  readonly authority: Authority
  /** Whether there is a way to it now: while no simulator runs, what is to be sent waits. */
  readonly reachesAuthority: () => boolean
  /** Names this process in rows that it alone works on. */
  readonly owner: string
}
