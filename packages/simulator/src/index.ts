/** A simulator of the tax authority: see `simulator.ts`. */
export type { Powers } from './caller.ts'
export type { Control, TaxpayerFilter } from './control.ts'
export { FAULT_KINDS, type FaultName } from './fault-kinds.ts'
export type { ActiveFault, Fault } from './simulated-faults.ts'
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts'
export type {
  InvoiceRow,
  RecordRow,
  SubmissionRow,
} from './simulator-database.ts'
