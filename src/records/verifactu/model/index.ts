export type { FiscalRecord } from './types.ts'
export { vocabulary } from './vocabulary.ts'
