import { rows as correctionData } from './generated/correction-reasons.ts'
import { rows as typeData } from './generated/invoice-types.ts'
import { rows as paymentData } from './generated/payment-methods.ts'
import { deepFreeze, indexBy, lazy } from './lazy.ts'

/** An invoice type, `01` to `05`. */
export interface InvoiceType {
  readonly code: string
  readonly name: string
  readonly name_en: string
  readonly is_simplified: boolean
  readonly is_corrective: boolean
  readonly facturae_document: string
  readonly facturae_class: string
}

/** A reason for a corrective invoice, `01` to `25`. */
export interface CorrectionReason {
  readonly code: string
  readonly name: string
  readonly name_en: string
  /** Type of the corrective invoice's fiscal record. For simplified invoices it is always `R5`. */
  readonly aeat_type: string
}

/** A payment method, `01` to `19`. */
export interface PaymentMethod {
  readonly code: string
  readonly name: string
  readonly name_en: string
  /** The field of the invoice for the bank account that this method requires. */
  readonly iban_field?: string
}

const types = /* @__PURE__ */ indexBy(
  /* @__PURE__ */ lazy((): readonly InvoiceType[] => deepFreeze(typeData)),
  (row) => row.code,
)
const reasons = /* @__PURE__ */ indexBy(
  /* @__PURE__ */ lazy((): readonly CorrectionReason[] => deepFreeze(correctionData)),
  (row) => row.code,
)
const methods = /* @__PURE__ */ indexBy(
  /* @__PURE__ */ lazy((): readonly PaymentMethod[] => deepFreeze(paymentData)),
  (row) => row.code,
)

/**
 * Returns the invoice type of a code. Source: RD 1619/2012; Facturae and VeriFactu for the codes of each format.
 *
 * @example
 * invoiceTypeOf('04')?.is_simplified // => true
 * invoiceTypeOf('06') // => undefined
 */
export function invoiceTypeOf(code: string): InvoiceType | undefined {
  return types().get(code)
}

/**
 * Returns the correction reason of a code. Source: articles 80 and 89 of Ley 37/1992; Facturae (`ReasonCode`).
 *
 * @example
 * correctionReasonOf('22')?.aeat_type // => 'R2'
 * correctionReasonOf('26') // => undefined
 */
export function correctionReasonOf(code: string): CorrectionReason | undefined {
  return reasons().get(code)
}

/**
 * Whether a value is a correction reason, `01` to `25`.
 *
 * @example
 * isCorrectionReason('25') // => true
 * isCorrectionReason('1') // => false
 */
export function isCorrectionReason(code: string): boolean {
  return reasons().has(code)
}

/**
 * Returns the payment method of a code. Source: Facturae (`PaymentMeans`).
 *
 * @example
 * paymentMethodOf('04')?.iban_field // => 'iban_account_to_be_credited'
 * paymentMethodOf('20') // => undefined
 */
export function paymentMethodOf(code: string): PaymentMethod | undefined {
  return methods().get(code)
}

/**
 * Whether a value is a payment method, `01` to `19`.
 *
 * @example
 * isPaymentMethod('19') // => true
 * isPaymentMethod('4') // => false
 */
export function isPaymentMethod(code: string): boolean {
  return methods().has(code)
}
