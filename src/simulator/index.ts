/** A stand-in for the tax authority: see `simulator.ts`. */
export type { Powers } from './caller.ts'
export type { Control, Whose } from './control.ts'
export {
  type InvoiceRow,
  type RecordRow,
  SimulatorError,
  type SubmissionRow,
} from './database.ts'
export { FAULT_KINDS, type FaultName } from './fault-kinds.ts'
export { type ActiveFault, type Fault, FaultError } from './faults.ts'
export { PkiError } from './pki.ts'
export { type Simulator, type SimulatorOptions, startSimulator } from './simulator.ts'
