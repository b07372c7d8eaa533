/** The context that determines the values in selection lists: language, tax group, date and direction. */

import { valueAt } from '#core/invoice/pointer.ts'
import type { Locale } from '#engine/index.ts'
import type { Assessment } from './assess/assess.ts'
import type { ChoiceContext } from './messages/catalog-names.ts'

const text = (value: unknown, otherwise: string): string => (typeof value === 'string' ? value : otherwise)

export function choicesFor(
  { document, operation }: Assessment,
  locale: Locale,
  today: string,
): ChoiceContext {
  const issued = text(valueAt(document, '/invoice/issue_data/issue_date'), today)
  return {
    locale,
    group: text(valueAt(document, '/invoice/issue_data/tax_group_code'), 'IVA'),
    date: text(valueAt(document, '/invoice/issue_data/operation_date'), issued),
    received: operation === 'received',
  }
}
