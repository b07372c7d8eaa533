/** How the simulator is told what to do and asked what it has: by tests in its process, and by its own pages. */
import type { ChainReport } from '../verifactu/index.ts'
import { auditChains } from './chain.ts'
import type { InvoiceRow, RecordRow, SimulatorDatabase, SubmissionRow } from './database.ts'
import type { ActiveFault, Fault, Faults } from './faults.ts'
import type { Listener } from './listener.ts'
import type { Environment } from './types.ts'

/** Whose records; of the test environment unless it says `production`. */
export interface Whose {
  readonly taxpayer: string
  readonly environment?: Environment
}

export interface Control {
  /** Tells the simulator to fail. Answers the number under which the fault can be cleared. */
  readonly inject: (fault: Fault) => Promise<number>
  /** Clears one fault, or all. False: there was none. */
  readonly clear: (id?: number) => Promise<boolean>
  readonly faults: () => readonly ActiveFault[]
  /** Seconds that answers tell to wait from now on. */
  readonly setWait: (seconds: number) => void
  readonly taxpayers: () => ReturnType<SimulatorDatabase['taxpayers']>
  /** Messages, oldest first, those that were refused as a whole too. */
  readonly submissions: (whose: Whose) => readonly SubmissionRow[]
  /** Every record received, oldest first, with what became of it. */
  readonly records: (whose: Whose) => readonly RecordRow[]
  /** The state of each invoice. */
  readonly invoices: (whose: Whose) => readonly InvoiceRow[]
  /** A message as it was received. */
  readonly request: (submission: number) => string | undefined
  /** The audit of all chains of a taxpayer, of every record that was received. */
  readonly chain: (whose: Whose) => ChainReport
}

/** What the control works on; the waiting time is read at every answer. */
export interface Settings {
  wait: number
}

export function createControl(
  database: SimulatorDatabase,
  faults: Faults,
  listener: Listener,
  settings: Settings,
  clock: () => number,
): Control {
  const follow = (): Promise<void> =>
    listener.follow((id) => {
      void control.clear(id)
    })
  const of =
    <T>(find: (environment: Environment, taxpayer: string) => T) =>
    ({ taxpayer, environment = 'test' }: Whose): T =>
      find(environment, taxpayer)
  const control: Control = {
    async inject(fault) {
      const id = faults.add(fault)
      await follow()
      return id
    },
    async clear(id) {
      const cleared = faults.clear(id)
      await follow()
      return cleared
    },
    faults: () => faults.list(),
    setWait(seconds) {
      if (!(Number.isInteger(seconds) && seconds >= 0 && seconds <= 9999))
        throw new RangeError(`The waiting time is ${seconds}; it is a whole number of seconds up to 9999.`)
      settings.wait = seconds
    },
    taxpayers: () => database.taxpayers(),
    submissions: of((environment, taxpayer) => database.submissions(environment, taxpayer)),
    records: of((environment, taxpayer) => database.records(environment, taxpayer)),
    invoices: of((environment, taxpayer) => database.invoices(environment, taxpayer)),
    request: (submission) => database.request(submission),
    chain: of((environment, taxpayer) =>
      auditChains(database, environment, taxpayer, { now: clock(), locale: 'en' }),
    ),
  }
  return control
}
