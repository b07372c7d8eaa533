/** Controls the simulator: injects faults and returns what the simulator received. Tests and the control API use it. */
import type { ChainReport } from '#records/verifactu/index.ts'
import type { Listener } from './listener.ts'
import { auditChains } from './simulated-chain.ts'
import type { ActiveFault, Fault, Faults } from './simulated-faults.ts'
import type { InvoiceRow, RecordRow, SimulatorDatabase, SubmissionRow } from './simulator-database.ts'
import type { Environment } from './simulator-types.ts'

/** Selects a taxpayer and an environment. Default environment: `test`. */
export interface TaxpayerFilter {
  readonly taxpayer: string
  readonly environment?: Environment
}

export interface Control {
  /** Injects a fault. Returns its id, which `clear` accepts. */
  readonly inject: (fault: Fault) => Promise<number>
  /** Clears one fault, or all. Returns false if no fault was cleared. */
  readonly clear: (id?: number) => Promise<boolean>
  readonly faults: () => readonly ActiveFault[]
  /** Sets the wait time in seconds that all further responses state. */
  readonly setWait: (seconds: number) => void
  readonly taxpayers: () => ReturnType<SimulatorDatabase['taxpayers']>
  /** Returns the messages, oldest first, including those rejected as a whole. */
  readonly submissions: (filter: TaxpayerFilter) => readonly SubmissionRow[]
  /** Returns the received records, oldest first, with their results. */
  readonly records: (filter: TaxpayerFilter) => readonly RecordRow[]
  /** Returns the state of each invoice. */
  readonly invoices: (filter: TaxpayerFilter) => readonly InvoiceRow[]
  /** Returns the text of a message as received. */
  readonly request: (submission: number) => string | undefined
  /** Audits all chains of a taxpayer, including rejected records. */
  readonly chain: (filter: TaxpayerFilter) => ChainReport
}

/** Settings that the control can change. The wait time is read for each response. */
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
  const applyConnectionFaults = (): Promise<void> =>
    listener.applyConnectionFaults((id) => {
      void control.clear(id)
    })
  const of =
    <T>(find: (environment: Environment, taxpayer: string) => T) =>
    ({ taxpayer, environment = 'test' }: TaxpayerFilter): T =>
      find(environment, taxpayer)
  const control: Control = {
    async inject(fault) {
      const id = faults.add(fault)
      await applyConnectionFaults()
      return id
    },
    async clear(id) {
      const cleared = faults.clear(id)
      await applyConnectionFaults()
      return cleared
    },
    faults: () => faults.list(),
    setWait(seconds) {
      if (!(Number.isInteger(seconds) && seconds >= 0 && seconds <= 9999))
        throw new RangeError(
          `Invalid waiting time: ${seconds}. Use a whole number of seconds from 0 to 9999.`,
        )
      settings.wait = seconds
    },
    taxpayers: () => database.taxpayers(),
    submissions: of((environment, taxpayer) => database.submissions(environment, taxpayer)),
    records: of((environment, taxpayer) => database.records(environment, taxpayer)),
    invoices: of((environment, taxpayer) => database.invoices(environment, taxpayer)),
    request: (submission) => database.request(submission),
    chain: of((environment, taxpayer) => auditChains(database, environment, taxpayer, clock())),
  }
  return control
}
