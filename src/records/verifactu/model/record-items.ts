/** Items that explain why a record was not built, with codes of this project instead of the authority's. */

import type { Locale } from '#core/invoice/index.ts'
import { type ItemCollector, itemCollectorOf, type MessageText } from '#core/messages/index.ts'
import { CORRECTION_MESSAGES } from '../../fiscal/correction.ts'
import { CORRECTED_LATER } from '../../fiscal/fiscal-operation-day.ts'
import { RECORD_CODES as RECORD_TEXTS } from '../generated/texts/records.ts'
import { INVOICE_CODES } from './invoice-items.ts'

const CODES = {
  ...RECORD_TEXTS,
  ...INVOICE_CODES,
  'record.reference': CORRECTION_MESSAGES.reference,
  'record.reference_not_earlier': CORRECTION_MESSAGES.reference_not_earlier,
  'record.corrected_surcharge': CORRECTION_MESSAGES.corrected_surcharge,
  'record.corrected_later': CORRECTED_LATER,
  'record.option': CORRECTION_MESSAGES.option,
}

export type RecordCode = keyof typeof CODES

export const RECORD_CODES: Readonly<Record<RecordCode, MessageText>> = CODES

export type Refuse = ItemCollector<RecordCode>['refuse']

/** Returns a collector of items with codes of records, in a language. */
export const refusals = (locale: Locale): ItemCollector<RecordCode> => itemCollectorOf(RECORD_CODES, locale)
