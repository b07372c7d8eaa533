/** A simulator of the tax authority: see `simulator.ts`. */
export type { Powers } from './caller.ts'
export type { Control, TaxpayerFilter } from './control.ts'
export type {
  InvoiceRow,
  RecordRow,
  SubmissionRow,
} from './database.ts'
export { FAULT_KINDS, type FaultName } from './fault-kinds.ts'
export type { ActiveFault, Fault } from './faults.ts'
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts'
