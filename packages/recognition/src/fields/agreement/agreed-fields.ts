/** The fields of an invoice on which the candidates agree, each with its score. */
import type { Exchange } from '../candidates/currency-fields.ts'
import type { TypeCode } from '../candidates/document-kind.ts'
import type { Line } from '../candidates/line-fields.ts'
import type { Payment } from '../candidates/payment-fields.ts'
import type { ScoredValue } from '../found.ts'
import type { Amounts } from './settle-fields.ts'

export interface Fields {
  readonly number: ScoredValue<string> | undefined
  readonly series: ScoredValue<string> | undefined
  readonly type: ScoredValue<TypeCode>
  readonly corrected: ScoredValue<string> | undefined
  readonly issueDate: ScoredValue<string> | undefined
  readonly operationDate: ScoredValue<string> | undefined
  readonly currency: ScoredValue<string> | undefined
  readonly exchange: Exchange | undefined
  readonly supplierTaxId: ScoredValue<string> | undefined
  readonly supplierName: ScoredValue<string> | undefined
  readonly supplierPerson: 'F' | 'J'
  readonly supplierCountry: string
  readonly customer:
    | ScoredValue<{
        readonly tax_id: string
        readonly name?: string
        readonly person_type_code: 'F' | 'J'
      }>
    | undefined
  readonly amounts: Amounts | undefined
  /** Rates that are the compensation of farmers (REAGYP). */
  readonly compensation: readonly number[]
  readonly lines: readonly Line[] | undefined
  /** Score of descriptions (`text`), and of lines with correct arithmetic (`checked`). */
  readonly lineTrust: { readonly text: number; readonly checked: number }
  readonly payment: Payment
}
