export type { FiscalRecord } from './verifactu-record-types.ts'
export { vocabulary } from './verifactu-vocabulary.ts'
