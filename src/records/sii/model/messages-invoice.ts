/** Texts of the items about an invoice that cannot be reported unchanged. */
import { CORRECTION_MESSAGES } from '../../fiscal/correction.ts'
import { CORRECTED_LATER } from '../../fiscal/fiscal-operation-day.ts'
import { INVOICE_CODES as INVOICE_CODES_TEXTS } from '../generated/texts/messages.ts'

export const INVOICE_CODES = {
  ...INVOICE_CODES_TEXTS,
  'sii.option': CORRECTION_MESSAGES.option,
  'sii.reference': CORRECTION_MESSAGES.reference,
  'sii.reference_not_earlier': CORRECTION_MESSAGES.reference_not_earlier,
  'sii.corrected_surcharge': CORRECTION_MESSAGES.corrected_surcharge,
  'sii.corrected_later': CORRECTED_LATER,
}
